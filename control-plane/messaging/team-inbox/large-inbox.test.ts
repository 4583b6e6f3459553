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
import type { Tx } from '../../platform/db/tx.ts';
import type { Place } from '../contacts/store.ts';
import { type CallFilter, listCalls } from './call-store.ts';
import { type ConversationFilter, listConversations } from './conversation-store.ts';
import { firstIdAt } from './item-id.ts';
import { type InboxFilter, listInboxMessages } from './message-store.ts';
import { countConversations } from './stats-store.ts';

const messages = 200_000;
const messagesPerContact = 20;
/**
 * Pages of 8 KiB that a list may touch, a page counted as often as it is touched. With its indexes
 * the table has twice as many here; what lists touch hardly grows with it (`npm run bench inbox`).
 */
const blocksMax = 10_000;
const limit = 51;

let kit: TestDb;
let place: Place;
let other: Place;

beforeAll(async () => {
  kit = await startDb();
  const edge = { clock: () => new Date(), random: (size: number) => Buffer.alloc(size, size) };
  const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
  const tenantOf = (name: string) => createTenant(kit.db, name, { ...edge, random });
  place = { tenantId: await tenantOf('Large'), environment: 'live' };
  other = { tenantId: await tenantOf('Other'), environment: 'live' };
  await fillInbox(kit.url, { ...place, messages, messagesPerContact });
}, 180_000);
afterAll(() => kit.stop());

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

interface Cost {
  readonly blocks: number;
  /** How often one of the tables was read as a whole, also inside a function. */
  readonly scans: number;
}

/** Runs a store's own statement under EXPLAIN, as the application's role inside the tenant. */
async function costOf(
  tables: readonly string[],
  list: (tx: Tx) => Promise<unknown>,
): Promise<Cost> {
  let blocks = 0;
  const scans = await kit.db.tenant(place.tenantId, async (tx) => {
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

/** Counted in the transaction itself: what others do, or did before, is told late. */
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

/** Each member of each filter; undefined: it is not asked. */
const choices = {
  // The first has more than a hundredth of all messages.
  contactId: [undefined, contactIdOf(0), contactIdOf(7)],
  channel: [undefined, 'rcs'],
  text: [undefined, common, 'w00900', 'w00010 w00100', rare, 'w003*', tamil, han],
  // The last has no conversation.
  assigneeId: [undefined, null, 'usr_3', 'usr_tamil', 'usr_past', 'usr_0'],
  state: [undefined, 'open', 'snoozed'],
  span: [undefined, 'since', 'until', 'both'],
} as const;

/** One in so many, of each filter with each other: the numbers of choices do not divide it. */
function combinationsOf(every: 5 | 11): [string, InboxFilter][] {
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
  test('the table is too large to be read by the way', async () => {
    const [size] = await sqlAt<{ pages: number }>(
      ...([kit.url, `select pg_total_relation_size('message')::int / 8192 as pages`] as const),
    );
    expect(size!.pages).toBeGreaterThan(blocksMax * 2);
  });

  test('a reading of the whole table would be noticed', async () => {
    const all = (tx: Tx) => tx.rows('select count(preview) from message');
    expect((await costOf(['message'], all)).scans).toBeGreaterThan(0);
  });

  test('every combination of filters reads few pages, by indexes alone', async () => {
    const tooMany: string[] = [];
    for (const [name, filter] of combinationsOf(5)) {
      const { blocks, scans } = await costOf(['message'], (tx) =>
        listInboxMessages(tx, place, filter, limit),
      );
      if (blocks >= blocksMax || scans > 0) tooMany.push(`${blocks} ${scans} ${name}`);
    }
    expect(tooMany).toEqual([]);
  }, 120_000);

  test('each combination finds what a plain reading of the table finds', async () => {
    for (const [name, filter] of combinationsOf(11)) {
      const found = await kit.db.tenant(place.tenantId, (tx) =>
        listInboxMessages(tx, place, filter, limit),
      );
      const wanted = await plainly(filter);
      expect(
        found.map(({ id }) => id),
        name,
      ).toEqual(wanted);
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
  ])('paged to its end, a list has each message once and in order: %j', async (filter) => {
    const all: string[] = [];
    for (let below: string | undefined; ; below = all.at(-1)) {
      const page = await kit.db.tenant(place.tenantId, (tx) =>
        listInboxMessages(tx, place, { ...filter, below }, 20),
      );
      if (page.length === 0) break;
      all.push(...page.map(({ id }) => id));
    }
    expect(all).toEqual(await plainly(filter, 1_000_000));
    expect(all.length).toBeGreaterThan(60);
  });

  test('an assignee is a name, whatever it looks like', async () => {
    for (const assigneeId of ['%s', '%', "'"]) {
      for (const text of [undefined, common]) {
        const filter = { assigneeId, text };
        const list = (tx: Tx) => listInboxMessages(tx, place, filter, limit);
        expect(await kit.db.tenant(place.tenantId, list)).toEqual([]);
      }
    }
  });

  test('nobody finds anything without a tenant, or in another', async () => {
    for (const wanted of [common, null]) {
      const call = (tx: Tx) =>
        tx.rows('select * from find_inbox_messages($1, $2, $3, $4, $5, $6, $7, $8, 5)', [
          ...['live', null, null, wanted, null, null, null, null],
        ]);
      expect(await kit.db.tenant(place.tenantId, call)).toHaveLength(5);
      for (const tenantId of [other.tenantId, randomUUID()]) {
        expect(await kit.db.tenant(tenantId, call)).toEqual([]);
      }
      expect(await kit.db.system(call)).toEqual([]);
    }
    for (const call of [
      `find_inbox_words('live', null, 'w00000', null, null, null, null, 5)`,
      `find_inbox_conversations('live', null, null, null, 'open', null, null, 5)`,
    ]) {
      expect(await kit.db.system((tx) => tx.rows(`select * from ${call}`))).toEqual([]);
    }
  });
});

test('the generator notes the words of each script as a message would', async () => {
  const noted = await sqlAt<{ id: string; noted: number; missing: number }>(
    kit.url,
    `select contact_id as id, cardinality(words) as noted, (select count(distinct word)::int
       from message m, unnest(tsvector_to_array(message_words(m.preview))) word
       where m.contact_id = s.contact_id and m.broadcast_id is null
         and word_hash(word) <> all (s.words)) as missing
     from said_words s where contact_id = any($1) order by 1`,
    [[3, 7, 13, 23].map(contactIdOf)],
  );
  const nothing = { noted: expect.toSatisfy((count) => count > 50), missing: 0 };
  expect(noted).toEqual([3, 7, 13, 23].map((n) => ({ id: contactIdOf(n), ...nothing })));
});

/** The same by one statement without any cleverness, as the owner. */
async function plainly(filter: InboxFilter, most = limit): Promise<string[]> {
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
     order by m.id desc limit $11`,
    [
      ...[place.tenantId, place.environment, contactId, channel, text?.split(' ').map(patternOf)],
      ...[assigneeId ?? null, assigneeId === null, state, below, fromId, most],
    ],
  );
  return rows.map(({ id }) => id);
}

/** What a text with the word looks like; Chinese ones stand in the middle of others. */
function patternOf(word: string): string {
  if (word === han) return word;
  return word.endsWith('*') ? `\\m${word.slice(0, -1)}` : `\\m${word}\\M`;
}

describe('what stood open at an instant', () => {
  const standing = (until: Date) => (tx: Tx) =>
    countConversations(tx, place, { since: new Date(until.getTime() - 86_400_000), until });
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

  test('is what a plain reading finds', async () => {
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
    expect(await kit.db.tenant(place.tenantId, standing(until))).toMatchObject(plain!);
  });

  test('is not looked for among all that ever was', async () => {
    const tables = ['conversation_opening', 'conversation_response'];
    const { blocks, scans } = await costOf(tables, async (tx) => {
      // The first reads what is known of the tables too.
      for (let n = 0; n < 2; n += 1) await standing(until)(tx);
    });
    expect(blocks).toBeLessThan(400);
    expect(scans).toBe(0);
  });

  test('is nothing without a tenant, or in another', async () => {
    const count = (tx: Tx) =>
      tx.row('select open, waiting from count_standing($1, $2)', [place.environment, until]);
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

  test.each(filters.map((filter) => [JSON.stringify(filter), filter] as const))(
    'asked for %s, those that a plain reading finds are found',
    async (_, filter) => {
      const list = (tx: Tx) => listCalls(tx, place, filter, limit);
      const found = await kit.db.tenant(place.tenantId, list);
      const { contactId, assigneeId, state, below, from } = filter;
      const plainly = `select m.id from inbox_call m
         left join conversation c on c.contact_id = m.contact_id
         where m.tenant_id = $1 and ($2::text is null or m.contact_id = $2) and ($3::text is null or c.assignee_id = $3)
           and (not $4 or (c.id is not null and c.assignee_id is null))
           and ($5::text is null or c.state = $5) and ($6::text is null or m.item < $6)
           and ($7::text is null or m.item >= $7) order by m.item desc limit $8`;
      const values = [
        ...[place.tenantId, contactId, assigneeId ?? null, assigneeId === null, state],
        ...[below, from, limit],
      ];
      const plain = await kit.db.tenant(place.tenantId, (tx) =>
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
    { state: 'closed', before: half.slice(4) },
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
    'asked for %s, few pages are read',
    async (_, filter) => {
      expect(contactsOf({ messages, messagesPerContact })).toBe(10_000);
      const list = (tx: Tx) => listConversations(tx, place, filter, limit);
      expect((await kit.db.tenant(place.tenantId, list)).length).toBeGreaterThan(0);
      const { blocks, scans } = await costOf(['conversation'], list);
      expect(blocks).toBeLessThan(1_000);
      expect(scans).toBe(0);
    },
  );
});
