/** A node that is killed while it places a call: the call is placed once, and its end is found. */
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
import { freePorts } from '../kit/free-ports.ts';
import { KillableNode, type KillablePostgres, openFolder, startPostgres } from './crash.kit.ts';

let folder: Awaited<ReturnType<typeof openFolder>>;
let postgres: KillablePostgres;
let twilio: Awaited<ReturnType<typeof startTwilioVoiceSimulator>>;
let pbx: PbxSimulator;
let node: KillableNode;
let call: Call;
let template: string;
let transfer: string;
const configs: Record<string, string> = {};
const dialled = '+60387654321';

beforeAll(async () => {
  folder = await openFolder();
  postgres = await startPostgres(folder.path);
  // Calls wait until a test plays them, so that no call-back comes before.
  const chance = { clock: () => new Date(), random: Math.random };
  twilio = await startTwilioVoiceSimulator(chance);
  pbx = await startAsteriskSimulator(chance);
  const [port, sandboxPort] = (await freePorts(2)) as [number, number];
  node = new KillableNode(join(folder.path, 'node'), [port, sandboxPort], {
    ...(await files()),
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'warn',
    // For this long nobody takes the jobs of a killed node.
    JOB_LEASE_MS: '1000',
    JOB_LOSSES_MAX: '1000',
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

/** The addresses of the two providers; other simulators of the sandbox have none. */
async function files(): Promise<Record<string, string>> {
  const nobody = 'http://127.0.0.1:9';
  const voice = {
    'twilio-voice': twilio.url,
    asterisk: pbx.url,
    'plivo-voice': nobody,
    'vonage-voice': nobody,
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
  const desk = { type: 'dial', to: [dialled] };
  const onward = { ...flow, start: 'desk', nodes: { desk } };
  transfer = (await call('POST', '/voice/api/templates/', { name: 'On', flow: onward })).id;
}

/**
 * Orders a call that the provider accepts without answering; kills the node when the provider has
 * it, and starts the node again.
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

/** Makes the jobs that look calls up due. */
const look = () => postgres.sql(`update job set run_at = now() where queue = 'voice-reconcile'`);

test('a call that a killed node was placing is unknown, reported by call-backs, and placed once', async () => {
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

test('or is found in the provider’s list without a call-back', async () => {
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

test('on a PBX it is the channel with the call’s id, which the restarted node takes up', async () => {
  const digits = '60312310006'; // stays on the line, however long the restart takes
  const channels = () => pbx.control.placed().filter(({ number }) => number === digits);
  const isTaken = () => channels().length > 0;
  const id = await dieWhilePlacing(pbx, 'asterisk', `+${digits}`, isTaken);
  await eventually(async () => {
    await look();
    const { status, error, answered_at } = await shown(id);
    expect({ status, error, isAnswered: answered_at !== null }).toEqual({
      status: 'completed',
      error: null,
      isAnswered: true,
    });
  });
  expect(channels().map((channel) => channel.id)).toEqual([id]);
});

/** The wallet's charges for the call and its legs, and its holds. */
async function ledger(id: string): Promise<readonly string[]> {
  const rows = await postgres.sql<{ line: string }>(
    `select kind || ' ' || trim_scale(-amount) as line from wallet_entry
       where kind = 'charge' and reference like $1 || '%'
     union all
     select 'open ' || trim_scale(amount) from wallet_hold
       where state = 'open' and reference like $1 || '%' order by line`,
    [id],
  );
  return rows.map(({ line }) => line);
}

const minutes = ['charge 1', 'charge 1'];

test('a leg whose node was killed before any report is found, and charged once', async () => {
  const digits = '60312345003';
  const seconds = [
    { keys: '', isHasty: false, leg: 'answers', seconds: 61, hangsUp: true },
  ] as const;
  twilio.control.expect(digits, seconds);
  const order = { to: `+${digits}`, provider_config: configs['twilio-voice'] };
  const { id } = await call('POST', '/voice/api/calls/', { ...order, template_id: transfer });
  await eventually(() => expect(taken(digits)).toHaveLength(1));
  twilio.control.withhold();
  await twilio.control.play(); // only the call's own end is reported, not the leg
  await becomes(id, 'completed');
  await node.end('SIGKILL');
  await twilio.control.release(); // no node is up to receive it
  await node.start();
  await eventually(async () => {
    await look();
    expect((await shown(id)).cost).toEqual({ amount: '2', currency: 'USD' });
  });
  expect(await ledger(id)).toEqual(minutes);
  const told = twilio.control.sent().filter(({ url }) => url.includes(id));
  for (const { url, headers, body } of told) await fetch(url, { method: 'POST', headers, body });
  await look();
  expect((await shown(id)).cost.amount).toBe('2');
  expect(await ledger(id)).toEqual(minutes);
}, 90_000);

test('a node that is killed repeatedly while legs are reported charges each of them once', async () => {
  const calls = ['60312345004', '60312345005', '60312345006'];
  const ids: string[] = [];
  for (const digits of calls) {
    const order = { to: `+${digits}`, provider_config: configs['twilio-voice'] };
    ids.push((await call('POST', '/voice/api/calls/', { ...order, template_id: transfer })).id);
  }
  const isTaken = (id: string) =>
    twilio.control.calls().some(({ fields }) => String(fields.StatusCallback).includes(id));
  await eventually(() => expect(ids.every(isTaken)).toBe(true));
  const playing = twilio.control.play();
  await node.end('SIGKILL');
  await node.start();
  await playing;
  const repeat = async () => {
    const told = twilio.control.sent().filter(({ url }) => ids.some((id) => url.includes(id)));
    await Promise.allSettled(
      told.map(({ url, headers, body }) => fetch(url, { method: 'POST', headers, body })),
    );
  };
  const repeating = repeat();
  await node.end('SIGKILL');
  await repeating;
  await node.start();
  await repeat();
  // A leg that is missing in the provider's list counts as never placed only after some time.
  const age = `update voice_call set ended_at = ended_at - interval '3 minutes' where legs_open > 0`;
  for (const id of ids) {
    await eventually(async () => {
      await postgres.sql(age);
      await look();
      const { cost, legs } = await shown(id);
      const open = (await ledger(id)).filter((line) => line.startsWith('open'));
      expect(open).toEqual([]);
      const paid = legs.map((each: { cost: { amount: string } }) => `charge ${each.cost.amount}`);
      const wanted = paid.filter((line: string) => line !== 'charge 0').sort();
      expect(await ledger(id)).toEqual(wanted);
      expect(Number(cost.amount)).toBe(0.5 * wanted.length);
    });
  }
}, 120_000);
