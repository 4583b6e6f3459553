/**
 * Fills a team inbox: `await fillInbox(url, { tenantId, environment, messages })`. It runs as
 * the owner, with generate_series on two connections, and makes the indexes of the messages again
 * after the rows. The same numbers give the same rows.
 */
import pg from 'pg';

export interface InboxRows {
  readonly tenantId: string;
  readonly environment: 'live' | 'sandbox';
  readonly messages: number;
  /** Messages for each contact. */
  readonly messagesPerContact?: number;
}

/** The first of two years of messages, so that a period is a share of them. */
export const firstAt = Date.UTC(2025, 0, 1);
export const lastAt = Date.UTC(2026, 11, 31);
const usualPerContact = 100;
export const agents = 20;
/** Words `w00000` … by falling frequency: the first is in two of five messages. */
const words = 50_000;
/** One message in this many has the rare word. */
export const rareEvery = 100_000;
/**
 * One message in this many is of the contact with number 0, over all the time; few are broadcasts.
 */
const talkativeEvery = 80;
/**
 * One contact in thirty writes in each of these scripts: the same words, with letter and digits of
 * the script. One in thirty writes Chinese characters, by falling frequency, without spaces.
 */
export const scripts = { arabic: 'ابتثجحخدذرو', tamil: 'கஙசஞடணதநபமய' } as const;
export const firstHan = 0x4e00;
const hans = 3_000;
const fewEvery = 20_000;
/** Messages to one call, and conversations to one with the tag `seldom`; half have `usual`. */
const callEvery = 20;
const seldomEvery = 5_000;

const stepRows = 500_000;

/** Makes a base32 id of an instant and a number, as platform/ids.ts does. */
const idSuffixFunction = `
  create or replace function pg_temp.id_suffix(ms bigint, n bigint) returns text
    language sql immutable as $$
      select ${Array.from({ length: 10 }, (_, at) => {
        const digits = "'0123456789abcdefghjkmnpqrstvwxyz'";
        return `substr(${digits}, ((ms >> ${45 - at * 5}) & 31)::int + 1, 1)`;
      }).join(' || ')} || lpad(n::text, 16, '0')
    $$`;

export async function fillInbox(url: string, rows: InboxRows): Promise<void> {
  const client = await connect(url, rows);
  const inTurn = async (...fills: readonly Fill[]) => {
    for (const fill of fills) await fill(client, rows);
  };
  try {
    await inTurn(fillContacts, sql('vacuum analyze contact'));
    const indexes = await dropIndexes(client);
    await byTwo(url, rows, stepsOf(rows));
    // Each by several workers. Two writers leave the pages of the key half full.
    await inTurn(...[...indexes, 'reindex index message_pkey'].map(sql));
    await inTurn(sql('vacuum analyze message'));
    // Otherwise the next fills look each conversation up by reading all of them.
    await inTurn(fillConversations, sql('vacuum analyze conversation'));
    await byTwo(url, rows, [fillWaits, fillVolume, fillCalls, fillOpenings, fillTags]);
    // After all writes, so that all rows are marked as visible to all transactions.
    await inTurn(...filledBeside.map((table) => sql(`vacuum analyze ${table}`)));
  } finally {
    await client.end();
  }
}

/** One part of the rows, in its own transaction. */
type Fill = (client: pg.Client, rows: InboxRows) => Promise<unknown>;

function sql(statement: string): Fill {
  return (client) => client.query(statement);
}

/** Runs the parts on two connections; each takes the next part and has its own random numbers. */
async function byTwo(url: string, rows: InboxRows, fills: readonly Fill[]): Promise<void> {
  const left = fills.entries();
  const work = async () => {
    const client = await connect(url, rows);
    try {
      for (const [number, fill] of left) {
        await client.query('select setseed($1)', [number / fills.length]);
        await fill(client, rows);
      }
    } finally {
      await client.end();
    }
  };
  await Promise.all([work(), work()]);
}

async function connect(url: string, { tenantId }: InboxRows): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const setting of ['maintenance_work_mem = 1000000', 'work_mem = 256000', 'jit = off']) {
    await client.query(`set ${setting}`);
  }
  // On some tables row-level security holds for their owner too.
  await client.query("select set_config('drawbridge.tenant', $1, false)", [tenantId]);
  await client.query(idSuffixFunction);
  await client.query('select setseed(0.5)');
  return client;
}

function stepsOf({ messages }: InboxRows): Fill[] {
  return Array.from({ length: Math.ceil(messages / stepRows) }, (_, step): Fill => {
    const from = step * stepRows;
    const until = Math.min(from + stepRows, messages);
    return (client, rows) => fillMessages(client, rows, from, until);
  });
}

/** Id of the contact with a number, from 0. */
export function contactIdOf(number: number): string {
  return `con_${'0'.repeat(10)}${String(number).padStart(16, '0')}`;
}

export function contactsOf(rows: Pick<InboxRows, 'messages' | 'messagesPerContact'>): number {
  const { messages, messagesPerContact = usualPerContact } = rows;
  return Math.max(1, Math.floor(messages / messagesPerContact));
}

async function fillContacts(client: pg.Client, rows: InboxRows): Promise<void> {
  await client.query(
    `insert into contact (id, tenant_id, environment, name, phone, created_at, updated_at)
     select 'con_0000000000' || lpad(n::text, 16, '0'), $1, $2, 'Person ' || n,
       '+9715' || lpad(n::text, 8, '0'), to_timestamp($4::float8 / 1000), to_timestamp($4::float8 / 1000)
     from generate_series(0, $3::bigint - 1) n`,
    [rows.tenantId, rows.environment, contactsOf(rows), firstAt],
  );
}

/** Drops the indexes; returns the statements that make them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select i.indexdef, i.indexname from pg_indexes i where i.tablename = 'message'
       and not exists (select from pg_constraint c where c.conname = i.indexname)`,
  );
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`);
  return rows.map(({ indexdef }) => indexdef);
}

/** Most people write for a while and then stop; some come back years later. */
async function fillMessages(
  client: pg.Client,
  rows: InboxRows,
  from: number,
  until: number,
): Promise<void> {
  const { tenantId, environment, messages } = rows;
  const word = `'w' || lpad(floor(power(random(), 4) * ${words})::text, 5, '0')`;
  const latin = Array.from({ length: 8 }, () => word).join(" || ' ' || ");
  const written = (letters: string) => `translate(${latin}, '0123456789w', '${letters}')`;
  const han = `chr(${firstHan} + floor(power(random(), 4) * ${hans})::int)`;
  const text = `case contact % 30 when 3 then ${written(scripts.arabic)}
    when 13 then ${written(scripts.tamil)}
    when 23 then concat(${Array.from({ length: 16 }, () => han)}, '。')
    else ${latin} || case when n % ${rareEvery} = 7 then ' rare' || n else '' end end`;
  await client.query(
    `insert into message (id, tenant_id, environment, channel, direction, app_id, contact_id,
       address, broadcast_id, content, preview, status, author, created_at)
     select 'msg_' || pg_temp.id_suffix(ms, n), $1, $2, channel,
       case when broadcast_id is null and random() < 0.5 then 'in' else 'out' end, 'app_1',
       'con_0000000000' || lpad(contact::text, 16, '0'), '+9715' || lpad(contact::text, 8, '0'),
       broadcast_id, jsonb_build_object('kind', 'text', 'text', body), body, 'delivered',
       case when broadcast_id is null then 'usr_' || n % ${agents} end, to_timestamp(ms / 1000.0)
     from (select *, case when random() < 0.2 and (n % ${talkativeEvery} <> 9 or random() < 0.04)
         then 'brd_' || n / 100000 end as broadcast_id, ${text} as body
       from (
         select n, ($5::float8 + (n::float8 / $6::float8) * ($7::float8 - $5))::bigint as ms,
           case when n % ${talkativeEvery} = 9 then 0 else floor((n::float8 / $6::float8)
             * $8::float8 * (1 - power(random(), 6)))::bigint end as contact,
           case when r < 0.6 then 'wa' when r < 0.8 then 'sms' when r < 0.95 then 'botchat'
             else 'rcs' end as channel
         from (select n, random() as r from generate_series($3::bigint, $4::bigint - 1) n) n
       ) m
     ) m`,
    [tenantId, environment, from, until, firstAt, messages, lastAt, contactsOf(rows)],
  );
}

/**
 * All are closed except the newest and a few forgotten ones. Besides the usual agents, one has the
 * Arabic conversations, one the Tamil ones, one very few, and one left in the middle of the time.
 */
async function fillConversations(client: pg.Client, rows: InboxRows): Promise<void> {
  await client.query(
    `insert into conversation (id, tenant_id, environment, contact_id, state, assignee_id, opening,
       opened_at, waiting_since, unread, last_item_id, last_item, last_channel, created_at,
       updated_at)
     select 'cnv_' || substr(k.id, 5), k.tenant_id, k.environment, k.id,
       case when k.id = $4 then 'closed' when not is_new then case when r < 0.97 then 'closed' when r < 0.99 then 'open'
         else 'snoozed' end when r < 0.6 then 'open' when r < 0.7 then 'snoozed' else 'closed' end,
       case number % 30 when 3 then 'usr_arabic' when 13 then 'usr_tamil' else case
         when number % ${fewEvery} = 1 then 'usr_few' when is_old and q > 0.7 then 'usr_past'
         when q > 0.3 then 'usr_' || floor(power(q, 2) * ${agents})::int end end, 1, m.created_at,
       case when is_new and q < 0.3 then m.created_at end, case when is_new and r < 0.3 then 1
         else 0 end, m.id, substr(m.id, 5), m.channel, m.created_at, m.created_at
     from (select *, random() as r, random() as q, substr(id, 15)::bigint as number
       from contact) k
     cross join lateral (
       select id, channel, created_at, created_at > to_timestamp($3::float8 / 1000) as is_new,
         created_at < to_timestamp($5::float8 / 1000) as is_old
       from message m where m.tenant_id = k.tenant_id and m.environment = k.environment
         and m.contact_id = k.id and m.broadcast_id is null order by m.id desc limit 1) m
     where k.tenant_id = $1 and k.environment = $2`,
    [
      rows.tenantId,
      rows.environment,
      lastAt - (lastAt - firstAt) / 50,
      contactIdOf(0),
      (firstAt + lastAt) / 2,
    ],
  );
}

const filledBeside = [
  'inbox_call',
  'conversation_tag',
  'conversation_response',
  'conversation_opening',
  'inbox_volume',
];

/** Calls; people with a small contact number have more of them. */
async function fillCalls(client: pg.Client, rows: InboxRows): Promise<void> {
  const { tenantId, environment, messages } = rows;
  const ms = '($4::float8 + (n::float8 / $3::float8) * ($5::float8 - $4))::bigint';
  await client.query(
    `insert into inbox_call (id, tenant_id, environment, contact_id, direction, status,
       duration_seconds, author, item, created_at)
     select 'call_' || suffix, $1, $2, 'con_0000000000' || lpad(contact::text, 16, '0'), 'in',
       'completed', 60, null, suffix, to_timestamp(ms / 1000.0)
     from (select pg_temp.id_suffix(${ms}, n) as suffix, ${ms} as ms,
         floor(power(random(), 2) * $6::float8)::bigint as contact
       from generate_series(0, $3::bigint - 1) n) n`,
    [tenantId, environment, Math.ceil(messages / callEvery), firstAt, lastAt, contactsOf(rows)],
  );
}

async function fillTags(client: pg.Client, { tenantId, environment }: InboxRows): Promise<void> {
  await client.query(
    `with made as (
       insert into tag (id, tenant_id, name, created_at)
       select 'tag_' || name, $1, name, now() from unnest(array['usual', 'seldom']) name
       returning *)
     insert into conversation_tag (tenant_id, environment, tag_id, conversation_id)
     select c.tenant_id, c.environment, t.id, c.id from conversation c, made t
     where c.tenant_id = $1 and c.environment = $2 and case t.name when 'usual'
       then substr(c.id, 15)::bigint % 2 = 0 else substr(c.id, 15)::bigint % $3::int = 0 end`,
    [tenantId, environment, seldomEvery],
  );
}

/** The conversation of a wait or opening, of which there are `$3`. */
const conversationOfN = `'cnv_0000000000' || lpad((n % $6::bigint)::text, 16, '0')`;
const instantOfN =
  'to_timestamp(($4::float8 + (n::float8 / $3::float8) * ($5::float8 - $4)) / 1000)';
const isKnown = 'where exists (select from conversation c where c.id = conversation_id)';

/** One for ten messages. */
async function fillWaits(client: pg.Client, rows: InboxRows): Promise<void> {
  const { tenantId, environment, messages } = rows;
  await client.query(
    `insert into conversation_response (id, tenant_id, environment, conversation_id, opening,
       is_first, channel, asked_at, due_at, ended_at, is_answered, answered_by, business_seconds)
     select * from (select 'wai_' || n, $1::uuid, $2, ${conversationOfN} as conversation_id, 1,
       n % 4 = 0, 'wa', ${instantOfN}, ${instantOfN} + interval '1 hour',
       ${instantOfN} + random() * interval '2 hours', true, 'usr_' || n % ${agents},
       (random() * 7200)::int from generate_series(1, $3::bigint) n) w ${isKnown}`,
    [tenantId, environment, Math.floor(messages / 10), firstAt, lastAt, contactsOf(rows)],
  );
}

/** One for forty messages. */
async function fillOpenings(client: pg.Client, rows: InboxRows): Promise<void> {
  const { tenantId, environment, messages } = rows;
  await client.query(
    `insert into conversation_opening
     select * from (select $1::uuid, $2, ${conversationOfN} as conversation_id,
       (n / $6::bigint)::int + 1, ${instantOfN}, null, ${instantOfN} + random() * interval '2 days', 'usr_1'
       from generate_series(1, $3::bigint) n) o ${isKnown}`,
    [tenantId, environment, Math.floor(messages / 40), firstAt, lastAt, contactsOf(rows)],
  );
}

/** The number of messages by quarters of an hour. */
async function fillVolume(client: pg.Client, rows: InboxRows): Promise<void> {
  await client.query(
    `insert into inbox_volume
     select tenant_id, environment, to_timestamp(floor(extract(epoch from created_at) / 900) * 900),
       channel, direction, case when direction = 'in' then '' else coalesce(author, '') end, 0,
       count(*)
     from message where tenant_id = $1 and environment = $2 and broadcast_id is null
     group by 1, 2, 3, 4, 5, 6 order by 3`,
    [rows.tenantId, rows.environment],
  );
}
