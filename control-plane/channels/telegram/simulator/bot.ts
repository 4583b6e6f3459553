import type { Reply } from '../../../simulation/server.ts';
import type { Json } from '../../simulation/json.ts';
import { Pairs, Quota } from '../../simulation/quota.ts';
import type { SimulatedProvider } from '../../simulation/simulated-provider.ts';
import type { OutgoingWebhook } from '../../simulation/webhook-attempt.ts';

export interface SentMessage {
  readonly chatId: number;
  readonly messageId: number;
  readonly method: string;
  readonly fields: Json;
}

/** The member that each method needs in addition to the chat. */
const needs: Readonly<Record<string, string>> = {
  sendMessage: 'text',
  sendPhoto: 'photo',
  sendVideo: 'video',
  sendAudio: 'audio',
  sendDocument: 'document',
  sendSticker: 'sticker',
  sendLocation: 'latitude',
  sendVenue: 'address',
  sendContact: 'phone_number',
};

const textMax = 4_096;
const paidPerSecond = 1_000;
const firstIdMax = 1_000_000_000;
/** Updates kept while the bot has no webhook address. */
const keptMax = 10_000;

/** What transports a bot's messages. */
type Network = SimulatedProvider<SentMessage> & {
  /** Plays what the person does with a message. */
  follow(bot: Bot, message: SentMessage): void;
};

/** One bot: who has started it, where its updates go, what it may send. */
export class Bot {
  readonly token: string;
  readonly #network: Network;
  readonly #members = new Map<number, string>();
  readonly #quota: Quota;
  readonly #paid = new Quota(paidPerSecond, 1_000);
  readonly #chats = new Pairs(1_000, 1);
  #url: string;
  #secret: string;
  #allowed: readonly string[] | undefined;
  #kept: Json[] = [];
  #lastError: string | undefined;
  #updateId = 700_000_000;
  /** Never the ids of an earlier start again, which a receiver takes for repeats. */
  #messageId: number;

  constructor(network: Network, token: string, url: string, secret: string, perSecond: number) {
    this.#network = network;
    this.token = token;
    this.#url = url;
    this.#secret = secret;
    this.#quota = new Quota(perSecond, 1_000);
    this.#messageId = Math.floor(network.random() * firstIdMax);
  }

  get id(): number {
    return Number(this.token.split(':')[0]);
  }

  getMe(): Reply {
    const flags = { can_join_groups: true, can_read_all_group_messages: false };
    const user = { id: this.id, is_bot: true, first_name: 'Sandbox', username: 'sandbox_bot' };
    return done({ ...user, ...flags, supports_inline_queries: false });
  }

  setWebhook(fields: Json): Reply {
    const url = String(fields.url ?? '');
    if (url !== '' && !isTakenAsAddress(url)) {
      return refusal(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook');
    }
    const secret = String(fields.secret_token ?? '');
    if (!/^[A-Za-z0-9_-]{0,256}$/.test(secret)) {
      return refusal(400, 'Bad Request: secret token contains unallowed characters');
    }
    this.#url = url;
    this.#secret = secret;
    if (Array.isArray(fields.allowed_updates)) this.#allowed = fields.allowed_updates.map(String);
    if (fields.drop_pending_updates === true) this.#kept = [];
    this.#network.allowLinks(url);
    if (url !== '') for (const update of this.#kept.splice(0)) this.#post(update);
    const description = url === '' ? 'Webhook was deleted' : 'Webhook was set';
    return done(true, { description });
  }

  webhookInfo(): Reply {
    const error = this.#lastError === undefined ? {} : { last_error_message: this.#lastError };
    const pending = { pending_update_count: this.#kept.length, max_connections: 40 };
    return done({ url: this.#url, has_custom_certificate: false, ...pending, ...error });
  }

  /** The address answered 410: nothing further goes there. */
  dropWebhook(url: string): void {
    if (url !== this.#url) return;
    this.#url = '';
    this.#lastError = 'Wrong response from the webhook: 410 Gone';
  }

  send(method: string, fields: Json): Reply {
    const chatId = Number(fields.chat_id);
    const fault = this.#faultOf(method, fields, chatId);
    if (fault !== undefined) return fault;
    this.#messageId += 1;
    const message = { chatId, messageId: this.#messageId, method, fields };
    this.#network.follow(this, message);
    const id = `${chatId}:${message.messageId}`;
    return this.#network.accept(message, { id, to: String(chatId) }, done(this.#shown(message)));
  }

  #faultOf(method: string, fields: Json, chatId: number): Reply | undefined {
    const need = needs[method];
    if (need === undefined) return refusal(404, 'Not Found');
    if (fields[need] === undefined || fields[need] === '') {
      return refusal(400, `Bad Request: ${need === 'text' ? 'message text' : need} is empty`);
    }
    if (need === 'text' && String(fields.text).length > textMax) {
      return refusal(400, 'Bad Request: message is too long');
    }
    const end = String(chatId).slice(-4);
    if (end === '9410') return refusal(403, 'Forbidden: user is deactivated');
    if (end === '9403' || this.#members.get(chatId) === 'kicked') {
      return refusal(403, 'Forbidden: bot was blocked by the user');
    }
    if (end === '9400' || !this.#members.has(chatId)) {
      return refusal(400, 'Bad Request: chat not found');
    }
    if (end === '9429') return tooMany(7);
    const isPaid = fields.allow_paid_broadcast === true;
    const now = this.#network.now;
    const waitMs =
      (isPaid ? this.#paid : this.#quota).take(now) || this.#chats.take(String(chatId), now);
    return waitMs > 0 ? tooMany(Math.ceil(waitMs / 1_000)) : undefined;
  }

  /** A person presses start; this also unblocks the bot. */
  start(chatId: number): void {
    if (this.#members.get(chatId) === 'kicked') this.#member(chatId, 'member');
    this.write(chatId, { text: '/start' });
  }

  /** A person whom the bot met before this process began. */
  know(chatId: number, status: 'member' | 'kicked'): void {
    if (!this.#members.has(chatId)) this.#members.set(chatId, status);
  }

  block(chatId: number): void {
    this.#member(chatId, 'kicked');
  }

  #member(chatId: number, status: 'member' | 'kicked'): void {
    const was = this.#members.get(chatId) ?? 'left';
    this.#members.set(chatId, status);
    const user = { id: this.id, is_bot: true, first_name: 'Sandbox' };
    const head = { chat: chatOf(chatId), from: userOf(chatId), date: this.#network.seconds };
    const old_chat_member = { status: was, user };
    this.#update({
      my_chat_member: { ...head, old_chat_member, new_chat_member: { status, user } },
    });
  }

  write(chatId: number, part: Json): void {
    this.#members.set(chatId, 'member');
    this.#messageId += 1;
    const head = { message_id: this.#messageId, date: this.#network.seconds };
    this.#update({ message: { ...head, chat: chatOf(chatId), from: userOf(chatId), ...part } });
  }

  tap(message: SentMessage, data: string): void {
    const id = String(this.#updateId * 7);
    const shown = { ...this.#shown(message), reply_markup: message.fields.reply_markup };
    const from = userOf(message.chatId);
    this.#update({ callback_query: { id, from, chat_instance: '1', message: shown, data } });
  }

  #shown({ chatId, messageId, fields }: SentMessage): Json {
    const text = fields.text === undefined ? {} : { text: fields.text };
    const head = { message_id: messageId, date: this.#network.seconds };
    return { ...head, chat: chatOf(chatId), ...text };
  }

  #update(part: Json): void {
    const [kind = ''] = Object.keys(part);
    if (this.#allowed !== undefined && !this.#allowed.includes(kind)) return;
    this.#updateId += 1;
    this.#network.log.reported(kind);
    const update = { update_id: this.#updateId, ...part };
    if (this.#url !== '') this.#post(update);
    else if (this.#kept.push(update) > keptMax) this.#kept.shift();
  }

  #post(update: Json): void {
    const webhook: OutgoingWebhook = {
      method: 'POST',
      url: this.#url,
      headers: {
        'content-type': 'application/json',
        ...(this.#secret === '' ? {} : { 'x-telegram-bot-api-secret-token': this.#secret }),
      },
      body: JSON.stringify(update),
    };
    this.#network.webhooks.queue(webhook);
  }
}

/** As a self-hosted Bot API server: plain HTTP is accepted only on the same machine. */
function isTakenAsAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isHere = hostname === '127.0.0.1' || hostname === 'localhost';
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

function chatOf(id: number) {
  return { id, type: id < 0 ? 'group' : 'private', first_name: 'Asha' };
}

function userOf(id: number) {
  return { id: Math.abs(id), is_bot: false, first_name: 'Asha', username: 'asha' };
}

/** A success, in the same form for every method. */
export function done(result: unknown, more: Json = {}): Reply {
  return { status: 200, body: { ok: true, result, ...more } };
}

/** A refusal, in the same form for every method. */
export function refusal(status: number, description: string, more: Json = {}): Reply {
  return { status, body: { ok: false, error_code: status, description, ...more } };
}

function tooMany(seconds: number): Reply {
  const parameters = { retry_after: seconds };
  return refusal(429, `Too Many Requests: retry after ${seconds}`, { parameters });
}
