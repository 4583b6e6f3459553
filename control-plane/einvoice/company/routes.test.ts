import { afterAll, beforeAll, expect, test } from 'vitest';
import { mappings } from '../../../scripts/demo/mappings.ts';
import { erpSettings, goodRef } from '../erp.kit.ts';
import { type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.stop());

const company = {
  legal_name: 'Al Noor Trading LLC',
  country: 'AE',
  trn: '100234567801003',
  registration_id: 'CN-1183764',
  registration_type: 'TL',
  registration_authority: 'Dubai Economy and Tourism',
  address_line1: 'Office 1204, Bay Square 7',
  city: 'Dubai',
  subdivision: 'DXB',
};
const lackingOf = (body: { lacking: { profile: string; fields: string[] }[] }, id: string) =>
  body.lacking.find(({ profile }) => profile === id)?.fields;

test('a mapping without any field of the seller passes once the company profile has them', async () => {
  const before = await harness.call('GET /v1/company');
  expect(before.body).not.toHaveProperty('company');
  expect(lackingOf(before.body, 'PINT-AE')).toContain('seller.trn');
  const made = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'ERP',
    default_profile: 'PINT-AE',
    settings: erpSettings(harness.erp.file),
  });
  const path = `/v1/connectors/${made.body.id}/mapping`;
  const fields = mappings['PINT-AE'].fields
    .filter(({ target }) => !target.startsWith('seller.'))
    .map((field) => ({ ...field, status: 'approved' }));
  const put = await harness.call(`PUT ${path}`, { mapping: { fields } });
  expect(JSON.stringify(put.body.coverage.missing)).toMatch(/Seller/);
  const ref = { connector_id: made.body.id, source_ref: goodRef('AE'), profile: 'PINT-AE' };
  const refused = await harness.call('POST /v1/validate', ref);
  expect(refused.body.checks.business_rules).not.toBe('passed');

  const told = await harness.call('PUT /v1/company', company);
  expect([told.status, lackingOf(told.body, 'PINT-AE')]).toEqual([200, []]);
  const covered = await harness.call(`GET ${path}`);
  expect(JSON.stringify(covered.body.coverage.missing)).not.toMatch(/Seller/);
  const passed = await harness.call('POST /v1/validate', ref);
  expect(passed.body.checks).toMatchObject({ schema: 'passed', business_rules: 'passed' });
  const submitted = await harness.submit(goodRef('AE'), { connector_id: made.body.id });
  expect([submitted.status, submitted.body.errors]).toEqual([202, undefined]);
});

test('a change is audited with what was said before and after', async () => {
  await harness.call('PUT /v1/company', company);
  const changed = { ...company, legal_name: 'Al Noor Trading (Branch) LLC' };
  expect((await harness.call('PUT /v1/company', changed)).body.company).toEqual(changed);
  const { body } = await harness.call('GET /v1/audit-log?limit=1');
  expect(JSON.stringify(body.results[0])).toMatch(/Branch/);
});

test.each([
  ['a wrong TRN', { trn: '1234' }, 'trn'],
  ['a state that is no emirate', { subdivision: 'Dubai' }, 'subdivision'],
  ['an address without its scheme', { endpoint_id: '1002345678' }, 'endpoint_scheme'],
  ['an empty name', { legal_name: ' ' }, 'legal_name'],
  [
    'words that every object inherits',
    { country: 'constructor', endpoint_scheme: 'valueOf', endpoint_id: '1' },
    'country',
  ],
  ['a member that there is not', { shoe_size: '44' }, 'shoe_size'],
])('%s is refused, and nothing is kept', async (_, over, field) => {
  const kept = (await harness.call('GET /v1/company')).body.company;
  const answer = await harness.call('PUT /v1/company', { ...company, ...over });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  expect(JSON.stringify(answer.body)).toContain(field);
  expect((await harness.call('GET /v1/company')).body.company).toEqual(kept);
});
