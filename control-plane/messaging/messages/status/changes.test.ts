import { randomBytes } from 'node:crypto';
import { decimal, format } from '@drawbridge/decimal/decimal.ts';
import { type Status, statuses } from '@drawbridge/messaging/status.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import { newId, newUuid } from '../../../platform/ids.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { findWallet, listEntries, reserveMany } from '../../tenants/wallet/store.ts';
import { outboxQueue } from '../sending/outbox.ts';
import { claimMessages, findMessages, insertMessages, type NewMessage } from '../store.ts';
import { applyStatusReports } from './changes.ts';
import { applyEarlyReports } from './early-reports.ts';
import { keepEarlyReports, raiseStatuses, type StatusReport } from './store.ts';
import { releaseUnreportedHolds } from './unreported.ts';

let service: ServiceKit;
let scope: TenantScope;
const apps: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  scope = { tenantId: service.tenantId, environment: 'sandbox' };
  for (const [path, provider] of [
    ['/sms/v1/apps/', 'twilio-sms'],
    ['/rcs/v1/apps/', 'google-rcs'],
  ] as const) {
    const { body } = await service.ask(`POST ${path}`, { body: { provider, name: provider } });
    apps[provider] = body.id;
  }
});
afterAll(() => service.stop());

const clock = () => new Date();
const inTenant = <T>(work: Parameters<typeof service.app.platform.db.tenant<T>>[1]) =>
  service.app.platform.db.tenant(scope.tenantId, work);

async function queued(provider = 'twilio-sms', change: Partial<NewMessage> = {}): Promise<string> {
  const id = newId('msg', clock, randomBytes);
  const row: NewMessage = {
    id,
    channel: provider === 'google-rcs' ? 'rcs' : 'sms',
    direction: 'out',
    app_id: apps[provider]!,
    contact_id: null,
    address: '+60123456789',
    content: { kind: 'text', text: 'hello' },
    preview: 'hello',
    status: 'queued',
    provider_id: null,
    reply_to: null,
    ttl_seconds: null,
    registration: null,
    due_at: clock(),
    price: null,
    currency: null,
    author: null,
    created_at: clock(),
    ...change,
  };
  await inTenant((tx) => insertMessages(tx, scope, [row]));
  return id;
}

const learnt = (id: string, status: Status, providerId: string | null = null): StatusReport => ({
  id,
  status,
  at: clock(),
  provider_id: providerId,
  error_code: null,
  error_detail: null,
});

const statusOf = async (id: string) => {
  const [row] = await inTenant((tx) => findMessages(tx, scope, [id]));
  return row!.status;
};

test('the database ranks statuses as the product does', async () => {
  const rows = await service.app.platform.db.system((tx) =>
    tx.rows<{ rank: number }>('select message_rank(s) as rank from unnest($1::text[]) s', [
      statuses,
    ]),
  );
  expect(rows.map(({ rank }) => rank)).toEqual(statuses.map((_, at) => at + 1));
});

test('reports in any order, repeated, together or one by one, give the same result', async () => {
  const reports = fc.array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(reports, fc.boolean(), async (told, isBatch) => {
      const id = await queued();
      if (isBatch) {
        await inTenant((tx) =>
          raiseStatuses(
            tx,
            scope,
            told.map((status) => learnt(id, status)),
          ),
        );
      } else {
        for (const status of told)
          await inTenant((tx) => raiseStatuses(tx, scope, [learnt(id, status)]));
      }
      const highest = statuses[Math.max(...told.map((status) => statuses.indexOf(status)))];
      expect(await statusOf(id)).toBe(highest);
    }),
    { numRuns: 40 },
  );
});

test('a status that does not rise changes nothing, but the provider’s id is kept', async () => {
  const id = await queued();
  await inTenant((tx) => raiseStatuses(tx, scope, [learnt(id, 'delivered')]));
  const moved = await inTenant((tx) => raiseStatuses(tx, scope, [learnt(id, 'sent', 'SM-late')]));
  expect(moved).toEqual([]);
  const [row] = await inTenant((tx) => findMessages(tx, scope, [id]));
  expect(row).toMatchObject({ status: 'delivered', provider_id: 'SM-late' });
});

test('a report in whole seconds never dates before the event it follows', async () => {
  const made = new Date('2026-11-21T10:00:00.700Z');
  const id = await queued('twilio-sms', { created_at: made });
  const second = new Date('2026-11-21T10:00:00Z');
  for (const status of ['sent', 'delivered', 'read'] as const) {
    const [moved] = await inTenant((tx) =>
      raiseStatuses(tx, scope, [{ ...learnt(id, status), at: second }]),
    );
    expect(moved!.at).toEqual(made);
  }
  const [row] = await inTenant((tx) => findMessages(tx, scope, [id]));
  expect(row).toMatchObject({ sent_at: made, delivered_at: made, read_at: made });
});

test('a report that came before the answer is applied once the answer is there', async () => {
  const id = await queued();
  const { db } = service.app.platform;
  const at = clock().toISOString();
  const report = { status: 'delivered', at, error_code: null, error_detail: null };
  const early = { app_id: apps['twilio-sms']!, provider_id: 'SM-early', report };
  await inTenant((tx) => keepEarlyReports(tx, scope, [early], clock()));
  await inTenant((tx) => raiseStatuses(tx, scope, [learnt(id, 'sent', 'SM-early')]));
  const context = { db, clock, random: randomBytes, hooks: [] };
  await applyEarlyReports(context, scope, apps['twilio-sms']!, ['SM-early']);
  expect(await statusOf(id)).toBe('delivered');
});

test('no other tenant can change a message', async () => {
  const id = await queued();
  const theirs: TenantScope = { tenantId: service.strangerId, environment: 'sandbox' };
  const moved = await service.app.platform.db.tenant(service.strangerId, (tx) =>
    raiseStatuses(tx, theirs, [learnt(id, 'read')]),
  );
  expect(moved).toEqual([]);
  expect(await statusOf(id)).toBe('queued');
});

describe('a node that died while sending', () => {
  /** A message as the node leaves it: claimed and committed, with its job still there. */
  async function abandoned(provider: string): Promise<string> {
    const id = await queued(provider);
    const { jobs } = service.app.platform;
    await inTenant(async (tx) => {
      await claimMessages(tx, scope, [id], newUuid(clock, randomBytes));
      const payload = { environment: scope.environment };
      await jobs.enqueue(tx, scope.tenantId, [{ queue: outboxQueue, key: id, payload }]);
    });
    return id;
  }

  test('leaves it unknown where a repeat might bring it twice, and says so', async () => {
    // No server listens there: only the stored events count.
    const body = { url: 'https://receiver.example.com/', event_types: ['message.*'] };
    expect((await service.ask('POST /webhook-endpoints/', { body })).status).toBe(201);
    const id = await abandoned('twilio-sms');
    await expect.poll(() => statusOf(id)).toBe('unknown');
    const told = await inTenant((tx) =>
      tx.rows('select type from webhook_event where subject_id = $1 order by id', [id]),
    );
    expect(told).toEqual([{ type: 'message.unknown' }]);
    const [row] = await inTenant((tx) => findMessages(tx, scope, [id]));
    expect(row).toMatchObject({ error_code: 'sender_lost', attempts: 1 });
  });

  test('sends it again where the network drops repeats', async () => {
    const id = await abandoned('google-rcs');
    await expect.poll(() => statusOf(id)).toBe('read');
  });

  test('sends it again where the tenant allows it', async () => {
    const path = `/sms/v1/apps/${apps['twilio-sms']}/`;
    await service.ask(`PATCH ${path}`, { body: { resend_unknown: true } });
    const id = await abandoned('twilio-sms');
    await expect.poll(() => statusOf(id)).toBe('delivered');
  });
});

test('a person who opts out while a message waits does not get it, others do', async () => {
  const [unwanted, wanted] = ['+60123450001', '+60123450002'];
  const [kept, sent] = [
    await queued('twilio-sms', { address: unwanted }),
    await queued('twilio-sms', { address: wanted }),
  ];
  const body = { channel: 'sms', address: unwanted };
  expect((await service.ask('POST /contacts/opt-outs/', { body })).status).toBe(201);
  const { jobs } = service.app.platform;
  const payload = { environment: scope.environment };
  const due = [kept, sent].map((key) => ({ queue: outboxQueue, key, payload }));
  await inTenant((tx) => jobs.enqueue(tx, scope.tenantId, due));
  await expect.poll(() => statusOf(sent)).toBe('delivered');
  await expect.poll(() => statusOf(kept)).toBe('skipped');
  const [row] = await inTenant((tx) => findMessages(tx, scope, [kept]));
  expect(row).toMatchObject({ error_code: 'opted_out', provider_id: null });
});

describe('the hold of a message that stays unknown', () => {
  const hour = 3_600_000;
  const context = { random: randomBytes, hooks: [] };
  const scopeOf = (): TenantScope => ({ tenantId: service.tenantId, environment: 'sandbox' });
  const tell = (id: string, status: Status) =>
    inTenant((tx) => applyStatusReports(tx, scopeOf(), [learnt(id, status)], context, clock()));
  const held = async (price: string, provider = 'twilio-sms') => {
    const id = await queued(provider, { price, currency: 'USD' });
    const shares = [{ reference: id, amount: price }];
    const isHeld = await inTenant((tx) =>
      reserveMany(tx, service.tenantId, 'sandbox', shares, clock()),
    );
    expect(isHeld).toBe(true);
    return id;
  };
  const unknown = async (price: string, provider?: string) => {
    const id = await held(price, provider);
    await tell(id, 'unknown');
    return id;
  };
  const passed = (ms: number) =>
    releaseUnreportedHolds({ db: service.app.platform.db, clock: () => new Date(Date.now() + ms) });
  const wallet = async () => {
    const { tenantId } = service;
    const row = await inTenant((tx) => findWallet(tx, tenantId, 'sandbox'));
    return { balance: row!.balance, reserved: row!.reserved };
  };
  const charges = async (id: string) => {
    const entries = await inTenant((tx) =>
      listEntries(tx, service.tenantId, 'sandbox', firstRows(200)),
    );
    const sum = entries.reduce((total, { amount }) => total.plus(decimal(amount)), decimal('0'));
    expect(format(sum)).toBe((await wallet()).balance);
    return entries.filter(({ reference }) => reference === id).map(({ amount }) => amount);
  };
  const shown = async (id: string) => (await service.ask(`GET /sms/v1/messages/${id}/`)).body;

  beforeAll(() => service.fund('sms', '+999', '0.1', '1'));

  test('is released once, when no report can be expected any more', async () => {
    const id = await unknown('0.25');
    await passed(71 * hour);
    expect(await wallet()).toEqual({ balance: '1', reserved: '0.25' });
    expect(await shown(id)).toMatchObject({ status: 'unknown', hold_released_at: null });
    await Promise.all([passed(73 * hour), passed(73 * hour)]);
    expect(await wallet()).toEqual({ balance: '1', reserved: '0' });
    expect(await shown(id)).toMatchObject({
      status: 'unknown',
      hold_released_at: expect.any(String),
    });
    await tell(id, 'failed');
    expect(await charges(id)).toEqual([]);
  });

  test('waits for as long as the provider may report', async () => {
    const id = await unknown('0.25', 'google-rcs');
    await passed(6 * 24 * hour);
    expect((await wallet()).reserved).toBe('0.25');
    await passed(8 * 24 * hour);
    expect((await wallet()).reserved).toBe('0');
    expect(await charges(id)).toEqual([]);
  });

  test('a report that comes later charges it, once', async () => {
    const id = await unknown('0.1');
    await passed(73 * hour);
    await Promise.all([tell(id, 'sent'), tell(id, 'delivered'), tell(id, 'sent')]);
    await tell(id, 'read');
    expect(await charges(id)).toEqual(['-0.1']);
    expect(await wallet()).toEqual({ balance: '0.9', reserved: '0' });
    expect(await shown(id)).toMatchObject({ status: 'read', hold_released_at: null });
  });

  test('a proof of delivery after a failure charges what the failure released', async () => {
    const id = await held('0.1');
    await tell(id, 'failed');
    expect(await wallet()).toEqual({ balance: '0.9', reserved: '0' });
    await tell(id, 'delivered');
    expect(await charges(id)).toEqual(['-0.1']);
  });

  test('a report that comes when the money is spent does not overdraw the wallet', async () => {
    const ids = [await unknown('0.3'), await unknown('0.3')];
    await passed(73 * hour);
    await held('0.45');
    const late = ids.map((id) => learnt(id, 'delivered'));
    await inTenant((tx) => applyStatusReports(tx, scopeOf(), late, context, clock()));
    expect(await wallet()).toEqual({ balance: '0.5', reserved: '0.45' });
    const charged = await Promise.all(ids.map(charges));
    expect(charged.flat()).toEqual(['-0.3']);
    for (const [at, id] of ids.entries()) {
      const isCharged = charged[at]!.length === 1;
      const hold_released_at = isCharged ? null : expect.any(String);
      expect(await shown(id)).toMatchObject({ status: 'delivered', hold_released_at });
    }
  });
});
