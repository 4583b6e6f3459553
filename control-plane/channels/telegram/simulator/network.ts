import { type Call, jsonObject, type Reply } from '../../../simulation/server.ts';
import { fileReply } from '../../simulation/files.ts';
import type { Json } from '../../simulation/json.ts';
import { telegram } from '../../simulation/retry-policy.ts';
import { type ProviderOptions, SimulatedProvider } from '../../simulation/simulated-provider.ts';
import { Bot, done, refusal, type SentMessage } from './bot.ts';

/** Settings with which an app reaches this simulator. */
export const sandboxSettings = {
  bot_token: '110201543:AAsandboxsandboxsandboxsandboxsand',
  webhook_secret: 'sandbox-webhook-secret',
} as const;

export interface SimulatorOptions extends Omit<ProviderOptions, 'random'> {
  readonly random?: () => number;
  /** Where updates go until `setWebhook` changes it. */
  readonly webhookUrl: string;
  /** Messages a second for a bot; 0: no limit. */
  readonly messagesPerSecond?: number;
}

const gone = 410;
const botPerSecond = 30;

/** All bots, and the people who write to them. */
export class Network extends SimulatedProvider<SentMessage> {
  readonly #bots = new Map<string, Bot>();
  readonly #perSecond: number;
  readonly #url: string;

  constructor({ random = () => 0.5, webhookUrl, messagesPerSecond, ...options }: SimulatorOptions) {
    super({ ...options, random }, telegram, (webhook, status) => {
      if (status === gone) for (const bot of this.#bots.values()) bot.dropWebhook(webhook.url);
    });
    this.#perSecond = messagesPerSecond ?? botPerSecond;
    this.#url = webhookUrl;
    this.allowLinks(webhookUrl);
    this.addBot(sandboxSettings.bot_token);
  }

  /** A new bot: its updates wait for `setWebhook`, except those of the sandbox's bot. */
  addBot(token: string): Bot {
    const known = this.#bots.get(token);
    if (known !== undefined) return known;
    const isSandbox = token === sandboxSettings.bot_token;
    const secret = isSandbox ? sandboxSettings.webhook_secret : '';
    const bot = new Bot(this, token, isSandbox ? this.#url : '', secret, this.#perSecond);
    this.#bots.set(token, bot);
    return bot;
  }

  bot(token: string = sandboxSettings.bot_token): Bot {
    const found = this.#bots.get(token);
    if (found === undefined) throw new Error('no such bot');
    return found;
  }

  call({ params, headers, query, body }: Call): Reply {
    const bot = this.#bots.get(params.token ?? '');
    if (bot === undefined) return refusal(401, 'Unauthorized');
    const fields = fieldsOf(headers['content-type'] ?? '', query, body);
    if (fields === undefined) return refusal(400, "Bad Request: can't parse JSON object");
    const method = params.method ?? '';
    switch (method.toLowerCase()) {
      case 'getme':
        return bot.getMe();
      case 'setwebhook':
        return bot.setWebhook(fields);
      case 'deletewebhook':
        return bot.setWebhook({ ...fields, url: '' });
      case 'getwebhookinfo':
        return bot.webhookInfo();
      case 'getfile':
        return this.faults.around('file', () => this.#getFile(String(fields.file_id)));
      case 'answercallbackquery':
      case 'sendchataction':
        return done(true);
      default:
        return this.sending(() => bot.send(method, fields));
    }
  }

  #getFile(id: string): Reply {
    const file = this.files.get(id);
    if (file === undefined) return refusal(400, 'Bad Request: invalid file_id');
    const sizes = { file_unique_id: `u${id}`, file_size: file.bytes.length };
    return done({ file_id: id, ...sizes, file_path: `documents/file_${id}` });
  }

  file({ params }: Call): Reply {
    const file = this.#bots.has(params.token ?? '') ? this.files.get(params.file) : undefined;
    return file === undefined ? refusal(404, 'Not Found') : fileReply(file);
  }

  /** What the person does with a message: there are no receipts, only actions. */
  follow(bot: Bot, message: SentMessage): void {
    const { action } = this.planDelivery(String(message.chatId));
    if (action === undefined) return;
    const { kind, afterMs } = action;
    const { text, caption, reply_markup } = message.fields;
    if (kind === 'click') {
      this.click([text, caption, JSON.stringify(reply_markup ?? '')].join(' '), afterMs);
      return;
    }
    const button = firstButton(reply_markup);
    this.tell(() => {
      if (kind === 'stop') bot.block(message.chatId);
      else if (button !== undefined) bot.tap(message, button);
      else bot.write(message.chatId, { text: 'YES' });
      return undefined;
    }, afterMs);
  }
}

function firstButton(markup: unknown): string | undefined {
  const rows = (markup as { inline_keyboard?: { callback_data?: string }[][] } | undefined)
    ?.inline_keyboard;
  return rows?.flat().find((each) => each.callback_data !== undefined)?.callback_data;
}

/** JSON, a form or the query: the Bot API accepts each. */
function fieldsOf(type: string, query: URLSearchParams, body: Buffer): Json | undefined {
  const asked = Object.fromEntries(query);
  if (body.length === 0) return asked;
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { ...asked, ...Object.fromEntries(new URLSearchParams(body.toString('utf8'))) };
  }
  return jsonObject({ params: {}, query, headers: {}, body });
}
