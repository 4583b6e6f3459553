import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { firstRows, type KeysetRange } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { recallKeys } from '../../platform/idempotency/claim.ts';
import { findDuplicates } from '../pipeline/store.ts';
import {
  findInvoice,
  findOpenSubmissions,
  type InvoiceFilter,
  listEvents,
  listInvoices,
} from './store.ts';

const tenant = randomUUID();
let kit: TestDb;
beforeAll(async () => {
  kit = await startDb();
  await fill();
}, 180_000);
afterAll(() => kit?.stop());

/** 200,000 invoices of one tenant: of two connectors, one of which has ten of them. */
async function fill(): Promise<void> {
  // Checking the foreign key to the connector row by row takes longer than all the rest.
  await sqlAt(
    kit.url,
    `begin;
     alter table invoice drop constraint invoice_tenant_id_connector_id_fkey;
     set local drawbridge.tenant = '${tenant}';
     insert into tenant (id, name) values ('${tenant}', 'Large');
     insert into connector (id, tenant_id, pattern, kind, name, settings)
       select id, '${tenant}', 'database', 'sqlite', 'x', '' from unnest('{cnx_1,cnx_2}'::text[]) id;
     insert into invoice (id, tenant_id, environment, connector_id, profile, source_ref, state,
         checks, seller, number, buyer_key, gross_key, submission_key, created_at, updated_at)
       select 'inv_' || lpad(i::text, 26, '0'), '${tenant}',
         case when i % 10 = 0 then 'sandbox' else 'live' end,
         case when i <= 11 then 'cnx_2' else 'cnx_1' end,
         case when i = 1 then 'PINT-MY' else 'PINT-AE' end, 'D-' || i,
         case when i % 1000 = 1 then 'rejected' else 'delivered' end,
         '{}', 'seller', 'N-' || i, 'buyer ' || i, i, 'sub_' || i, now(), now()
       from generate_series(1, 200000) i;
     insert into webhook_event (id, tenant_id, environment, service, type, subject_id, payload,
         created_at)
       select 'evt_' || lpad(i::text, 26, '0'), '${tenant}', 'live', 'einvoice', 'invoice.received',
         'inv_' || lpad((i / 2)::text, 26, '0'), '{}', now() from generate_series(1, 200000) i;
     insert into idempotency
       select '${tenant}', 'live', 'POST /v1/invoices', 'key ' || i, repeat('0', 64),
         'inv_' || lpad(i::text, 26, '0') from generate_series(1, 200000) i;
     commit`,
  );
  for (const table of ['invoice', 'webhook_event', 'idempotency']) {
    await sqlAt(kit.url, `analyze ${table}`);
  }
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** The plans of the statements that `work` runs, as the application's role. */
async function plansOf(work: (tx: Tx) => Promise<unknown>): Promise<Plan[]> {
  return kit.db.tenant(tenant, async (tx) => {
    const plans: Plan[] = [];
    const explain = async (sql: string, values?: readonly unknown[]) => {
      type Row = { 'QUERY PLAN': [{ Plan: Plan }] };
      const [row] = await tx.rows<Row>(`explain (analyze, format json) ${sql}`, values);
      plans.push(...flat(row!['QUERY PLAN'][0].Plan));
      return tx.rows(sql, values);
    };
    await work({
      ...tx,
      rows: explain as Tx['rows'],
      row: (async (sql, values) => (await explain(sql, values))[0]) as Tx['row'],
    });
    return plans;
  });
}

function flat(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flat)];
}

const list =
  (filter: InvoiceFilter, page: Partial<KeysetRange> = {}) =>
  (tx: Tx): Promise<unknown> =>
    listInvoices(tx, tenant, 'live', filter, { ...firstRows(51), ...page });
const middle = `inv_${'100000'.padStart(26, '0')}`;
const request = (key: string) => ({
  environment: 'live' as const,
  route: 'POST /v1/invoices',
  key,
  madeId: 'inv_x',
  fingerprint: '0'.repeat(64),
});

test.each<[name: string, work: (tx: Tx) => Promise<unknown>]>([
  ['the newest', list({})],
  ['a page in the middle', list({}, { key: middle })],
  ['the page before it', list({}, { key: middle, isBackward: true })],
  ['those in a state, before it', list({ state: 'rejected' }, { key: middle, isBackward: true })],
  ['those in a state', list({ state: 'rejected' })],
  ['those in a state that none is in', list({ state: 'validating' })],
  ['the one of a number', list({ number: 'N-777' })],
  ['a number that is not there', list({ number: 'no' })],
  ['those of a buyer', list({ buyer: 'BUYER 1234' })],
  ['those of an amount', list({ grossMin: 777, grossMax: 778 })],
  ['the one of a reference', list({ sourceRef: 'D-777' })],
  ['the oldest, by their connector', list({ connectorId: 'cnx_2' })],
  ['a connector without any', list({ connectorId: 'cnx_3', profile: 'PINT-AE' })],
  ['one invoice', (tx) => findInvoice(tx, tenant, 'live', middle)],
  ['its events', (tx) => listEvents(tx, tenant, 'live', middle)],
  ['what keys made', (tx) => recallKeys(tx, tenant, [request('key 5'), request('none')])],
  [
    'open submissions of a reference',
    (tx) =>
      findOpenSubmissions(tx, tenant, [
        { environment: 'live', connector_id: 'cnx_1', source_ref: 'D-9' },
      ]),
  ],
  [
    'earlier submissions of a document',
    (tx) =>
      findDuplicates(tx, tenant, 'live', [
        { id: 'inv_z', seller: 'seller', number: 'N-9', documentType: '380', issueYear: 2026 },
      ]),
  ],
])('%s: found by an index, without looking at many', async (_, work) => {
  const plans = await plansOf(work);
  const scans = plans.filter((plan) => plan['Relation Name'] !== undefined);
  expect(scans.length).toBeGreaterThan(0);
  for (const scan of scans) {
    expect(scan['Node Type']).toMatch(/^(Index|Bitmap)/);
    expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThan(1_000);
  }
});
