import type { Fault } from '../../simulation/faults.ts';
import type { Command } from './control-endpoints.ts';
import type { HeldFile } from './files.ts';
import { Quota } from './quota.ts';
import type { DeliveryStep } from './recipient-behaviour.ts';
import type { RetryPolicy } from './retry-policy.ts';
import { type ProviderOptions, SimulatedProvider } from './simulated-provider.ts';
import type { OutgoingWebhook } from './webhook-attempt.ts';

export interface SimulatorOptions extends ProviderOptions {
  /** Where messages from people go; reports go to the address in each message. */
  readonly inboundUrl: string;
  /** Messages a second for the account; 0: no limit. */
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

/** The control of a simulated SMS provider, for tests and operators. */
export interface SmsControl {
  /** The only call is `send`. */
  fault(fault: Fault): void;
  advance(ms: number): void;
  /** Messages accepted, oldest first; at least the latest 20,000. */
  messages(): readonly HeldSms[];
  takeWebhooks(): readonly OutgoingWebhook[];
  /** Resolves when every webhook that is due has been sent or given up. */
  sent(): Promise<void>;
  /** The person at these digits writes, to the sandbox's number or another one. */
  write(from: string, text: string, to?: string): void;
  /** Sends messages to this number to another address than the common one. */
  route(number: string, url: string): void;
}

/** How a provider expresses what SmsNetwork decides. */
export interface SmsDialect {
  /** The number from which the sandbox sends. */
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

/** The state of every simulated SMS provider. */
export class SmsNetwork extends SimulatedProvider<HeldSms> {
  inboundUrl: string;
  readonly quota: Quota;
  readonly #dialect: SmsDialect;
  /** Inbound addresses of numbers that have their own. */
  readonly #routes = new Map<string, string>();
  /** The people who wrote STOP to a number, where the provider records that. */
  readonly #stopped = new Set<string>();
  /** The last reported step of each message that is kept. */
  readonly #rungs = new WeakMap<HeldSms, DeliveryStep>();

  constructor(options: SimulatorOptions, dialect: SmsDialect) {
    super(options, dialect.retry);
    this.#dialect = dialect;
    this.inboundUrl = options.inboundUrl;
    this.quota = new Quota(options.messagesPerSecond ?? dialect.messagesPerSecond, 1_000);
    this.allowLinks(options.inboundUrl);
  }

  /** Where messages to one of the account's numbers go; undefined: it is none of them. */
  routeOf(number: string): string | undefined {
    const digits = digitsOf(number);
    const isOwn = digits === digitsOf(this.#dialect.from);
    return this.#routes.get(digits) ?? (isOwn ? this.inboundUrl : undefined);
  }

  /** Sends messages to this number there. */
  route(number: string, url: string): void {
    this.#routes.set(digitsOf(number), url);
    this.allowLinks(url);
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

  /** The last reported step of a message. */
  rungOf(message: HeldSms): DeliveryStep | undefined {
    return this.#rungs.get(message);
  }

  /** Plays the reports of a message; SMS has no read receipts, so those are not sent. */
  follow(
    message: HeldSms,
    isFailing: boolean,
    report: (step: Exclude<DeliveryStep, 'read'>, at: Date) => OutgoingWebhook | undefined,
  ): void {
    const { reports, action } = this.planDelivery(message.to, isFailing);
    const sentAt = this.now;
    for (const { step, happensAfterMs, reportedAfterMs } of reports) {
      if (step === 'read') continue;
      this.webhooks.queue(() => {
        this.log.reported(step);
        if (step !== 'sent' || !this.#rungs.has(message)) this.#rungs.set(message, step);
        return report(step, new Date(sentAt + happensAfterMs));
      }, reportedAfterMs);
    }
    if (action === undefined) return;
    if (action.kind === 'click') this.click(message.text, action.afterMs);
    else
      this.write(message.to, action.kind === 'stop' ? 'STOP' : 'YES', message.from, action.afterMs);
  }

  control(): SmsControl {
    return {
      fault: (fault) => this.faults.plan(fault),
      advance: (ms) => this.advance(ms),
      messages: () => this.messages,
      takeWebhooks: () => this.webhooks.take(),
      sent: () => this.webhooks.sent(),
      write: (from, text, to) => this.write(from, text, to),
      route: (number, url) => this.route(number, url),
    };
  }
}

/** The `/_control` commands of every SMS provider. */
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

/** The sender's own id, which it put into the report address as the first query parameter. */
export function referenceIn(url: string | undefined): { readonly reference?: string } {
  const asked = url === undefined || !URL.canParse(url) ? [] : [...new URL(url).searchParams];
  const reference = asked[0]?.[1];
  return reference === undefined ? {} : { reference };
}

function digitsOf(number: string): string {
  return number.replace(/^\+/, '');
}
