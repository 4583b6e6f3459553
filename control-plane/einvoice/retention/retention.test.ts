import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { startRetention } from '../../platform/retention/retention.ts';
import { type Harness, startHarness } from '../harness.kit.ts';
import { pruneInvoices } from './store.ts';

const dayMs = 86_400_000;
let harness: Harness;
let closed: Server;
beforeAll(async () => {
  harness = await startHarness();
  closed = createServer((_, response) => response.writeHead(503).end());
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  await harness?.stop();
  closed?.close();
});

/** What the sweep of a node would do on a later day. */
async function sweepAfter(days: number): Promise<void> {
  const clock = () => new Date(harness.app.platform.clock().getTime() + days * dayMs);
  const retention = startRetention(
    { ...harness.app.platform, clock, databaseClock: async () => clock() },
    [],
    [{ kind: 'invoice', prune: pruneInvoices }],
  );
  await retention.sweep();
  await retention.stop();
}

async function delivered(): Promise<string> {
  const ref = await harness.erp.add('AE');
  const { body } = await harness.submit(ref, {}, { headers: { 'idempotency-key': `key ${ref}` } });
  await harness.until(body.id, ['delivered']);
  // The write-back has ended too.
  await expect
    .poll(() => harness.sql("select key from job where key like $1 || '%'", [body.id]), {
      timeout: 30_000,
    })
    .toEqual([]);
  return body.id;
}

const statusOf = async (id: string) => (await harness.call(`GET /v1/invoices/${id}`)).status;

/** Rows of any table that still name the invoice. */
async function rowsOf(id: string): Promise<Record<string, number>> {
  const [row] = await sqlAt<Record<string, number>>(
    harness.databaseUrl,
    `select (select count(*)::int from invoice where id = $1 or duplicate_of = $1) as invoice,
       (select count(*)::int from invoice_content where invoice_id = $1) as content,
       (select count(*)::int from webhook_event where subject_id = $1) as events,
       (select count(*)::int from webhook_delivery where subject_id = $1) as deliveries,
       (select count(*)::int from idempotency where made_id = $1) as keys`,
    [id],
  );
  return row!;
}

const nothing = { invoice: 0, content: 0, events: 0, deliveries: 0, keys: 0 };

test('nothing is deleted until the tenant says so; then only what is settled and old', async () => {
  const id = await delivered();
  await sweepAfter(36_000);
  expect(await statusOf(id)).toBe(200);
  expect((await harness.call('GET /v1/retention')).body).toEqual({ invoice_days: null });

  const set = await harness.call('PUT /v1/retention', { invoice_days: 3_650 });
  expect(set.status, set.text).toBe(200);
  const [logged] = (await harness.call('GET /v1/audit-log?action=setRetention')).body.results;
  expect(logged).toMatchObject({
    subject: 'retention',
    before: { invoice_days: null },
    after: { invoice_days: 3_650 },
  });

  const same = await harness.call('POST /v1/invoices', {
    connector_id: harness.acme.connector,
    source_ref: await harness.erp.add('AE'),
  });
  await harness.until(same.body.id, ['delivered']);
  await sqlAt(
    harness.databaseUrl,
    `update invoice d set duplicate_of = $1, number = g.number from invoice g
     where g.id = $1 and d.id = $2`,
    [id, same.body.id],
  );
  // The later one is in its pipeline again: whatever its age, it stays.
  await sqlAt(harness.databaseUrl, "update invoice set state = 'submitted' where id = $1", [
    same.body.id,
  ]);
  await sweepAfter(3_640);
  expect(await statusOf(id)).toBe(200);
  await sweepAfter(3_700);
  expect(await statusOf(id)).toBe(404);
  expect(await rowsOf(id)).toEqual(nothing);
  expect(await statusOf(same.body.id)).toBe(200);
  await sqlAt(harness.databaseUrl, "update invoice set state = 'delivered' where id = $1", [
    same.body.id,
  ]);
  await sweepAfter(3_700);
  expect(await statusOf(same.body.id)).toBe(404);
});

test('an invoice with a job, or a webhook that is still to be sent, is kept', async () => {
  await harness.call('PUT /v1/retention', { invoice_days: 30 });
  const made = await harness.call('POST /v1/webhook-endpoints', {
    url: `http://127.0.0.1:${(closed.address() as AddressInfo).port}/`,
  });
  expect(made.status, made.text).toBe(201);
  const id = await delivered();
  await sweepAfter(40);
  expect(await statusOf(id)).toBe(200);
  expect((await rowsOf(id)).deliveries).toBeGreaterThan(0);

  await harness.call(`DELETE /v1/webhook-endpoints/${made.body.id}`);
  await sqlAt(
    harness.databaseUrl,
    `insert into job (tenant_id, queue, key, payload, run_at)
     values ($1, 'acknowledge', $2, '{}', 'infinity')`,
    [harness.acme.id, id],
  );
  await sweepAfter(40);
  expect(await statusOf(id)).toBe(200);
  await sqlAt(harness.databaseUrl, 'delete from job where key = $1', [id]);
  await sweepAfter(40);
  expect(await rowsOf(id)).toEqual(nothing);
});

test('another tenant and the other environment are not touched; days have bounds', async () => {
  await harness.call('PUT /v1/retention', { invoice_days: null });
  await harness.call('PUT /v1/retention', { invoice_days: 30 }, { environment: 'live' });
  const id = await delivered();
  await sweepAfter(400);
  expect(await statusOf(id)).toBe(200);
  expect((await harness.call('PUT /v1/retention', { invoice_days: 29 })).status).toBe(400);
});
