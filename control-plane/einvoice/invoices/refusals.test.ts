import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mappings } from '../../../scripts/demo/mappings.ts';
import { type Change, erpSettings, goodRef } from '../erp.kit.ts';
import { type Stage, startStage } from '../stage.kit.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ SUBMIT_WAIT_MS: '20000' });
});
afterAll(() => stage?.stop());

interface Fault {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  readonly source?: Readonly<Record<string, string>>;
}

/** A sentence for a person: begins with a capital or a quoted thing, ends, and leaks nothing. */
function expectSentence(text: string): void {
  expect(text).toMatch(/^["“[(A-Z0-9].*[.)\]?!"]$/s);
  expect(text.length).toBeGreaterThan(15);
  expect(text).not.toMatch(/undefined|\[object|NaN|\bat \S+\.ts:|SQLITE_|syntax error/i);
}

async function refused(ref: string, over: object = {}): Promise<readonly Fault[]> {
  const { status, body } = await stage.submit(ref, over);
  expect([status, body.status]).toEqual([422, 'rejected']);
  for (const { message } of body.errors) expectSentence(message);
  return body.errors;
}

describe('a reference is a value and never a part of anything', () => {
  test.each([
    ['SQL that ends the quote', "x' or '1'='1"],
    ['SQL that drops a table', "AE-2026-00418'; drop table OSALES; --"],
    ['SQL with a union', "x' union select * from OCOMP --"],
    ['a double quote', '" or ""="'],
    ['a comment', 'AE-2026-00418--'],
    ['a backslash', "\\'; --"],
    ['a wildcard', 'AE-2026-%'],
    ['a path', '../../../etc/passwd'],
    ['an absolute path', '/etc/passwd'],
    ['a template', '$' + '{process.env.DATABASE_URL}'],
    ['another template', '{{7*7}}'],
    ['the placeholder of a query', ':ref'],
    ['a parameter', '?1'],
    ['a prototype', '__proto__'],
    ['a newline', 'AE-2026-00418\n'],
    ['markup', '<script>alert(1)</script>'],
    ['other case', 'ae-2026-00418'],
    ['text of many scripts', 'فاتورة ١ 发票 🧾'],
    ['the longest reference', 'x'.repeat(512)],
  ])('%s', async (_, ref) => {
    const before = stage.erp.content();
    const errors = await refused(ref);
    expect(errors).toMatchObject([{ field: '/', rule: 'PINT-AE-SOURCE-NOT-FOUND' }]);
    expect(stage.erp.content()).toBe(before);
  });
});

describe('a document that cannot become an invoice', () => {
  const cases: [name: string, change: Change, rule: RegExp, at: string | undefined][] = [
    ['a price that is no decimal', { line: { PRICE: 'twelve' } }, /MAP-not-a-decimal/, 'PRICE'],
    ['a price with two points', { line: { PRICE: '1.2.3' } }, /MAP-not-a-decimal/, 'PRICE'],
    ['a price in hex', { line: { PRICE: '0x10' } }, /MAP-not-a-decimal/, 'PRICE'],
    ['a price that is infinite', { line: { PRICE: 'Infinity' } }, /MAP-not-a-decimal/, 'PRICE'],
    ['a quantity that is text', { line: { QTY: 'many' } }, /MAP-not-a-decimal/, 'QTY'],
    ['a date that is none', { header: { DOC_DATE: 'yesterday' } }, /MAP-not-a-date/, 'DOC_DATE'],
    ['30 February', { header: { DOC_DATE: '20260230' } }, /MAP-not-a-date/, 'DOC_DATE'],
    ['a date of zeros', { header: { DOC_DATE: '00000000' } }, /MAP-not-a-date/, 'DOC_DATE'],
    ['a unit not in the map', { line: { UOM: 'PALLET' } }, /MAP-value-not-in-map/, 'UOM'],
    ['text with a control character', { line: { ITEM_TEXT: 'a\u0007b' } }, /./, 'ITEM_TEXT'],
    ['text with U+FFFF', { line: { ITEM_TEXT: 'a\uffffb' } }, /./, 'ITEM_TEXT'],
    ['a currency that is none', { header: { CURR: 'XYZ' } }, /./, 'CURR'],
    ['no currency', { header: { CURR: '' } }, /./, 'CURR'],
    ['a country that is none', { customer: { CTRY: 'ZZ' } }, /./, 'CTRY'],
  ];
  test.each(cases)('%s', async (_, change, rule, column) => {
    const errors = await refused(stage.erp.add('AE', change));
    const found = errors.find((each) => rule.test(each.rule) && each.source?.column === column);
    expect(found, JSON.stringify(errors, undefined, 1)).toBeDefined();
    expect(errors.every((each) => each.rule.startsWith('PINT-AE-'))).toBe(true);
    expect(found!.source).toMatchObject({ connector: stage.acme.connector });
  });

  test('text with NUL, which nothing after us can hold', async () => {
    const ref = stage.erp.add('AE', { line: { ITEM_TEXT: 'a\u0000b' } });
    const errors = await refused(ref);
    expect(errors).toMatchObject([{ field: '/', rule: 'PINT-AE-SOURCE-binary_value' }]);
    expect(errors[0]!.message).toMatch(/"ITEM_TEXT".*"OLINES"/);
  });

  test('text that could be markup reaches the document as text', async () => {
    const ITEM_TEXT = `<b>&amp; "Käse" ]]> 🧀</b>`;
    const { status, body } = await stage.submit(stage.erp.add('AE', { line: { ITEM_TEXT } }));
    expect(status).toBe(202);
    const { text } = await stage.call(`GET /v1/invoices/${body.id}/document`);
    expect(text).toContain('&lt;b&gt;&amp;amp; "Käse" ]]&gt; 🧀&lt;/b&gt;');
    expect(text).not.toContain('<b>');
  });

  test('one document that is no good does not hold up the others', async () => {
    const bad = stage.erp.add('AE', { line: { ITEM_TEXT: 'x\u0000' } });
    const answers = await Promise.all([stage.submit(bad), stage.submit(goodRef('AE'))]);
    expect(answers.map(({ status }) => status)).toEqual([422, 202]);
  });
});

test('columns that are mapped and not there are named, each once', async () => {
  const fields = [
    ...mappings['PINT-AE'].fields,
    { target: 'notes[]', from: { section: 'header', column: 'NO_SUCH_COLUMN' } },
    { target: 'sales_order', from: { section: 'nowhere', column: 'X' } },
  ].map((field) => ({ ...field, status: 'approved' }));
  const { id } = (
    await stage.call('POST /v1/connectors', {
      ...{ pattern: 'database', kind: 'sqlite', name: 'Askew', default_profile: 'PINT-AE' },
      settings: erpSettings(stage.erp.file),
    })
  ).body;
  const put = await stage.call(`PUT /v1/connectors/${id}/mapping`, { mapping: { fields } });
  expect([put.status, put.body.errors]).toEqual([200, undefined]);
  const errors = await refused(goodRef('AE'), { connector_id: id });
  expect(errors.map(({ rule }) => rule).sort()).toEqual([
    'PINT-AE-MAP-column-missing',
    'PINT-AE-MAP-section-missing',
  ]);
  expect(JSON.stringify(errors)).toContain('NO_SUCH_COLUMN');
});

describe('a mapping that nobody approved', () => {
  test.each([
    ['proposed only', true],
    ['not there at all', false],
  ])('that is %s: the rule names the calls that help', async (_, isPut) => {
    const { id } = (
      await stage.call('POST /v1/connectors', {
        ...{ pattern: 'database', kind: 'sqlite', name: 'New', default_profile: 'PINT-AE' },
        settings: erpSettings(stage.erp.file),
      })
    ).body;
    const proposed = mappings['PINT-AE'].fields.map((each) => ({ ...each, status: 'proposed' }));
    const path = `/v1/connectors/${id}/mapping`;
    if (isPut) await stage.call(`PUT ${path}`, { mapping: { fields: proposed } });
    const errors = await refused(goodRef('AE'), { connector_id: id });
    expect(errors).toMatchObject([{ rule: 'PINT-AE-MAPPING-NOT-APPROVED', field: '/' }]);
    expect(errors[0]!.message).toContain(`GET ${path}?profile=PINT-AE`);
    expect(errors[0]!.message).toContain(`POST ${path}/approve`);
    await stage.call(`POST ${path}/approve`, isPut ? undefined : {});
    const after = await stage.submit(goodRef('AE'), { connector_id: id });
    const rules = (after.body.errors ?? []).map(({ rule }: Fault) => rule);
    expect(rules).not.toContain('PINT-AE-MAPPING-NOT-APPROVED');
  });

  test('for the profile that is asked for, though others are', async () => {
    const { id } = (
      await stage.call('POST /v1/connectors', {
        ...{ pattern: 'database', kind: 'sqlite', name: 'AE only', default_profile: 'PINT-AE' },
        settings: erpSettings(stage.erp.file),
      })
    ).body;
    await stage.call(`POST /v1/connectors/${id}/mapping/approve`);
    const errors = await refused(goodRef('BE'), { connector_id: id, profile: 'BIS-3.0' });
    expect(errors).toMatchObject([{ rule: 'BIS-3.0-MAPPING-NOT-APPROVED' }]);
  });
});

describe('the same document twice', () => {
  test('is told by a warning that names the first, and goes on', async () => {
    const ref = stage.erp.add('BE');
    const first = await stage.submit(ref, { profile: 'BIS-3.0' });
    const second = await stage.submit(ref, { profile: 'BIS-3.0' });
    expect([first.status, second.status]).toEqual([202, 202]);
    const { body } = await stage.call(`GET /v1/invoices/${second.body.id}`);
    expect(body.duplicate_of).toBe(first.body.id);
    expect(body.errors).toEqual([]);
    expect(body.warnings).toMatchObject([{ rule: 'BIS-3.0-DUPLICATE', severity: 'warning' }]);
    const { body: before } = await stage.call(`GET /v1/invoices/${first.body.id}`);
    expect(before).not.toHaveProperty('duplicate_of');
    expect(before.warnings).toEqual([]);
  });

  test('is refused where the connector says so, in one batch too; in the other environment it is not known', async () => {
    const path = `/v1/connectors/${stage.acme.connector}`;
    expect((await stage.call(`PATCH ${path}`, { duplicates: 'reject' })).status).toBe(200);
    const ref = stage.erp.add('AE');
    const answers = await Promise.all([stage.submit(ref), stage.submit(ref), stage.submit(ref)]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([202, 422, 422]);
    const first = answers.find(({ status }) => status === 202)!;
    for (const { body } of answers.filter(({ status }) => status === 422)) {
      expect(body.errors).toMatchObject([{ rule: 'PINT-AE-DUPLICATE', severity: 'fatal' }]);
      expect(body.errors[0].message).toContain(first.body.id);
    }
    const live = await stage.submit(ref, {}, { environment: 'live' });
    expect(live.status).toBe(202);
    await stage.call(`PATCH ${path}`, { duplicates: 'warn' });
  });

  test('after a rejection is not twice', async () => {
    const ref = stage.erp.add('AE', { customer: { TAX_NO: '1' } });
    const rules = new Set((await refused(ref)).map(({ rule }) => rule));
    expect(new Set((await refused(ref)).map(({ rule }) => rule))).toEqual(rules);
  });
});

describe('the number of lines', () => {
  test('10,000 pass', async () => {
    const ref = stage.erp.add('BE', { copies: 5_000, header: { GROSS_CONTROL: null } });
    const { status, body } = await stage.submit(ref, { profile: 'BIS-3.0' });
    expect([status, body.errors]).toEqual([202, undefined]);
  });

  test('one more is refused, not cut', async () => {
    const ref = stage.erp.add('BE', { copies: 5_000 });
    const [header] = stage.erp.rows(`select DOC_ID from OSALES where DOC_NO = '${ref}'`) as [
      { DOC_ID: number },
    ];
    stage.erp.repeatLine(header.DOC_ID);
    const errors = await refused(ref, { profile: 'BIS-3.0' });
    expect(errors).toMatchObject([{ rule: 'BIS-3.0-MAP-too-many-lines' }]);
    expect(errors[0]!.message).toMatch(/10,?000/);
  });
});
