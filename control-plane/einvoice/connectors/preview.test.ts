import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mappings } from '../../../scripts/demo/mappings.ts';
import { type Change, type Erp, erpSettings, goodRef, openErp } from '../erp.kit.ts';
import { type Answer, type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
let erp: Erp;
let path: string;
beforeAll(async () => {
  harness = await startHarness();
  erp = openErp(`${harness.erp.file}.preview`, new Date());
});
afterAll(async () => {
  erp?.close();
  await harness?.stop();
});
beforeEach(async () => {
  await erp.run(
    `delete from OLINES where DOC_ID <> (select DOC_ID from OSALES where DOC_NO = '${goodRef('AE')}');
     delete from OSALES where DOC_NO <> '${goodRef('AE')}';`,
  );
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'ERP',
    default_profile: 'PINT-AE',
    settings: erpSettings(erp.file),
  });
  path = `/v1/connectors/${body.id}/mapping`;
});

interface Field {
  readonly target: string;
  readonly from?: { readonly section: string; readonly column: string } | undefined;
  readonly value?: string | undefined;
  readonly transforms?: readonly object[] | undefined;
}

const gross: Field = {
  target: 'totals.gross',
  from: { section: 'header', column: 'GROSS_CONTROL' },
};
const own: readonly Field[] = mappings['PINT-AE'].fields;
const rateOnly: Field = {
  target: 'lines[].tax.category',
  from: { section: 'lines', column: 'TAX_CODE' },
  transforms: [{ kind: 'map', values: { '0': 'Z' } }],
};
const mappingOf = (fields: readonly Field[]) => ({
  fields: fields.map((field) => ({ ...field, status: 'proposed' })),
});
const replacing = (over: Field) => [...own.filter(({ target }) => target !== over.target), over];
const put = (fields: readonly Field[] = own) =>
  harness.call(`PUT ${path}`, { mapping: mappingOf(fields) });
const preview = (body?: object, caller?: Parameters<Harness['call']>[2]) =>
  harness.call(`POST ${path}/preview`, body, caller);
const approve = (body?: object) => harness.call(`POST ${path}/approve`, body);
const kinds = ({ body }: Answer) => body.objections.map(({ kind }: { kind: string }) => kind);
const accepted = ({ body }: Answer, reason = 'Known, and agreed with the accountant.') =>
  body.objections.map(({ id }: { id: string }) => ({ id, reason }));

/** The good document is 4 × 1,250.00 and 12.5 × 180.34 at 5 %: 7,616.96 with tax. */
const total = '7616.96';

interface Case {
  readonly name: string;
  readonly documents?: readonly Change[];
  /** SQL on the ERP. */
  readonly erp?: string;
  readonly fields?: readonly Field[];
  readonly shows: object;
  readonly kinds: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'all pass, and nothing is objected',
    // The second is so large that a thread examines it.
    documents: [{}, { copies: 300 }],
    shows: { documents: { read: 3, passed: 3, refused: 0 }, refusals: [] },
    kinds: [],
  },
  {
    name: 'a total that is the ERP’s own, written otherwise, is equal',
    documents: [{ header: { GROSS_CONTROL: `${total}00` } }],
    fields: [...own, gross],
    shows: { totals: [{ total: 'gross', compared: 1, equal: 1, differences: [] }] },
    kinds: [],
  },
  {
    name: 'a total that differs is told with both, although the mapping takes the ERP’s',
    documents: [{ header: { DOC_NO: 'WRONG', GROSS_CONTROL: '7616.97' } }],
    fields: [...own, gross],
    shows: {
      totals: [
        {
          total: 'gross',
          origin: 'OSALES',
          column: 'GROSS_CONTROL',
          compared: 1,
          equal: 0,
          differences: [{ source_ref: 'WRONG', ours: total, erp: '7616.97', currency: 'AED' }],
        },
      ],
    },
    kinds: expect.arrayContaining(['total_differs']) as never,
  },
  {
    name: 'documents that one rule refuses are one group, with the column of the ERP',
    documents: [{ customer: { TAX_NO: '1001' } }, { customer: { TAX_NO: '1002' } }],
    shows: {
      documents: { read: 3, passed: 1, refused: 2 },
      refusals: [
        {
          rule: 'PINT-AE-ibr-132-ae',
          documents: 2,
          example: {
            source_ref: expect.stringMatching(/^T-AE-/),
            source: {
              origin: 'OCUST',
              column: 'TAX_NO',
              value: expect.stringMatching(/^100[12]$/),
            },
          },
        },
      ],
    },
    kinds: ['refused'],
  },
  {
    name: 'a column that is empty where a value is required is a missing field',
    documents: [{ customer: { CUST_NAME: ' ' } }],
    shows: { documents: { read: 2, passed: 1, refused: 1 } },
    kinds: expect.arrayContaining(['missing_field']) as never,
  },
  {
    name: 'a field that nothing fills is missing in all documents',
    fields: own.filter(({ target }) => target !== 'buyer.name'),
    shows: { documents: { read: 1, passed: 0, refused: 1 } },
    kinds: expect.arrayContaining(['missing_field', 'refused']) as never,
  },
  {
    name: 'a code of the ERP that says zero-rated is believed',
    documents: [{ line: { TAX_CODE: 'AE-ZER' } }],
    shows: { documents: { read: 2, passed: 2, refused: 0 } },
    kinds: [],
  },
  {
    name: 'a category at 0 % of which the ERP has the rate alone is objected to',
    erp: `update OLINES set TAX_CODE = '0'`,
    fields: replacing(rateOnly).map((field) =>
      field.target === 'lines[].tax.rate' ? { target: field.target, value: '0' } : field,
    ),
    shows: { documents: { read: 1, passed: 1, refused: 0 } },
    kinds: ['zero_tax'],
  },
  {
    name: 'a category at 0 % that the mapping alone says is objected to',
    fields: own.map((field) => {
      if (field.target === 'lines[].tax.category') return { target: field.target, value: 'Z' };
      return field.target === 'lines[].tax.rate' ? { target: field.target, value: '0' } : field;
    }),
    shows: {},
    kinds: ['zero_tax'],
  },
];

test.each(cases)('$name', async ({ documents = [], erp: sql, fields, shows, kinds: wanted }) => {
  for (const change of documents) await erp.add('AE', change);
  if (sql !== undefined) await erp.run(sql);
  await put(fields);
  const answer = await preview();
  if (sql !== undefined) await erp.run(`update OLINES set TAX_CODE = 'AE-STD'`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject(shows);
  expect(kinds(answer)).toEqual(wanted);
});

test('as many of the newest documents are read as were asked for', async () => {
  for (let made = 0; made < 4; made += 1) await erp.add('AE');
  await put();
  expect((await preview({ documents: 2 })).body.documents).toEqual({
    read: 2,
    passed: 2,
    refused: 0,
  });
});

describe('what a preview objects to', () => {
  const differing = [...own, gross];
  beforeEach(async () => {
    await erp.add('AE', { header: { GROSS_CONTROL: '7616.97' } });
  });

  test('is answered in the approval, each with a reason, and stands in the audit log', async () => {
    await put(differing);
    const shown = await preview();
    const refused = await approve();
    expect([refused.status, refused.body.code]).toEqual([409, 'objections_open']);
    expect(refused.body.detail).toContain('7616.97');
    expect(refused.body.objections.map(({ id }: { id: string }) => id)).toEqual(
      shown.body.objections.map(({ id }: { id: string }) => id),
    );
    expect((await harness.call(`GET ${path}`)).body.status).toBe('proposed');
    const part = accepted(shown).slice(1);
    expect((await approve({ accepted_objections: part })).status).toBe(409);
    const done = await approve({ accepted_objections: accepted(shown) });
    expect([done.status, done.body.status]).toEqual([200, 'approved']);
    const { body } = await harness.call('GET /v1/audit-log?limit=1');
    expect(body.results[0].after.accepted_objections).toEqual(accepted(shown));
    const again = await preview();
    expect(again.body.objections.every((each: { accepted: boolean }) => each.accepted)).toBe(true);
  });

  test('holds up a PUT that approves the same', async () => {
    await put(differing);
    await preview();
    const fields = differing.map((field) => ({ ...field, status: 'approved' }));
    const { status, body } = await harness.call(`PUT ${path}`, { mapping: { fields } });
    expect([status, body.code]).toEqual([409, 'objections_open']);
  });

  test('is asked again when the fields concerned are changed, and no more when it is mended', async () => {
    await put(differing);
    const first = await preview();
    await put([...differing.slice(0, -1), { ...gross, transforms: [{ kind: 'trim' }] }]);
    const second = await preview();
    expect(kinds(second)).toEqual(kinds(first));
    const old = await approve({ accepted_objections: accepted(first) });
    expect([old.status, old.body.code]).toEqual([400, 'mapping_invalid']);
    await put();
    expect((await approve()).status).toBe(200);
  });

  test('is not kept of a mapping that was only looked at, nor of fewer documents', async () => {
    await put(differing);
    const looked = await preview({ mapping: mappingOf(differing) });
    const few = await preview({ documents: 2 });
    expect([kinds(looked), kinds(few)]).toEqual([kinds(looked), kinds(looked)]);
    expect(kinds(looked)).toContain('total_differs');
    expect((await approve()).status).toBe(200);
  });

  test('is of its environment', async () => {
    await put(differing);
    await preview();
    const live = await harness.call(`POST ${path}/approve`, {}, { environment: 'live' });
    expect(live.status).toBe(200);
  });

  test('is nobody else’s to see', async () => {
    await put(differing);
    await preview();
    const key = harness.other.keys.sandbox;
    expect((await preview({}, { key })).body.code).toBe('connector_not_found');
    const rows = await harness.app.platform.db.tenant(harness.other.id, (tx) =>
      tx.rows('select 1 from mapping_preview'),
    );
    expect(rows).toEqual([]);
  });
});

test('of two previews of a connector at the same time one is told to wait', async () => {
  for (let made = 0; made < 40; made += 1) await erp.add('AE');
  await put();
  const answers = await Promise.all([preview(), preview()]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('preview_under_way');
});

test.each([
  ['too many documents', { documents: 51 }, 'invalid_request'],
  ['a mapping without fields', { mapping: { fields: [] } }, 'mapping_invalid'],
  ['one of another profile', { mapping: { profile: 'BIS-3.0', fields: [] } }, 'mapping_invalid'],
])('%s is refused', async (_, body, code) => {
  const answer = await preview(body);
  expect([answer.status, answer.body.code]).toEqual([400, code]);
});
