import type { Fault } from '../../simulation/switches.ts';
import type { Command } from './control-endpoints.ts';
import type { HeldFile } from './files.ts';
import { Ground, type GroundOptions } from './ground.ts';
import type { Rung } from './people.ts';
import { Quota } from './quota.ts';
import type { RetryPolicy } from './retry-policy.ts';
import type { OutgoingWebhook } from './webhooks.ts';

export interface SimulatorOptions extends GroundOptions {
  /** Where messages from people go; reports go where each message says. */
  readonly inboundUrl: string;
  /** Messages a second that the account may send; 0: as many as come. */
  readonly messagesPerSecond?: number;
}

export interface HeldSms {
  readonly id: string;
  /** Digits only. */
  readonly to: string;
  readonly from: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What a test or an operator may do to a simulated SMS provider. */
export interface SmsControl {
  /** The call is `send`. */
  fault(fault: Fault): void;
  advance(ms: number): void;
  /** Messages taken, oldest first; the latest 20,000 at least. */
  messages(): readonly HeldSms[];
  takeWebhooks(): readonly OutgoingWebhook[];
  /** Resolves when all webhooks that are due have been sent or given up. */
  sent(): Promise<void>;
  /** A person at these digits writes, to the sandbox's number or another. */
  write(from: string, text: string, to?: string): void;
  /** Where messages to this number go, in place of the common address. */
  route(number: string, url: string): void;
}

/** How a provider words what SmsNetwork decides. */
export interface SmsDialect {
  /** The number that the sandbox sends from. */
  readonly from: string;
  readonly retry: RetryPolicy;
  readonly messagesPerSecond: number;
  inbound(
    network: SmsNetwork,
    url: string,
    from: string,
    text: string,
    to: string,
    file: HeldFile | undefined,
  ): OutgoingWebhook;
}

/** What every simulated SMS provider remembers. */
export class SmsNetwork extends Ground<HeldSms> {
  inboundUrl: string;
  readonly quota: Quota;
  readonly #dialect: SmsDialect;
  /** Inbound addresses of numbers that have their own. */
  readonly #routes = new Map<string, string>();
  /** Who wrote STOP to this number, where the provider keeps that. */
  readonly #stopped = new Set<string>();
  /** How far each of the messages kept has come. */
  readonly #rungs = new WeakMap<HeldSms, Rung>();

  constructor(options: SimulatorOptions, dialect: SmsDialect) {
    super(options, dialect.retry);
    this.#dialect = dialect;
    this.inboundUrl = options.inboundUrl;
    this.quota = new Quota(options.messagesPerSecond ?? dialect.messagesPerSecond, 1_000);
    this.allowLinks(options.inboundUrl);
  }

  /** A person writes. */
  write(from: string, text: string, to = this.#dialect.from, afterMs = 0, file?: HeldFile): void {
    this.tell(() => {
      const pair = `${from} ${digitsOf(to)}`;
      if (/^\s*(stop|unsubscribe)\s*$/i.test(text)) this.#stopped.add(pair);
      if (/^\s*(start|yes|unstop)\s*$/i.test(text)) this.#stopped.delete(pair);
      this.log.reported('inbound');
      const url = this.#routes.get(digitsOf(to)) ?? this.inboundUrl;
      return this.#dialect.inbound(this, url, from, text, to, file);
    }, afterMs);
  }

  /** Whether this person has stopped messages from this number. */
  hasStopped(person: string, from: string): boolean {
    return this.#stopped.has(`${person} ${digitsOf(from)}`);
  }

  /** How far a message has come, as far as its reports told. */
  rungOf(message: HeldSms): Rung | undefined {
    return this.#rungs.get(message);
  }

  /** Lets a message take its course; SMS knows no read receipts, so those are not told. */
  follow(
    message: HeldSms,
    isFailing: boolean,
    report: (rung: Exclude<Rung, 'read'>, at: Date) => OutgoingWebhook | undefined,
  ): void {
    const { reports, deed } = this.courseOf(message.to, isFailing);
    const sentAt = this.now;
    for (const { rung, happensAfterMs, toldAfterMs } of reports) {
      if (rung === 'read') continue;
      this.webhooks.queue(() => {
        this.log.reported(rung);
        if (rung !== 'sent' || !this.#rungs.has(message)) this.#rungs.set(message, rung);
        return report(rung, new Date(sentAt + happensAfterMs));
      }, toldAfterMs);
    }
    if (deed === undefined) return;
    if (deed.kind === 'click') this.click(message.text, deed.afterMs);
    else this.write(message.to, deed.kind === 'stop' ? 'STOP' : 'YES', message.from, deed.afterMs);
  }

  control(): SmsControl {
    return {
      fault: (fault) => this.faults.plan(fault),
      advance: (ms) => this.advance(ms),
      messages: () => this.messages,
      takeWebhooks: () => this.webhooks.take(),
      sent: () => this.webhooks.sent(),
      write: (from, text, to) => this.write(from, text, to),
      route: (number, url) => {
        this.#routes.set(digitsOf(number), url);
        this.allowLinks(url);
      },
    };
  }
}

/** What every SMS provider can be told below `/_control`. */
export function smsCommands(network: SmsNetwork): readonly Command[] {
  const control = network.control();
  return [
    {
      name: 'inbound',
      example: { from: '919800000001', text: 'hello', to: '60123456789', file: '700000001' },
      run({ from, text, to, file }) {
        const number = to === undefined ? undefined : String(to);
        const sent = network.files.get(file === undefined ? undefined : String(file));
        network.write(String(from), String(text), number, 0, sent);
      },
    },
    {
      name: 'route',
      example: { number: '60123456789', url: 'http://127.0.0.1:8081/sms/v1/webhooks/…/inbound/' },
      run: ({ number, url }) => control.route(String(number), String(url)),
    },
    {
      name: 'webhook',
      example: { url: 'http://127.0.0.1:8081/sms/v1/webhooks/…/inbound/' },
      run({ url }) {
        network.inboundUrl = String(url);
        network.allowLinks(network.inboundUrl);
      },
    },
    {
      name: 'rate',
      example: { messages_per_second: 0 },
      run({ messages_per_second }) {
        network.quota.count = Number(messages_per_second);
      },
    },
  ];
}

/** The sender's own id, which it put into the address for reports as the first thing asked. */
export function referenceIn(url: string | undefined): { readonly reference?: string } {
  const asked = url === undefined || !URL.canParse(url) ? [] : [...new URL(url).searchParams];
  const reference = asked[0]?.[1];
  return reference === undefined ? {} : { reference };
}

function digitsOf(number: string): string {
  return number.replace(/^\+/, '');
}

/** The form as one value a field, the last of several. */
export function formOf(body: Buffer): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}
