/** A node that dies while it asks for a call: the call is placed once, and its end is found out. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type PbxSimulator,
  startAsteriskSimulator,
} from '@drawbridge/control-plane/channels/asterisk/simulator.ts';
import {
  sandboxSettings,
  startTwilioVoiceSimulator,
} from '@drawbridge/control-plane/channels/twilio-voice/simulator.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Call, clientOf } from '../kit/campaign.ts';
import { eventually } from '../kit/eventually.ts';
import {
  freePorts,
  MortalNode,
  type MortalPostgres,
  openFolder,
  startPostgres,
} from './crash.kit.ts';

let folder: Awaited<ReturnType<typeof openFolder>>;
let postgres: MortalPostgres;
let twilio: Awaited<ReturnType<typeof startTwilioVoiceSimulator>>;
let pbx: PbxSimulator;
let node: MortalNode;
let call: Call;
let template: string;
const configs: Record<string, string> = {};

beforeAll(async () => {
  folder = await openFolder();
  postgres = await startPostgres(folder.path);
  // Calls wait until they are played, so that no call-back tells of them before.
  const chance = { clock: () => new Date(), random: Math.random };
  twilio = await startTwilioVoiceSimulator(chance);
  pbx = await startAsteriskSimulator(chance);
  const [port, sandboxPort] = (await freePorts(2)) as [number, number];
  node = new MortalNode(join(folder.path, 'node'), [port, sandboxPort], {
    ...(await files()),
    ...{ DATABASE_URL: postgres.url, LOG_LEVEL: 'warn' },
    // A node that was killed leaves its work for so long.
    JOB_LEASE_MS: '1000',
  });
  await node.start();
  const credentials = await readFile(join(node.home, 'credentials.json'), 'utf8');
  call = clientOf(node.sandboxUrl, JSON.parse(credentials).messaging.sandbox_key);
  await prepare();
}, 120_000);
afterAll(async () => {
  await node?.end('SIGTERM');
  await twilio?.stop();
  await pbx?.stop();
  await postgres?.stop();
  await folder?.remove();
}, 60_000);

/** Where the two providers are; what else the sandbox would play is nowhere. */
async function files(): Promise<Record<string, string>> {
  const nobody = 'http://127.0.0.1:9';
  const voice = {
    ...{ 'twilio-voice': twilio.url, asterisk: pbx.url },
    ...{ 'plivo-voice': nobody, 'vonage-voice': nobody },
  };
  const file = join(folder.path, 'voice.json');
  await writeFile(file, JSON.stringify({ sandbox: voice }));
  return { VOICE_ENDPOINTS_FILE: file };
}

async function prepare(): Promise<void> {
  await postgres.sql(
    `insert into wallet (tenant_id, environment, currency, balance)
     select id, 'sandbox', 'USD', 1000 from tenant`,
  );
  const settings = { 'twilio-voice': sandboxSettings, asterisk: pbx.settings };
  for (const [provider, own] of Object.entries(settings)) {
    const body = { provider, name: provider, settings: own, from_number: '+60399990000' };
    configs[provider] = (await call('POST', '/voice/api/provider-configs/', body)).id;
  }
  const rate = { prefix: '+', currency: 'USD', per_minute: '0.5' };
  await call('POST', '/voice/api/rate-cards/', rate);
  const hello = { type: 'say', text: 'Hello', recording: 'https://sounds.example/hello.wav' };
  const flow = { version: 1, language: 'en-US', start: 'hello', nodes: { hello } };
  template = (await call('POST', '/voice/api/templates/', { name: 'Hello', flow })).id;
}

/**
 * Orders a call whose provider takes it and never answers; the node dies once the provider has it,
 * and another life begins.
 */
async function dieWhilePlacing(
  provider: { readonly control: Pick<PbxSimulator['control'], 'fault'> },
  config: string,
  to: string,
  isTaken: () => boolean,
): Promise<string> {
  provider.control.fault({ call: 'place', kind: 'hold-after' });
  const order = { to, provider_config: configs[config], template_id: template };
  const { id } = await call('POST', '/voice/api/calls/', order);
  await eventually(() => expect(isTaken()).toBe(true));
  await node.end('SIGKILL');
  const [row] = await postgres.sql('select request_id from voice_call where id = $1', [id]);
  expect(row).toEqual({ request_id: null });
  await node.start();
  return id;
}

const shown = (id: string) => call('GET', `/voice/api/calls/${id}/`);
const taken = (digits: string) => twilio.control.calls().filter(({ to }) => to === digits);
const becomes = (id: string, status: string) =>
  eventually(async () => expect((await shown(id)).status).toBe(status));

/** Makes due what is looked up later. */
const look = () => postgres.sql(`update job set run_at = now() where queue = 'voice-settle'`);

test('a call that a killed node was placing is unknown, told by call-backs, and placed once', async () => {
  const digits = '60312345001';
  const isTaken = () => taken(digits).length > 0;
  const id = await dieWhilePlacing(twilio, 'twilio-voice', `+${digits}`, isTaken);
  await becomes(id, 'unknown');
  await twilio.control.play();
  await becomes(id, 'completed');
  const provider_call_id = taken(digits)[0]!.id;
  expect(await shown(id)).toMatchObject({ error: null, provider_call_id });
  expect(taken(digits)).toHaveLength(1);
});

test('or is found in the provider’s list when nothing tells of it', async () => {
  const digits = '60312345002';
  const isTaken = () => taken(digits).length > 0;
  const id = await dieWhilePlacing(twilio, 'twilio-voice', `+${digits}`, isTaken);
  await becomes(id, 'unknown');
  await look();
  await becomes(id, 'queued');
  expect((await shown(id)).provider_call_id).toBe(taken(digits)[0]!.id);
  await twilio.control.play();
  await becomes(id, 'completed');
  expect(taken(digits)).toHaveLength(1);
});

test('on a PBX it is the channel of our id, taken up by the next life of the node', async () => {
  const digits = '60312310006'; // stays on the line, however long the next life takes to come
  const channels = () => pbx.control.placed().filter(({ number }) => number === digits);
  const isTaken = () => channels().length > 0;
  const id = await dieWhilePlacing(pbx, 'asterisk', `+${digits}`, isTaken);
  await eventually(async () => {
    await look();
    const { status, error, answered_at } = await shown(id);
    expect({ status, error, isAnswered: answered_at !== null }).toEqual({
      ...{ status: 'completed', error: null, isAnswered: true },
    });
  });
  expect(channels().map((channel) => channel.id)).toEqual([id]);
});
