/** What /metrics reads of the database: right, and by indexes of open work alone. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import type { Tx } from '../platform/db/tx.ts';
import { countWaitingJobs } from '../platform/jobs/waiting-job-store.ts';
import { countPendingDeliveries } from '../webhooks/endpoint-queue-store.ts';
import { countOpenInvoices } from './invoices/open-invoice-store.ts';

const tenants = [randomUUID(), randomUUID()];
const settled = 5_000;
const at = new Date('2027-03-01T00:00:00Z');

let kit: TestDb;
beforeAll(async () => {
  kit = await startDb();
  for (const tenant of tenants) await sqlAt(kit.url, fillSql(tenant));
  await sqlAt(kit.url, 'analyze invoice, job, webhook_delivery');
}, 120_000);
afterAll(() => kit?.stop());

/** Many settled invoices and deliveries, jobs of the future, and a few of each that are open. */
const fillSql = (tenant: string) => `
  begin;
  set local drawbridge.tenant = '${tenant}';
  insert into tenant (id, name) values ('${tenant}', 'Busy');
  insert into connector (id, tenant_id, pattern, kind, name, settings)
    values ('cnx_1', '${tenant}', 'database', 'sqlite', 'x', '');
  insert into invoice (id, tenant_id, environment, connector_id, profile, source_ref, state,
      checks, submission_key, created_at, updated_at)
    select 'inv_' || i, '${tenant}', 'live', 'cnx_1', 'PINT-AE', 'D-' || i,
      case when i <= 3 then 'submitted' else 'delivered' end, '{}', 'sub_' || i,
      timestamptz '2027-02-28T00:00:00Z' + i * interval '1 hour', now()
    from generate_series(1, ${settled}) i;
  insert into job (tenant_id, queue, key, payload, run_at, claim_id, parked_at)
    select '${tenant}', case when i % 2 = 0 then 'invoice' else 'forward' end, 'k' || i, '{}',
      case when i <= 4 then now() - interval '90 s' else now() + interval '1 hour' end,
      case when i = 5 then gen_random_uuid() end, case when i = 2 then now() end
    from generate_series(1, ${settled}) i;
  insert into webhook_delivery (tenant_id, endpoint_id, environment, event_id, subject_id, state,
      is_fresh, set_aside_at)
    select '${tenant}', 'whe_1', 'live', 'evt_' || i, 's',
      case when i <= 6 then 'pending' else 'delivered' end, i <= 1,
      case when i between 5 and 6 then now() end
    from generate_series(1, ${settled}) i;
  commit`;

const read = <T>(work: (tx: Tx) => Promise<T>) => kit.db.system(work);

test('open invoices are counted by state, with the age of the oldest', async () => {
  const rows = await read((tx) => countOpenInvoices(tx, at, 1_000));
  expect(rows).toHaveLength(8); // also those without an invoice, so that a gauge goes back to 0
  expect(rows).toContainEqual({
    environment: 'live',
    state: 'submitted',
    invoices: 6,
    oldest_seconds: 23 * 3_600,
  });
  expect(rows.filter(({ invoices }) => invoices > 0)).toHaveLength(1);
});

test('waiting jobs are those that are due, neither held nor parked', async () => {
  const max = { tenants: 10, jobs: 1_000 };
  const rows = await read((tx) => countWaitingJobs(tx, ['invoice', 'forward', 'idle'], max));
  expect(rows.map(({ queue, jobs }) => [queue, jobs])).toEqual([
    ['invoice', 2],
    ['forward', 4],
    ['idle', 0],
  ]);
  const [invoice, , idle] = rows;
  expect(invoice!.oldest_seconds).toBeGreaterThanOrEqual(90);
  expect(idle!.oldest_seconds).toBe(0);
});

test('pending webhooks are counted by kind, each once', async () => {
  const rows = await read((tx) => countPendingDeliveries(tx, 1_000));
  expect(Object.fromEntries(rows.map(({ kind, deliveries }) => [kind, deliveries]))).toEqual({
    new: 2,
    retry: 6,
    set_aside: 4,
  });
});

test('a count stops at its bound', async () => {
  const jobs = await read((tx) => countWaitingJobs(tx, ['forward'], { tenants: 10, jobs: 3 }));
  expect(jobs[0]!.jobs).toBe(3);
  const invoices = await read((tx) => countOpenInvoices(tx, at, 4));
  expect(Math.max(...invoices.map((row) => row.invoices))).toBe(4);
  expect(await read((tx) => countPendingDeliveries(tx, 1))).toContainEqual({
    kind: 'retry',
    deliveries: 1,
  });
});

test('no count reads a table, nor a row that is not open', async () => {
  const touched = await read(async (tx) => {
    await tx.run('set local enable_seqscan = off'); // what small tables invite to
    await countOpenInvoices(tx, at, 1_000);
    await countWaitingJobs(tx, ['invoice', 'forward'], { tenants: 10, jobs: 1_000 });
    await countPendingDeliveries(tx, 1_000);
    return tx.rows<{ relname: string; seq_scan: number; fetched: number }>(
      `select relname, seq_scan, idx_tup_fetch as fetched from pg_stat_xact_user_tables
       where relname in ('invoice', 'job', 'webhook_delivery') order by relname`,
    );
  });
  expect(touched.map(({ relname, seq_scan }) => [relname, seq_scan])).toEqual([
    ['invoice', 0],
    ['job', 0],
    ['webhook_delivery', 0],
  ]);
  for (const { fetched } of touched) expect(fetched).toBeLessThan(100);
});

test('what waits because its tenant is suspended is not counted', async () => {
  const [suspended] = tenants;
  const setAt = (moment: string) =>
    sqlAt(kit.url, `update tenant set suspended_at = ${moment} where id = '${suspended}'`);
  await setAt('now()');
  const invoices = await read((tx) => countOpenInvoices(tx, at, 1_000));
  const webhooks = await read((tx) => countPendingDeliveries(tx, 1_000));
  const jobs = await read((tx) => countWaitingJobs(tx, ['invoice'], { tenants: 10, jobs: 10 }));
  await setAt('null');
  expect(invoices).toContainEqual(expect.objectContaining({ state: 'submitted', invoices: 3 }));
  expect(webhooks.map(({ deliveries }) => deliveries)).toEqual([1, 3, 2]);
  expect(jobs[0]!.jobs).toBe(1);
});
