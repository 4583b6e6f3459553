import {
  type Answer,
  type Endpoint,
  type Reply,
  type RunningSimulator,
  serve,
} from '../../simulation/server.ts';
import { Faults, VirtualClock } from '../../simulation/switches.ts';
import { Files } from './files.ts';
import { type Entry, MessageLog } from './message-log.ts';
import { type Course, courseOf, type Habits, linkIn, prompt } from './people.ts';
import { never, type RetryPolicy } from './retry-policy.ts';
import { type LateWebhook, type OutgoingWebhook, Webhooks } from './webhooks.ts';

/** What every simulated channel is started with. */
export interface GroundOptions {
  readonly clock: () => Date;
  /** In [0, 1): makes identifiers and people's moods, so a seeded one makes runs repeatable. */
  readonly random: () => number;
  /** Whether webhooks are sent by themselves; otherwise `takeWebhooks` hands them out. */
  readonly isSending?: boolean;
  readonly habits?: Habits;
  /** The share of messages whose answer is lost after they were taken. */
  readonly answersLost?: number;
  readonly port?: number;
}

/** What may be changed while it runs. */
export interface GroundSwitches {
  habits: Habits;
  answersLost: number;
}

/** Full messages kept; the log has all of them, in short. */
const messagesMax = 20_000;

/** The provider's own code in a refusal, wherever it stands; else the status. */
function codeOf({ status, body }: Answer): string {
  const told = (body ?? {}) as { code?: unknown; error?: { code?: unknown } };
  return String(told.code ?? told.error?.code ?? status);
}

const browser =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/142.0.0.0 Mobile Safari/537.36';

/** What all simulated channels stand on: time, mishaps, people, the log and the way out. */
export class Ground<Message> {
  readonly clock: VirtualClock;
  readonly faults = new Faults();
  readonly webhooks: Webhooks;
  /** Links that people open. */
  readonly clicks: Webhooks;
  readonly log = new MessageLog();
  readonly files = new Files();
  /** Where it is served; empty before that. */
  url = '';
  readonly switches: GroundSwitches;
  /** The latest, oldest first. */
  readonly messages: Message[] = [];
  readonly random: () => number;
  readonly #wall: () => Date;
  /** Where people's clicks may go: who can send must not make this open what it likes. */
  readonly #linkOrigins = new Set<string>();

  constructor(
    options: GroundOptions,
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

  /** Serves the endpoints; when that ends, nothing further is sent either. */
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

  /** Milliseconds. */
  get now(): number {
    return this.clock.now().getTime();
  }

  /** As the clocks of its customers: what they sign for now is not stale when this one is moved. */
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

  /** So many hexadecimal digits. */
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

  /** Lets something happen, and tells it: now, or when its time has come. */
  tell(happening: LateWebhook, afterMs = 0): void {
    if (afterMs > 0) this.webhooks.queue(happening, afterMs);
    else {
      const webhook = happening();
      if (webhook !== undefined) this.webhooks.queue(webhook);
    }
  }

  /** Sends as the next planned mishap lets it, and counts what is refused. */
  sending(work: () => Reply): Reply {
    const reply = this.faults.around('send', work);
    if (typeof reply !== 'string' && reply.status >= 400) this.log.refused(codeOf(reply));
    return reply;
  }

  /** Keeps a message, and gives the answer, or loses it. */
  accept(message: Message, entry: Omit<Entry, 'at' | 'isAnswerLost'>, reply: Reply): Reply {
    this.messages.push(message);
    if (this.messages.length > 2 * messagesMax) this.messages.splice(0, messagesMax);
    const isLost = this.switches.answersLost > 0 && this.random() < this.switches.answersLost;
    const at = this.clock.now().toISOString();
    this.log.add({ ...entry, at, ...(isLost ? { isAnswerLost: true } : {}) });
    return isLost ? 'cut' : reply;
  }

  /** What the person with these digits does with a message. */
  courseOf(digits: string, isFailing = false): Course {
    return courseOf(digits, this.switches.habits, this.random, isFailing);
  }

  /** People may open links that lead where this address is. */
  allowLinks(address: string): void {
    if (URL.canParse(address)) this.#linkOrigins.add(new URL(address).origin);
  }

  /** A person opens the first link of a text, if it leads where people may go. */
  click(text: string, afterMs: number): void {
    const url = linkIn(text);
    if (url === undefined || !URL.canParse(url)) return;
    if (!this.#linkOrigins.has(new URL(url).origin)) return;
    const headers = { 'user-agent': browser, accept: 'text/html' };
    this.clicks.queue({ method: 'GET', url, headers, body: '' }, afterMs);
  }
}
