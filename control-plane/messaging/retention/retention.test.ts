import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { createLog } from '../../platform/log/log.ts';
import { createMetrics } from '../../platform/metrics/metrics.ts';
import { startRetention } from '../../platform/retention/retention.ts';
import { setLifeTime } from '../../platform/retention/store.ts';
import { addEndpoint } from '../../webhooks/endpoint-store.ts';
import { recordConsent } from '../contacts/consents/record-consent.ts';
import { type ServiceKit, startService } from '../service.kit.ts';
import { type InboxKit, withInbox } from '../team-inbox/inbox.kit.ts';
import { oldContacts } from './contacts.ts';
import { pruneMessages } from './store.ts';

const dayMs = 86_400_000;
/** Years after the contacts are made. */
const now = new Date(new Date().setFullYear(new Date().getFullYear() + 4));
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);

let database: TestDb;
let kit: InboxKit;
beforeAll(async () => {
  database = await startDb();
});
afterAll(() => database?.stop());
beforeEach(async () => {
  kit = await withInbox(database);
});

/** What a node's sweep does after the tenant has set these life times. */
async function sweep(days: { message?: number; contact?: number }, things = 100): Promise<void> {
  const { tenantId } = kit.scope;
  await kit.db.tenant(tenantId, async (tx) => {
    for (const kind of ['message', 'contact'] as const) {
      await setLifeTime(tx, kit.scope, { kind, days: days[kind] ?? null, now });
    }
  });
  const platform = { db: kit.db, log: createLog({ level: 'silent' }), metrics: createMetrics() };
  const prunables = [
    { kind: 'message', prune: pruneMessages },
    oldContacts({ clock: () => now, random: randomBytes }),
  ];
  const limits = { sweepMs: 3_600_000, rows: 100, batches: 100, things };
  const clocks = { clock: () => now, databaseClock: async () => now };
  const retention = startRetention({ ...platform, ...clocks }, [], prunables, limits);
  await retention.sweep();
  await retention.stop();
}

const sql = <Row>(text: string, values: readonly unknown[] = []) =>
  kit.db.tenant(kit.scope.tenantId, (tx) => tx.rows<Row>(text, values));

/** A contact with closed talk: messages so many days ago. */
async function talk(...days: number[]): Promise<{ contact: string; messages: string[] }> {
  const contact = await kit.contact();
  const messages: string[] = [];
  for (const each of days) {
    messages.push((await kit.receive(contact, 'hello', daysAgo(each))).id);
  }
  await sql(`update conversation set state = 'closed', updated_at = $2 where contact_id = $1`, [
    contact,
    daysAgo(Math.min(...days)),
  ]);
  return { contact, messages };
}

const messages = async (contact: string) =>
  (
    await sql<{ id: string }>('select id from message where contact_id = $1 order by id', [contact])
  ).map(({ id }) => id);
const contacts = async () =>
  (await sql<{ id: string }>('select id from contact')).map(({ id }) => id);

test('nothing goes until the tenant says so; then old messages do, in batches, but not the last', async () => {
  const { contact, messages: all } = await talk(
    ...Array.from({ length: 25 }, (_, at) => 100 - at),
    10,
    5,
  );
  await sweep({});
  expect(await messages(contact)).toEqual(all);
  await sweep({ message: 30 }, 1);
  expect(await messages(contact)).toEqual(all.slice(-2));
  const late = await talk(400, 390);
  await sweep({ message: 30 });
  expect(await messages(late.contact)).toEqual(late.messages.slice(-1));
  expect(await contacts()).toEqual(expect.arrayContaining([contact, late.contact]));
});

test.each([
  ['is of an open conversation', `update conversation set state = 'open'`],
  ['is of a snoozed conversation', `update conversation set state = 'snoozed'`],
  ['is on its way', `update message set status = 'sending'`],
  ['was heard of lately', `update message set read_at = now() + interval '4 years - 1 day'`],
  [
    'is of a running broadcast',
    `with b as (insert into broadcast (tenant_id, id, environment, channel, app_id, template_id,
       template, language, segment_id, segment, variables, time_zone, require_consent, track_urls,
       schedule_at, state, author, created_at, updated_at)
       select tenant_id, 'brc_1', environment, 'sms', 'a', 't', 't', 'en', 's', 's', '{}', 'UTC', false,
         false, created_at, 'running', 'u', created_at, created_at
       from (select * from message order by id limit 1) m returning id)
     update message set broadcast_id = (select id from b)`,
  ],
])('a message that %s stays, and with it its contact', async (_, change) => {
  const { contact, messages: all } = await talk(400, 390);
  await sql(change);
  await sweep({ message: 30, contact: 60 });
  expect(await messages(contact)).toEqual(all);
  expect(await contacts()).toEqual([contact]);
});

test('money that is held for a message keeps it', async () => {
  const { contact, messages: all } = await talk(400, 390);
  const { tenantId, environment } = kit.scope;
  await sql(
    `insert into wallet (tenant_id, environment, currency) values ($1, $2, 'USD')
     on conflict do nothing`,
    [tenantId, environment],
  );
  await sql(
    `insert into wallet_hold (tenant_id, environment, reference, amount, created_at)
     values ($1, $2, $3, 1, now())`,
    [tenantId, environment, all[0]],
  );
  await sweep({ message: 30 });
  expect(await messages(contact)).toEqual(all);
  await sql(`update wallet_hold set state = 'settled'`);
  await sweep({ message: 30 });
  expect(await messages(contact)).toEqual(all.slice(-1));
});

test('with a message its files go, also from the object store', async () => {
  const { contact, messages: all } = await talk(400, 390);
  const { tenantId, environment } = kit.scope;
  await sql(
    `insert into conversation_attachment (tenant_id, id, environment, conversation_id, name,
       media_type, bytes, sha256, object_key, author, created_at, message_id)
     select $1, 'att_' || n, $2, (select id from conversation where contact_id = $3), 'a', 'image/png',
       1, repeat('0', 64), 'inbox/' || n, 'x', now(), m
     from unnest($4::text[]) with ordinality as t (m, n)`,
    [tenantId, environment, contact, all],
  );
  await sweep({ message: 30 });
  expect(await sql('select message_id from conversation_attachment')).toEqual([
    { message_id: all[1] },
  ]);
  expect(await sql('select object_key from removed_object')).toEqual([{ object_key: 'inbox/1' }]);
});

test('a contact goes with its conversation and last message, which is told; its opt-out and consents do not', async () => {
  const phone = '+971501234567';
  const { contact } = await talk(400, 390);
  await sql('update contact set phone = $2 where id = $1', [contact, phone]);
  const said = {
    channel: 'sms' as const,
    address: phone,
    source: 'api',
    note: null,
    recorded_by: null,
  };
  await kit.db.tenant(kit.scope.tenantId, (tx) =>
    recordConsent(tx, kit.scope, kit.context, { ...said, state: 'revoked' }),
  );
  await sweep({ contact: 60 });
  expect(await contacts()).toEqual([contact]);
  const endpoint = {
    id: 'whe_1',
    service: 'messaging',
    environment: null,
    event_types: [],
  } as const;
  const rest = { url: 'https://receiver.example/', description: '', secrets: [], created_at: now };
  await kit.db.tenant(kit.scope.tenantId, (tx) =>
    addEndpoint(tx, kit.scope.tenantId, { ...endpoint, ...rest }),
  );
  await sweep({ message: 30, contact: 60 });
  expect(await contacts()).toEqual([]);
  const data = { name: null, phone: null, source: 'retention' };
  expect(await sql('select type, payload from webhook_event')).toMatchObject([
    { type: 'contact.deleted', payload: { id: contact, data } },
  ]);
  expect(await messages(contact)).toEqual([]);
  expect(await sql('select id from conversation')).toEqual([]);
  expect(await sql('select address from opt_out')).toEqual([{ address: phone }]);
  expect(await sql('select state from consent_event')).toEqual([{ state: 'revoked' }]);
});

test('what last happened with a contact counts, also when its messages are gone', async () => {
  const written = await kit.contact();
  await kit.send(written, 'news', daysAgo(50), { status: 'sent' });
  await sql('delete from conversation');
  const silent = await kit.contact();
  const lately = await kit.contact();
  await sql('update contact set updated_at = $2 where id = $1', [lately, daysAgo(10)]);
  await sweep({ message: 30, contact: 100 });
  expect(await messages(written)).toEqual([]);
  expect((await contacts()).sort()).toEqual([written, lately].sort());
  expect(await contacts()).not.toContain(silent);
});

test('another tenant is not touched', async () => {
  const { contact, messages: all } = await talk(400, 390);
  const mine = kit;
  kit = await withInbox(database);
  await sweep({ message: 30, contact: 30 });
  kit = mine;
  expect(await messages(contact)).toEqual(all);
});

describe('over HTTP', () => {
  let service: ServiceKit;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.stop());

  test('owners and admins set it for an environment, and the audit log says so', async () => {
    const none = { message_days: null, contact_days: null };
    expect((await service.ask('GET /retention/')).body).toEqual(none);
    const wanted = { message_days: 90, contact_days: 400 };
    const set = await service.ask('PUT /retention/', { body: wanted });
    expect([set.status, set.body]).toEqual([200, wanted]);
    expect((await service.ask('GET /retention/')).body).toEqual(wanted);
    expect((await service.ask('GET /retention/', { on: 'live' })).body).toEqual(none);
    const { db } = service.app.platform;
    const [logged] = await db.tenant(service.tenantId, (tx) =>
      tx.rows(
        `select subject, before, after from audit_event where tenant_id = $1 and action = $2`,
        [service.tenantId, 'setRetention'],
      ),
    );
    expect(logged).toEqual({ subject: 'retention', before: none, after: wanted });
    const agent = await service.keyOf('agent');
    expect((await service.ask('PUT /retention/', { body: wanted, as: agent })).status).toBe(403);
    const short = { ...wanted, message_days: 29 };
    expect((await service.ask('PUT /retention/', { body: short })).status).toBe(400);
  });
});
