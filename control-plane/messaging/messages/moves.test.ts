import { randomBytes } from 'node:crypto';
import { type Status, statuses } from '@drawbridge/messaging/status.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newUuid } from '../../platform/ids.ts';
import type { Place } from '../contacts/store.ts';
import { type ServiceKit, startService } from '../service.kit.ts';
import { joinEarly } from './early.ts';
import { keepReports, type Learnt, raise } from './move-store.ts';
import { outboxQueue } from './outbox.ts';
import { claimMessages, findMessages, insertMessages, type NewMessage } from './store.ts';

let service: ServiceKit;
let place: Place;
const apps: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  place = { tenantId: service.tenantId, environment: 'sandbox' };
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
  service.app.platform.db.tenant(place.tenantId, work);

async function queued(provider = 'twilio-sms', change: Partial<NewMessage> = {}): Promise<string> {
  const id = newId('msg', clock, randomBytes);
  const row: NewMessage = {
    ...{ id, channel: provider === 'google-rcs' ? 'rcs' : 'sms', direction: 'out' },
    ...{ app_id: apps[provider]!, contact_id: null, address: '+60123456789' },
    ...{ content: { kind: 'text', text: 'hello' }, preview: 'hello', status: 'queued' },
    ...{ provider_id: null, reply_to: null, ttl_seconds: null, registration: null },
    ...{ due_at: clock(), price: null, currency: null, author: null, created_at: clock() },
    ...change,
  };
  await inTenant((tx) => insertMessages(tx, place, [row]));
  return id;
}

const learnt = (id: string, status: Status, providerId: string | null = null): Learnt => ({
  ...{ id, status, at: clock(), provider_id: providerId, error_code: null, error_detail: null },
});

const statusOf = async (id: string) => {
  const [row] = await inTenant((tx) => findMessages(tx, place, [id]));
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

test('reports in any order, repeated, at once or one by one, come to the same', async () => {
  const reports = fc.array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(reports, fc.boolean(), async (told, isBatch) => {
      const id = await queued();
      if (isBatch) {
        await inTenant((tx) =>
          raise(
            tx,
            place,
            told.map((status) => learnt(id, status)),
          ),
        );
      } else {
        for (const status of told) await inTenant((tx) => raise(tx, place, [learnt(id, status)]));
      }
      const highest = statuses[Math.max(...told.map((status) => statuses.indexOf(status)))];
      expect(await statusOf(id)).toBe(highest);
    }),
    { numRuns: 40 },
  );
});

test('a status that does not rise moves nothing, and a provider’s id is kept all the same', async () => {
  const id = await queued();
  await inTenant((tx) => raise(tx, place, [learnt(id, 'delivered')]));
  const moved = await inTenant((tx) => raise(tx, place, [learnt(id, 'sent', 'SM-late')]));
  expect(moved).toEqual([]);
  const [row] = await inTenant((tx) => findMessages(tx, place, [id]));
  expect(row).toMatchObject({ status: 'delivered', provider_id: 'SM-late' });
});

test('a report that came before the answer is joined once the answer is there', async () => {
  const id = await queued();
  const { db } = service.app.platform;
  const at = clock().toISOString();
  const report = { status: 'delivered', at, error_code: null, error_detail: null };
  const early = { app_id: apps['twilio-sms']!, provider_id: 'SM-early', report };
  await inTenant((tx) => keepReports(tx, place, [early], clock()));
  await inTenant((tx) => raise(tx, place, [learnt(id, 'sent', 'SM-early')]));
  const context = { db, clock, random: randomBytes, hooks: [] };
  await joinEarly(context, place, apps['twilio-sms']!, ['SM-early']);
  expect(await statusOf(id)).toBe('delivered');
});

test('no other tenant can move a message', async () => {
  const id = await queued();
  const theirs: Place = { tenantId: service.strangerId, environment: 'sandbox' };
  const moved = await service.app.platform.db.tenant(service.strangerId, (tx) =>
    raise(tx, theirs, [learnt(id, 'read')]),
  );
  expect(moved).toEqual([]);
  expect(await statusOf(id)).toBe('queued');
});

describe('a node that died in the midst of sending', () => {
  /** As it leaves a message: claimed and committed, with its job still there. */
  async function abandoned(provider: string): Promise<string> {
    const id = await queued(provider);
    const { jobs } = service.app.platform;
    await inTenant(async (tx) => {
      await claimMessages(tx, place, [id], newUuid(clock, randomBytes));
      const payload = { environment: place.environment };
      await jobs.enqueue(tx, place.tenantId, [{ queue: outboxQueue, key: id, payload }]);
    });
    return id;
  }

  test('leaves it unknown where a repeat might bring it twice', async () => {
    const id = await abandoned('twilio-sms');
    await expect.poll(() => statusOf(id), { timeout: 10_000 }).toBe('unknown');
    const [row] = await inTenant((tx) => findMessages(tx, place, [id]));
    expect(row).toMatchObject({ error_code: 'sender_lost', attempts: 1 });
  });

  test('has it sent again where the network drops a repeat', async () => {
    const id = await abandoned('google-rcs');
    await expect.poll(() => statusOf(id), { timeout: 10_000 }).toBe('read');
  });

  test('has it sent again where the tenant chose so', async () => {
    const path = `/sms/v1/apps/${apps['twilio-sms']}/`;
    await service.ask(`PATCH ${path}`, { body: { resend_unknown: true } });
    const id = await abandoned('twilio-sms');
    await expect.poll(() => statusOf(id), { timeout: 10_000 }).toBe('delivered');
  });
});
