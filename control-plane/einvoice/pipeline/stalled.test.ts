import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodRef } from '../erp.kit.ts';
import { type Harness, startHarness } from '../harness.kit.ts';
import { announceStalled } from './stalled.ts';

let harness: Harness;
let id: string;

beforeAll(async () => {
  harness = await startHarness();
  const { body } = await harness.submit(goodRef('AE'));
  ({ id } = body);
});
afterAll(() => harness?.stop());

test.each([
  ['invoice', (id: string) => id],
  ['write-back', (id: string) => `${id}/cleared`],
  ['forward', (id: string) => id],
  ['acknowledge', (id: string) => id],
])('a parked job of the queue %s is told on the timeline of its invoice', async (queue, keyOf) => {
  const { db, clock, random } = harness.app.platform;
  const { id: tenantId } = harness.acme;
  await db.tenant(tenantId, (tx) =>
    announceStalled(tx, { tenantId, queue, key: keyOf(id) }, { clock, random }),
  );
  const told = await harness.sql(
    `select payload->'data'->>'queue' as queue from webhook_event
     where subject_id = $1 and type = 'invoice.stalled'`,
    [id],
  );
  expect(told).toContainEqual({ queue });
  const { body } = await harness.call(`GET /v1/invoices/${id}/events`);
  const events = body.results.map(({ event }: { event: string }) => event);
  expect(events).toContain('invoice.stalled');
});
