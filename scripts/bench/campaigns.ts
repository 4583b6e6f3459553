/** The setup of the broadcast benches: a gateway, control planes, and campaigns to send. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Call, clientOf, makeCampaign } from '../../test/kit/campaign.ts';
import { sqlAt } from '../../test/kit/postgres.ts';
import { type ControlPlane, Environment } from './environment.ts';
import { Gateway } from './gateway.ts';

export interface Setup {
  readonly environment: Environment;
  readonly gateway: Gateway;
  readonly nodes: readonly ControlPlane[];
  /** Calls a node as the first tenant. */
  readonly callOf: (node: ControlPlane) => Call;
}

/** Runs `work` with one or more nodes that may send `rate` messages a second for a tenant. */
export async function withSetup<Result>(
  { rate, nodeCount }: { readonly rate: number; readonly nodeCount: number },
  work: (setup: Setup) => Promise<Result>,
): Promise<Result> {
  const environment = await Environment.open();
  try {
    const gateway = await Gateway.start(environment);
    const { file } = await environment.startAuthority();
    const channels = join(environment.folder, 'channels.json');
    await writeFile(channels, JSON.stringify({ sandbox: await gateway.endpoints() }));
    const settings = { AUTHORITIES_FILE: file, CHANNELS_FILE: channels };
    const nodes: ControlPlane[] = [];
    for (let at = 0; at < nodeCount; at += 1) {
      nodes.push(
        await environment.startControlPlane({ ...settings, BROADCAST_RATE: String(rate) }),
      );
    }
    const path = join(environment.controlPlaneEnv().DRAWBRIDGE_HOME, 'credentials.json');
    const { messaging: own } = JSON.parse(await readFile(path, 'utf8'));
    const callOf = ({ baseUrl }: ControlPlane) => clientOf(baseUrl, own.sandbox_key);
    return await work({ environment, gateway, nodes, callOf });
  } finally {
    await environment.close();
  }
}

export type Prepared = { readonly call: Call; readonly body: object; readonly contacts: number };

export async function prepare(
  { environment }: Setup,
  call: Call,
  name: string,
  contacts: number,
): Promise<Prepared> {
  const sql = <Row>(text: string, values?: unknown[]) =>
    sqlAt<Row>(environment.databaseUrl, text, values);
  const body = await makeCampaign(call, sql, { name, contacts, perSecond: 9_999 });
  return { call, body, contacts };
}

/** Far more than the broadcasts usually take. */
const graceMs = 240_000;
const slowest = 250;

/** Sends the broadcasts at the same time; returns when each message arrived, oldest first. */
export async function sendAll({ gateway }: Setup, all: readonly Prepared[]): Promise<number[]> {
  await gateway.forget();
  const wanted = all.reduce((sum, { contacts }) => sum + contacts, 0);
  const end = performance.now() + graceMs + (wanted / slowest) * 1_000;
  const sent = all.map(async ({ call, body }) => {
    const { id } = await call('POST', '/broadcast/', body);
    while ((await call('GET', `/broadcast/${id}/`)).status !== 'completed') {
      if (performance.now() > end) throw new Error('a broadcast did not end');
      await delay(200);
    }
  });
  await Promise.all(sent);
  const times = await gateway.times();
  if (times.length !== wanted) throw new Error(`${times.length} of ${wanted} messages arrived`);
  return times;
}
