import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodRef } from '../erp.kit.ts';
import { type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.stop());

const look = (query = '', connector = harness.acme.connector) =>
  harness.call(`GET /v1/connectors/${connector}/mapping/document${query}`);

interface Value {
  readonly path: string;
  readonly value: string;
}

test('a document is shown beside the invoice, and every value tells its column', async () => {
  const ref = await harness.erp.add('AE', { header: { CUST_PO: '<b>PO</b>' } });
  const { status, body } = await look(`?source_ref=${ref}`);
  expect([status, body.source_ref, body.source_refs[0]]).toEqual([200, ref, ref]);
  const [header] = body.sections;
  expect(header).toMatchObject({ section: 'header', origin: 'OSALES', rows_total: 1 });
  expect(header.rows[0]).toMatchObject({ key: ref, values: { CUST_PO: '<b>PO</b>' } });
  expect(Object.values(header.rows[0].values)).not.toContain('');
  const valueAt = (path: string) => body.values.find((each: Value) => each.path === path);
  expect(valueAt('purchase_order')).toEqual({
    path: 'purchase_order',
    target: 'purchase_order',
    value: '<b>PO</b>',
    by: 'column',
    from: { section: 'header', key: ref, column: 'CUST_PO' },
    status: 'approved',
  });
  expect(valueAt('lines[2].qty')).toMatchObject({
    target: 'lines[].qty',
    from: { section: 'lines', column: 'QTY', key: body.sections[3].rows[1].key },
  });
});

test('what the company profile says is told from what the mapping says', async () => {
  await harness.call('PUT /v1/company', {
    legal_name: 'Al Noor',
    country: 'AE',
    default_payment_terms: 'In 30 days',
  });
  const path = `/v1/connectors/${harness.acme.connector}/mapping`;
  const { body: held } = await harness.call(`GET ${path}`);
  const kept = held.fields.filter(({ target }: { target: string }) => target !== 'seller.name');
  const fields = kept.map(({ sample: _, ...field }: { sample: unknown }) => field);
  const note = { target: 'notes[]', value: 'Thank you', status: 'proposed' };
  const mapping = { fields: [...fields, note] };
  expect((await harness.call(`PUT ${path}`, { mapping })).status).toBe(200);
  const { values } = (await look()).body;
  expect(values).toContainEqual(
    expect.objectContaining({ path: 'seller.name', value: 'Al Noor', by: 'company' }),
  );
  expect(values).toContainEqual(
    expect.objectContaining({ path: 'notes[1]', by: 'constant', status: 'proposed' }),
  );
});

test('of a long document the first rows are shown, and long values are cut', async () => {
  const ref = await harness.erp.add('AE', { copies: 40, header: { CUST_PO: 'x'.repeat(5_000) } });
  const { body } = await look(`?source_ref=${ref}`);
  const lines = body.sections.find(({ section }: { section: string }) => section === 'lines');
  expect([lines.rows_total, lines.rows.length]).toEqual([80, 20]);
  expect(body.sections[0].rows[0].values.CUST_PO).toHaveLength(200);
  const paths = body.values.map(({ path }: Value) => path);
  expect(paths).toContain('lines[20].qty');
  expect(paths).not.toContain('lines[21].qty');
});

test('a document that is not there, a source that is not there, and one of another tenant', async () => {
  expect(await look('?source_ref=NO-SUCH')).toMatchObject({
    status: 404,
    body: { code: 'source_not_found' },
  });
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'Gone',
    default_profile: 'PINT-AE',
    settings: { file: 'no-such.db' },
  });
  expect((await look('', body.id)).body.code).toBe('source_unreachable');
  expect((await look('', harness.other.connector)).status).toBe(404);
  expect((await look(`?source_ref=${goodRef('MY')}&profile=PINT-MY`)).body.profile).toBe('PINT-MY');
});
