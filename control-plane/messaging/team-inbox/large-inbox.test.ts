import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  contactIdOf,
  contactsOf,
  fillInbox,
  firstHan,
  lastAt,
  scripts,
} from '../../../scripts/bench/inbox-rows.ts';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { createTenant } from '../../platform/auth/issue.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import {
  firstRows,
  type KeysetRange,
  type KeysetReading,
  newestFirst,
  oldestFirst,
} from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { type ConversationFilter, listConversations, listKeyOf } from './conversations/store.ts';
import { type CallFilter, listCalls } from './messages/call-store.ts';
import { findInboxMessages, type InboxFilter } from './messages/store.ts';
import { countConversations } from './statistics/store.ts';

const messages = 200_000;
const messagesPerContact = 20;
/**
 * Pages of 8 KiB that a list may read; a page counts each time it is read. The table and its
 * indexes have twice as many here; what lists read hardly grows with the table (`npm run bench
 * inbox`).
 */
const blocksMax = 10_000;
const limit = 51;
const newest = newestFirst(firstRows(limit));
const oldest = oldestFirst(firstRows(limit));

let kit: TestDb;
let scope: TenantScope;
let other: TenantScope;

beforeAll(async () => {
  kit = await startDb();
  const context = { clock: () => new Date(), random: (size: number) => Buffer.alloc(size, size) };
  const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
  const tenantOf = (name: string) => createTenant(kit.db, name, { ...context, random });
  scope = { tenantId: await tenantOf('Large'), environment: 'live' };
  other = { tenantId: await tenantOf('Other'), environment: 'live' };
  await fillInbox(kit.url, { ...scope, messages, messagesPerContact });
}, 180_000);
afterAll(() => kit.stop());

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

interface Cost {
  readonly blocks: number;
  /** How many full scans of these tables there were, also inside functions. */
  readonly scans: number;
}

/** Runs a store's statement under EXPLAIN, with the application's role in the tenant. */
async function costOf(
  tables: readonly string[],
  list: (tx: Tx) => Promise<unknown>,
): Promise<Cost> {
  let blocks = 0;
  const scans = await kit.db.tenant(scope.tenantId, async (tx) => {
    const explain = async (sql: string, values?: readonly unknown[]) => {
      const found = await tx.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json) ${sql}`,
        values,
      );
      const { Plan: plan } = found[0]!['QUERY PLAN'][0];
      blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    };
    const rows = async (sql: string, values?: readonly unknown[]) => {
      await explain(sql, values);
      return [];
    };
    const row = async (sql: string, values?: readonly unknown[]) => {
      await explain(sql, values);
      return undefined;
    };
    const before = await scansOf(tx, tables);
    await list({ ...tx, rows, row });
    return (await scansOf(tx, tables)) - before;
  });
  return { blocks, scans };
}

/** Counted in the transaction itself: the shared statistics are updated late. */
async function scansOf(tx: Tx, tables: readonly string[]): Promise<number> {
  const row = await tx.row<{ count: number }>(
    `select coalesce(sum(seq_scan), 0)::int as count from pg_stat_xact_user_tables
     where relname = any($1)`,
    [tables],
  );
  return row!.count;
}

const common = 'w00000';
const rare = 'rare7';
const tamil = scripts.tamil[10] + scripts.tamil[0]!.repeat(5);
const han = String.fromCharCode(firstHan, firstHan + 1);
const half = firstIdAt('msg', new Date(lastAt - 180 * 86_400_000));
const deep = firstIdAt('msg', new Date(lastAt - 500 * 86_400_000));

/** The values tried for each filter; undefined: the filter is absent. */
const choices = {
  // The first contact has more than a hundredth of all messages.
  contactId: [undefined, contactIdOf(0), contactIdOf(7)],
  channel: [undefined, 'rcs'],
  text: [undefined, common, 'w00900', 'w00010 w00100', rare, 'w003*', tamil, han],
  // The last member has no conversation.
  assigneeId: [undefined, null, 'usr_3', 'usr_tamil', 'usr_past', 'usr_0'],
  state: [undefined, 'open', 'snoozed'],
  span: [undefined, 'since', 'until', 'both'],
} as const;

/** Every nth combination of the filters' values; n does not divide the number of values. */
function combinationsOf(every: 5 | 29): [string, InboxFilter][] {
  return [...combinations()].filter((_, at) => at % every === 0);
}

function* combinations(): Generator<[string, InboxFilter]> {
  for (const contactId of choices.contactId)
    for (const channel of choices.channel)
      for (const text of choices.text)
        for (const assigneeId of choices.assigneeId)
          for (const state of choices.state)
            for (const span of choices.span) {
              const below = span === 'until' || span === 'both' ? half : undefined;
              const fromId = span === 'since' || span === 'both' ? deep : undefined;
              const filter = { contactId, channel, text, assigneeId, state, below, fromId };
              yield [
                JSON.stringify({ ...filter, below: below && span, fromId: fromId && span }),
                filter,
              ];
            }
}

describe('messages', () => {
  test('the table is too large for a full scan', async () => {
    const [size] = await sqlAt<{ pages: number }>(
      kit.url,
      `select pg_total_relation_size('message')::int / 8192 as pages`,
    );
    expect(size!.pages).toBeGreaterThan(blocksMax * 2);
  });

  test('a full scan would be noticed', async () => {
    const all = (tx: Tx) => tx.rows('select count(preview) from message');
    expect((await costOf(['message'], all)).scans).toBeGreaterThan(0);
  });

  test('every combination of filters reads few pages, only by indexes', async () => {
    const tooMany: string[] = [];
    for (const [name, filter] of combinationsOf(5)) {
      for (const reading of [newest, oldest]) {
        const { blocks, scans } = await costOf(['message'], (tx) =>
          findInboxMessages(tx, scope, filter, reading),
        );
        const isFew = blocks < blocksMax && scans === 0;
        if (!isFew) tooMany.push(`${blocks} ${scans} ${reading.order} ${name}`);
      }
    }
    expect(tooMany).toEqual([]);
  }, 120_000);

  test('each combination finds what a simple statement finds', async () => {
    for (const [name, filter] of combinationsOf(29)) {
      for (const reading of [newest, oldest]) {
        const found = await followed(filter, reading, (all) => all.length >= limit);
        const plain = await plainly(filter, reading);
        expect(found.slice(0, limit), `${reading.order} ${name}`).toEqual(plain);
      }
    }
  }, 300_000);

  test.each<InboxFilter>([
    { state: 'snoozed', channel: 'sms', fromId: half },
    { text: 'w00900' },
    { text: 'w00000 w00001', state: 'closed', fromId: deep },
    { text: 'w00001', assigneeId: 'usr_3', fromId: half },
    { text: common, state: 'closed', assigneeId: 'usr_16' },
    { text: han },
    { text: 'w004*', assigneeId: 'usr_past' },
    { text: 'w00001', contactId: contactIdOf(0) },
    { text: 'w00005', contactId: contactIdOf(0) },
  ])('all pages together have each message once and in order: %j', async (filter) => {
    const all = await followed(filter, { ...newest, rowsMax: 20 }, () => false);
    expect(all).toEqual(await plainly(filter, { ...newest, rowsMax: 1_000_000 }));
    expect(all.length).toBeGreaterThan(60);
    const back = await followed(filter, { ...oldest, rowsMax: 20 }, () => false);
    expect(back).toEqual(all.toReversed());
  });

  test('an assignee is compared as text, whatever its form', async () => {
    for (const assigneeId of ['%s', '%', "'"]) {
      for (const text of [undefined, common]) {
        const filter = { assigneeId, text };
        const list = (tx: Tx) => findInboxMessages(tx, scope, filter, newest);
        expect((await kit.db.tenant(scope.tenantId, list)).ids).toEqual([]);
      }
    }
  });

  test('nobody finds anything without a tenant, or in another', async () => {
    for (const wanted of [common, null]) {
      const call = (tx: Tx) =>
        tx.rows('select * from find_inbox_messages($1, $2, $3, $4, $5, $6, $7, $8, false, 5)', [
          'live',
          null,
          null,
          wanted,
          null,
          null,
          null,
          null,
        ]);
      expect(await kit.db.tenant(scope.tenantId, call)).toHaveLength(5);
      for (const tenantId of [other.tenantId, randomUUID()]) {
        expect(await kit.db.tenant(tenantId, call)).toEqual([]);
      }
      expect(await kit.db.system(call)).toEqual([]);
    }
    for (const call of [
      `find_messages_by_words('live', null, null, 'w00000', null, null, 'n', '', false, 5)`,
      `find_messages_by_conversation('live', null, null, 'open', 'n', '', false, 5)`,
      `unnest(search_periods('live', 'n', '', false, 5))`,
    ]) {
      expect(await kit.db.system((tx) => tx.rows(`select * from ${call}`))).toEqual([]);
    }
  });
});

/** The ids of all pages, as a client reads them, until the list ends or `isEnough`. */
async function followed(
  filter: InboxFilter,
  reading: KeysetReading,
  isEnough: (all: readonly string[]) => boolean,
): Promise<string[]> {
  const all: string[] = [];
  let rest = filter;
  for (;;) {
    const { ids, continuesAt } = await kit.db.tenant(scope.tenantId, (tx) =>
      findInboxMessages(tx, scope, rest, reading),
    );
    all.push(...ids);
    const last = ids.at(reading.rowsMax - 1);
    if ((continuesAt ?? last) === undefined || isEnough(all)) return all;
    rest =
      reading.order === 'desc'
        ? { ...filter, below: continuesAt ?? last }
        : { ...filter, fromId: continuesAt ?? `${last}0` };
  }
}

/** The same by one simple statement, as the owner. */
async function plainly(filter: InboxFilter, { order, rowsMax }: KeysetReading): Promise<string[]> {
  const { contactId, channel, text, assigneeId, state, below, fromId } = filter;
  const rows = await sqlAt<{ id: string }>(
    kit.url,
    `select m.id from message m left join conversation c on c.contact_id = m.contact_id
     where m.tenant_id = $1 and m.environment = $2
       and case when $3::text is null then m.broadcast_id is null else m.contact_id = $3 end
       and ($4::text is null or m.channel = $4) 
       and not exists (select from unnest($5::text[]) pattern where m.preview !~ pattern)
       and ($6::text is null or c.assignee_id = $6) and (not $7 or c.assignee_id is null)
       and ($8::text is null or c.state = $8) and ($9::text is null or m.id < $9)
       and ($10::text is null or m.id >= $10)
     order by m.id ${order} limit $11`,
    [
      scope.tenantId,
      scope.environment,
      contactId,
      channel,
      text?.split(' ').map(patternOf),
      assigneeId ?? null,
      assigneeId === null,
      state,
      below,
      fromId,
      rowsMax,
    ],
  );
  return rows.map(({ id }) => id);
}

/** The pattern of texts with the word; Chinese words may be inside others. */
function patternOf(word: string): string {
  if (word === han) return word;
  return word.endsWith('*') ? `\\m${word.slice(0, -1)}` : `\\m${word}\\M`;
}

describe('the conversations open at an instant', () => {
  const statisticsUntil = (until: Date) => (tx: Tx) =>
    countConversations(tx, scope, { since: new Date(until.getTime() - 86_400_000), until });
  let until: Date;

  beforeAll(async () => {
    const [asked] = await sqlAt<{ at: Date }>(
      kit.url,
      `select max(asked_at) + interval '1 second' as at from conversation_response
       where asked_at < $1`,
      [new Date(lastAt - 300 * 86_400_000)],
    );
    until = asked!.at;
  });

  test('are those that a simple statement finds', async () => {
    const [plain] = await sqlAt<{ open: number; waiting: number }>(
      kit.url,
      `select (select count(*)::int from conversation_opening where opened_at < $1
           and (closed_at is null or closed_at >= $1)) as open,
         (select count(*)::int from conversation_response where asked_at < $1
           and (ended_at is null or ended_at >= $1)) as waiting`,
      [until],
    );
    expect(plain!.open).toBeGreaterThan(0);
    expect(plain!.waiting).toBeGreaterThan(0);
    expect(await kit.db.tenant(scope.tenantId, statisticsUntil(until))).toMatchObject(plain!);
  });

  test('are found without reading the whole history', async () => {
    const tables = ['conversation_opening', 'conversation_response'];
    const { blocks, scans } = await costOf(tables, async (tx) => {
      // The first run also reads the catalog.
      for (let n = 0; n < 2; n += 1) await statisticsUntil(until)(tx);
    });
    expect(blocks).toBeLessThan(400);
    expect(scans).toBe(0);
  });

  test('are none without a tenant, or in another', async () => {
    const count = (tx: Tx) =>
      tx.row('select open, waiting from count_open_at($1, $2)', [scope.environment, until]);
    expect(await kit.db.system(count)).toEqual({ open: 0, waiting: 0 });
    expect(await kit.db.tenant(other.tenantId, count)).toEqual({ open: 0, waiting: 0 });
  });
});

describe('calls', () => {
  const filters: readonly CallFilter[] = [
    {},
    { contactId: contactIdOf(0) },
    { state: 'closed', below: half.slice(4) },
    { assigneeId: null, from: deep.slice(4) },
    { assigneeId: 'usr_3' },
    { assigneeId: 'usr_3', state: 'snoozed', below: half.slice(4) },
  ];

  const cases = filters.flatMap((filter) =>
    [newest, oldest].map(
      (reading) => [JSON.stringify(filter), reading.order, filter, reading] as const,
    ),
  );
  test.each(cases)(
    '%s, %s: finds what a simple statement finds',
    async (_name, order, filter, reading) => {
      const list = (tx: Tx) => listCalls(tx, scope, filter, reading);
      const found = await kit.db.tenant(scope.tenantId, list);
      const { contactId, assigneeId, state, below, from } = filter;
      const plainly = `select m.id from inbox_call m
         left join conversation c on c.contact_id = m.contact_id
         where m.tenant_id = $1 and ($2::text is null or m.contact_id = $2) and ($3::text is null or c.assignee_id = $3)
           and (not $4 or (c.id is not null and c.assignee_id is null))
           and ($5::text is null or c.state = $5) and ($6::text is null or m.item < $6)
           and ($7::text is null or m.item >= $7) order by m.item ${order} limit $8`;
      const values = [
        scope.tenantId,
        contactId,
        assigneeId ?? null,
        assigneeId === null,
        state,
        below,
        from,
        limit,
      ];
      const plain = await kit.db.tenant(scope.tenantId, (tx) =>
        tx.rows<{ id: string }>(plainly, values),
      );
      expect(found.length).toBeGreaterThan(0);
      expect(found.map(({ id }) => id)).toEqual(plain.map(({ id }) => id));
    },
  );
});

describe('conversations', () => {
  const filters: readonly ConversationFilter[] = [
    {},
    { state: 'open' },
    { state: 'closed' },
    { state: 'snoozed' },
    { assigneeId: 'usr_3' },
    { assigneeId: null },
    { assigneeId: 'usr_3', state: 'open' },
    { isUnread: true },
    { isWaiting: true },
    { isUnread: true, isWaiting: true, state: 'open', assigneeId: null },
    { channel: 'rcs' },
    { contactId: contactIdOf(7) },
    { tagId: 'tag_usual' },
    { tagId: 'tag_seldom', state: 'closed' },
  ];

  test.each(filters.map((filter) => [JSON.stringify(filter), filter] as const))(
    '%s: reads few pages',
    async (_, filter) => {
      expect(contactsOf({ messages, messagesPerContact })).toBe(10_000);
      const rows = await kit.db.tenant(scope.tenantId, (tx) =>
        listConversations(tx, scope, filter, firstRows(limit)),
      );
      expect(rows.length).toBeGreaterThan(0);
      const cut = { ...firstRows(limit), key: rows.at(-1)!.last_item };
      for (const range of [firstRows(limit), cut, { ...cut, isBackward: true }]) {
        const list = (tx: Tx) => listConversations(tx, scope, filter, range);
        const { blocks, scans } = await costOf(['conversation'], list);
        expect(blocks).toBeLessThan(1_000);
        expect(scans).toBe(0);
      }
    },
  );

  test.each([{}, { state: 'open' }, { state: 'open', assigneeId: null }] as const)(
    'the longest waits of %j come first, and few pages are read',
    async (filter) => {
      const longest = (range: KeysetRange) => (tx: Tx) =>
        listConversations(tx, scope, filter, range, 'longest_wait');
      const rows = await kit.db.tenant(scope.tenantId, longest(firstRows(limit)));
      expect(rows).toHaveLength(limit);
      const waits = rows.map(({ waiting_since }) => waiting_since!.getTime());
      expect(waits).toEqual(waits.toSorted((a, b) => a - b));
      const cut = { ...firstRows(limit), key: listKeyOf('longest_wait')(rows.at(-1)!) };
      for (const range of [firstRows(limit), cut, { ...cut, isBackward: true }]) {
        const { blocks, scans } = await costOf(['conversation'], longest(range));
        expect(blocks).toBeLessThan(1_000);
        expect(scans).toBe(0);
      }
    },
  );
});
