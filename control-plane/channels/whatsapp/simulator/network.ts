import type { Json } from '../../simulation/json.ts';
import { Pairs, Quota } from '../../simulation/quota.ts';
import { meta } from '../../simulation/retry-policy.ts';
import { type ProviderOptions, SimulatedProvider } from '../../simulation/simulated-provider.ts';
import type { Batch } from '../../simulation/webhooks.ts';
import { envelopeOf, signed } from './envelope.ts';
import { account } from './sandbox-account.ts';

export interface HeldMessage {
  readonly id: string;
  readonly to: string;
  readonly type: string;
  readonly phoneNumberId: string;
  readonly callbackData?: string;
  readonly body: Json;
}

export interface HeldTemplate {
  readonly id: string;
  readonly wabaId: string;
  readonly name: string;
  readonly language: string;
  category: string;
  status: string;
  components: readonly Json[];
  rejectedReason: string;
  /** When it was changed while approved, in milliseconds of the network's time. */
  readonly changes: number[];
}

export interface Switches {
  /** `shuffled` sends the last status first. */
  statusOrder: 'rising' | 'shuffled';
  /** Sends each status twice. */
  isRepeating: boolean;
  /** Puts statuses that are due together into one webhook. */
  isBatching: boolean;
  /** The last status that is reported. */
  farthest: 'sent' | 'delivered' | 'read';
  /** For each number. */
  messagesPerSecond: number;
  /** The result of a template's review; `PENDING` leaves it to the control. */
  review: 'APPROVED' | 'REJECTED' | 'PENDING';
  /** How long review takes. */
  reviewMs: number;
}

/** A business number. */
export interface BusinessNumber {
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
  readonly wabaId: string;
  readonly quota: Quota;
  readonly statuses: Batch<Json>;
  /** During an upgrade it accepts nothing. */
  upgradedAt?: number;
}

export interface NumberOptions {
  readonly phoneNumberId: string;
  readonly displayPhoneNumber?: string;
  readonly wabaId?: string;
  readonly messagesPerSecond?: number;
  /** Where the webhooks of its business account go. */
  readonly webhookUrl?: string;
}

export interface NetworkOptions extends ProviderOptions {
  readonly webhookUrl: string;
  readonly messagesPerSecond?: number;
  readonly switches?: Partial<Switches>;
}

const serviceWindowMs = 24 * 60 * 60 * 1_000;
const pairMs = 6_000;
const pairBurst = 45;
/** The most updates in one webhook. */
const batchMax = 100;

/** The state of the simulated network. */
export class Network extends SimulatedProvider<HeldMessage> {
  readonly numbers = new Map<string, BusinessNumber>();
  readonly templates = new Map<string, HeldTemplate>();
  readonly #lastInbound = new Map<string, number>();
  readonly pairs = new Pairs(pairMs, pairBurst);
  readonly rules: Switches;
  /** The addresses of business accounts that have their own. */
  readonly #webhookUrls = new Map<string, string>();
  #webhookUrl: string;
  #serial = 0;

  constructor(options: NetworkOptions) {
    super(options, meta);
    this.rules = {
      statusOrder: 'rising',
      isRepeating: false,
      isBatching: false,
      farthest: 'read',
      messagesPerSecond: options.messagesPerSecond ?? 80,
      review: 'APPROVED',
      reviewMs: 0,
      ...options.switches,
    };
    this.#webhookUrl = options.webhookUrl;
    this.allowLinks(options.webhookUrl);
    this.addNumber(account);
  }

  set(switches: Partial<Switches>): void {
    Object.assign(this.rules, switches);
    if (switches.messagesPerSecond === undefined) return;
    for (const number of this.numbers.values()) number.quota.count = switches.messagesPerSecond;
  }

  webhookUrlOf(wabaId: string): string {
    return this.#webhookUrls.get(wabaId) ?? this.#webhookUrl;
  }

  /**
   * Sends webhooks there: those of one business account, or of all accounts without their own
   * address.
   */
  sendWebhooksTo(url: string, wabaId?: string): void {
    if (wabaId === undefined) this.#webhookUrl = url;
    else this.#webhookUrls.set(wabaId, url);
    this.allowLinks(url);
  }

  addNumber({ phoneNumberId, wabaId = account.wabaId, ...more }: NumberOptions): void {
    const { displayPhoneNumber = `60${phoneNumberId.slice(-9)}` } = more;
    const rules = this.rules;
    const number = {
      phoneNumberId,
      displayPhoneNumber,
      wabaId,
      quota: new Quota(more.messagesPerSecond ?? rules.messagesPerSecond, 1_000),
      statuses: {
        get partsMax() {
          return rules.isBatching ? batchMax : 1;
        },
        compose: (statuses: readonly Json[]) => {
          for (const { status } of statuses) this.log.reported(String(status));
          const value = { ...envelopeOf(number), statuses };
          return signed(this.webhookUrlOf(wabaId), wabaId, this.seconds, 'messages', value);
        },
      },
    };
    this.numbers.set(phoneNumberId, number);
    if (more.webhookUrl !== undefined) this.sendWebhooksTo(more.webhookUrl, wabaId);
    if (this.templateOf(wabaId, 'order_update', 'en_US') === undefined)
      this.#firstTemplates(wabaId);
  }

  #firstTemplates(wabaId: string): void {
    const add = (name: string, category: string, text: string) =>
      this.addTemplate(wabaId, name, 'en_US', category, 'APPROVED', [{ type: 'BODY', text }]);
    add('order_update', 'UTILITY', 'Hello {{1}}, your order has left our warehouse.');
    add('login_code', 'AUTHENTICATION', '{{1}} is your code.');
  }

  nextId(prefix: string): string {
    this.#serial += 1;
    const noise = Math.floor(this.random() * 2 ** 40).toString(36);
    return `${prefix}${Buffer.from(`${this.#serial}:${noise}`).toString('base64url')}`;
  }

  templateOf(wabaId: string, name: string, language: string): HeldTemplate | undefined {
    return this.templates.get(`${wabaId}/${name}/${language}`);
  }

  templateById(id: string): HeldTemplate | undefined {
    return [...this.templates.values()].find((each) => each.id === id);
  }

  templatesOf(wabaId: string): readonly HeldTemplate[] {
    return [...this.templates.values()].filter((each) => each.wabaId === wabaId);
  }

  addTemplate(
    wabaId: string,
    name: string,
    language: string,
    category: string,
    status: string,
    components: readonly Json[],
    id: string = this.#templateId(),
  ): HeldTemplate {
    const row = { id, wabaId, name, language, category, status, components };
    const template = { ...row, rejectedReason: 'NONE', changes: [] };
    this.templates.set(`${wabaId}/${name}/${language}`, template);
    return template;
  }

  removeTemplate({ wabaId, name, language }: HeldTemplate): void {
    this.templates.delete(`${wabaId}/${name}/${language}`);
  }

  #templateId(): string {
    this.#serial += 1;
    // Random, so that no template of an earlier start has the same.
    return String(900_000_000_000_000 + Math.floor(this.random() * 2 ** 46) + this.#serial);
  }

  /** A window is between a person and a number; the person's message opens it. */
  hasOpenWindow(phoneNumberId: string, person: string): boolean {
    const at = this.#lastInbound.get(windowKey(phoneNumberId, person));
    return at !== undefined && this.now < at + serviceWindowMs;
  }

  openWindow(phoneNumberId: string, person: string, at = this.now): void {
    const key = windowKey(phoneNumberId, person);
    this.#lastInbound.set(key, Math.max(this.#lastInbound.get(key) ?? 0, at));
  }
}

/** The network writes Mexican mobiles with the 1 of before 2019, and takes them either way. */
function windowKey(phoneNumberId: string, person: string): string {
  return `${phoneNumberId} ${person.replace(/^521(?=\d{10}$)/, '52')}`;
}
