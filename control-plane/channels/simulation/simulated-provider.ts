import { Faults } from '../../simulation/faults.ts';
import {
  type Answer,
  type Endpoint,
  type Reply,
  type RunningSimulator,
  serve,
} from '../../simulation/server.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { Files } from './files.ts';
import { type Entry, MessageLog } from './message-log.ts';
import {
  type Habits,
  linkIn,
  type PlannedDelivery,
  planDelivery,
  prompt,
} from './recipient-behaviour.ts';
import { never, type RetryPolicy } from './retry-policy.ts';
import type { OutgoingWebhook } from './webhook-attempt.ts';
import { type LateWebhook, Webhooks } from './webhooks.ts';

/** Options of every simulated channel. */
export interface ProviderOptions {
  readonly clock: () => Date;
  /** In [0, 1): makes identifiers and decides what people do, so a seed makes runs repeatable. */
  readonly random: () => number;
  /** Whether webhooks are sent; otherwise `takeWebhooks` returns them. */
  readonly isSending?: boolean;
  readonly habits?: Habits;
  /** The share of messages whose answer is lost after they were accepted. */
  readonly answersLost?: number;
  readonly port?: number;
}

/** What may be changed while the simulator runs. */
export interface ProviderSwitches {
  habits: Habits;
  answersLost: number;
}

/** Full messages kept; the log has a short entry for all of them. */
const messagesMax = 20_000;

/** The provider's code in a refusal, wherever it is; else the HTTP status. */
function codeOf({ status, body }: Answer): string {
  const parsed = (body ?? {}) as { code?: unknown; error?: { code?: unknown } };
  return String(parsed.code ?? parsed.error?.code ?? status);
}

const browser =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/142.0.0.0 Mobile Safari/537.36';

/** The base of all simulated channels: time, faults, people, the log and the webhooks. */
export class SimulatedProvider<Message> {
  readonly clock: VirtualClock;
  readonly faults = new Faults();
  readonly webhooks: Webhooks;
  /** Links that people open. */
  readonly clicks: Webhooks;
  readonly log = new MessageLog();
  readonly files = new Files();
  /** The server's address; empty before it listens. */
  url = '';
  readonly switches: ProviderSwitches;
  /** The latest messages, oldest first. */
  readonly messages: Message[] = [];
  readonly random: () => number;
  readonly #wall: () => Date;
  /**
   * The only origins that clicks may open: a sender must not make the simulator call any address.
   */
  readonly #linkOrigins = new Set<string>();

  constructor(
    options: ProviderOptions,
    retry: RetryPolicy,
    onAnswer?: (webhook: OutgoingWebhook, status: number) => void,
  ) {
    const { clock, random, isSending = false, habits = prompt, answersLost = 0 } = options;
    this.clock = new VirtualClock(clock);
    this.#wall = clock;
    this.random = random;
    this.switches = { habits, answersLost };
    const now = () => this.now;
    this.webhooks = new Webhooks(isSending, { now, retry, ...(onAnswer ? { onAnswer } : {}) });
    this.clicks = new Webhooks(isSending, { now, retry: never });
  }

  /** Serves the endpoints; when the server stops, no further webhooks are sent. */
  async serve(endpoints: readonly Endpoint[], port = 0): Promise<RunningSimulator> {
    const { url, stop } = await serve(endpoints, port);
    this.url = url;
    return {
      url,
      stop: () => {
        this.webhooks.stop();
        this.clicks.stop();
        return stop();
      },
    };
  }

  /** Milliseconds since the epoch, by the simulator's clock. */
  get now(): number {
    return this.clock.now().getTime();
  }

  /**
   * Seconds by the customers' clock: a signature made with it is not stale when the simulator's
   * clock moves.
   */
  get wallSeconds(): number {
    return Math.floor(this.#wall().getTime() / 1_000);
  }

  get seconds(): number {
    return Math.floor(this.now / 1_000);
  }

  advance(ms: number): void {
    this.clock.advance(ms);
    this.webhooks.settle();
    this.clicks.settle();
  }

  /** That many hexadecimal digits. */
  hex(length: number): string {
    let digits = '';
    while (digits.length < length) {
      digits += Math.floor(this.random() * 2 ** 32)
        .toString(16)
        .padStart(8, '0');
    }
    return digits.slice(0, length);
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-');
  }

  /** Queues a webhook: for now, or for later. */
  tell(happening: LateWebhook, afterMs = 0): void {
    if (afterMs > 0) this.webhooks.queue(happening, afterMs);
    else {
      const webhook = happening();
      if (webhook !== undefined) this.webhooks.queue(webhook);
    }
  }

  /** Runs the work unless the next planned fault prevents it, and counts refusals. */
  sending(work: () => Reply): Reply {
    const reply = this.faults.around('send', work);
    if (typeof reply !== 'string' && reply.status >= 400) this.log.refused(codeOf(reply));
    return reply;
  }

  /** Keeps a message, and gives the answer or loses it. */
  accept(message: Message, entry: Omit<Entry, 'at' | 'isAnswerLost'>, reply: Reply): Reply {
    this.messages.push(message);
    if (this.messages.length > 2 * messagesMax) this.messages.splice(0, messagesMax);
    const isLost = this.switches.answersLost > 0 && this.random() < this.switches.answersLost;
    const at = this.clock.now().toISOString();
    this.log.add({ ...entry, at, ...(isLost ? { isAnswerLost: true } : {}) });
    return isLost ? 'cut' : reply;
  }

  /** What the person with these digits does with the message. */
  planDelivery(digits: string, isFailing = false): PlannedDelivery {
    return planDelivery(digits, this.switches.habits, this.random, isFailing);
  }

  /** Allows people to open links at the origin of this address. */
  allowLinks(address: string): void {
    if (URL.canParse(address)) this.#linkOrigins.add(new URL(address).origin);
  }

  /** A person opens the first link in a text, if its origin is allowed. */
  click(text: string, afterMs: number): void {
    const url = linkIn(text);
    if (url === undefined || !URL.canParse(url)) return;
    if (!this.#linkOrigins.has(new URL(url).origin)) return;
    const headers = { 'user-agent': browser, accept: 'text/html' };
    this.clicks.queue({ method: 'GET', url, headers, body: '' }, afterMs);
  }
}
