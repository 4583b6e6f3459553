import { randomBytes } from 'node:crypto';
import { statuses } from '@drawbridge/messaging/status.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { createTenant } from '../../platform/auth/issue.ts';
import { firstRows, type KeysetRange } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { listClicks, listUrls, noteReplies } from './links/store.ts';
import { seriesOfTenant, sumOfBroadcasts } from './reports/count-store.ts';
import {
  cancelQueued,
  claimDue,
  findProgress,
  listInterrupted,
  listMessages,
  postponeZone,
} from './sending/message-store.ts';
import { listBroadcasts } from './store.ts';

const rows = 220_000;
/** Pages of 8 KiB that one request may read; a full table scan reads several thousand. */
const blocksMax = 2_000;

let kit: TestDb;
let tenantId: string;
const environment = 'live';
const scopeOf = () => ({ tenantId, environment }) as const;
const context = { clock: () => new Date(), random: randomBytes };
const idOf = (prefix: string, n: number) => `${prefix}_${String(n).padStart(26, '0')}`;

beforeAll(async () => {
  kit = await startDb();
  tenantId = await createTenant(kit.db, 'Large', context);
  const other = await createTenant(kit.db, 'Other', context);
  const fill = (sql: string, values: unknown[] = []) => sqlAt(kit.url, sql, values);
  await fill(
    `insert into broadcast (id, tenant_id, environment, channel, app_id, template_id, template,
       language, segment_id, segment, variables, time_zone, require_consent, track_urls, schedule_at,
       state, author, recipients, created_at, updated_at)
     select 'brc_' || lpad(n::text, 26, '0'), case when n % 10 = 9 then $2::uuid else $1::uuid end,
       'live', 'wa', 'app_1', 'tpl_1', 't', 'en', 'seg_1', 's', '{}', 'UTC', false, true, now(),
       'running', 'key', 1, now(), now() from generate_series(1, 2000) n`,
    [tenantId, other],
  );
  await fill("alter table message alter column time_zone set default 'Asia/Dubai'");
  // Broadcast 1000 is the large one; one in a thousand of its messages failed, and half still wait.
  await fill(
    `insert into message (id, tenant_id, environment, channel, direction, app_id, contact_id,
       address, broadcast_id, content, preview, status, due_at, claim_id, created_at, sent_at)
     select 'msg_' || lpad(n::text, 26, '0'), $1, 'live', 'wa', 'out', 'app_1', 'con_' || n % 50000,
       '+9715' || n, 'brc_' || lpad((case when n % 11 = 0 then n % 900 else 1000 end)::text, 26, '0'),
       '{}', 'hello ' || n, (array['read', 'queued', 'failed', 'sending'])[
         case when n % 1000 = 1 then 3 when n % 20000 = 2 then 4 when n % 2 = 1 then 2 else 1 end],
       now() - interval '1 minute', gen_random_uuid(), now(), now()
     from generate_series(1, ${rows}) n`,
    [tenantId],
  );
  await fill(
    `insert into tracked_url (id, tenant_id, environment, broadcast_id, url, links)
     select 'url_' || lpad(n::text, 26, '0'), $1, 'live', 'brc_' || lpad((n % 20)::text, 26, '0'),
       'https://shop.test/' || n, 1 from generate_series(1, ${rows}) n`,
    [tenantId],
  );
  await fill(
    `insert into link_click (id, tenant_id, environment, broadcast_id, message_id, url_id, code,
       is_bot, clicked_at)
     select 'clk_' || lpad(n::text, 26, '0'), $1, 'live', 'brc_' || lpad((n % 20)::text, 26, '0'),
       'msg_' || lpad(n::text, 26, '0'), 'url_' || lpad(n::text, 26, '0'), 'c', false, now()
     from generate_series(1, ${rows}) n`,
    [tenantId],
  );
  await fill(
    `insert into broadcast_count select $1, 'live', 'brc_' || lpad((n / 100)::text, 26, '0'),
       date_trunc('hour', now()) - n % 100 * interval '1 hour', 0, 1, 1, 1, 0, 0, 0, 0, 0, 0
     from generate_series(1, ${rows - 1}) n`,
    [tenantId],
  );
  for (const table of ['message', 'tracked_url', 'link_click', 'broadcast_count', 'broadcast']) {
    await fill(`vacuum analyze ${table}`);
  }
}, 180_000);
afterAll(() => kit.stop());

interface Plan {
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
}

/** Runs a store's statement under EXPLAIN, with the application's role in the tenant. */
async function planOf(ask: (tx: Tx) => Promise<unknown>, mode: string) {
  let blocks = 0;
  let nodes: string[] = [];
  await kit.db.tenant(tenantId, async (tx) => {
    await tx.run(`set local plan_cache_mode = ${mode}`);
    const rowsOf = async (sql: string, values?: readonly unknown[]) => {
      const [found] = await tx.rows<{ 'QUERY PLAN': [Plan] }>(
        `explain (analyze, buffers, format json) ${sql}`,
        values,
      );
      const { Plan: plan } = found!['QUERY PLAN'][0];
      nodes = [...JSON.stringify(plan).matchAll(/"Node Type":"([^"]+)"/g)].map(([, name]) => name!);
      blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return [];
    };
    await ask({
      ...tx,
      rows: rowsOf,
      row: async (...all) => (await rowsOf(...all))[0],
      run: async (...all) => (await rowsOf(...all)).length,
    });
  });
  return { blocks, nodes };
}

const large = idOf('brc', 1000);
const page = firstRows(51);
const wanted = { broadcastId: null, statuses };
const now = new Date();
const later = new Date(now.getTime() + 86_400_000);
const claim = { broadcastId: large, claimId: '00000000-0000-7000-8000-000000000000' };
const nothing = { channel: null, state: null };
const seventh = idOf('brc', 7);
const ofLarge = { ...wanted, broadcastId: large };
const cut = { ...page, key: `${large} ${idOf('msg', 100_000)}` };

test.each<[string, (tx: Tx) => Promise<unknown>]>([
  ['all messages', (tx) => listMessages(tx, scopeOf(), wanted, page)],
  ['messages of one', (tx) => listMessages(tx, scopeOf(), ofLarge, page)],
  [
    'rare messages of one',
    (tx) => listMessages(tx, scopeOf(), { ...ofLarge, statuses: ['failed'] }, page),
  ],
  [
    'messages with a status that none has',
    (tx) => listMessages(tx, scopeOf(), { ...ofLarge, statuses: ['expired'] }, page),
  ],
  ['a later page', (tx) => listMessages(tx, scopeOf(), ofLarge, cut)],
  ['the page before', (tx) => listMessages(tx, scopeOf(), ofLarge, { ...cut, isBackward: true })],
  ['clicks', (tx) => listClicks(tx, scopeOf(), null, page)],
  ['clicks of one', (tx) => listClicks(tx, scopeOf(), seventh, page)],
  ['addresses', (tx) => listUrls(tx, scopeOf(), null, page)],
  ['addresses of one', (tx) => listUrls(tx, scopeOf(), seventh, page)],
  ['broadcasts', (tx) => listBroadcasts(tx, scopeOf(), nothing, page)],
  ['the counts', (tx) => sumOfBroadcasts(tx, scopeOf(), [large, idOf('brc', 7)])],
  [
    'a dashboard',
    (tx) =>
      seriesOfTenant(tx, scopeOf(), {
        channel: null,
        interval: 'hour',
        until: now,
        from: new Date(now.getTime() - 86_400_000),
      }),
  ],
  ['the next due message', (tx) => findProgress(tx, scopeOf(), large)],
  ['a batch to send', (tx) => claimDue(tx, scopeOf(), { ...claim, wanted: 20, now })],
  ['interrupted messages', (tx) => listInterrupted(tx, scopeOf(), { ...claim, limit: 50 })],
  [
    'the message that an answer belongs to',
    (tx) => noteReplies(tx, scopeOf(), [{ contact_id: 'con_77', channel: 'wa' }], new Date(0), now),
  ],
])('%s: reads few pages of large tables', async (_, ask) => {
  expect((await planOf(ask, 'force_custom_plan')).blocks).toBeLessThan(blocksMax);
});

// PostgreSQL may choose a generic plan, which does not know where the list is cut.
test.each<[string, (tx: Tx, range: KeysetRange) => Promise<unknown>, string]>([
  ['clicks', (tx, range) => listClicks(tx, scopeOf(), null, range), 'clk'],
  ['addresses', (tx, range) => listUrls(tx, scopeOf(), null, range), 'url'],
])('%s: each page is read from its cut on, also by a generic plan', async (_, ask, prefix) => {
  const middle = { ...page, key: idOf(prefix, rows / 2) };
  for (const range of [page, middle, { ...middle, isBackward: true }]) {
    const { blocks } = await planOf((tx) => ask(tx, range), 'force_generic_plan');
    expect(blocks).toBeLessThan(blocksMax);
  }
});

// A generic plan does not know how few rows are wanted, and would plan a join for a tenth of the
// table.
test.each<[string, (tx: Tx) => Promise<unknown>]>([
  [
    'postponed messages',
    (tx) => postponeZone(tx, scopeOf(), large, { zone: 'Asia/Dubai', until: later, limit: 20 }),
  ],
  ['canceled messages', (tx) => cancelQueued(tx, scopeOf(), large, 20)],
])('%s: the generic plan joins nothing and reads few pages', async (_, ask) => {
  const { blocks, nodes } = await planOf(ask, 'force_generic_plan');
  expect(nodes).not.toEqual(expect.arrayContaining([expect.stringMatching(/Join|Loop|Seq Scan/)]));
  expect(blocks).toBeLessThan(blocksMax);
});

test('the tables are too large for a full scan', async () => {
  const [size] = await sqlAt<{ pages: number }>(
    kit.url,
    `select pg_relation_size('message')::int / 8192 as pages`,
  );
  expect(size!.pages).toBeGreaterThan(blocksMax * 2);
});
