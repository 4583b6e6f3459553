import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlAt } from '../../../../test/kit/postgres.ts';
import type { Channel, ChannelEvent, Verification } from '../../../channels/contract.ts';
import { absent } from '../../../modules/contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { AppOpener } from '../../apps/app-opener.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { findMessages, insertMessages, type NewMessage } from '../store.ts';
import { lockAddress } from './store.ts';
import { WebhookIntake } from './webhook-intake.ts';
import type { Webhook } from './webhook-verdict.ts';

let service: ServiceKit;
let scope: TenantScope;
let appId: string;

beforeAll(async () => {
  service = await startService();
  scope = { tenantId: service.tenantId, environment: 'sandbox' };
  const body = { provider: 'twilio-sms', name: 'one' };
  appId = (await service.ask('POST /sms/v1/apps/', { body })).body.id;
});
afterAll(() => service.stop());

const clock = () => new Date();

/** A network whose webhooks state in their bodies how they are to be judged. */
const outspoken = {
  verify: ({ body }: Webhook['request']): Verification => JSON.parse(String(body)).verdict,
  events: ({ body }: Webhook['request']) => JSON.parse(String(body)).reading,
} as unknown as Channel;

/** An intake, and a count of the transactions it has begun. */
function counting(db: Db = service.app.platform.db) {
  let transactions = 0;
  const counted: Db = {
    ...db,
    tenant: (tenantId, work) => {
      transactions += 1;
      return db.tenant(tenantId, work);
    },
  };
  const appOpener = {
    open: (_: TenantScope, row: object) => ({ row, channel: outspoken, app: { settings: {} } }),
  } as unknown as AppOpener;
  const context = { db: counted, clock, random: randomBytes, hooks: [], appOpener };
  const intake = new WebhookIntake({ ...context, log: absent(), jobs: absent() });
  return { intake, transactions: () => transactions };
}

function webhook(verdict: Verification, reading: object, id = appId): Webhook {
  const body = Buffer.from(JSON.stringify({ verdict, reading }));
  return {
    channel: 'sms',
    appId: id,
    request: { method: 'POST', url: 'http://here/', headers: {}, body },
  };
}

const eventsOf = (...events: ChannelEvent[]) => ({ kind: 'events', events });
const ok: Verification = { kind: 'ok' };

async function sent(): Promise<{ id: string; report: ChannelEvent }> {
  const id = newId('msg', clock, randomBytes);
  const row: NewMessage = {
    id,
    channel: 'sms',
    direction: 'out',
    app_id: appId,
    contact_id: null,
    address: '+60123456789',
    content: { kind: 'text', text: 'hello' },
    preview: 'hello',
    status: 'sent',
    provider_id: `SM ${id}`,
    reply_to: null,
    ttl_seconds: null,
    registration: null,
    due_at: null,
    price: null,
    currency: null,
    author: null,
    created_at: clock(),
  };
  await service.app.platform.db.tenant(scope.tenantId, (tx) => insertMessages(tx, scope, [row]));
  return { id, report: { kind: 'report', providerId: `SM ${id}`, status: 'delivered' } };
}

const statusOf = async (id: string) => {
  const { db } = service.app.platform;
  return (await db.tenant(scope.tenantId, (tx) => findMessages(tx, scope, [id])))[0]!.status;
};

test('webhooks that arrive together share a transaction, and each has its own answer', async () => {
  const { intake, transactions } = counting();
  const many = await Promise.all(Array.from({ length: 50 }, sent));
  const refused: Verification = { kind: 'refused', status: 401, reason: 'not signed' };
  const unproven = await sent();
  const outcomes = await Promise.all([
    ...many.map(({ report }) => intake.take(scope, webhook(ok, eventsOf(report)))),
    intake.take(scope, webhook(refused, eventsOf(unproven.report))),
    intake.take(scope, webhook(ok, { kind: 'malformed', reason: 'no id' })),
    intake.take(scope, webhook({ kind: 'answer', body: 'challenge' }, eventsOf(unproven.report))),
    intake.take(scope, webhook(ok, eventsOf(unproven.report), 'app_of_nobody')),
  ]);
  expect(transactions()).toBe(1);
  expect(outcomes.slice(0, 50)).toEqual(many.map(() => ({ kind: 'taken' })));
  expect(outcomes.slice(50)).toEqual([
    { kind: 'refused', isToken: false, reason: 'not signed' },
    { kind: 'malformed', reason: 'no id' },
    { kind: 'answer', body: 'challenge' },
    { kind: 'no_app', appId: 'app_of_nobody' },
  ]);
  expect(await Promise.all(many.map(({ id }) => statusOf(id)))).toEqual(
    many.map(() => 'delivered'),
  );
  expect(await statusOf(unproven.id)).toBe('sent');
});

test('a proof that is valid once is used once, also by two at the same moment', async () => {
  const { intake } = counting();
  const first = await sent();
  const second = await sent();
  const once = { kind: 'ok', once: 'nonce' } as const;
  const take = ({ report }: typeof first) => intake.take(scope, webhook(once, eventsOf(report)));
  expect(await Promise.all([take(first), take(second)])).toEqual([
    { kind: 'taken' },
    { kind: 'repeated' },
  ]);
  expect(await take(second)).toEqual({ kind: 'repeated' });
  expect(await Promise.all([first, second].map(({ id }) => statusOf(id)))).toEqual([
    'delivered',
    'sent',
  ]);
});

test('only the one that the database cannot store is refused', async () => {
  const { intake } = counting();
  const good = await sent();
  const bad: ChannelEvent = { kind: 'report', providerId: 'NUL \0', status: 'delivered' };
  const outcomes = await Promise.allSettled([
    intake.take(scope, webhook(ok, eventsOf(good.report))),
    intake.take(scope, webhook(ok, eventsOf(bad))),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await statusOf(good.id)).toBe('delivered');
});

describe('a long text that comes in parts', () => {
  let serial = 0;
  const longText = (reference: string, ...texts: string[]) => {
    serial += 1;
    return texts.map(
      (text, at): ChannelEvent => ({
        kind: 'inbound',
        providerId: `part ${serial}.${at}`,
        from: { phone: '+60123456710' },
        content: { kind: 'text', text },
        part: { reference, index: at + 1, total: texts.length },
      }),
    );
  };
  const said = async () => {
    const query = 'direction=in&address=%2B60123456710';
    const { results } = (await service.ask(`GET /sms/v1/messages/?${query}`)).body;
    return results.map(({ preview }: { preview: string }) => preview);
  };
  const kept = () => sqlAt(service.ownerUrl, 'select text from text_part');
  const take = (...events: ChannelEvent[]) =>
    counting().intake.take(scope, webhook(ok, eventsOf(...events)));

  test('is joined when two nodes take its parts at the same moment', async () => {
    const { db } = service.app.platform;
    const [one, two] = longText('1', 'first, ', 'second');
    let second: Promise<unknown> | undefined;
    let isWritten = false;
    const waiting = `select from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`;
    const slow = counting({
      ...db,
      tenant: (tenantId, work) =>
        db.tenant(tenantId, async (tx) => {
          const result = await work(tx);
          second ??= take(two!).then(() => {
            isWritten = true;
          });
          await expect
            .poll(async () => isWritten || (await sqlAt(service.ownerUrl, waiting)).length > 0)
            .toBe(true);
          return result;
        }),
    });
    await slow.intake.take(scope, webhook(ok, eventsOf(one!)));
    await second;
    expect(await said()).toEqual(['first, second']);
    expect(await kept()).toEqual([]);
  });

  test('is not mixed with a part that the network repeats, nor with an unfinished text', async () => {
    const before = (await said()).length;
    const [one, two] = longText('7', 'one ', 'two');
    await take(one!, two!);
    await take(two!);
    expect(await kept()).toEqual([]);
    await take(...longText('7', 'three ', 'four'));
    await take(longText('7', 'never ', 'finished ', 'text')[1]!);
    await take(...longText('7', 'five ', 'six').toReversed());
    expect((await said()).slice(0, -before)).toEqual(['five six', 'three four', 'one two']);
  });
});

test('however many people write at once, few locks of the database are taken', async () => {
  const { db } = service.app.platform;
  const held = await db.tenant(scope.tenantId, async (tx) => {
    for (let n = 0; n < 1_000; n += 1) await lockAddress(tx, scope, `+6012345${n}`);
    const count = `select count(*)::int as count from pg_locks
      where locktype = 'advisory' and pid = pg_backend_pid()`;
    return (await tx.row<{ count: number }>(count, []))!.count;
  });
  expect(held).toBeLessThanOrEqual(256);
});

test('a person whose contact is being deleted, and who writes, becomes a contact again', async () => {
  const settings = { provider: 'generic-http-sms', name: 'unsigned', allow_unsigned: true };
  const { body: app } = await service.ask('POST /sms/v1/apps/', { body: settings });
  const phone = '+971501230099';
  const write = (id: string) =>
    service.ask(`POST /sms/v1/webhooks/${app.id}/inbound/`, {
      as: '',
      body: { id, from: phone, to: '+60311112222', text: 'hello' },
    });
  expect((await write('in1')).status).toBe(200);
  const contacts = async () => (await service.ask(`GET /contacts/?phone=%2B971501230099`)).body;
  const before = (await contacts()).results.find((each: { phone: string }) => each.phone === phone);
  const deleting = new pg.Client({ connectionString: service.ownerUrl });
  await deleting.connect();
  await deleting.query('begin');
  await deleting.query(`set local drawbridge.tenant = '${service.tenantId}'`);
  const gone = await deleting.query('delete from contact where id = $1', [before.id]);
  expect(gone.rowCount).toBe(1);
  const written = write('in2');
  const waiting = 'select from pg_locks where not granted and pg_backend_pid() <> pid';
  await expect.poll(async () => (await sqlAt(service.ownerUrl, waiting)).length).toBeGreaterThan(0);
  await deleting.query('commit');
  await deleting.end();
  expect((await written).status).toBe(200);
  const { results } = await contacts();
  const now = results.filter((each: { phone: string }) => each.phone === phone);
  expect(now).toHaveLength(1);
  expect(now[0].id).not.toBe(before.id);
  const { body: inbox } = await service.ask('GET /team-inbox/api/conversations/');
  const conversation = now[0].id.replace('con_', 'cnv_');
  expect(inbox.results.map((each: { id: string }) => each.id)).toContain(conversation);
});
