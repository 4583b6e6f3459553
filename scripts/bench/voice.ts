import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sqlAt } from '../../test/kit/postgres.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { type ControlPlane, Stage } from './stage.ts';
import { mostInSecond } from './timing.ts';

const figure = figuresOf('voice');
/** What a tenant and provider configuration are granted in a second. */
const cap = 50;
const orderSeconds = 12;
const connections = 64;
/** Each is ordered at full speed, to see what is left above the limit of one. */
const manyConfigs = 8;
const nodeCount = 3;
const placedWithinMs = 120_000;
/** The provider shares the machine with what is measured, and what it tells takes from that. */
const lookMs = 500;
/** A raised limit is heeded within so long. */
const heededMs = 1_500;

/**
 * Calls through a simulated provider that is a process of its own, and answers, plays and tells
 * everything of each call: ordered and placed a second through one configuration while clients ask
 * for more than its limit; how a backlog goes out, by one node and by several; and what can be
 * ordered through many. Arrivals are read from the provider's own log.
 */
export const voice: Bench = {
  name: 'voice',
  title: `calls, at most ${cap} a second through a configuration`,
  run: async () => {
    const stage = await Stage.open();
    try {
      const ground = await prepare(stage);
      const many = await throughMany(ground); // first: a process that has just begun is slow
      const one = [...(await together(ground)), ...(await backlog(ground))];
      return [...one, ...(await backlogOfMany(stage, ground)), ...many];
    } finally {
      await stage.close();
    }
  },
};

interface Ground {
  /** Of every node. */
  readonly env: Readonly<Record<string, string>>;
  readonly control: ControlPlane;
  readonly databaseUrl: string;
  readonly provider: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly key: string;
  readonly template: string;
}

async function prepare(stage: Stage): Promise<Ground> {
  const { output } = await stage.start(['scripts/simulate.ts', 'twilio-voice'], {});
  const provider = /listening on (\S+)/.exec(output)![1]!;
  const shown = await fetch(`${provider}/_control/settings`);
  const settings = (await shown.json()) as Ground['settings'];
  const file = join(stage.folder, 'voice.json');
  const nobody = 'http://127.0.0.1:9';
  const others = { 'plivo-voice': nobody, 'vonage-voice': nobody, asterisk: nobody };
  await writeFile(file, JSON.stringify({ sandbox: { 'twilio-voice': provider, ...others } }));
  const authority = await stage.startAuthority();
  const env = { AUTHORITIES_FILE: authority.file, VOICE_ENDPOINTS_FILE: file };
  const control = await stage.startControlPlane(env);
  const path = join(stage.controlPlaneEnv().DRAWBRIDGE_HOME, 'credentials.json');
  const { messaging } = JSON.parse(await readFile(path, 'utf8'));
  await sqlAt(
    stage.databaseUrl,
    `insert into wallet (tenant_id, environment, currency, balance)
     select id, 'sandbox', 'USD', 1000000 from tenant`,
  );
  const { databaseUrl } = stage;
  const known = { env, control, databaseUrl, provider, settings };
  const ground = { ...known, key: messaging.sandbox_key, template: '' };
  const rate = { prefix: '+', currency: 'USD', per_minute: '0.01' };
  await send(ground, 'POST', '/rate-cards/', rate);
  const say = { type: 'say', text: 'Your order has left.' };
  const flow = { version: 1, language: 'en-US', start: 'a', nodes: { a: say } };
  const { body } = await send(ground, 'POST', '/templates/', { name: 'Bench', flow });
  return { ...ground, template: body.id };
}

/** Clients ask for more than the limit, while what they ordered is placed and played. */
async function together(ground: Ground): Promise<Figure[]> {
  const config = await configure(ground, cap);
  const before = await ground.control.cpuSeconds();
  const seen = (await log(ground)).length;
  const ordered = await order(ground, [config], orderSeconds);
  const arrived = await arrivals(ground, seen, ordered.length);
  const cpu = ((await ground.control.cpuSeconds()) - before) / ordered.length;
  return [
    figure('ordered, one configuration', sustained(ordered), 'calls/s', atLeast(0.99 * cap)),
    figure('placed meanwhile', sustained(arrived), 'calls/s', atLeast(0.99 * cap)),
    figure('most placed in any 1,000 ms', mostInSecond(arrived), 'calls', atMost(cap)),
    figure('CPU of a call, order to hang-up', cpu * 1_000, 'ms'),
  ];
}

/** What waited goes out all the time at the limit. */
async function backlog(ground: Ground, by = ''): Promise<Figure[]> {
  const config = await configure(ground, 1);
  const seen = (await log(ground)).length;
  const ordered = await order(ground, [config], orderSeconds);
  await send(ground, 'PATCH', `/provider-configs/${config}/`, { calls_per_second: cap });
  // Put off by the limit that was.
  await sqlAt(
    ground.databaseUrl,
    `update job set run_at = now() where claim_id is null and queue = 'voice-place'`,
  );
  // Until now they went one a second, and whoever waited for that second has seen the next limit.
  await delay(heededMs);
  const before = (await log(ground, seen)).length;
  const all = await arrivals(ground, seen, ordered.length);
  const placed = sustained(all.slice(before));
  return [
    figure(`placed while calls wait${by}`, placed, 'calls/s', atLeast(0.99 * cap)),
    figure(`most of them in any 1,000 ms${by}`, mostInSecond(all), 'calls', atMost(cap)),
  ];
}

/** The same by nodes that share one database. */
async function backlogOfMany(stage: Stage, ground: Ground): Promise<Figure[]> {
  const nodes = [ground.control];
  while (nodes.length < nodeCount) nodes.push(await stage.startControlPlane(ground.env));
  await throughMany(ground); // as before: these have just begun
  const placedBy = () => Promise.all(nodes.map((node) => node.jobs('voice-place', 'completed')));
  const before = await placedBy();
  const figures = await backlog(ground, `, ${nodeCount} nodes`);
  const after = await placedBy();
  const atWork = after.filter((count, at) => count > before[at]!).length;
  return [...figures, figure('nodes that placed', atWork, 'nodes', atLeast(nodeCount))];
}

async function throughMany(ground: Ground): Promise<Figure[]> {
  const seen = (await log(ground)).length;
  const configs = [];
  for (let at = 0; at < manyConfigs; at += 1) configs.push(await configure(ground, cap));
  const ordered = await order(ground, configs, orderSeconds);
  const arrived = await arrivals(ground, seen, ordered.length);
  return [
    figure(`ordered, ${manyConfigs} configurations`, sustained(ordered), 'calls/s'),
    figure(`placed, ${manyConfigs} configurations`, sustained(arrived), 'calls/s'),
  ];
}

async function configure(ground: Ground, callsPerSecond: number): Promise<string> {
  const { settings } = ground;
  const { body } = await send(ground, 'POST', '/provider-configs/', {
    ...{ provider: 'twilio-voice', name: 'bench', settings, from_number: '+60399990000' },
    calls_per_second: callsPerSecond,
  });
  return body.id;
}

/** Orders as many as are taken for so long; when each was, in milliseconds. */
async function order(
  ground: Ground,
  configs: readonly string[],
  seconds: number,
): Promise<number[]> {
  const end = performance.now() + seconds * 1_000;
  const taken: number[] = [];
  let asked = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      asked += 1;
      const to = `+6012${String(asked).padStart(7, '0')}8`;
      const { template: template_id } = ground;
      const body = { to, provider_config: configs[asked % configs.length], template_id };
      const { status, retryAfterMs } = await send(ground, 'POST', '/calls/', body, [201, 429]);
      if (status === 201) taken.push(performance.now());
      // As the answer says. A pause of the client's own brings all of them back together, at a
      // multiple of it, which is later than the next calls are taken.
      else await delay(retryAfterMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return taken.sort((a, b) => a - b);
}

async function send(
  { control, key }: Ground,
  method: string,
  path: string,
  body: object,
  expected: readonly number[] = [200, 201],
) {
  const response = await fetch(`${control.baseUrl}/voice/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!expected.includes(response.status)) throw new Error(`${path}: ${response.status} ${text}`);
  const retryAfterMs = Number(response.headers.get('retry-after-ms'));
  return { status: response.status, body: JSON.parse(text), retryAfterMs };
}

interface Logged {
  readonly to: string;
  readonly at: string;
  readonly stage: string;
}

async function log({ provider }: Ground, after = 0): Promise<readonly Logged[]> {
  return (await fetch(`${provider}/_control/calls?after=${after}`)).json() as Promise<Logged[]>;
}

/** When each call came to the provider, once all are over. */
async function arrivals(ground: Ground, after: number, wanted: number): Promise<number[]> {
  const end = performance.now() + placedWithinMs;
  for (;;) {
    // All of them are asked for once the last is there.
    const areAllThere = (await log(ground, after + wanted - 1)).length > 0;
    const calls = areAllThere ? await log(ground, after) : [];
    if (calls.length > 0 && calls.every(({ stage }) => stage === 'completed')) {
      return calls.map(({ at }) => Date.parse(at));
    }
    if (performance.now() > end) throw new Error(`not all of ${wanted} calls were played`);
    await delay(lookMs);
  }
}

/** A second, over a whole number of the limit's windows, so that bursts and an even flow count alike. */
function sustained(times: readonly number[]): number {
  const windows = Math.floor((times.length - 1) / cap);
  const last = windows === 0 ? times.length - 1 : windows * cap;
  return last < 1 ? 0 : (last / (times[last]! - times[0]!)) * 1_000;
}

const atLeast = (value: number) => ({ is: 'at-least', value }) as const;
const atMost = (value: number) => ({ is: 'at-most', value }) as const;
