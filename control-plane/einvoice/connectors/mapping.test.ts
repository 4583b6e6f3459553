import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mappings } from '../../../scripts/demo/mappings.ts';
import { erpSettings, goodRef, openErp } from '../erp.kit.ts';
import { type Answer, type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
let path: string;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.stop());
beforeEach(async () => {
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'ERP',
    default_profile: 'PINT-AE',
    settings: erpSettings(harness.erp.file),
  });
  path = `/v1/connectors/${body.id}/mapping`;
});

/** Of an ERP that has no other documents than those of the Emirates. */
async function connectEmirates(): Promise<void> {
  const erp = openErp(`${harness.erp.file}.${path.replaceAll('/', '-')}`, new Date());
  await erp.run(
    `delete from OLINES where DOC_ID <> (select DOC_ID from OSALES where DOC_NO = '${goodRef('AE')}');
     delete from OSALES where DOC_NO <> '${goodRef('AE')}';`,
  );
  erp.close();
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'ERP',
    default_profile: 'PINT-AE',
    settings: erpSettings(erp.file),
  });
  path = `/v1/connectors/${body.id}/mapping`;
}

const fields = (status: 'proposed' | 'approved') =>
  mappings['PINT-AE'].fields.map((each) => ({ ...each, status }));
const put = (mapping: object, over: object = {}, query = '') =>
  harness.call(`PUT ${path}${query}`, { mapping, ...over });
const approve = (body?: object) => harness.call(`POST ${path}/approve`, body);
const read = () => harness.call(`GET ${path}`);
const mapped = ({ body }: Answer, target: string) =>
  body.fields.find((each: { target: string }) => each.target === target);

test('what was read can be sent back, and stays approved', async () => {
  await put({ fields: fields('approved') });
  const before = (await read()).body;
  expect(before.fields.some((each: object) => 'sample' in each)).toBe(true);
  const { fields: shown, lists, joins } = before;
  const sent = { fields: shown, ...(lists && { lists }), ...(joins && { joins }) };
  const after = await put(sent, { version: before.version });
  expect([after.status, after.body.detail, after.body.status]).toEqual([
    200,
    undefined,
    'approved',
  ]);
  expect(after.body.fields).toEqual(before.fields);
  const preview = await harness.call(`POST ${path}/preview`, { mapping: sent, documents: 1 });
  expect(preview.status).toBe(200);
});

test('without a mapping one is proposed from the columns, and nothing is stored', async () => {
  const { status, body } = await read();
  expect([status, body.version, body.status]).toEqual([200, 0, 'proposed']);
  expect(body.fields.length).toBeGreaterThan(5);
  for (const field of body.fields) {
    expect(field).toMatchObject({ status: 'proposed', reason: expect.stringMatching(/\w+ .*\.$/) });
    expect(field.confidence).toBeGreaterThan(0);
  }
  expect(body.columns).toContainEqual(
    expect.objectContaining({ section: 'header', origin: 'OSALES', column: 'DOC_NO' }),
  );
  expect(
    await harness.sql(`select 1 from mapping where connector_id = $1`, [body.connector_id]),
  ).toEqual([]);
});

test('missing fields are named in plain words, with the next call', async () => {
  const one = fields('approved').filter(({ target }) => target === 'number');
  const { body } = await put({ fields: one });
  expect(body.coverage.missing.length).toBeGreaterThan(3);
  for (const line of body.coverage.missing) {
    expect(line).toMatch(/^[A-Z"“].* .*[.)]?$/);
    expect(line).not.toMatch(/undefined|\[object|null/);
  }
  expect(JSON.stringify(body.coverage.missing)).toMatch(/seller/i);
  expect(body.next[0].call).toBe(`PUT ${path}?profile=PINT-AE`);
});

test('a field that only rules ask for is missing, with what it means and where ERPs keep it', async () => {
  await connectEmirates();
  const authority = 'seller.registration_authority';
  const without = fields('approved').filter(({ target }) => target !== authority);
  const { body } = await put({ fields: without });
  expect(body.coverage).toMatchObject({
    documents: expect.any(Number),
    counts: { missing: body.coverage.missing.length },
    fields: expect.arrayContaining([
      expect.objectContaining({ path: authority, state: 'missing', required: 'conditional' }),
    ]),
  });
  const told = body.coverage.missing.find((each: string) => each.includes('ibr-172-ae'));
  expect(told).toMatch(
    /^Seller .* is missing: \d+ of \d+ documents would be refused without it .* Trade licences .* In an ERP: .+/,
  );
  expect((await read()).body.coverage).toEqual(body.coverage);
  expect(body.next[0].call).toBe(`PUT ${path}?profile=PINT-AE`);
});

test('samples show the values of a document of the source', async () => {
  const answer = await put({ fields: fields('approved') });
  const ref = answer.body.sample_ref;
  expect(mapped(answer, 'number').sample).toBe(ref);
  expect(mapped(answer, 'lines[].qty').sample).toBeDefined();
  expect(answer.body.problems.every((each: string) => /^\S+: .+/.test(each))).toBe(true);
});

test('a mapping is put, approved in bulk, and then submissions pass', async () => {
  await connectEmirates();
  const proposed = await put({ fields: fields('proposed') });
  expect(proposed.body).toMatchObject({ version: 1, status: 'proposed' });
  expect(proposed.body.coverage.missing).toEqual([]);
  const id = proposed.body.connector_id;
  expect((await harness.submit(goodRef('AE'), { connector_id: id })).status).toBe(422);
  const approved = await approve({ version: 1 });
  expect(approved.body).toMatchObject({ version: 2, status: 'approved' });
  expect(mapped(approved, 'number')).toMatchObject({
    status: 'approved',
    approved_by: expect.stringMatching(/^key_/),
    approved_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(approved.body.next.map(({ call }: { call: string }) => call)).toEqual([
    'POST /v1/invoices',
  ]);
  expect((await harness.submit(goodRef('AE'), { connector_id: id })).status).toBe(202);
});

test("README's first documents need no more than what is proposed with confidence", async () => {
  const [root = ''] = harness.app.platform.settings.connectorRoots;
  const outbox = join(import.meta.dirname, '../../../docs/quickstart/outbox');
  await cp(outbox, join(root, harness.acme.id, 'outbox'), { recursive: true });
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'file',
    kind: 'files',
    name: 'Outbox',
    default_profile: 'BIS-3.0',
    settings: { folder: 'outbox' },
  });
  await harness.call(`POST /v1/connectors/${body.id}/mapping/approve`, { min_confidence: 0.8 });
  const submit = (ref: string) => harness.submit(ref, { connector_id: body.id });
  expect(await submit('2026-0001.csv')).toMatchObject({ status: 202 });
  const refused = await submit('2026-0002.csv');
  expect(refused.body.errors.map(({ rule }: { rule: string }) => rule)).toEqual([
    'BIS-3.0-BR-CO-09',
  ]);
});

test('what differs from what was last approved is told, until it is approved', async () => {
  expect((await put({ fields: fields('approved') })).body.changes).toEqual([]);
  const [first, second, ...rest] = fields('approved');
  const other = { target: first!.target, value: 'X', status: 'proposed' };
  const { body } = await put({ fields: [other, ...rest] });
  expect(body.changes).toEqual([
    {
      target: first!.target,
      was: expect.objectContaining({ from: first!.from }),
      now: { ...other, proposed_by: expect.stringMatching(/^key_/) },
    },
    { target: second!.target, was: expect.objectContaining({ from: second!.from }) },
  ]);
  expect((await read()).body.changes).toHaveLength(2);
  expect((await approve()).body.changes).toEqual([]);
});

describe('an approval', () => {
  test('of named targets approves those and no others', async () => {
    await put({ fields: fields('proposed') });
    const answer = await approve({ targets: ['number', 'currency'] });
    expect(answer.body.status).toBe('partly_approved');
    const approved = answer.body.fields
      .filter(({ status }: { status: string }) => status === 'approved')
      .map(({ target }: { target: string }) => target);
    expect(approved.toSorted((a: string, b: string) => (a < b ? -1 : 1))).toEqual([
      'currency',
      'number',
    ]);
  });

  test('of a target that is not mapped changes nothing', async () => {
    await put({ fields: fields('proposed') });
    const { status, body } = await approve({ targets: ['number', 'no.such'] });
    expect([status, body.code]).toEqual([400, 'mapping_invalid']);
    expect(body.detail).toContain('no.such');
    expect((await read()).body).toMatchObject({ version: 1, status: 'proposed' });
  });

  test('by confidence approves those at least so sure', async () => {
    const answer = await approve({ min_confidence: 0.9 });
    for (const { status, confidence } of answer.body.fields) {
      expect(status).toBe(confidence >= 0.9 ? 'approved' : 'proposed');
    }
  });

  test.each([
    ['both ways', { targets: ['number'], min_confidence: 0.5 }],
    ['with a confidence over one', { min_confidence: 2 }],
    ['with a field that is not known', { all: true }],
    ['with a version that is none', { version: -1 }],
  ])('%s is refused', async (_, body) => {
    const answer = await approve(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });
});

describe('a change in between', () => {
  test('answers 409 to a change of an older version, and keeps the newer one', async () => {
    await put({ fields: fields('proposed') });
    await put({ fields: fields('approved') }, { version: 1 });
    for (const answer of [
      await put({ fields: [] }, { version: 1 }),
      await put({ fields: [] }, { version: 0 }),
      await approve({ version: 1 }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'mapping_changed']);
    }
    expect((await read()).body).toMatchObject({ version: 2, status: 'approved' });
  });

  test('of ten at the same time from one version, one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => put({ fields: fields('proposed') }, { version: 0 })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array(9).fill(409)]);
    expect((await read()).body.version).toBe(1);
  });
});

describe('a mapping that cannot be used', () => {
  const field = { from: { section: 'header', column: 'DOC_NO' }, status: 'approved' };
  test.each([
    [
      'an unknown target',
      { fields: [{ ...field, target: 'invoice_numbr' }] },
      /Did you mean|not a field/,
    ],
    ['a target of the prototype', { fields: [{ ...field, target: '__proto__' }] }, /not a field/],
    [
      'a target twice',
      {
        fields: [
          { ...field, target: 'number' },
          { ...field, target: 'number' },
        ],
      },
      /twice/,
    ],
    [
      'neither column nor constant',
      { fields: [{ target: 'number', status: 'approved' }] },
      /either a column/,
    ],
    [
      'an unknown transform',
      { fields: [{ ...field, target: 'number', transforms: [{ kind: 'eval' }] }] },
      /./,
    ],
    ['an unknown list', { fields: [], lists: { 'rows[]': { section: 'lines' } } }, /not a list/],
    ['no fields', {}, /required/],
    ['too many fields', { fields: Array(501).fill({ ...field, target: 'notes[]' }) }, /500/],
  ])('%s is refused, and nothing is kept', async (_, mapping, detail) => {
    const { status, body } = await put(mapping);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.detail).toMatch(detail);
    expect((await read()).body.version).toBe(0);
  });

  test('one of another profile is refused', async () => {
    const { status, body } = await put({ profile: 'BIS-3.0', fields: [] });
    expect([status, body.code]).toEqual([400, 'mapping_invalid']);
    expect(body.detail).toContain('?profile=BIS-3.0');
    expect((await put({ profile: 'BIS-3.0', fields: [] }, {}, '?profile=BIS-3.0')).status).toBe(
      200,
    );
  });
});

test('an unchanged field keeps its approver; a changed one loses it', async () => {
  const before = await put({ fields: fields('approved') });
  const changed = fields('proposed').map((each) =>
    each.target === 'number'
      ? { ...each, transforms: [{ kind: 'upper' }] }
      : { ...each, status: 'approved' },
  );
  const after = await put({ fields: changed });
  expect(mapped(after, 'number')).not.toHaveProperty('approved_by');
  expect(mapped(after, 'number').status).toBe('proposed');
  expect(mapped(after, 'currency').approved_at).toBe(mapped(before, 'currency').approved_at);
});

test('the profile must come from somewhere', async () => {
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'Bare',
    settings: erpSettings(harness.erp.file),
  });
  const own = `/v1/connectors/${body.id}/mapping`;
  const { status, body: refused } = await harness.call(`GET ${own}`);
  expect([status, refused.code]).toEqual([400, 'profile_required']);
  expect((await harness.call(`GET ${own}?profile=PINT-MY`)).body.profile).toBe('PINT-MY');
});

test('a source that does not answer gives an error, with the time to ask again', async () => {
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'Gone',
    default_profile: 'PINT-AE',
    settings: erpSettings(`${harness.erp.file}.gone`),
  });
  const answer = await harness.call(`GET /v1/connectors/${body.id}/mapping`);
  expect([answer.status, answer.body.code]).toEqual([503, 'source_unreachable']);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
});
