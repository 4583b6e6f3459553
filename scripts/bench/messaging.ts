import { randomBytes } from 'node:crypto';
import { createTenant, issueKey } from '@drawbridge/control-plane/platform/auth/issue.ts';
import { appRoleOf } from '@drawbridge/control-plane/platform/db/app-role.ts';
import { openDb } from '@drawbridge/control-plane/platform/db/database.ts';
import { Agent } from 'undici';
import { type Call, clientOf } from '../../test/kit/campaign.ts';
import { type Ground, onGround, type Prepared, prepare, sendAll } from './campaigns.ts';
import { heldByMany, heldByOne } from './cap.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import type { Gateway, HeldWebhook } from './gateway.ts';

const figure = figuresOf('messaging');
const bulk = { messages: 8_000, tenants: 8 } as const;
const shared = { nodes: 3, seconds: 20 } as const;
const plainSeconds = 4;
/** As many as a control plane opens to a provider. */
const connections = 64;

/**
 * Broadcasts by SMS through a simulated gateway that is a process of its own: messages a second
 * without a cap, of one tenant and of many, beside a plain HTTP client that does nothing but send
 * to the same gateway in the same run; how many delivery reports are taken a second; and how well
 * the cap of 500 a second is held, by one node and by several.
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
  return onGround({ rate: 100_000, nodeCount: 1 }, async (ground) => {
    const { gateway, nodes, callOf } = ground;
    const plain = await gateway.plainPerSecond(connections, plainSeconds);
    const own = await prepare(ground, callOf(nodes[0]!), 'one', bulk.messages);
    const one = await perSecond(ground, [own]);
    const reports = await takeReports(gateway);
    const each = bulk.messages / bulk.tenants;
    const calls = await moreTenants(ground, bulk.tenants);
    const campaigns = [];
    for (const [at, call] of calls.entries()) {
      campaigns.push(await prepare(ground, call, `tenant ${at}`, each));
    }
    const many = await perSecond(ground, campaigns);
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
async function perSecond(ground: Ground, all: readonly Prepared[]): Promise<number> {
  const times = await sendAll(ground, all);
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

async function moreTenants({ stage, nodes }: Ground, count: number): Promise<Call[]> {
  const db = await openDb({ url: appRoleOf(stage.databaseUrl).url, poolMax: 2 });
  const edge = { clock: () => new Date(), random: randomBytes };
  const calls: Call[] = [];
  for (let at = 0; at < count; at += 1) {
    const tenantId = await createTenant(db, `Tenant ${at}`, edge);
    const scopes = ['role:owner'];
    const request = { family: 'jc', environment: 'sandbox', name: 'bench', scopes } as const;
    const { text } = await issueKey(db, tenantId, request, randomBytes);
    calls.push(clientOf(nodes[0]!.baseUrl, text));
  }
  await db.close();
  return calls;
}
