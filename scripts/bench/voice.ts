import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sqlAt } from '../../test/kit/postgres.ts';
import { type ControlPlane, Environment } from './environment.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { mostInSecond } from './timing.ts';

const figure = figuresOf('voice');
/** Calls that a tenant and provider configuration may place in a second. */
const cap = 50;
const orderSeconds = 12;
const connections = 64;
/** How many configurations are used at once, to measure more than the limit of one. */
const manyConfigs = 8;
const nodeCount = 3;
const placedWithinMs = 120_000;
/** Milliseconds between two reads of the provider's log, which shares the machine. */
const lookMs = 500;
/** Milliseconds within which a raised limit is applied. */
const limitAppliedMs = 1_500;

/**
 * Calls through a simulated provider that is a process of its own, and answers, plays and reports
 * each call: ordered and placed a second through one configuration while clients ask
 * for more than its limit; how a backlog goes out, by one node and by several; and what can be
 * ordered through many. Arrivals are read from the provider's own log.
 */
export const voice: Bench = {
  name: 'voice',
  title: `calls, at most ${cap} a second through a configuration`,
  run: async () => {
    const environment = await Environment.open();
    try {
      const setup = await prepare(environment);
      const many = await manyConfigurations(setup); // first, because a new process is slow
      const one = [...(await placedAtOnce(setup)), ...(await placedFromQueue(setup))];
      return [...one, ...(await placedFromQueueByNodes(environment, setup)), ...many];
    } finally {
      await environment.close();
    }
  },
};

interface Setup {
  /** The environment of every node. */
  readonly env: Readonly<Record<string, string>>;
  readonly control: ControlPlane;
  readonly databaseUrl: string;
  readonly provider: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly key: string;
  readonly template: string;
}

async function prepare(environment: Environment): Promise<Setup> {
  const { output } = await environment.start(['scripts/simulate.ts', 'twilio-voice'], {});
  const provider = /listening on (\S+)/.exec(output)![1]!;
  const shown = await fetch(`${provider}/_control/settings`);
  const settings = (await shown.json()) as Setup['settings'];
  const file = join(environment.folder, 'voice.json');
  const nobody = 'http://127.0.0.1:9';
  const others = { 'plivo-voice': nobody, 'vonage-voice': nobody, asterisk: nobody };
  await writeFile(file, JSON.stringify({ sandbox: { 'twilio-voice': provider, ...others } }));
  const authority = await environment.startAuthority();
  const env = { AUTHORITIES_FILE: authority.file, VOICE_ENDPOINTS_FILE: file };
  const control = await environment.startControlPlane(env);
  const path = join(environment.controlPlaneEnv().DRAWBRIDGE_HOME, 'credentials.json');
  const { messaging } = JSON.parse(await readFile(path, 'utf8'));
  await sqlAt(
    environment.databaseUrl,
    `insert into wallet (tenant_id, environment, currency, balance)
     select id, 'sandbox', 'USD', 1000000 from tenant`,
  );
  const { databaseUrl } = environment;
  const known = { env, control, databaseUrl, provider, settings };
  const setup = { ...known, key: messaging.sandbox_key, template: '' };
  const rate = { prefix: '+', currency: 'USD', per_minute: '0.01' };
  await send(setup, 'POST', '/rate-cards/', rate);
  const say = { type: 'say', text: 'Your order has left.' };
  const flow = { version: 1, language: 'en-US', start: 'a', nodes: { a: say } };
  const { body } = await send(setup, 'POST', '/templates/', { name: 'Bench', flow });
  return { ...setup, template: body.id };
}

/** Clients ask for more than the limit, while what they ordered is placed and played. */
async function placedAtOnce(setup: Setup): Promise<Figure[]> {
  const config = await configure(setup, cap);
  const before = await setup.control.cpuSeconds();
  const seen = (await log(setup)).length;
  const ordered = await order(setup, [config], orderSeconds);
  const arrived = await arrivals(setup, seen, ordered.length);
  const cpu = ((await setup.control.cpuSeconds()) - before) / ordered.length;
  return [
    figure('ordered, one configuration', sustained(ordered), 'calls/s', atLeast(0.99 * cap)),
    figure('placed meanwhile', sustained(arrived), 'calls/s', atLeast(0.99 * cap)),
    figure('most placed in any 1,000 ms', mostInSecond(arrived), 'calls', atMost(cap)),
    figure('CPU of a call, order to hang-up', cpu * 1_000, 'ms'),
  ];
}

/** Queued calls go out at the limit, without a pause. */
async function placedFromQueue(setup: Setup, by = ''): Promise<Figure[]> {
  const config = await configure(setup, 1);
  const seen = (await log(setup)).length;
  const ordered = await order(setup, [config], orderSeconds);
  await send(setup, 'PATCH', `/provider-configs/${config}/`, { calls_per_second: cap });
  // They wait because of the old limit.
  await sqlAt(
    setup.databaseUrl,
    `update job set run_at = now() where claim_id is null and queue = 'voice-place'`,
  );
  // Calls went one a second so far; those that waited for their second have read the new limit.
  await delay(limitAppliedMs);
  const before = (await log(setup, seen)).length;
  const all = await arrivals(setup, seen, ordered.length);
  const placed = sustained(all.slice(before));
  return [
    figure(`placed while calls wait${by}`, placed, 'calls/s', atLeast(0.99 * cap)),
    figure(`most of them in any 1,000 ms${by}`, mostInSecond(all), 'calls', atMost(cap)),
  ];
}

/** The same by nodes that share one database. */
async function placedFromQueueByNodes(environment: Environment, setup: Setup): Promise<Figure[]> {
  const nodes = [setup.control];
  while (nodes.length < nodeCount) nodes.push(await environment.startControlPlane(setup.env));
  await manyConfigurations(setup); // as before, because these are new
  const placedBy = () => Promise.all(nodes.map((node) => node.jobs('voice-place', 'completed')));
  const before = await placedBy();
  const figures = await placedFromQueue(setup, `, ${nodeCount} nodes`);
  const after = await placedBy();
  const atWork = after.filter((count, at) => count > before[at]!).length;
  return [...figures, figure('nodes that placed', atWork, 'nodes', atLeast(nodeCount))];
}

async function manyConfigurations(setup: Setup): Promise<Figure[]> {
  const seen = (await log(setup)).length;
  const configs = [];
  for (let at = 0; at < manyConfigs; at += 1) configs.push(await configure(setup, cap));
  const ordered = await order(setup, configs, orderSeconds);
  const arrived = await arrivals(setup, seen, ordered.length);
  return [
    figure(`ordered, ${manyConfigs} configurations`, sustained(ordered), 'calls/s'),
    figure(`placed, ${manyConfigs} configurations`, sustained(arrived), 'calls/s'),
  ];
}

async function configure(setup: Setup, callsPerSecond: number): Promise<string> {
  const { settings } = setup;
  const { body } = await send(setup, 'POST', '/provider-configs/', {
    provider: 'twilio-voice',
    name: 'bench',
    settings,
    from_number: '+60399990000',
    calls_per_second: callsPerSecond,
  });
  return body.id;
}

/** Orders as many calls as are accepted in that time; returns when each was, in milliseconds. */
async function order(setup: Setup, configs: readonly string[], seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1_000;
  const taken: number[] = [];
  let asked = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      asked += 1;
      const to = `+6012${String(asked).padStart(7, '0')}8`;
      const { template: template_id } = setup;
      const body = { to, provider_config: configs[asked % configs.length], template_id };
      const { status, retryAfterMs } = await send(setup, 'POST', '/calls/', body, [201, 429]);
      if (status === 201) taken.push(performance.now());
      // The wait that the answer asks for. With a fixed wait all clients would come back together,
      // later than the next calls are accepted.
      else await delay(retryAfterMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return taken.sort((a, b) => a - b);
}

async function send(
  { control, key }: Setup,
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

async function log({ provider }: Setup, after = 0): Promise<readonly Logged[]> {
  return (await fetch(`${provider}/_control/calls?after=${after}`)).json() as Promise<Logged[]>;
}

/** When each call reached the provider, once all are over. */
async function arrivals(setup: Setup, after: number, wanted: number): Promise<number[]> {
  const end = performance.now() + placedWithinMs;
  for (;;) {
    // All are read when the last is there.
    const areAllThere = (await log(setup, after + wanted - 1)).length > 0;
    const calls = areAllThere ? await log(setup, after) : [];
    if (calls.length > 0 && calls.every(({ stage }) => stage === 'completed')) {
      return calls.map(({ at }) => Date.parse(at));
    }
    if (performance.now() > end) throw new Error(`not all of ${wanted} calls were played`);
    await delay(lookMs);
  }
}

/** Calls a second, over whole windows of the limit, so that bursts count like an even flow. */
function sustained(times: readonly number[]): number {
  const windows = Math.floor((times.length - 1) / cap);
  const last = windows === 0 ? times.length - 1 : windows * cap;
  return last < 1 ? 0 : (last / (times[last]! - times[0]!)) * 1_000;
}

const atLeast = (value: number) => ({ is: 'at-least', value }) as const;
const atMost = (value: number) => ({ is: 'at-most', value }) as const;
