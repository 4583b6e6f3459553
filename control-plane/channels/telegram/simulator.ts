import type { Fault } from '../../simulation/faults.ts';
import type { RunningSimulator } from '../../simulation/server.ts';
import type { AppHistory, ChannelSimulator } from '../simulation/contract.ts';
import {
  type Command,
  controlEndpoints,
  type MagicTable,
} from '../simulation/control-endpoints.ts';
import type { Json } from '../simulation/json.ts';
import { peopleTable } from '../simulation/recipient-behaviour.ts';
import type { OutgoingWebhook } from '../simulation/webhook-attempt.ts';
import type { SentMessage } from './simulator/bot.ts';
import { Network, type SimulatorOptions, sandboxSettings } from './simulator/network.ts';

export type { SentMessage } from './simulator/bot.ts';
export { type SimulatorOptions, sandboxSettings } from './simulator/network.ts';

/**
 * The control of the simulator, for tests and operators. Without a token: for the sandbox's bot.
 */
export interface TelegramControl {
  /** The only call is `send`. */
  fault(fault: Fault): void;
  advance(ms: number): void;
  /** Messages accepted, oldest first; at least the latest 20,000. */
  messages(): readonly SentMessage[];
  takeWebhooks(): readonly OutgoingWebhook[];
  /** Resolves when every webhook that is due has been sent or given up. */
  sent(): Promise<void>;
  /** Adds a bot. */
  addBot(token: string): void;
  /** A person presses start; before that the bot may not write to them. */
  start(chatId: number, token?: string): void;
  /** A person blocks the bot. */
  block(chatId: number, token?: string): void;
  /** A person writes; `part` has the update's own members, e.g. `{ text: 'hi' }`. */
  write(chatId: number, part: Json, token?: string): void;
  /** A person taps a button of a message. */
  tap(message: SentMessage, data: string, token?: string): void;
}

const magic: MagicTable = [
  ['chat …9400', '400: chat not found'],
  ['chat …9403', '403: bot was blocked by the user'],
  ['chat …9410', '403: user is deactivated'],
  ['chat …9429', '429: retry after 7'],
  ['who never pressed start', '400: chat not found'],
  ...peopleTable,
];

/**
 * A loopback Telegram Bot API: a bot can only write to people who have started it, 30 messages a
 * second in all and one a second to a chat. A chat id ending in 9403 has blocked the bot, one
 * ending in 9410 is deactivated.
 */
export async function startTelegramSimulator(
  options: SimulatorOptions,
): Promise<RunningSimulator & { readonly control: TelegramControl }> {
  const network = new Network(options);
  const control = controlOf(network);
  const path = '/bot:token/:method';
  const handle = network.call.bind(network);
  const settings = () => sandboxSettings;
  const commands = commandsOf(network, control);
  const endpoints = [
    ...controlEndpoints(network, { kind: 'telegram', magic, settings, commands }),
    { method: 'post', path, handle } as const,
    { method: 'get', path, handle } as const,
    {
      method: 'get',
      path: '/file/bot:token/documents/file_:file',
      handle: network.file.bind(network),
    } as const,
  ];
  const running = await network.serve(endpoints, options.port);
  return { ...running, control };
}

/** Telegram as a separate process. */
export const simulator: ChannelSimulator = {
  kind: 'telegram',
  magic,
  start: startTelegramSimulator,
  account: {
    settings: (digits) => ({ bot_token: `1${digits(8)}:AA${digits(33)}` }),
    open({ settings, callbackUrl }, { people }) {
      const { bot_token: token, webhook_secret } = settings;
      return [
        ['bots', { token, people }],
        ['webhook', { token, url: callbackUrl, secret_token: webhook_secret }],
      ];
    },
  },
};

function controlOf(network: Network): TelegramControl {
  return {
    fault: (fault) => network.faults.plan(fault),
    advance: (ms) => network.advance(ms),
    messages: () => network.messages,
    takeWebhooks: () => network.webhooks.take(),
    sent: () => network.webhooks.sent(),
    addBot: (token) => {
      network.addBot(token);
    },
    start: (chatId, token) => network.bot(token).start(chatId),
    block: (chatId, token) => network.bot(token).block(chatId),
    write: (chatId, part, token) => network.bot(token).write(chatId, part),
    tap: (message, data, token) => network.bot(token).tap(message, data),
  };
}

const startedMax = 100_000;

function commandsOf(network: Network, control: TelegramControl): readonly Command[] {
  const tokenIn = ({ token }: Json) => (token === undefined ? undefined : String(token));
  const one = (name: 'start' | 'block'): Command => ({
    name,
    example: { chat_id: 5_000_000, count: 1_000, token: '…' },
    run(body) {
      const count = Math.min(Number(body.count ?? 1), startedMax);
      for (let each = 0; each < count; each += 1) {
        control[name](Number(body.chat_id) + each, tokenIn(body));
      }
    },
  });
  return [
    one('start'),
    one('block'),
    {
      name: 'inbound',
      example: { chat_id: 5_000_000, text: 'hello' },
      run(body) {
        const part = (body.part ?? { text: String(body.text) }) as Json;
        control.write(Number(body.chat_id), part, tokenIn(body));
      },
    },
    {
      name: 'bots',
      example: { token: '110201544:AAanother…' },
      run({ token, people = [] }) {
        control.addBot(String(token));
        for (const { address, isBlocking } of people as AppHistory['people']) {
          network.bot(String(token)).know(Number(address), isBlocking ? 'kicked' : 'member');
        }
      },
    },
    {
      name: 'webhook',
      example: { url: 'http://127.0.0.1:8081/botchat/v1/webhooks/…/', secret_token: '…' },
      run: (body) => {
        network
          .bot(tokenIn(body))
          .setWebhook({ secret_token: sandboxSettings.webhook_secret, ...body });
      },
    },
  ];
}
