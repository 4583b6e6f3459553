/**
 * The first week of a team: README's calls as they stand there, with a restart in their middle; every channel
 * after a restart; what the vendors' SDKs see of it; files of contacts as people have them.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  Client,
  type QueuedMessage,
  type WaMessageRequest,
} from '@drawbridge/sdk/clients/messaging.ts';
import { Auth } from '@vonage/auth';
import { Vonage } from '@vonage/server-sdk';
import { Bot } from 'grammy';
import plivo from 'plivo';
import twilio from 'twilio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxSettings as plivoSettings } from '../../control-plane/channels/plivo-sms/simulator.ts';
import { sandboxSettings as twilioSettings } from '../../control-plane/channels/twilio-sms/simulator.ts';
import {
  apiSecret,
  sandboxSettings as vonageSettings,
} from '../../control-plane/channels/vonage-sms/simulator.ts';
import {
  type DirtyFile,
  dirtyFiles,
} from '../../control-plane/messaging/contacts/imports/contact-files.fixture.ts';
import { type ControlPlaneProcess, startControlPlane } from '../kit/control-plane-process.ts';
import { eventually } from '../kit/eventually.ts';
import { startMigratedPostgres } from '../kit/postgres.ts';

let postgres: Awaited<ReturnType<typeof startMigratedPostgres>>;
let home: string;
let node: ControlPlaneProcess;

beforeAll(async () => {
  postgres = await startMigratedPostgres();
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

/** The commands of README under "Messaging: the first five calls", each with what it says is answered. */
async function readmeCalls(): Promise<{ command: string; answers: RegExp[] }[]> {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Messaging: the first five calls'));
  const console = /```console\n(.*?)```/s.exec(section)![1]!;
  return console
    .split(/^\$ /m)
    .slice(1)
    .map((block) => {
      const lines = block.trimEnd().split('\n');
      const end = lines.findIndex((line, at) => at > 0 && /^\{/.test(line));
      const command = lines.slice(0, end < 0 ? lines.length : end).join('\n');
      const answer =
        end < 0
          ? ''
          : lines
              .slice(end)
              .map((line) => line.replace(/^ /, ''))
              .join('');
      return { command, answers: patternsOf(answer) };
    });
}

/** An answer of README as patterns: what it leaves out, ids, instants and addresses may be any. */
function patternsOf(answer: string): RegExp[] {
  const any = '\u0001';
  return answer
    .replaceAll(/(?<=")(con|app|msg|SM)_?[0-9a-z]{20,}(?=")/g, any)
    .replaceAll(/(?<=")\d{4}-\d\d-\d\dT[^"]*/g, any)
    .replaceAll(/(?<="from":")[^"]*/g, any)
    .replaceAll(/http:\/\/localhost[^"]*/g, any)
    .split('…')
    .map((part) => part.trim().replaceAll(/^,|,$/g, ''))
    .filter((part) => part !== '')
    .map(
      (part) => new RegExp(part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(any, '[^"]+')),
    );
}

/** Runs a command of README with its `call`, and returns what it printed. */
async function run(command: string): Promise<string> {
  const { sandboxUrl, credentials } = node;
  const script = `
    call() { curl -sS -H "Authorization: Bearer $JC" -H 'Content-Type: application/json' "$@"; echo; }
    ${command}`;
  const env = { ...process.env, URL: sandboxUrl, JC: credentials.messaging.sandbox_key };
  return (await promisify(execFile)('bash', ['-c', script], { env })).stdout.trimEnd();
}

test('README’s calls are answered as it says, with a restart in their middle', async () => {
  const calls = await readmeCalls();
  expect(calls.length).toBeGreaterThanOrEqual(6);
  let restarts = 0;
  for (const [at, { command, answers }] of calls.entries()) {
    // Once the report has come: a simulator forgets one that it has still to send (docs/simulators.md).
    if (calls[at - 1]?.command.includes('messages/?limit')) {
      await node.stop('SIGTERM');
      node = await start();
      restarts += 1;
    }
    const asks = async () => {
      const said = await run(command);
      for (const answer of answers) expect(said, command).toMatch(answer);
      expect(said, command).toMatch(/^\{/);
      expect(JSON.parse(said), command).not.toHaveProperty('code');
    };
    // What only reads is asked until it is so: the simulators take a moment.
    await (command.includes(' -d ') ? asks() : eventually(asks));
  }
  expect(restarts).toBe(1);
}, 120_000);

test('every channel goes on after a restart where it stopped', async () => {
  const wa = await client().createWaApp({ body: { name: 'shop' } });
  const bot = await client().createBot({ body: { name: 'helper' } });
  await client().createRcsApp({ body: { name: 'cards' } });
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

test('the vendors’ SDKs find at the simulators what the node sent', async () => {
  const { simulators } = JSON.parse(await readFile(join(home, 'credentials.json'), 'utf8'));
  /** Sends through an app of this account, and returns the provider's id of the message. */
  const sendThrough = async (provider: string, settings: Readonly<Record<string, string>>) => {
    const body = { provider, name: provider, settings } as const;
    const app = await client().createSmsApp({ body: body as never });
    const to = '+60123457009';
    const queued = await client().sendSms({ body: { to, text: provider, app_id: app.id } });
    await sent('sms', queued, 'delivered');
    const { results } = await messages.sms();
    return results.find(({ id }) => id === queued.message_id)!.provider_id!;
  };
  const { account_sid, auth_token } = twilioSettings;
  const httpClient = new twilio.RequestClient({ timeout: 10_000 });
  const request = httpClient.request.bind(httpClient);
  const twilioUrl = simulators['twilio-sms'];
  httpClient.request = ({ uri, ...options }) =>
    request({ ...options, uri: uri.replace('https://api.twilio.com', twilioUrl) });
  const sid = await sendThrough('twilio-sms', twilioSettings);
  const found = await twilio(account_sid, auth_token, { httpClient }).messages(sid).fetch();
  expect(found).toMatchObject({ status: 'delivered', body: 'twilio-sms' });

  const { auth_id } = plivoSettings;
  const url = `${simulators['plivo-sms']}/v1/Account/${auth_id}`;
  const plivoClient = new plivo.Client(auth_id, plivoSettings.auth_token, { url } as never);
  const uuid = await sendThrough('plivo-sms', plivoSettings);
  expect(await plivoClient.messages.get(uuid)).toMatchObject({ messageState: 'delivered' });

  await sendThrough('vonage-sms', vonageSettings);
  const auth = new Auth({ apiKey: vonageSettings.api_key, apiSecret });
  const vonage = new Vonage(auth, { restHost: simulators['vonage-sms'] });
  const text = { to: '60123457009', from: vonageSettings.from, text: 'by hand' };
  expect((await vonage.sms.send(text)).messages).toMatchObject([{ status: '0' }]);

  const { results } = await client().listBots();
  const token = await botTokenOf(results[0]!.id);
  const bot = new Bot(token, { client: { apiRoot: simulators.telegram } });
  await eventually(async () => {
    const info = await bot.api.getWebhookInfo();
    expect(info.url).toContain(results[0]!.id);
  });
  expect(await bot.api.sendMessage(5_007_001, 'by grammy')).toMatchObject({ text: 'by grammy' });
}, 120_000);

/** The API masks it, so the test asks for one of its own. */
async function botTokenOf(id: string): Promise<string> {
  const token = '110201544:AArestartrestartrestartrestartrestart';
  await client().updateBot({ id, body: { settings: { bot_token: token } } });
  return token;
}

async function send(path: string, body: FormData | string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${node.credentials.messaging.sandbox_key}`;
  const request = { method: 'POST', body, headers: { ...headers, authorization } };
  return answerOf(await fetch(node.sandboxUrl + path, request));
}

async function ask(line: string) {
  const [method = '', path = ''] = line.split(' ');
  const authorization = `Bearer ${node.credentials.messaging.sandbox_key}`;
  return answerOf(await fetch(node.sandboxUrl + path, { method, headers: { authorization } }));
}

async function answerOf(response: Response) {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.includes('json');
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, each looked at by its test
  return { status, headers, body: (isJson ? JSON.parse(text) : text) as any };
}

function formOf(bytes: Uint8Array): FormData {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(bytes)]), 'contacts.csv');
  return form;
}

async function done(id: string) {
  await expect
    .poll(async () => (await ask(`GET /contacts/bulk-import/${id}/`)).body.state)
    .toBe('done');
  return (await ask(`GET /contacts/bulk-import/${id}/`)).body;
}

/** What the import came to: contacts by phone, and the file of problems without its first line and column. */
async function expectImported(
  id: string,
  { contacts = {}, problems = [], reading = {} }: DirtyFile,
) {
  const expected = Object.entries(contacts);
  expect(await done(id)).toMatchObject({ failed: problems.length, reading });
  for (const [phone, [name, attributes = {}]] of expected) {
    const [found] = (await ask(`GET /contacts/?phone=${encodeURIComponent(phone)}`)).body.results;
    expect({ phone, name: found?.name, attributes: found?.attributes }).toEqual({
      phone,
      name,
      attributes,
    });
  }
  const { body, headers } = await ask(`GET /contacts/bulk-import/${id}/problems/`);
  expect(headers.get('content-type')).toContain('text/csv');
  const [header, ...rows] = body.trimEnd().split('\r\n');
  expect(header).toMatch(/^(\ufeff)?"problem"/);
  expect(rows).toHaveLength(problems.length);
  for (const [at, [problem, row]] of problems.entries()) {
    const [, told, cells = ''] = /^"([^"]*)",?(.*)$/.exec(rows[at])!;
    expect(told).toMatch(problem);
    expect(cells.slice(1, -1).replaceAll('","', ',').replaceAll('""', '"')).toBe(row);
  }
}

describe.each(dirtyFiles)('a file of contacts: $title', (file) => {
  test('by one call', async () => {
    const path = `/contacts/bulk-import/${file.query ?? ''}`;
    const { status, body } = await send(path, formOf(file.bytes));
    if (file.refused !== undefined) {
      expect([status, body.errors?.file]).toEqual([400, [expect.stringMatching(file.refused)]]);
      return;
    }
    expect(status, JSON.stringify(body)).toBe(202);
    await expectImported(body.id, file);
  });

  if (file.refused !== undefined) return;
  test('by a preview, which counts what the import then leaves out', async () => {
    const path = `/contacts/bulk-import/preview/${file.query ?? ''}`;
    const { status, body } = await send(path, formOf(file.bytes));
    expect(status, JSON.stringify(body)).toBe(201);
    const { problems = [], contacts = {} } = file;
    const usable = Object.keys(contacts).length;
    expect(body.counts).toEqual({
      rows: usable + problems.length,
      usable,
      problems: problems.length,
    });
    const started = await ask(`POST /contacts/bulk-import/${body.id}/start/`);
    expect(started.status).toBe(202);
    await expectImported(body.id, file);
  });
});

test('the file of problems, mended, is taken as it is', async () => {
  const csv = { 'content-type': 'text/csv' };
  const first = await send('/contacts/bulk-import/', 'phone;name;note\n12;=A();x\n', csv);
  await done(first.body.id);
  const { body } = await ask(`GET /contacts/bulk-import/${first.body.id}/problems/`);
  const again = await send('/contacts/bulk-import/', body.replace('"12"', '"+971501009999"'), csv);
  expect(await done(again.body.id)).toMatchObject({ created: 1, failed: 0 });
  const [contact] = (await ask('GET /contacts/?phone=%2B971501009999')).body.results;
  expect(contact).toMatchObject({ name: '=A()', attributes: { note: 'x' } });
  expect(Object.keys(contact.attributes)).toEqual(['note']);
});
