/** The sandbox's providers know after a restart what a real provider would never forget. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, each looked at by its test
async function call(line: string, body?: unknown): Promise<any> {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(node.sandboxUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${node.credentials.messaging.sandbox_key}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, `${line}: ${text}`).toBeLessThan(300);
  return JSON.parse(text);
}

async function control(simulator: string, command: string, body: object): Promise<void> {
  const { simulators } = JSON.parse(await readFile(join(home, 'credentials.json'), 'utf8'));
  const response = await fetch(`${simulators[simulator]}/_control/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBeLessThan(300);
}

/** Sends a message, and resolves with it once it has this status. */
async function sent(path: string, body: object, status: string): Promise<void> {
  const { message_id } = await call(`POST ${path}`, body);
  await eventually(async () => {
    const { results } = await call(`GET ${path}?limit=20`);
    const message = results.find(({ id }: { readonly id: string }) => id === message_id);
    expect(message, JSON.stringify(message)).toMatchObject({ status, error: null });
  });
}

async function received(path: string, text: string): Promise<void> {
  await eventually(async () => {
    const { results } = await call(`GET ${path}?limit=20`);
    const previews = results.map(({ preview }: { readonly preview: string }) => preview);
    expect(previews).toContain(text);
  });
}

test('every channel goes on after a restart where it stopped', async () => {
  const wa = await call('POST /wa/v1/apps/', { name: 'shop' });
  const bot = await call('POST /botchat/v1/bots/', { name: 'helper' });
  await call('POST /rcs/v1/apps/', { name: 'cards' });
  await call('POST /sms/v1/apps/', { provider: 'twilio-sms', name: 'shop' });
  await call('POST /wa/v1/templates/', {
    name: 'parcel',
    language: 'en',
    category: 'UTILITY',
    body: 'Hello {{1}}, it came.',
    body_examples: ['Asha'],
  });
  await eventually(async () => {
    const { results } = await call('GET /wa/v1/templates/');
    expect(results[0]).toMatchObject({ name: 'parcel', status: 'approved' });
  });
  const parcel = {
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
  const reply = { to: '+60123457001', type: 'text', text: { body: 'Yes?' } };
  const token = (await botTokenOf(bot.id)) as string;
  const chat = { chat_id: 5_007_001, token };
  const toBot = { to: '5007001', text: 'Hello' };
  const card = { to: '+60123457001', text: 'Card' };
  const sms = { to: '+60123457001', text: 'Hello' };
  await sent('/wa/v1/messages/', parcel, 'read');
  await control('whatsapp', 'inbound', wrote);
  await received('/wa/v1/messages/', 'hello');
  await control('telegram', 'start', chat);
  await received('/botchat/v1/messages/', '/start');
  await sent('/rcs/v1/messages/', card, 'read');
  await sent('/sms/v1/messages/', sms, 'delivered');

  await node.stop('SIGTERM');
  node = await start();

  await sent('/rcs/v1/messages/', card, 'read');
  await sent('/wa/v1/messages/', parcel, 'read');
  await sent('/wa/v1/messages/', reply, 'read');
  await sent('/botchat/v1/messages/', toBot, 'sent');
  await sent('/sms/v1/messages/', sms, 'delivered');
  await control('telegram', 'inbound', { ...chat, text: 'after' });
  await received('/botchat/v1/messages/', 'after');
}, 120_000);

test('people can write to an app that has sent nothing since the restart', async () => {
  const app = await call('POST /wa/v1/apps/', { name: 'second' });
  await node.stop('SIGTERM');
  node = await start();
  await eventually(() =>
    control('whatsapp', 'inbound', {
      from: '60123450000',
      text: 'anybody?',
      phone_number_id: app.settings.phone_number_id,
    }),
  );
  await received('/wa/v1/messages/', 'anybody?');
}, 120_000);

/** The API masks it, so the test asks for one of its own. */
async function botTokenOf(id: string): Promise<string> {
  const token = '110201544:AArestartrestartrestartrestartrestart';
  await call(`PATCH /botchat/v1/bots/${id}/`, { settings: { bot_token: token } });
  return token;
}
