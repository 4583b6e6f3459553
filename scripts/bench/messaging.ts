import { randomBytes } from 'node:crypto';
import { createTenant, issueKey } from '@drawbridge/control-plane/platform/auth/issue.ts';
import { appRoleOf } from '@drawbridge/control-plane/platform/db/app-role.ts';
import { openDb } from '@drawbridge/control-plane/platform/db/database.ts';
import { Agent } from 'undici';
import { type Call, clientOf } from '../../test/kit/campaign.ts';
import { type Prepared, prepare, type Setup, sendAll, withSetup } from './campaigns.ts';
import { heldByMany, heldByOne } from './cap.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import type { Gateway, HeldWebhook } from './gateway.ts';

const figure = figuresOf('messaging');
const bulk = { messages: 8_000, tenants: 8 } as const;
const shared = { nodes: 3, seconds: 20 } as const;
const plainSeconds = 4;
/** The number of connections that a control plane opens to a provider. */
const connections = 64;

/**
 * Broadcasts by SMS through a simulated gateway in a separate process: messages a second without a
 * limit, of one tenant and of many, compared with a plain HTTP client that only sends to the same
 * gateway in the same run; delivery reports accepted a second; and how well the limit of 500 a
 * second is used and kept, by one node and by several.
 */
export const messaging: Bench = {
  name: 'messaging',
  title: 'broadcasts',
  run: async ({ seconds }) => [
    ...(await uncapped()),
    ...(await heldByOne(seconds)),
    ...(await heldByMany(shared.nodes, shared.seconds)),
  ],
};

function uncapped(): Promise<Figure[]> {
  return withSetup({ rate: 100_000, nodeCount: 1 }, async (setup) => {
    const { gateway, nodes, callOf } = setup;
    const plain = await gateway.plainPerSecond(connections, plainSeconds);
    const own = await prepare(setup, callOf(nodes[0]!), 'one', bulk.messages);
    const one = await perSecond(setup, [own]);
    const reports = await takeReports(gateway);
    const each = bulk.messages / bulk.tenants;
    const calls = await moreTenants(setup, bulk.tenants);
    const campaigns = [];
    for (const [at, call] of calls.entries()) {
      campaigns.push(await prepare(setup, call, `tenant ${at}`, each));
    }
    const many = await perSecond(setup, campaigns);
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

/** Messages a second from the first to the last. */
async function perSecond(setup: Setup, all: readonly Prepared[]): Promise<number> {
  const times = await sendAll(setup, all);
  return (times.length / (times.at(-1)! - times[0]!)) * 1_000;
}

/** Sends the reports that the gateway held back as fast as they are accepted. */
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

async function moreTenants({ environment, nodes }: Setup, count: number): Promise<Call[]> {
  const db = await openDb({ url: appRoleOf(environment.databaseUrl).url, poolMax: 2 });
  const context = { clock: () => new Date(), random: randomBytes };
  const calls: Call[] = [];
  for (let at = 0; at < count; at += 1) {
    const tenantId = await createTenant(db, `Tenant ${at}`, context);
    const scopes = ['role:owner'];
    const request = { family: 'jc', environment: 'sandbox', name: 'bench', scopes } as const;
    const { text } = await issueKey(db, tenantId, request, randomBytes);
    calls.push(clientOf(nodes[0]!.baseUrl, text));
  }
  await db.close();
  return calls;
}
