import { invoice } from '@drawbridge/profiles/bis-3.0/example.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodRef } from '../erp.kit.ts';
import { type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.stop());

const validate = (body: unknown) => harness.call('POST /v1/validate', body);
const count = async () => (await harness.sql('select count(*) as n from invoice'))[0];

test('a document of the ERP is validated like a submission, and nothing is made', async () => {
  const before = await count();
  const wrong = await harness.erp.add('AE', { customer: { TAX_NO: '12345' } });
  const source = { connector_id: harness.acme.connector };
  const good = await validate({ ...source, source_ref: goodRef('AE') });
  const bad = await validate({ ...source, source_ref: wrong });
  expect(good).toMatchObject({ status: 200, body: { valid: true, errors: [] } });
  expect(good.body.xml).toContain('<cbc:ID>');
  expect(bad).toMatchObject({ status: 200, body: { valid: false, profile: 'PINT-AE' } });
  const error = bad.body.errors.find((each: { rule: string }) => each.rule.endsWith('ibr-132-ae'));
  expect(error).toMatchObject({
    field: expect.stringContaining('/cac:AccountingCustomerParty/'),
    source: { origin: 'OCUST', column: 'TAX_NO', value: '12345' },
    explanation: { why: expect.any(String), fix: expect.any(String), erp: expect.any(String) },
  });
  expect(await count()).toEqual(before);
});

test('an invoice in the model passes when completed, and fails as it is', async () => {
  const body = { profile: 'BIS-3.0', invoice };
  expect((await validate(body)).body).toMatchObject({ valid: true, errors: [] });
  const asItIs = await validate({ ...body, complete: false });
  expect(asItIs.body.valid).toBe(false);
  expect(asItIs.body.checks.schema).toBe('failed');
  expect(asItIs.body.checks.business_rules).toBe('skipped');
});

test('UBL XML is validated as it is', async () => {
  const { xml } = (await validate({ profile: 'BIS-3.0', invoice })).body;
  expect((await validate({ profile: 'BIS-3.0', xml })).body).toMatchObject({ valid: true });
  const broken = xml.replace(/(<cbc:PayableAmount[^>]*>)[^<]*/, '$1oops');
  const { body } = await validate({ profile: 'BIS-3.0', xml: broken });
  expect(body.errors).toMatchObject([
    { field: '/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount', rule: 'BIS-3.0-XSD-value' },
  ]);
});

test.each([
  ['a document type declaration', '<!DOCTYPE a [<!ENTITY b "c">]><a/>', 'BIS-3.0-XSD-doctype'],
  ['no XML', 'hello', 'BIS-3.0-XSD-not-well-formed'],
  ['another document', '<Order xmlns="urn:x"/>', 'BIS-3.0-XSD-unknown-document'],
])('%s is a report, not a crash', async (_what, xml, rule) => {
  const { status, body } = await validate({ profile: 'BIS-3.0', xml });
  expect(status).toBe(200);
  expect(body.errors).toMatchObject([{ rule, severity: 'fatal' }]);
});

test.each([
  [{ profile: 'BIS-3.0' }, 400, 'invalid_request'],
  [{ profile: 'BIS-3.0', invoice: {}, xml: '<a/>' }, 400, 'invalid_request'],
  [{ profile: 'BIS-3.0', source_ref: 'x' }, 400, 'invalid_request'],
  [{ profile: 'XX', invoice: {} }, 400, 'invalid_request'],
  [{ invoice: {} }, 400, 'profile_required'],
  [{ connector_id: 'cnx_nobody', source_ref: 'x' }, 404, 'connector_not_found'],
])('%j is refused: %i %s', async (body, status, code) => {
  const answer = await validate(body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('a reference that the source does not hold is 404', async () => {
  const body = { connector_id: harness.acme.connector, source_ref: "x' or '1'='1" };
  expect(await validate(body)).toMatchObject({ status: 404, body: { code: 'source_not_found' } });
});
