import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTenant, issueKey } from '@drawbridge/control-plane/platform/auth/issue.ts';
import { appRoleOf } from '@drawbridge/control-plane/platform/db/app-role.ts';
import { openDb } from '@drawbridge/control-plane/platform/db/database.ts';
import { Agent } from 'undici';
import { type Call, clientOf, makeCampaign } from '../../test/kit/campaign.ts';
import { sqlAt } from '../../test/kit/postgres.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { Gateway, type HeldWebhook } from './gateway.ts';
import { Stage } from './stage.ts';

const figure = figuresOf('messaging');
const bulk = { messages: 8_000, tenants: 8 } as const;
const cap = { perSecond: 500, seconds: 32 } as const;
const plainSeconds = 4;
/** As many as a control plane opens to a provider. */
const connections = 64;
const finishedWithinMs = 240_000;

/**
 * Broadcasts by SMS through a simulated gateway that is a process of its own: messages a second
 * without a cap, of one tenant and of many, beside a plain HTTP client that does nothing but send
 * to the same gateway in the same run; how well the cap of 500 a second is held; and how many
 * delivery reports are taken a second.
 */
export const messaging: Bench = {
  name: 'messaging',
  title: 'broadcasts',
  run: async () => [...(await uncapped()), ...(await capped())],
};

/** What is measured on: a gateway, a control plane, and ways to both. */
interface Ground {
  readonly stage: Stage;
  readonly gateway: Gateway;
  readonly call: Call;
  readonly baseUrl: string;
}

async function onGround<Result>(
  rate: number,
  work: (ground: Ground) => Promise<Result>,
): Promise<Result> {
  const stage = await Stage.open();
  try {
    const gateway = await Gateway.start(stage);
    const { file } = await stage.startAuthority();
    const channels = join(stage.folder, 'channels.json');
    await writeFile(channels, JSON.stringify({ sandbox: await gateway.endpoints() }));
    const { baseUrl } = await stage.startControlPlane({
      ...{ AUTHORITIES_FILE: file, CHANNELS_FILE: channels, BROADCAST_RATE: String(rate) },
    });
    const path = join(stage.controlPlaneEnv().DRAWBRIDGE_HOME, 'credentials.json');
    const { messaging: own } = JSON.parse(await readFile(path, 'utf8'));
    return await work({ stage, gateway, baseUrl, call: clientOf(baseUrl, own.sandbox_key) });
  } finally {
    await stage.close();
  }
}

function uncapped(): Promise<Figure[]> {
  return onGround(100_000, async (ground) => {
    const { gateway, call } = ground;
    const plain = await gateway.plainPerSecond(connections, plainSeconds);
    const one = await sendAll(ground, [await prepare(ground, call, 'one', bulk.messages)]);
    const reports = await takeReports(gateway);
    const each = bulk.messages / bulk.tenants;
    const calls = await moreTenants(ground, bulk.tenants);
    const campaigns = [];
    for (const [at, own] of calls.entries()) {
      campaigns.push(await prepare(ground, own, `tenant ${at}`, each));
    }
    const many = await sendAll(ground, campaigns);
    return [
      figure(`plain client, ${connections} connections`, plain, 'messages/s'),
      figure('one tenant, no cap', one, 'messages/s'),
      figure('× plain client, one tenant', one / plain, ''),
      figure(`${bulk.tenants} tenants, no cap`, many, 'messages/s'),
      figure(`× plain client, ${bulk.tenants} tenants`, many / plain, ''),
      figure('delivery reports taken', reports, 'reports/s', { is: 'at-least', value: 1_500 }),
    ];
  });
}

function capped(): Promise<Figure[]> {
  return onGround(cap.perSecond, async (ground) => {
    const { gateway, call } = ground;
    const contacts = cap.perSecond * (cap.seconds + 2);
    const campaign = await prepare(ground, call, 'capped', contacts);
    await sendAll(ground, [campaign]);
    const times = await gateway.times();
    // From the second second on: what a new broadcast may send at once would flatter the rest.
    const first = cap.perSecond;
    const count = cap.perSecond * cap.seconds;
    const share = (cap.seconds * 1_000) / (times[first + count]! - times[first]!);
    return [
      figure(`of 500/s held over ${cap.seconds} s`, share, '', { is: 'at-least', value: 0.99 }),
      figure('most in a second of the clock', mostInSeconds(times), 'messages'),
      figure('most in any 1,000 ms, as they arrive', mostInWindow(times), 'messages'),
    ];
  });
}

type Prepared = { readonly call: Call; readonly body: object; readonly contacts: number };

async function prepare(
  { stage }: Ground,
  call: Call,
  name: string,
  contacts: number,
): Promise<Prepared> {
  const sql = <Row>(text: string, values?: unknown[]) =>
    sqlAt<Row>(stage.databaseUrl, text, values);
  const body = await makeCampaign(call, sql, { name, contacts, perSecond: 9_999 });
  return { call, body, contacts };
}

/** Sends the broadcasts at the same time; messages a second from the first to the last. */
async function sendAll({ gateway }: Ground, all: readonly Prepared[]): Promise<number> {
  await gateway.forget();
  const sent = all.map(async ({ call, body }) => {
    const { id } = await call('POST', '/broadcast/', body);
    const end = performance.now() + finishedWithinMs;
    while ((await call('GET', `/broadcast/${id}/`)).status !== 'completed') {
      if (performance.now() > end) throw new Error('a broadcast did not end');
      await delay(200);
    }
  });
  await Promise.all(sent);
  const times = await gateway.times();
  const wanted = all.reduce((sum, { contacts }) => sum + contacts, 0);
  if (times.length !== wanted) throw new Error(`${times.length} of ${wanted} messages arrived`);
  return (times.length / (times.at(-1)! - times[0]!)) * 1_000;
}

/** The reports that the gateway held back, sent as fast as they are taken. */
async function takeReports(gateway: Gateway): Promise<number> {
  const held: HeldWebhook[] = await gateway.heldWebhooks();
  const agent = new Agent({ connections });
  const begun = performance.now();
  const queue = held.values();
  const sender = async (): Promise<void> => {
    for (const { method, url, headers, body: sent } of queue) {
      const { origin, pathname, search } = new URL(url);
      const request = { origin, path: pathname + search, method, headers, body: sent };
      const { statusCode, body } = await agent.request(request);
      await body.dump();
      if (statusCode !== 200) throw new Error(`a report was refused: ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  const perSecond = (held.length / (performance.now() - begun)) * 1_000;
  await agent.close();
  return perSecond;
}

async function moreTenants({ stage, baseUrl }: Ground, count: number): Promise<Call[]> {
  const db = await openDb({ url: appRoleOf(stage.databaseUrl).url, poolMax: 2 });
  const edge = { clock: () => new Date(), random: randomBytes };
  const calls: Call[] = [];
  for (let at = 0; at < count; at += 1) {
    const tenantId = await createTenant(db, `Tenant ${at}`, edge);
    const scopes = ['role:owner'];
    const request = { family: 'jc', environment: 'sandbox', name: 'bench', scopes } as const;
    const { text } = await issueKey(db, tenantId, request, randomBytes);
    calls.push(clientOf(baseUrl, text));
  }
  await db.close();
  return calls;
}

function mostInSeconds(times: readonly number[]): number {
  const seconds = Map.groupBy(times, (at) => Math.floor(at / 1_000));
  return Math.max(...[...seconds.values()].map((own) => own.length));
}

function mostInWindow(times: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [last, at] of times.entries()) {
    while (times[first]! <= at - 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
