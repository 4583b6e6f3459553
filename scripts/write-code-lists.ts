/**
 * Writes packages/profiles/<profile>/code-lists.json from an authority's artefacts: `node
 * scripts/write-code-lists.ts DIR`. The codes are those in the published rule, because its verdict
 * counts. The genericode file next to it gives name and version, and is named as the source only if
 * both have the same codes.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface ListRow {
  /** The list's name in rules. */
  readonly name: string;
  /** The published rule that tests the list, and where its expression has the codes. */
  readonly rule: string;
  readonly form?: 'contains' | 'second contains' | 'equals' | 'alternatives' | 'tokens';
  readonly genericode?: string;
}

interface ProfileRow {
  readonly profile: string;
  readonly folder: string;
  readonly version: string;
  /** Files below `schematron` whose rules contain the lists. */
  readonly rules: Readonly<Record<Process, readonly string[]>>;
  readonly lists: readonly ListRow[];
}

type Process = 'billing' | 'selfbilling';

/** A list of one profile as it is checked in; codes are separated by spaces. */
interface WrittenList {
  readonly source: string;
  readonly codes: string;
}

const shared: readonly ListRow[] = [
  { name: 'invoice-types', rule: 'ibr-cl-01', genericode: 'UNCL1001-inv' },
  {
    name: 'credit-note-types',
    rule: 'ibr-cl-01',
    form: 'second contains',
    genericode: 'UNCL1001-cn',
  },
  { name: 'currencies', rule: 'ibr-cl-03', genericode: 'ISO4217' },
  { name: 'object-schemes', rule: 'ibr-cl-07', genericode: 'UNCL1153' },
  { name: 'identifier-schemes', rule: 'ibr-cl-10', genericode: 'ICD' },
  { name: 'classification-schemes', rule: 'ibr-cl-13', genericode: 'UNCL7143' },
  { name: 'countries', rule: 'ibr-cl-14', genericode: 'ISO3166' },
  { name: 'payment-means', rule: 'ibr-cl-16', genericode: 'UNCL4461' },
  { name: 'allowance-reasons', rule: 'ibr-cl-19', genericode: 'UNCL5189' },
  { name: 'charge-reasons', rule: 'ibr-cl-20', genericode: 'UNCL7161' },
  { name: 'units', rule: 'ibr-cl-23', genericode: 'UNECERec20' },
  { name: 'mime-types', rule: 'ibr-cl-24', form: 'equals', genericode: 'MimeCode' },
  { name: 'endpoint-schemes', rule: 'ibr-cl-25', genericode: 'eas' },
];

const pintFiles = ['PINT-UBL-validation-preprocessed.sch', 'PINT-jurisdiction-aligned-rules.sch'];

const pintRules = {
  billing: pintFiles.map((file) => `billing/${file}`),
  selfbilling: pintFiles.map((file) => `selfbilling/${file}`),
};

const profiles: readonly ProfileRow[] = [
  {
    profile: 'BIS-3.0',
    folder: 'bis-3.0',
    version: '3.0.21',
    rules: {
      billing: ['CEN-EN16931-UBL.sch', 'PEPPOL-EN16931-UBL.sch'],
      selfbilling: ['CEN-EN16931-UBL.sch', 'PEPPOL-EN16931-UBL-SB.sch'],
    },
    lists: [
      ...shared.map((list) => ({ ...list, rule: list.rule.replace('ibr-cl', 'BR-CL') })),
      { name: 'tax-categories', rule: 'BR-CL-17', genericode: 'UNCL5305' },
      { name: 'period-codes', rule: 'BR-CL-06', genericode: 'UNCL2005' },
      { name: 'exemption-reasons', rule: 'BR-CL-22', genericode: 'VATEX' },
      { name: 'note-subjects', rule: 'BR-CL-08' },
      { name: 'vat-prefixes', rule: 'BR-CO-09' },
      { name: 'peppol-currencies', rule: 'ISO4217', form: 'tokens', genericode: 'ISO4217_2015' },
      { name: 'peppol-endpoint-schemes', rule: 'eaid', form: 'tokens', genericode: 'eas' },
      { name: 'peppol-invoice-types', rule: 'PEPPOL-EN16931-P0100', form: 'tokens' },
      { name: 'peppol-credit-note-types', rule: 'PEPPOL-EN16931-P0101', form: 'tokens' },
    ],
  },
  {
    profile: 'PINT-AE',
    folder: 'pint-ae',
    version: '1.0.4',
    rules: pintRules,
    lists: [
      ...shared,
      { name: 'tax-categories', rule: 'ibr-139-ae', genericode: 'Aligned-TaxCategoryCodes' },
      { name: 'credit-reasons', rule: 'ibr-001-ae', genericode: 'CreditReason' },
      { name: 'billing-frequencies', rule: 'ibr-005-ae', genericode: 'FreqBilling' },
      { name: 'reverse-charge-goods', rule: 'ibr-006-ae', genericode: 'GoodsType' },
      { name: 'passport-countries', rule: 'ibr-010-ae', form: 'alternatives' },
    ],
  },
  {
    profile: 'PINT-MY',
    folder: 'pint-my',
    version: '1.3.1',
    rules: pintRules,
    lists: [
      ...shared,
      {
        name: 'tax-categories',
        rule: 'aligned-ibrp-cl-01-my',
        genericode: 'Aligned-TaxCategoryCodes',
      },
      { name: 'accounting-currencies', rule: 'ibr-cl-05-my' },
    ],
  },
];

const authority = process.argv[2];
if (authority === undefined) {
  console.error(
    'usage: node scripts/write-code-lists.ts DIR  (the folder that holds BIS-3.0, PINT-AE, PINT-MY)',
  );
  process.exit(2);
}
for (const row of profiles) write(row, join(authority, row.profile));

function write(row: ProfileRow, folder: string): void {
  const billing = listsOf(row, folder, 'billing');
  const selfBilling = listsOf(row, folder, 'selfbilling');
  const written = {
    profile: row.profile,
    version: row.version,
    billing,
    // A list that self-billing does not restrict is that of billing.
    selfBilling: Object.fromEntries(
      Object.entries(selfBilling).filter(([name, list]) => list.codes !== billing[name]!.codes),
    ),
  };
  const path = join('packages/profiles', row.folder, 'code-lists.json');
  writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`);
  console.log(`${path}: ${row.lists.length} lists`);
}

function listsOf(row: ProfileRow, folder: string, process: Process): Record<string, WrittenList> {
  const rules = row.rules[process]
    .map((file) => readFileSync(join(folder, 'schematron', file), 'utf8'))
    .join('\n');
  return Object.fromEntries(
    row.lists.map((list) => {
      const codes = codesOfRule(rules, list);
      const source = sourceOf(
        row,
        list,
        codes,
        [
          `${process}/${list.genericode}.gc`,
          `billing/${list.genericode}.gc`,
          `${list.genericode}.xml`,
        ].map((file) => join(folder, 'codelists', file)),
      );
      return [list.name, { source, codes: codes.join(' ') }];
    }),
  );
}

function codesOfRule(rules: string, list: ListRow): string[] {
  const test =
    rules.split(`<assert id="${list.rule}"`)[1]?.split('</assert>')[0] ??
    rules.split(`<let name="${list.rule}"`)[1]?.split('/>')[0];
  if (test === undefined) throw new Error(`No rule ${list.rule} is published.`);
  const runs = [...test.matchAll(/contains\(\s*'( [^']+ )'/g)].map((match) => match[1]!.trim());
  const forms = {
    contains: () => runs[0]?.split(/\s+/),
    'second contains': () => runs[1]?.split(/\s+/),
    equals: () => [...test.matchAll(/= '([^']+)'/g)].map((match) => match[1]!),
    tokens: () => /tokenize\('([^']+)'/.exec(test)?.[1]?.split(/\s+/),
    alternatives: () => /\^\(([^)]+)\)\$/.exec(test)?.[1]?.split('|'),
  };
  const codes = forms[list.form ?? 'contains']();
  if (codes === undefined || codes.length === 0) throw new Error(`${list.rule} holds no list.`);
  return [...new Set(codes)].sort();
}

function sourceOf(
  row: ProfileRow,
  list: ListRow,
  codes: readonly string[],
  paths: readonly string[],
): string {
  const rule = `${list.rule} of ${row.profile} ${row.version}`;
  const path = paths.find((each) => existsSync(each));
  if (list.genericode === undefined || path === undefined) return rule;
  const text = readFileSync(path, 'utf8');
  const published = new Set(path.endsWith('.gc') ? codesOfGenericode(text) : codesOfPeppol(text));
  const same = published.size === codes.length && codes.every((code) => published.has(code));
  const version = /<(?:gc:)?Version>([^<]*)</.exec(text)?.[1]?.trim() ?? '';
  return same ? `${list.genericode} ${version}`.trim() : `${rule} (its ${list.genericode} differs)`;
}

/** Codes of a genericode 1.0 file: the first column of each row. */
function codesOfGenericode(text: string): string[] {
  return text
    .split(/<(?:gc:)?Row>/)
    .slice(1)
    .map((row) => /<(?:gc:)?SimpleValue>([^<]*)</.exec(row)?.[1]?.trim() ?? '');
}

/** Codes of a list in Peppol's own format. */
function codesOfPeppol(text: string): string[] {
  return [...text.matchAll(/<Id>([^<]*)</g)].map((match) => match[1]!.trim());
}
