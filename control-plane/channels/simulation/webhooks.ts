import { DueQueue } from './due-queue.ts';
import { type RetryPolicy, thrice } from './retry-policy.ts';
import { type OutgoingWebhook, sendWebhookOnce } from './webhook-attempt.ts';

/** Makes a webhook when it is due; undefined: by then there is nothing to report, or no address. */
export type LateWebhook = () => OutgoingWebhook | undefined;

/** Parts that may share a webhook: of one kind, for one address. */
export interface Batch<Part> {
  /** The most parts in one webhook. */
  readonly partsMax: number;
  compose(parts: readonly Part[]): OutgoingWebhook;
}

export interface WebhookOptions {
  /** Milliseconds since the epoch; without a clock everything is due at once. */
  readonly now?: () => number;
  readonly retry?: RetryPolicy;
  /** Called for each answer: some providers drop an address because of what it answers. */
  readonly onAnswer?: (webhook: OutgoingWebhook, status: number) => void;
}

/** Counts of all webhooks so far; `attempts` exceeds `delivered` by the retries. */
export interface WebhookCounts {
  readonly queued: number;
  readonly attempts: number;
  readonly delivered: number;
  readonly givenUp: number;
  /** Dropped because newer ones filled the queue. */
  readonly dropped: number;
  readonly waiting: number;
}

/** The most webhooks kept; the earliest are dropped first. */
const pendingMax = 500_000;
const inFlightMax = 64;
/** The longest delay that a timer takes. */
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
 * Webhooks that wait. A test takes them, or they are sent over sockets as they become due: many at
 * once, so in no fixed order, and again after a failure. With a clock that a test moves, `settle`
 * sends those that have become due since.
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
  #isSendScheduled = false;
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

  /** Queues a part; parts of the same batch that are due by then share a webhook. */
  queuePart<Part>(batch: Batch<Part>, part: Part, afterMs = 0): void {
    const make = () => batch.compose([part]);
    this.#add({ make, batch: batch as Batch<unknown>, part }, afterMs);
  }

  /** Takes the webhooks that are due; they are no longer sent. */
  take(): readonly OutgoingWebhook[] {
    this.#makeDue();
    // A fragment is never sent to a server.
    return this.#ready.splice(0).map((each) => ({ ...each, url: each.url.replace(/#.*$/, '') }));
  }

  /** Makes and sends everything that has become due. */
  settle(): void {
    if (this.#isSending) this.#sendDue();
    else this.#makeDue();
  }

  /** Resolves when everything due has been sent or given up. */
  sent(): Promise<void> {
    if (!this.#isSending) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#sendDueSoon();
    });
  }

  /** Drops what waits: nothing further is sent or retried. */
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
    // Only after the answer that caused it has been written, as most real providers do.
    if (this.#isSending) this.#sendDueSoon();
  }

  #push(item: Pending | Started, due: number): void {
    if (this.#isStopped) return;
    this.#queue.push(item, due);
    if (this.#queue.size <= pendingMax) return;
    this.#queue.pop();
    this.#counts.dropped += 1;
  }

  #sendDueSoon(): void {
    if (this.#isSendScheduled) return;
    this.#isSendScheduled = true;
    setImmediate(() => {
      this.#isSendScheduled = false;
      this.#sendDue();
    });
  }

  #sendDue(): void {
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

  /** Sets a timer for the next one. It may be due by now, and a timer may fire a little early. */
  #arm(): void {
    const due = this.#queue.nextDue;
    if (this.#inFlight >= inFlightMax) return; // the next one that ends sets the timer
    if (due === undefined || due >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = due;
    const wake = () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#sendDue();
    };
    const waitMs = Math.min(Math.max(due - this.#now(), 1), sleepMsMax);
    this.#timer = setTimeout(wake, waitMs).unref();
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
    const { status, retryAfterMs } = await sendWebhookOnce(webhook);
    started.number += 1;
    this.#counts.attempts += 1;
    this.#inFlight -= 1;
    if (status !== undefined) this.#onAnswer?.(webhook, status);
    if (status !== undefined && status >= 200 && status <= 299) this.#counts.delivered += 1;
    else this.#tryAgain(started, status, retryAfterMs);
    this.#sendDue();
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
