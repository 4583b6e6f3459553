/** The sandbox's providers know after a restart what a real provider would never forget. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  type QueuedMessage,
  type WaMessageRequest,
} from '@drawbridge/sdk/clients/messaging.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlPlaneProcess, startControlPlane } from '../kit/control-plane-process.ts';
import { eventually } from '../kit/eventually.ts';
import { startPostgres } from '../kit/postgres.ts';

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let home: string;
let node: ControlPlaneProcess;

beforeAll(async () => {
  postgres = await startPostgres();
  home = await mkdtemp(join(tmpdir(), 'restart-'));
  node = await start();
});

afterAll(async () => {
  await node?.stop('SIGTERM');
  await postgres?.stop();
  await rm(home, { recursive: true, force: true });
});

function start(): Promise<ControlPlaneProcess> {
  // A busy machine is no fault here.
  const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'warn', LATE_MS: '60000' };
  return startControlPlane(home, env);
}

/** Of the node as it was started last. */
function client(): Client {
  const { sandboxUrl: baseUrl, credentials } = node;
  return new Client({ baseUrl, key: credentials.messaging.sandbox_key, fetch });
}

const newest = { query: { limit: 20 } };
const messages = {
  wa: () => client().listWaMessages(newest),
  sms: () => client().listSmss(newest),
  botchat: () => client().listBotMessages(newest),
  rcs: () => client().listRcsMessages(newest),
};
type Channel = keyof typeof messages;

async function control(simulator: string, command: string, body: object): Promise<void> {
  const { simulators } = JSON.parse(await readFile(join(home, 'credentials.json'), 'utf8'));
  const response = await fetch(`${simulators[simulator]}/_control/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBeLessThan(300);
}

/** Resolves once a message that was sent has this status. */
async function sent(channel: Channel, { message_id }: QueuedMessage, status: string) {
  await eventually(async () => {
    const { results } = await messages[channel]();
    const message = results.find(({ id }) => id === message_id);
    expect(message, JSON.stringify(message)).toMatchObject({ status, error: null });
  });
}

async function received(channel: Channel, text: string): Promise<void> {
  await eventually(async () => {
    const { results } = await messages[channel]();
    expect(results.map(({ preview }) => preview)).toContain(text);
  });
}

test('every channel goes on after a restart where it stopped', async () => {
  const wa = await client().createWaApp({ body: { name: 'shop' } });
  const bot = await client().createBot({ body: { name: 'helper' } });
  await client().createRcsApp({ body: { name: 'cards' } });
  await client().createSmsApp({ body: { provider: 'twilio-sms', name: 'shop' } });
  await client().submitWaTemplate({
    body: {
      name: 'parcel',
      language: 'en',
      category: 'UTILITY',
      body: 'Hello {{1}}, it came.',
      body_examples: ['Asha'],
    },
  });
  await eventually(async () => {
    const { results } = await client().listWaTemplates();
    expect(results[0]).toMatchObject({ name: 'parcel', status: 'approved' });
  });
  const parcel: WaMessageRequest = {
    to: '+60123457001',
    type: 'template',
    template: {
      name: 'parcel',
      language: 'en',
      components: [{ type: 'body', parameters: [{ type: 'text', text: 'Asha' }] }],
    },
  };
  const wrote = {
    from: '60123457001',
    text: 'hello',
    phone_number_id: wa.settings.phone_number_id,
  };
  const reply: WaMessageRequest = { to: '+60123457001', type: 'text', text: { body: 'Yes?' } };
  const token = await botTokenOf(bot.id);
  const chat = { chat_id: 5_007_001, token };
  const sendWa = (body: WaMessageRequest) => client().sendWaMessage({ body });
  const sendCard = () => client().sendRcsMessage({ body: { to: '+60123457001', text: 'Card' } });
  const sendSms = () => client().sendSms({ body: { to: '+60123457001', text: 'Hello' } });
  const sendBot = () => client().sendBotMessage({ body: { to: '5007001', text: 'Hello' } });
  await sent('wa', await sendWa(parcel), 'read');
  await control('whatsapp', 'inbound', wrote);
  await received('wa', 'hello');
  await control('telegram', 'start', chat);
  await received('botchat', '/start');
  await sent('rcs', await sendCard(), 'read');
  await sent('sms', await sendSms(), 'delivered');

  await node.stop('SIGTERM');
  node = await start();

  await sent('rcs', await sendCard(), 'read');
  await sent('wa', await sendWa(parcel), 'read');
  await sent('wa', await sendWa(reply), 'read');
  await sent('botchat', await sendBot(), 'sent');
  await sent('sms', await sendSms(), 'delivered');
  await control('telegram', 'inbound', { ...chat, text: 'after' });
  await received('botchat', 'after');
}, 120_000);

test('people can write to an app that has sent nothing since the restart', async () => {
  const app = await client().createWaApp({ body: { name: 'second' } });
  await node.stop('SIGTERM');
  node = await start();
  await eventually(() =>
    control('whatsapp', 'inbound', {
      from: '60123450000',
      text: 'anybody?',
      phone_number_id: app.settings.phone_number_id,
    }),
  );
  await received('wa', 'anybody?');
}, 120_000);

/** The API masks it, so the test asks for one of its own. */
async function botTokenOf(id: string): Promise<string> {
  const token = '110201544:AArestartrestartrestartrestartrestart';
  await client().updateBot({ id, body: { settings: { bot_token: token } } });
  return token;
}
