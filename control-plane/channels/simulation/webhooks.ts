import { DueQueue } from './due-queue.ts';
import { type RetryPolicy, thrice } from './retry-policy.ts';
import { tryOnce } from './wire.ts';

/** A call that a provider makes to its customer. */
export interface OutgoingWebhook {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Made when it is due; undefined when by then there is nothing to tell, or nobody to tell. */
export type LateWebhook = () => OutgoingWebhook | undefined;

/** What may share a webhook: things of one kind for one address. */
export interface Batch<Part> {
  /** Parts in one webhook at most. */
  readonly partsMax: number;
  compose(parts: readonly Part[]): OutgoingWebhook;
}

export interface WebhookOptions {
  /** Milliseconds; without a clock everything is due at once. */
  readonly now?: () => number;
  readonly retry?: RetryPolicy;
  /** Told of each answer: some providers drop an address for what it answers. */
  readonly onAnswer?: (webhook: OutgoingWebhook, status: number) => void;
}

/** What became of all webhooks so far; `attempts` is more than `delivered` by the repeats. */
export interface WebhookCounts {
  readonly queued: number;
  readonly attempts: number;
  readonly delivered: number;
  readonly givenUp: number;
  /** Pushed out by newer ones. */
  readonly dropped: number;
  readonly waiting: number;
}

/** Webhooks kept at once; the earliest go first, as a provider's retention ends too. */
const pendingMax = 500_000;
const inFlightMax = 64;
/** Longer than a timer takes. */
const sleepMsMax = 2 ** 31 - 1;

interface Pending {
  readonly make: LateWebhook;
  readonly batch?: Batch<unknown>;
  readonly part?: unknown;
}

interface Started {
  readonly webhook: OutgoingWebhook;
  readonly begunAt: number;
  number: number;
}

/**
 * Webhooks waiting: taken by a test, or sent over the wire as they become due, many at once and so
 * in no certain order, and again after a failure. With a clock that stands still, `settle` sends
 * what has become due since.
 */
export class Webhooks {
  readonly #queue = new DueQueue<Pending | Started>();
  readonly #isSending: boolean;
  readonly #now: () => number;
  readonly #retry: RetryPolicy;
  readonly #onAnswer: WebhookOptions['onAnswer'];
  readonly #counts = { queued: 0, attempts: 0, delivered: 0, givenUp: 0, dropped: 0 };
  #ready: OutgoingWebhook[] = [];
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #pumping = false;
  #isStopped = false;
  #idle: (() => void)[] = [];

  constructor(
    isSending: boolean,
    { now = () => 0, retry = thrice, onAnswer }: WebhookOptions = {},
  ) {
    this.#isSending = isSending;
    this.#now = now;
    this.#retry = retry;
    this.#onAnswer = onAnswer;
  }

  queue(webhook: OutgoingWebhook | LateWebhook, afterMs = 0): void {
    this.#add({ make: typeof webhook === 'function' ? webhook : () => webhook }, afterMs);
  }

  /** Queues a part, which goes together with others of its batch that are due by then. */
  queuePart<Part>(batch: Batch<Part>, part: Part, afterMs = 0): void {
    const make = () => batch.compose([part]);
    this.#add({ make, batch: batch as Batch<unknown>, part }, afterMs);
  }

  /** Those due, which are then no longer sent. */
  take(): readonly OutgoingWebhook[] {
    this.#makeDue();
    // What stands behind a # never travels.
    return this.#ready.splice(0).map((each) => ({ ...each, url: each.url.replace(/#.*$/, '') }));
  }

  /** Lets happen, and sends, what has become due. */
  settle(): void {
    if (this.#isSending) this.#pump();
    else this.#makeDue();
  }

  /** Resolves when all that is due has been sent or given up, and nothing is under way. */
  sent(): Promise<void> {
    if (!this.#isSending) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#pumpSoon();
    });
  }

  /** Forgets what waits: nothing further is sent, nor tried again. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    while (this.#queue.pop() !== undefined);
    this.#ready = [];
  }

  counts(): WebhookCounts {
    return { ...this.#counts, waiting: this.#queue.size + this.#ready.length + this.#inFlight };
  }

  #add(pending: Pending, afterMs: number): void {
    this.#counts.queued += 1;
    this.#push(pending, this.#now() + afterMs);
    // After the answer that caused it has been written, as it is with the real ones (mostly).
    if (this.#isSending) this.#pumpSoon();
  }

  #push(item: Pending | Started, due: number): void {
    if (this.#isStopped) return;
    this.#queue.push(item, due);
    if (this.#queue.size <= pendingMax) return;
    this.#queue.pop();
    this.#counts.dropped += 1;
  }

  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#inFlight < inFlightMax) {
      const started = this.#nextDue();
      if (started === undefined) break;
      this.#inFlight += 1;
      void this.#send(started);
    }
    const isDue = (this.#queue.nextDue ?? Number.POSITIVE_INFINITY) <= this.#now();
    if (this.#inFlight === 0 && !isDue) for (const resolve of this.#idle.splice(0)) resolve();
    this.#arm();
  }

  /** Wakes when the next is due, if time passes by itself. */
  #arm(): void {
    const due = this.#queue.nextDue;
    const now = this.#now();
    if (due === undefined || due <= now || due >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = due;
    const wake = () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      if (this.#now() > now) this.#pump();
    };
    this.#timer = setTimeout(wake, Math.min(due - now, sleepMsMax)).unref();
  }

  #nextDue(): Started | undefined {
    while ((this.#queue.nextDue ?? Number.POSITIVE_INFINITY) <= this.#now()) {
      const item = this.#queue.pop()!;
      if ('webhook' in item) return item;
      const webhook = this.#make(item);
      if (webhook !== undefined) return { webhook, begunAt: this.#now(), number: 0 };
    }
    return undefined;
  }

  #make(first: Pending): OutgoingWebhook | undefined {
    const { batch } = first;
    if (batch === undefined || batch.partsMax < 2) return first.make();
    const parts = [first.part];
    while (parts.length < batch.partsMax && this.#isDueOf(batch)) {
      parts.push((this.#queue.pop() as Pending).part);
    }
    return batch.compose(parts);
  }

  #isDueOf(batch: Batch<unknown>): boolean {
    const { next, nextDue } = this.#queue;
    if (next === undefined || nextDue === undefined || nextDue > this.#now()) return false;
    return 'batch' in next && next.batch === batch;
  }

  #makeDue(): void {
    for (;;) {
      const started = this.#nextDue();
      if (started === undefined) break;
      this.#ready.push(started.webhook);
    }
    const tooMany = this.#ready.length - pendingMax;
    if (tooMany <= 0) return;
    this.#ready.splice(0, tooMany);
    this.#counts.dropped += tooMany;
  }

  async #send(started: Started): Promise<void> {
    const { webhook } = started;
    const { status, retryAfterMs } = await tryOnce(webhook);
    started.number += 1;
    this.#counts.attempts += 1;
    this.#inFlight -= 1;
    if (status !== undefined) this.#onAnswer?.(webhook, status);
    if (status !== undefined && status >= 200 && status <= 299) this.#counts.delivered += 1;
    else this.#tryAgain(started, status, retryAfterMs);
    this.#pump();
  }

  #tryAgain(started: Started, status?: number, retryAfterMs?: number): void {
    const waitMs = this.#retry({
      url: started.webhook.url,
      number: started.number,
      ageMs: this.#now() - started.begunAt,
      ...(status === undefined ? {} : { status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
    if (waitMs === undefined) this.#counts.givenUp += 1;
    else this.#push(started, this.#now() + waitMs);
  }
}
