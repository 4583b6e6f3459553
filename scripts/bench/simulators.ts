import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type {
  App,
  Channel,
  WireRequest,
  WireResponse,
} from '@drawbridge/control-plane/channels/contract.ts';
import { channels } from '@drawbridge/control-plane/channels/registry.ts';
import { request } from 'undici';
import { type Bench, type Figure, figuresOf } from './figure.ts';

const figure = figuresOf('simulators');
const messages = 4_000;
const inFlight = 32;
/** Reports that a simulator must send in a second, so that it does not limit other figures. */
const reportsMin = 2_000;
const program = join(import.meta.dirname, '../simulate.ts');
const firstChat = 5_000_000_000;

/** The speed of the simulated channels, which is the upper limit of every messaging figure. */
export const simulators: Bench = {
  name: 'simulators',
  title: 'simulated channels, each a process of its own under a plain HTTP client',
  async run() {
    const figures: Figure[] = [];
    for (const channel of channels) figures.push(...(await figuresFor(channel)));
    return figures;
  },
};

async function figuresFor(channel: Channel): Promise<readonly Figure[]> {
  const receiver = await startReceiver();
  const held = await start(channel, receiver.url, '--hold');
  const acceptMs = await sendAll(held);
  held.stop();
  const live = await start(channel, receiver.url);
  await sendAll(live);
  const deliverMs = await deliveredBy(live);
  const [reports, webhooks] = [receiver.reports(), receiver.webhooks()];
  live.stop();
  receiver.stop();
  const { id } = channel;
  const accepted = figure(`${id}: messages accepted`, (messages / acceptMs) * 1_000, '/s');
  if (channel.farthest === 'sent') return [accepted];
  return [
    accepted,
    figure(`${id}: webhooks delivered meanwhile`, (webhooks / deliverMs) * 1_000, '/s'),
    figure(`${id}: reports in them`, (reports / deliverMs) * 1_000, '/s', {
      is: 'at-least',
      value: reportsMin,
    }),
  ];
}

interface RunningSimulator {
  readonly url: string;
  readonly startedAt: number;
  readonly requests: readonly WireRequest[];
  stop(): void;
}

async function start(
  channel: Channel,
  webhook: string,
  ...flags: string[]
): Promise<RunningSimulator> {
  const words = [channel.id, '--rate', '0', '--people', 'prompt', '--webhook', webhook, ...flags];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const url = line.replace('listening on ', '');
  if (channel.id === 'telegram') {
    const body = JSON.stringify({ chat_id: firstChat, count: messages });
    await exchange({ method: 'POST', url: `${url}/_control/start`, headers: {}, body });
  }
  const asked = { method: 'GET', url: `${url}/_control/settings`, headers: {} } as const;
  const settings = channel.settings.parse(JSON.parse((await exchange(asked)).body));
  const app = { id: 'app_1', endpoint: url, settings, callbackUrl: webhook };
  const requests = await requestsOf(channel, app);
  return { url, requests, startedAt: performance.now(), stop: () => child.kill() };
}

async function requestsOf(channel: Channel, app: App): Promise<readonly WireRequest[]> {
  const now = new Date();
  const asked = channel.authorization?.request(app, now);
  const read = asked && channel.authorization?.read(await exchange(asked), now);
  const token = read?.kind === 'token' ? { token: read.token } : {};
  const isTemplate = channel.channel === 'wa';
  return Array.from({ length: messages }, (_, at) => {
    const encoding = channel.encode(
      {
        id: `m-${at}`,
        to:
          channel.channel === 'botchat'
            ? { kind: 'user', id: String(firstChat + at) }
            : { kind: 'phone', phone: `+9198${String(200_000 + at).padStart(8, '0')}` },
        content: isTemplate ? template : { kind: 'text', text: 'Your order has left.' },
      },
      app,
      { now, ...token },
    );
    if (encoding.kind === 'refused') throw new Error(encoding.detail);
    return encoding.request;
  });
}

const template = {
  kind: 'template',
  template: {
    name: 'order_update',
    language: 'en_US',
    components: [{ type: 'body', parameters: [{ type: 'text', text: 'Asha' }] }],
  },
} as const;

/** Sends all requests, a number of them at a time; returns the milliseconds it took. */
async function sendAll({ requests }: RunningSimulator): Promise<number> {
  const startedAt = performance.now();
  const left = requests.values();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (const each of left) await exchange(each);
    }),
  );
  return performance.now() - startedAt;
}

/** Waits until all webhooks are delivered; milliseconds since the first message. */
async function deliveredBy({ url, startedAt }: RunningSimulator): Promise<number> {
  const asked = { method: 'GET', url: `${url}/_control/counts`, headers: {} } as const;
  for (;;) {
    const { webhooks } = JSON.parse((await exchange(asked)).body);
    if (webhooks.waiting === 0) return performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function exchange({ method, url, headers, body }: WireRequest): Promise<WireResponse> {
  const response = await request(url, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.statusCode, headers: {}, body: await response.body.text() };
}

/** A receiver of a customer that accepts and counts everything. */
async function startReceiver() {
  let webhooks = 0;
  let reports = 0;
  const server = createServer(async (incoming, answer) => {
    let body = '';
    for await (const part of incoming) body += part;
    webhooks += 1;
    reports += body.startsWith('{"object"') ? body.split('"timestamp"').length - 1 : 1;
    answer.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    webhooks: () => webhooks,
    reports: () => reports,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
