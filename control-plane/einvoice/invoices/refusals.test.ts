import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mappings } from '../../../scripts/demo/mappings.ts';
import { type Change, erpSettings, goodRef } from '../erp.kit.ts';
import { type Harness, startHarness } from '../harness.kit.ts';
import { Intake, type Submission } from './intake.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ SUBMIT_WAIT_MS: '20000' });
});
afterAll(() => harness?.stop());

interface Fault {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  readonly source?: Readonly<Record<string, string>>;
}

/** Expects a sentence for a person: a capital or a quote first, a full stop last, no internals. */
function expectSentence(text: string): void {
  expect(text).toMatch(/^["“[(A-Z0-9].*[.)\]?!"]$/s);
  expect(text.length).toBeGreaterThan(15);
  expect(text).not.toMatch(/undefined|\[object|NaN|\bat \S+\.ts:|SQLITE_|syntax error/i);
}

async function refused(ref: string, over: object = {}): Promise<readonly Fault[]> {
  const { status, body } = await harness.submit(ref, over);
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
    const before = harness.erp.content();
    const errors = await refused(ref);
    expect(errors).toMatchObject([{ field: '/', rule: 'PINT-AE-SOURCE-NOT-FOUND' }]);
    expect(harness.erp.content()).toBe(before);
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
    const errors = await refused(await harness.erp.add('AE', change));
    const found = errors.find((each) => rule.test(each.rule) && each.source?.column === column);
    expect(found, JSON.stringify(errors, undefined, 1)).toBeDefined();
    expect(errors.every((each) => each.rule.startsWith('PINT-AE-'))).toBe(true);
    expect(found!.source).toMatchObject({ connector: harness.acme.connector });
  });

  test('text with NUL, which neither XML nor the database can hold', async () => {
    const ref = await harness.erp.add('AE', { line: { ITEM_TEXT: 'a\u0000b' } });
    const errors = await refused(ref);
    expect(errors).toMatchObject([{ field: '/', rule: 'PINT-AE-SOURCE-binary_value' }]);
    expect(errors[0]!.message).toMatch(/"ITEM_TEXT".*"OLINES"/);
  });

  test('text that looks like markup is text in the document', async () => {
    const ITEM_TEXT = `<b>&amp; "Käse" ]]> 🧀</b>`;
    const { status, body } = await harness.submit(
      await harness.erp.add('AE', { line: { ITEM_TEXT } }),
    );
    expect(status).toBe(202);
    const { text } = await harness.call(`GET /v1/invoices/${body.id}/document`);
    expect(text).toContain('&lt;b&gt;&amp;amp; "Käse" ]]&gt; 🧀&lt;/b&gt;');
    expect(text).not.toContain('<b>');
  });

  test('an invalid document does not delay the others', async () => {
    const bad = await harness.erp.add('AE', { line: { ITEM_TEXT: 'x\u0000' } });
    const answers = await Promise.all([harness.submit(bad), harness.submit(goodRef('AE'))]);
    expect(answers.map(({ status }) => status)).toEqual([422, 202]);
  });
});

test('mapped columns that are missing are named, each once', async () => {
  const fields = [
    ...mappings['PINT-AE'].fields,
    { target: 'notes[]', from: { section: 'header', column: 'NO_SUCH_COLUMN' } },
    { target: 'sales_order', from: { section: 'nowhere', column: 'X' } },
  ].map((field) => ({ ...field, status: 'approved' }));
  const { id } = (
    await harness.call('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name: 'Askew',
      default_profile: 'PINT-AE',
      settings: erpSettings(harness.erp.file),
    })
  ).body;
  const put = await harness.call(`PUT /v1/connectors/${id}/mapping`, { mapping: { fields } });
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
      await harness.call('POST /v1/connectors', {
        pattern: 'database',
        kind: 'sqlite',
        name: 'New',
        default_profile: 'PINT-AE',
        settings: erpSettings(harness.erp.file),
      })
    ).body;
    const proposed = mappings['PINT-AE'].fields.map((each) => ({ ...each, status: 'proposed' }));
    const path = `/v1/connectors/${id}/mapping`;
    if (isPut) await harness.call(`PUT ${path}`, { mapping: { fields: proposed } });
    const errors = await refused(goodRef('AE'), { connector_id: id });
    expect(errors).toMatchObject([{ rule: 'PINT-AE-MAPPING-NOT-APPROVED', field: '/' }]);
    expect(errors[0]!.message).toContain(`GET ${path}?profile=PINT-AE`);
    expect(errors[0]!.message).toContain(`POST ${path}/approve`);
    await harness.call(`POST ${path}/approve`, isPut ? undefined : {});
    const after = await harness.submit(goodRef('AE'), { connector_id: id });
    const rules = (after.body.errors ?? []).map(({ rule }: Fault) => rule);
    expect(rules).not.toContain('PINT-AE-MAPPING-NOT-APPROVED');
  });

  test('for the requested profile, though those of other profiles are approved', async () => {
    const { id } = (
      await harness.call('POST /v1/connectors', {
        pattern: 'database',
        kind: 'sqlite',
        name: 'AE only',
        default_profile: 'PINT-AE',
        settings: erpSettings(harness.erp.file),
      })
    ).body;
    await harness.call(`POST /v1/connectors/${id}/mapping/approve`);
    const errors = await refused(goodRef('BE'), { connector_id: id, profile: 'BIS-3.0' });
    expect(errors).toMatchObject([{ rule: 'BIS-3.0-MAPPING-NOT-APPROVED' }]);
  });
});

/** A connector on the sample ERP as one is made, its mapping approved. */
async function strictConnector(profile: 'PINT-AE' | 'PINT-MY' = 'PINT-AE'): Promise<string> {
  const { body: made } = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'Strict',
    default_profile: profile,
    settings: erpSettings(harness.erp.file),
  });
  expect(made.duplicates).toBe('reject');
  const { fields } = mappings[profile];
  const approved = fields.map((field) => ({ ...field, status: 'approved' }));
  const path = `/v1/connectors/${made.id}/mapping?profile=${profile}`;
  const { status } = await harness.call(`PUT ${path}`, { mapping: { fields: approved } });
  expect(status).toBe(200);
  return made.id;
}

describe('the same document twice', () => {
  test('gets a warning that names the first, and goes on', async () => {
    const ref = await harness.erp.add('BE');
    const first = await harness.submit(ref, { profile: 'BIS-3.0' });
    const second = await harness.submit(ref, { profile: 'BIS-3.0' });
    expect([first.status, second.status]).toEqual([202, 202]);
    const { body } = await harness.call(`GET /v1/invoices/${second.body.id}`);
    expect(body.duplicate_of).toBe(first.body.id);
    expect(body.errors).toEqual([]);
    expect(body.warnings).toMatchObject([{ rule: 'BIS-3.0-DUPLICATE', severity: 'warning' }]);
    const { body: before } = await harness.call(`GET /v1/invoices/${first.body.id}`);
    expect(before).not.toHaveProperty('duplicate_of');
    expect(before.warnings).toEqual([]);
  });

  test('is refused unless the connector takes it, also at the same moment, but not in the other environment', async () => {
    const connector = await strictConnector();
    const ref = await harness.erp.add('AE');
    const submit = (headers = {}) => harness.submit(ref, { connector_id: connector }, { headers });
    const keyed = { 'idempotency-key': `first-${ref}` };
    const answers = await Promise.all([submit(keyed), submit(), submit()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    const first = answers.find(({ status }) => status === 202)!.body.id;
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toMatchObject({ code: 'duplicate_document', duplicate_of: first });
      expect(body.detail).toContain(first);
    }
    const live = await harness.submit(ref, { connector_id: connector }, { environment: 'live' });
    expect(live.status).toBe(202);
  });

  test.each([
    ['AE', 'PINT-AE', 'delivered', {}, /credit note/],
    [
      'MY',
      'PINT-MY',
      'cleared',
      {},
      /cancelled it on its authority's portal, submit it again in a minute/,
    ],
    ['AE', 'PINT-AE', 'validated', { submission: { hold: 'release' } }, /inv_\w+\/withdraw\)/],
  ] as const)(
    'of one of %s (%s) that is %s says what to do about it',
    async (company, profile, state, policy, advice) => {
      const connector_id = await strictConnector(profile);
      await harness.call(`PATCH /v1/connectors/${connector_id}`, policy);
      const ref = await harness.erp.add(company);
      const first = await harness.submit(ref, { connector_id, profile });
      await harness.until(first.body.id, [state]);
      const again = await harness.submit(ref, { connector_id, profile });
      expect([again.status, again.body.duplicate_of]).toEqual([409, first.body.id]);
      expectSentence(again.body.detail);
      expect(again.body.detail).toMatch(advice);
    },
  );

  test('with its key is the first one again, and a refused key stays unused', async () => {
    const connector = await strictConnector();
    const ref = await harness.erp.add('AE');
    const submit = (source_ref: string, key: string) =>
      harness.submit(
        source_ref,
        { connector_id: connector },
        { headers: { 'idempotency-key': `${key} ${ref}` } },
      );
    const first = await submit(ref, 'one');
    const again = await submit(ref, 'one');
    expect([again.status, again.body.id]).toEqual([202, first.body.id]);
    const refused = await Promise.all([submit(ref, 'two'), submit(ref, 'two')]);
    expect(refused.map(({ body }) => body.duplicate_of)).toEqual([first.body.id, first.body.id]);
    // Another body, which would be 409 if the key had been kept.
    expect((await submit(await harness.erp.add('AE'), 'two')).status).toBe(202);
  });

  test('is refused after reading when another connector brings it', async () => {
    const ref = await harness.erp.add('AE');
    const connectors = [await strictConnector(), await strictConnector()];
    const [first, second] = [
      await harness.submit(ref, { connector_id: connectors[0] }),
      await harness.submit(ref, { connector_id: connectors[1] }),
    ];
    expect([first.status, second.status]).toEqual([202, 422]);
    expect(second.body.errors).toMatchObject([{ rule: 'PINT-AE-DUPLICATE', severity: 'fatal' }]);
    expect(second.body.errors[0].message).toContain(first.body.id);
    const { body } = await harness.call(`GET /v1/invoices/${second.body.id}`);
    expect(body.checks).toMatchObject({ schema: 'passed', business_rules: 'passed' });
  });

  test('of two nodes at the same moment one takes it', async () => {
    const { platform } = harness.app;
    const { db, clock, random } = platform;
    const nodes = [0, 1].map(() => new Intake(db, platform, clock, random));
    const connectorId = await strictConnector();
    const submission: Submission = {
      tenantId: harness.acme.id,
      environment: 'sandbox',
      connectorId,
      profile: 'PINT-AE',
      sourceRef: '',
      idempotencyKey: undefined,
      fingerprint: '',
    };
    const refs = Array.from({ length: 30 }, (_, index) => `race-${connectorId}-${index}`);
    const outcomes = refs.flatMap((sourceRef) =>
      nodes.map((node) => node.accept({ ...submission, sourceRef })),
    );
    const byRef = Map.groupBy(await Promise.all(outcomes), (_, index) => refs[index >> 1]);
    for (const both of byRef.values()) {
      const [made, refused] = both.toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
      expect(made).toMatchObject({ kind: 'created' });
      expect(refused).toMatchObject({
        kind: 'duplicate',
        id: made!.kind === 'created' && made!.id,
      });
    }
  });

  test('after a rejection is not a duplicate', async () => {
    const ref = await harness.erp.add('AE', { customer: { TAX_NO: '1' } });
    const rules = new Set((await refused(ref)).map(({ rule }) => rule));
    expect(new Set((await refused(ref)).map(({ rule }) => rule))).toEqual(rules);
  });
});

describe('the number of lines', () => {
  test('10,000 pass', async () => {
    const ref = await harness.erp.add('BE', { copies: 5_000, header: { GROSS_CONTROL: null } });
    const { status, body } = await harness.submit(ref, { profile: 'BIS-3.0' });
    expect([status, body.errors]).toEqual([202, undefined]);
  });

  test('one more is refused, not cut', async () => {
    const ref = await harness.erp.add('BE', { copies: 5_000 });
    const [header] = harness.erp.rows(`select DOC_ID from OSALES where DOC_NO = '${ref}'`) as [
      { DOC_ID: number },
    ];
    await harness.erp.repeatLine(header.DOC_ID);
    const errors = await refused(ref, { profile: 'BIS-3.0' });
    expect(errors).toMatchObject([{ rule: 'BIS-3.0-MAP-too-many-lines' }]);
    expect(errors[0]!.message).toMatch(/10,?000/);
  });
});
