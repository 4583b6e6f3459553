/** Two nodes and one PBX: one node listens, and the other continues where it stops. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { controlPlaneMain } from '../../../../test/kit/programs.ts';
import { type PbxSimulator, startAsteriskSimulator } from '../../../channels/asterisk/simulator.ts';
import {
  asOwner,
  callEnd,
  fromNumber,
  say,
  startVoice,
  templateOf,
  topUp,
  type VoiceKit,
} from '../voice.kit.ts';

const root = join(import.meta.dirname, '../../../..');
const staying = '+60387610006';

let kit: VoiceKit;
let pbx: PbxSimulator;
let other: ChildProcess;
let config: string;

beforeAll(async () => {
  pbx = await startAsteriskSimulator({ clock: () => new Date(), random: Math.random });
  kit = await startVoice({ asterisk: pbx.url });
  await topUp(kit, '1000');
  const rate = { prefix: '+60', currency: 'USD', per_minute: '0.5' };
  await kit.ask('POST /voice/api/rate-cards/', { body: rate });
});
afterAll(async () => {
  await kit.stop();
  await pbx.stop();
});

/** Either node may take a new configuration: one that the kit's node took is made anew. */
beforeEach(async () => {
  const { child, url } = await startNode();
  other = child;
  const { messaging } = JSON.parse(await readFile(join(kit.home, 'credentials.json'), 'utf8'));
  config = await makeConfig(url, messaging.sandbox_key);
  while (!(await isListener(url))) {
    await removeConfig();
    config = await makeConfig(url, messaging.sandbox_key);
  }
});
afterEach(async () => {
  other.kill('SIGKILL');
  await removeConfig();
});

async function makeConfig(url: string, key: string): Promise<string> {
  const own = {
    provider: 'asterisk',
    name: 'pbx',
    settings: pbx.settings,
    from_number: fromNumber,
  };
  const made = await fetch(`${url}/voice/api/provider-configs/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(own),
  });
  expect(made.status).toBe(201);
  await eventually(() => expect(pbx.control.listeners()).toBe(1));
  return ((await made.json()) as { id: string }).id;
}

async function removeConfig(): Promise<void> {
  await kit.ask(`DELETE /voice/api/provider-configs/${config}/`);
  pbx.control.sever(); // so that the listener notices at once that it is not needed
  await eventually(() => expect(pbx.control.listeners()).toBe(0));
}

async function isListener(url: string): Promise<boolean> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return metrics.includes('drawbridge_jobs_held{queue="voice-trunk"} 1');
}

async function startNode(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [controlPlaneMain, 'serve', '--json'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: kit.ownerUrl,
      DRAWBRIDGE_HOME: kit.home,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
      VOICE_ENDPOINTS_FILE: kit.endpointsFile,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, url: JSON.parse(line.toString()).sandbox_base_url };
}

/** The state of the database after the other node was silent for longer than its lease. */
const leaseRunsOut = () =>
  asOwner(kit, `update job set run_at = now() where queue = 'voice-trunk' and key = '${config}'`);

const shown = async (id: string) => (await kit.ask(`GET /voice/api/calls/${id}/`)).body;

/** A call whose caller is talking; returns its id and the leg's channel. */
async function conversation(): Promise<readonly [id: string, leg: string]> {
  const sales = { type: 'dial', to: [staying], next: 'bye' };
  const flow = { version: 1, start: 'sales', nodes: { sales, bye: say('Goodbye') } };
  const template_id = await templateOf(kit, { ...flow, limits: { seconds: 600 } });
  const body = { to: '+60312310006', provider_config: config, template_id };
  const { id } = (await kit.ask('POST /voice/api/calls/', { body })).body;
  await eventually(async () => expect((await shown(id)).legs[1]?.status).toBe('in_progress'));
  return [id, pbx.control.channels().find((each) => each.startsWith(`${id}-leg`))!];
}

async function endsOnce(id: string, leg: string): Promise<void> {
  pbx.control.leave(leg);
  const { status, cost, legs } = await callEnd(kit, id);
  expect([status, cost.amount, legs.length]).toEqual(['completed', '1', 2]);
  const events = await kit.ask(`GET /voice/api/call-events/?call_id=${id}&kind=transfer`);
  expect(events.body.results).toMatchObject([{ data: { result: 'answered' } }]);
}

test('after one node is killed the other takes over, and the conversation goes on', async () => {
  const [id, leg] = await conversation();
  other.kill('SIGKILL');
  await eventually(() => expect(pbx.control.listeners()).toBe(0));
  await leaseRunsOut();
  await eventually(() => expect(pbx.control.listeners()).toBe(1));
  await endsOnce(id, leg);
  expect(pbx.control.replaced()).toBe(0);
});

test('a call whose flow was changed goes on with its own after its node was killed', async () => {
  const [id, leg] = await conversation();
  const { template_id } = await shown(id);
  const sales = { type: 'dial', to: [staying], next: 'more' };
  const changed = { version: 1, start: 'sales', nodes: { sales, more: { ...sales, next: 'bye' } } };
  const flow = { ...changed, nodes: { ...changed.nodes, bye: say('Goodbye') } };
  const patched = await kit.ask(`PATCH /voice/api/templates/${template_id}/`, { body: { flow } });
  expect([patched.status, patched.body.version]).toEqual([200, 2]);
  other.kill('SIGKILL');
  await eventually(() => expect(pbx.control.listeners()).toBe(0));
  await leaseRunsOut();
  await eventually(() => expect(pbx.control.listeners()).toBe(1));
  await endsOnce(id, leg);
  const body = { to: '+60312310006', provider_config: config, template_id };
  const { id: next } = (await kit.ask('POST /voice/api/calls/', { body })).body;
  for (const number of [1, 2]) {
    await eventually(async () =>
      expect((await shown(next)).legs[number]?.status).toBe('in_progress'),
    );
    pbx.control.leave(pbx.control.channels().find((each) => each.startsWith(`${next}-leg`))!);
  }
  expect((await callEnd(kit, next)).legs).toHaveLength(3);
});

test('a node that was paused gives way, and does not take over again', async () => {
  const [id, leg] = await conversation();
  other.kill('SIGSTOP');
  await leaseRunsOut();
  await eventually(() => expect(pbx.control.replaced()).toBe(1));
  expect(pbx.control.listeners()).toBe(2);
  other.kill('SIGCONT');
  await eventually(() => expect(pbx.control.listeners()).toBe(1));
  await endsOnce(id, leg);
  const [second, another] = await conversation();
  await endsOnce(second, another);
  expect(pbx.control.replaced()).toBe(1);
});
