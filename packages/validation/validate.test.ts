import { build } from '@drawbridge/binding/json/build.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import type { CimObject } from '@drawbridge/cim/json.ts';
import * as belgian from '@drawbridge/profiles/bis-3.0/example.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { creditNote, invoice } from '@drawbridge/profiles/pint-ae/example.ts';
import { profile } from '@drawbridge/profiles/pint-ae/profile.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { RuleSet } from '@drawbridge/rules/rule.ts';
import { describe, expect, test } from 'vitest';
import { type Finding, type Report, releaseFor, type Validation, Validator } from './validate.ts';

const validator = new Validator();
const good = profile.complete(invoice);
const bis = profileById('BIS-3.0')!;

const validate = (cim: CimObject): Validation => validator.validate(profile, cim);

/** The good invoice with changes of its second line. */
function withLine(change: CimObject): CimObject {
  const [first, second] = good.lines as readonly CimObject[];
  return { ...good, lines: [first!, { ...second, ...change }] };
}

const found = ({ errors }: Validation, rule: string): Finding | undefined =>
  errors.find((each) => each.rule === rule);

describe('stages', () => {
  test('a good document passes both, and has the document type of its type code', () => {
    expect(validate(good)).toMatchObject({
      type: 'invoice',
      schema: 'passed',
      business_rules: 'passed',
      errors: [],
      warnings: [],
    });
    const note = validate(profile.complete(creditNote));
    expect(note).toMatchObject({ type: 'credit-note', business_rules: 'passed', errors: [] });
    expect(note.xml).toContain('<CreditNote ');
  });

  test('a broken rule fails the second stage only', () => {
    const { number: _, ...anonymous } = withLine({ tax: { category: 'nonsense' } });
    const report = validate({ ...anonymous, number: '' });
    expect(report).toMatchObject({ schema: 'passed', business_rules: 'failed' });
    expect(report.errors.every(({ rule }) => /^PINT-AE-(?!XSD|MAP)/.test(rule))).toBe(true);
  });

  test('a structure fault skips the rules', () => {
    const report = validate({ ...withLine({ tax: { category: 'nonsense' } }), issue_date: 'soon' });
    expect(report).toMatchObject({ schema: 'failed', business_rules: 'skipped', warnings: [] });
    expect(report.errors.map(({ rule }) => rule)).toEqual(['PINT-AE-XSD-value']);
  });

  test('a value that does not fit the model stops before both', () => {
    const report = validate({ ...good, nmae: 'x', issue_date: 'soon' });
    expect(report).toMatchObject({ schema: 'failed', business_rules: 'skipped' });
    expect(report.errors).toEqual([
      {
        field: 'nmae',
        path: 'nmae',
        rule: 'PINT-AE-MAP-unknown-field',
        message: expect.any(String),
        severity: 'fatal',
      },
    ]);
  });

  test.each([
    [profile, invoice, {}],
    [bis, belgian.invoice, {}],
    [bis, belgian.invoice, { tax_currency: 'SEK' }],
  ])(
    '$id passes with the exchange rate that an ERP has beside every document',
    (each, cim, own) => {
      const completed = each.complete({ ...cim, ...own, exchange_rate: { rate: '1.000000' } });
      const report = validator.validate(each, completed);
      expect(report).toMatchObject({ schema: 'passed', errors: [], warnings: [] });
    },
  );

  test('with too many tax subtotals the rules are not run, and a finding says so', () => {
    const many = <T>(one: T, count: number): T[] => Array.from({ length: count }, () => one);
    const [line] = good.lines as readonly CimObject[];
    const [subtotal] = good.tax_breakdown as readonly CimObject[];
    const withBoth = (lines: number, subtotals: number): Validation =>
      validate({ ...good, lines: many(line!, lines), tax_breakdown: many(subtotal!, subtotals) });
    const report = withBoth(2_000, 2_000);
    expect(report).toMatchObject({ schema: 'passed', business_rules: 'failed', warnings: [] });
    expect(report.errors).toEqual([
      {
        rule: 'PINT-AE-LIMIT-tax-subtotals',
        field: '/Invoice/cac:TaxTotal[1]',
        path: 'tax_totals',
        message: expect.stringMatching(
          /^2001 tax totals and subtotals in a document of \d+ elements/,
        ),
        severity: 'fatal',
      },
    ]);
    for (const small of [withBoth(2_000, 40), withBoth(10, 1_000)]) {
      expect(small.errors.map(({ rule }) => rule)).not.toContain('PINT-AE-LIMIT-tax-subtotals');
    }
  });

  test('of broken rules a thousand are listed, with the number of the others', () => {
    const line = { ...(good.lines as readonly CimObject[])[0]!, unit: 'nonsense' };
    const lines = Array.from({ length: 1_500 }, () => line);
    const { errors } = validate({ ...good, lines });
    expect(errors).toHaveLength(1_001);
    expect(errors.map(({ rule }) => rule)).toContain('PINT-AE-ibr-cl-23');
    expect(errors.at(-1)).toEqual({
      rule: 'PINT-AE-LIMIT-findings',
      field: '/Invoice',
      message: expect.stringMatching(/^\d+ more are not listed\./),
      severity: 'fatal',
    });
  });

  test('the verdict is the same a second time', () => {
    const wrong = withLine({ tax: { category: 'nonsense' } });
    expect(validate(wrong)).toEqual(validate(wrong));
  });

  test('a warning is reported and does not fail the document', () => {
    const warned = bis.complete({
      ...belgian.invoice,
      documents: [{ id: '1', type_code: '130', type: 'Offer' }],
    });
    const report = validator.validate(bis, warned);
    expect(report.errors).toEqual([]);
    expect(report.business_rules).toBe('passed');
    expect(report.warnings.map(({ severity }) => severity)).toContain('warning');
  });
});

describe('where a fault is', () => {
  const cases: readonly [
    what: string,
    cim: CimObject,
    rule: string,
    field: string,
    path: string | undefined,
  ][] = [
    [
      'a value of the second line',
      withLine({ unit: 'nonsense' }),
      'PINT-AE-ibr-cl-23',
      '/Invoice/cac:InvoiceLine[2]/cbc:InvoicedQuantity/@unitCode',
      'lines[2].unit',
    ],
    [
      'a value in a group of the second line',
      withLine({ tax: { category: 'nonsense', rate: 5 } }),
      'PINT-AE-ibr-139-ae',
      '/Invoice/cac:InvoiceLine[2]/cac:Item/cac:ClassifiedTaxCategory[1]/cbc:ID',
      'lines[2].tax.category',
    ],
    [
      'a missing value of the second line',
      withLine({ qty: null, unit: null }),
      'PINT-AE-ibr-022',
      '/Invoice/cac:InvoiceLine[2]/cbc:InvoicedQuantity',
      'lines[2].qty',
    ],
    [
      'a missing value beside its absent value',
      withLine({ qty: null, unit: null }),
      'PINT-AE-ibr-023',
      '/Invoice/cac:InvoiceLine[2]/cbc:InvoicedQuantity/@unitCode',
      'lines[2].unit',
    ],
    [
      'a missing value in a missing group',
      { ...good, buyer: { ...(good.buyer as CimObject), address: { city: 'Dubai' } } },
      'PINT-AE-ibr-011',
      '/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PostalAddress/cac:Country/cbc:IdentificationCode',
      'buyer.address.country',
    ],
    [
      "the buyer's, where a rule is for any party",
      { ...good, buyer: { ...(good.buyer as CimObject), endpoint: '1', endpoint_scheme: '0088' } },
      'PINT-AE-ibr-068',
      '/Invoice/cac:AccountingCustomerParty/cac:Party/cbc:EndpointID',
      'buyer.endpoint',
    ],
    [
      'a missing group',
      { ...good, seller: { ...(good.seller as CimObject), address: null } },
      'PINT-AE-ibr-008',
      '/Invoice/cac:AccountingSupplierParty/cac:Party/cac:PostalAddress',
      'seller.address',
    ],
    [
      'a structure fault',
      withLine({ net: '1,00' }),
      'PINT-AE-XSD-value',
      '/Invoice/cac:InvoiceLine[2]/cbc:LineExtensionAmount',
      'lines[2].net',
    ],
    [
      'a structure fault that is said through a view',
      { ...good, totals: { ...(good.totals as CimObject), tax: 'much' } },
      'PINT-AE-XSD-value',
      '/Invoice/cac:TaxTotal/cbc:TaxAmount',
      'totals.tax',
    ],
    [
      'a missing element of a line',
      withLine({ net: null }),
      'PINT-AE-XSD-missing-element',
      '/Invoice/cac:InvoiceLine[2]/cbc:LineExtensionAmount',
      'lines[2].net',
    ],
    [
      'a missing element of the document',
      { ...good, number: null },
      'PINT-AE-XSD-missing-element',
      '/Invoice/cbc:ID',
      'number',
    ],
    [
      'a missing party',
      { ...good, buyer: null },
      'PINT-AE-XSD-missing-element',
      '/Invoice/cac:AccountingCustomerParty',
      undefined,
    ],
  ];

  test.each(cases)('%s', (_what, cim, rule, field, path) => {
    const report = validate(cim);
    expect(found(report, rule), JSON.stringify(report.errors, null, 1)).toMatchObject({ field });
    expect(found(report, rule)!.path).toBe(path);
  });

  test('all that is missing is told at once, by its name, and nothing of what stands behind it', () => {
    const { errors } = validate({ ...good, number: null, issue_date: null, lines: null });
    expect(errors.map(({ message }) => message)).toEqual([
      'Invoice number is missing (ID).',
      'Invoice issue date is missing (IssueDate).',
      'Invoice line is missing (InvoiceLine).',
    ]);
  });

  test('a document that was not built from JSON has XPaths only', () => {
    const { xml } = validate(good);
    const root = build(profile.bindings.invoice, withLine({ unit: 'nonsense' })).root;
    const binding = profile.bindings.invoice;
    const report = validator.validateDocument(profile, { binding, root, xml, isPlain: false });
    expect(report.errors[0]).toMatchObject({ field: expect.stringContaining('InvoiceLine[2]') });
    expect(report.errors[0]).not.toHaveProperty('path');
  });
});

describe('a document from outside with more than the profile has', () => {
  const written = validator.validate(bis, bis.complete(belgian.invoice)).xml;
  const judged = (change: (xml: string) => string): Report => {
    const xml = change(written);
    const outcome = parse(Object.values(bis.bindings), xml);
    if (outcome.kind === 'refused') throw new Error(outcome.fault.message);
    return validator.validateDocument(bis, { ...outcome, xml });
  };
  const withLineCount = (count: string) => (xml: string) =>
    xml.replace(
      /(<\/cbc:DocumentCurrencyCode>)/,
      `$1<cbc:LineCountNumeric>${count}</cbc:LineCountNumeric>`,
    );

  test('passes the schema where UBL has the element, and meets the rules on it', () => {
    const report = judged(withLineCount('2'));
    expect(report).toMatchObject({ schema: 'passed', business_rules: 'passed', errors: [] });
    expect(report.warnings.map(({ rule }) => rule)).toContain('BIS-3.0-UBL-CR-011');
  });

  test('is checked against the type of that element', () => {
    expect(judged(withLineCount('two')).errors).toMatchObject([
      { rule: 'BIS-3.0-XSD-value', field: '/Invoice/cbc:LineCountNumeric' },
    ]);
  });

  test('fails the schema where UBL has no such element there', () => {
    const report = judged((xml) => xml.replace(/<cac:Item>/, '$&<cbc:LineCountNumeric/>'));
    expect(report.errors).toMatchObject([{ rule: 'BIS-3.0-XSD-unexpected-element' }]);
  });

  test('may have any extension in its place', () => {
    const ext = 'urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2';
    const extension = `<ext:UBLExtensions xmlns:ext="${ext}"><ext:UBLExtension><ext:ExtensionContent><a xmlns="urn:a">x</a></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>`;
    const report = judged((xml) => xml.replace(/(<Invoice[^>]*>)/, `$1${extension}`));
    expect(report).toMatchObject({ schema: 'passed', business_rules: 'passed', errors: [] });
    expect(report.warnings.map(({ rule }) => rule)).toContain('BIS-3.0-UBL-CR-001');
  });
});

describe('the release is the one in force on the issue date', () => {
  const rule = (id: string): RuleSet => ({
    id,
    version: '1',
    patterns: [
      {
        name: id,
        contexts: [
          {
            each: [''],
            rules: [{ id, flag: 'fatal', terms: ['IBT-001'], message: id, holds: () => false }],
          },
        ],
      },
    ],
  });
  const released: Profile = {
    ...profile,
    releases: [
      {
        version: '1',
        from: '2025-01-01',
        until: '2025-12-31',
        billing: [rule('a')],
        selfBilling: [],
      },
      {
        version: '2',
        from: '2025-07-01',
        until: '2026-06-30',
        billing: [rule('b')],
        selfBilling: [],
      },
      { version: '3', from: '2026-07-01', billing: [rule('c')], selfBilling: [rule('s')] },
    ],
  };

  test.each([
    ['2024-12-31', '3'],
    ['2025-01-01', '1'],
    ['2025-06-30', '1'],
    ['2025-07-01', '2'],
    ['2026-06-30', '2'],
    ['2026-07-01', '3'],
    ['2099-01-01', '3'],
    [undefined, '3'],
  ])('%s: release %s', (date, version) => {
    expect(releaseFor(released, date).version).toBe(version);
  });

  test.each([
    ['2025-08-01', 'PINT-AE-b'],
    ['2026-08-01', 'PINT-AE-c'],
  ])('%s is judged by %s', (issue_date, id) => {
    const own = new Validator();
    expect(own.validate(released, { ...good, issue_date }).errors.map((each) => each.rule)).toEqual(
      [id],
    );
  });

  test('self-billing has its own rules', () => {
    const own = new Validator();
    const specification_id = 'urn:peppol:pint:selfbilling-1@ae-1';
    const report = own.validate(released, { ...good, specification_id, issue_date: '2026-08-01' });
    expect(report.errors.map((each) => each.rule)).toEqual(['PINT-AE-s']);
  });
});
