import { afterAll, beforeAll, expect } from 'vitest';
import { sqlAt } from '../../test/kit/postgres.ts';
import {
  accounts,
  describeLists,
  idOf,
  rowsOf,
  rowsOfEach,
} from '../platform/http/paging.suite.ts';
import { erpSettings } from './erp.kit.ts';
import { type Harness, startHarness } from './harness.kit.ts';
import { einvoiceModule } from './module.ts';

const environment = "'sandbox'";
const now = 'now()';
const madeAt = { created_at: now, updated_at: now };
const endpoint = 'whe_00000000000000000000000001';
/** Five rows of a list, such that no worker has anything to do with them. */
const statements = [
  rowsOf('member', { user_id: idOf('usr'), einvoicing_role: "'auditor'", created_at: now }),
  `insert into webhook_endpoint (tenant_id, id, service, url, state, disabled_reason, secrets)
   values ($1, '${endpoint}', 'einvoice', 'https://r.example.com/0', 'disabled', 'requested', '[]')`,
  rowsOf('webhook_event', {
    environment,
    id: idOf('evt'),
    service: "'einvoice'",
    type: "'invoice.cleared'",
    subject_id: idOf('inv'),
    payload: "'{}'",
    created_at: now,
  }),
  rowsOf('webhook_delivery', {
    environment,
    endpoint_id: `'${endpoint}'`,
    event_id: idOf('evt'),
    subject_id: idOf('inv'),
    state: "'delivered'",
  }),
  rowsOf('invoice', {
    environment,
    id: idOf('inv'),
    connector_id: '(select min(id) from connector where tenant_id = $1)',
    profile: "'PINT-AE'",
    source_ref: "'D-' || n",
    state: "'rejected'",
    checks: `'{"schema": "passed", "business_rules": "passed"}'`,
    submission_key: "'submission ' || n",
    ...madeAt,
  }),
  rowsOf('received_document', {
    environment,
    id: idOf('rcv'),
    source: "'peppol'",
    network_id: "'network ' || n",
    status: "'received'",
    checks: `'{"schema": "passed", "business_rules": "passed"}'`,
    received_at: now,
    updated_at: now,
  }),
];

let harness: Harness;
/** What is made through the API, as it holds secrets. */
const requests: readonly (readonly [line: string, body: (n: number) => object])[] = [
  ['POST /v1/api-keys', (n) => ({ name: `Key ${n}`, scopes: ['invoices:read'] })],
  ['POST /v1/invitations', (n) => ({ email: `p${n}@example.com`, einvoicing_role: 'auditor' })],
  ['POST /v1/webhook-endpoints', (n) => ({ url: `https://r.example.com/${n}` })],
  [
    'POST /v1/connectors',
    (n) => ({
      pattern: 'database',
      kind: 'sqlite',
      name: `ERP ${n}`,
      settings: erpSettings(harness.erp.file),
    }),
  ],
];

beforeAll(async () => {
  harness = await startHarness();
  for (const [line, body] of requests) {
    for (let n = 0; n < rowsOfEach; n += 1) {
      const made = await harness.call(line, body(n));
      expect([line, made.status, made.body]).toEqual([line, 201, expect.anything()]);
    }
  }
  await sqlAt(harness.databaseUrl, accounts);
  await harness.app.platform.db.tenant(harness.acme.id, async (tx) => {
    for (const sql of statements) await tx.run(sql, [harness.acme.id]);
  });
});
afterAll(() => harness.stop());

describeLists({
  routes: einvoiceModule.describe(),
  service: () => ({ get: (path) => harness.call(`GET ${path}`) }),
  places: {
    '/v1/webhook-endpoints/{id}/deliveries': `/v1/webhook-endpoints/${endpoint}/deliveries`,
  },
  more: ['/v1/invoices?status=rejected', '/v1/audit-log?until=2100-01-01T00:00:00Z'],
});
