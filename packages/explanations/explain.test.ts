import type { BuildIssue } from '@drawbridge/binding/json/build.ts';
import type { MappingIssue } from '@drawbridge/mapping/apply.ts';
import { type ExplanationTable, languages } from '@drawbridge/profiles/explanation-texts.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import type { RecordErrorCode } from '@drawbridge/records/limits.ts';
import type { SchemaFault } from '@drawbridge/validation/xsd.ts';
import { describe, expect, test } from 'vitest';
import stages from './en/stages.json' with { type: 'json' };
import { allRuleIds, explain, suggest } from './explain.ts';
import { gap, type Text, textSets } from './texts.ts';

/** The codes of connectors for unusable source documents, which have no type there. */
type SourceCode =
  | 'binary_value'
  | 'column_missing'
  | 'header_not_unique'
  | 'too_large'
  | 'too_many_rows'
  | 'value_too_long';

type OwnCode =
  | `XSD-${SchemaFault['code']}`
  | `MAP-${BuildIssue['code'] | MappingIssue['code']}`
  | `SOURCE-${RecordErrorCode | SourceCode}`
  | 'CLEARANCE-INCOMPLETE'
  | 'DUPLICATE'
  | 'LIMIT-findings'
  | 'LIMIT-tax-subtotals'
  | 'MAPPING-NOT-APPROVED'
  | 'SOURCE-NOT-FOUND'
  | 'SOURCE-UNAVAILABLE';

// The compiler checks both: a new code without a text and a text without a code do not compile.
const told: Readonly<Record<OwnCode, Text>> = stages;
const known: Readonly<Record<keyof typeof stages, Text>> = told;

const parts = ['why', 'fix', 'erp'] as const;
const partLengthMax = 400;

const ruleSets = profiles.flatMap((profile) =>
  profile.releases.flatMap(({ version, billing, selfBilling }) =>
    [...billing, ...selfBilling].map((set) => ({ profile: profile.id, version, set })),
  ),
);

/** The rules of all releases, once for each rule set. */
function rulesOf(id: string) {
  return ruleSets
    .filter(({ set }) => set.id === id)
    .flatMap(({ set }) => set.patterns)
    .flatMap(({ contexts }) => contexts)
    .flatMap(({ rules }) => rules);
}

test.each(ruleSets)('every rule of $profile $version, $set.id has a text', ({ profile, set }) => {
  const without = rulesOf(set.id).filter(({ id }) => explain(`${profile}-${id}`) === undefined);
  expect(without.map(({ id }) => id)).toEqual([]);
});

describe.each(languages)('texts in %s', (language) => {
  const set = textSets[language];
  const ruleTables = [...new Set(profiles.flatMap(({ explanations }) => explanations[language]))];
  const tables: readonly ExplanationTable[] = [...ruleTables, set.stages];

  test.each(ruleSets)('each fatal rule of $profile $version, $set.id has its own entry', (row) => {
    const own = profiles.find(({ id }) => id === row.profile)!.explanations[language];
    const fatal = rulesOf(row.set.id).filter(({ flag }) => flag === 'fatal');
    expect(fatal.length).toBeGreaterThan(0);
    const without = fatal.filter((rule) => !own.some((table) => Object.hasOwn(table, rule.id)));
    expect(without.map((rule) => rule.id)).toEqual([]);
  });

  test.each(profiles)('$id: no table explains a rule that no profile with it has', (profile) => {
    for (const table of profile.explanations[language]) {
      const known = profiles
        .filter(({ explanations }) => explanations[language].includes(table))
        .flatMap(({ id }) => ruleSets.filter((row) => row.profile === id))
        .flatMap(({ set }) => rulesOf(set.id).map((rule) => rule.id));
      const stray = Object.keys(table).filter(
        (id) =>
          !known.includes(id) &&
          !(id.endsWith('*') && known.some((each) => each.startsWith(id.slice(0, -1)))),
      );
      expect(stray).toEqual([]);
    }
  });

  test('each text fills exactly the gaps of its template', () => {
    for (const [id, { use, ...own }] of tables.flatMap((table) => Object.entries(table))) {
      const template = use === undefined ? undefined : set.templates[use];
      expect(use === undefined || template !== undefined, `${id}: ${use}`).toBe(true);
      const gaps = Object.values(template ?? {}).flatMap((text) => [...text.matchAll(gap)]);
      const expected = template === undefined ? parts : new Set(gaps.map(([, name]) => name!));
      expect(new Set(Object.keys(own)), id).toEqual(new Set(expected));
    }
  });

  test('every template and every place is used', () => {
    const written = JSON.stringify([tables, set.templates]);
    const idle = [
      ...Object.keys(set.templates).filter((name) => !written.includes(`"use":"${name}"`)),
      ...Object.keys(set.places).filter((name) => !written.includes(`"@${name}"`)),
    ];
    expect(idle).toEqual([]);
  });

  test('every text is there, short, complete and without empty phrases', () => {
    const bad = allRuleIds().flatMap((id) => {
      const explanation = explain(id, language)!;
      return parts.filter((part) => !isFit(explanation[part])).map((part) => `${id} ${part}`);
    });
    expect(bad).toEqual([]);
  });

  test('no text mentions XML or repeats an id or the message of its rule', () => {
    const bad = allRuleIds().filter((id) => {
      const { message, why, fix, erp } = explain(id, language)!;
      const said = `${why} ${fix} ${erp}`;
      return /\bc[ab]c:|\b(?:ibr|aligned-ibrp|BR|IB[TG]|BT|BTAE)-\w/.test(said) || why === message;
    });
    expect(bad).toEqual([]);
  });
});

const banned =
  /\b(?:TODO|TBD|FIXME|lorem|ipsum|undefined|null|N\/A|please|simply|invalid value)\b/i;

function isFit(text: string): boolean {
  const isWhole = /^[\p{Lu}\p{Nd}].*[.)]$/su.test(text) || /^[a-z_]+(?:\.|\[|_| )/.test(text);
  const isFilled = text.match(gap)?.every((each) => each === '{id}') ?? true;
  const isShort = text.length >= 12 && text.length <= partLengthMax;
  return isWhole && isFilled && isShort && !banned.test(text) && !/ {2}|\.\.| ,/.test(text);
}

test('an explanation has the data of the rule tables', () => {
  expect(explain('PINT-AE-ibr-132-ae')).toMatchObject({
    rule: 'PINT-AE-ibr-132-ae',
    profile: 'PINT-AE',
    severity: 'fatal',
    message: expect.stringContaining('15 digits'),
    fields: expect.arrayContaining(['buyer.tax_registrations[].id']),
    fix: expect.stringContaining('100123456700003'),
  });
  expect(explain('BIS-3.0-BR-CO-15')).toMatchObject({
    fields: expect.arrayContaining(['totals.gross']),
  });
});

test('the product’s own codes are explained in every profile', () => {
  for (const { id } of profiles) {
    for (const code of Object.keys(known)) {
      expect(explain(`${id}-${code}`)).toMatchObject({ profile: id, fields: [] });
    }
  }
  expect(explain('PINT-MY-XSD-value')).not.toHaveProperty('message');
});

test('a warning of a family has the family’s text, a fatal rule its own', () => {
  const family = { severity: 'warning', why: explain('BIS-3.0-UBL-CR-003')!.why };
  expect(explain('BIS-3.0-UBL-CR-001')).toMatchObject(family);
  expect(explain('BIS-3.0-UBL-CR-666')!.why).toContain('invoiced object');
  expect(explain('BIS-3.0-UBL-CR-999')).toBeUndefined();
});

test('an id without profile is explained if all profiles have the same text', () => {
  expect(explain('ibr-co-15')).toMatchObject({ rule: 'ibr-co-15', fix: expect.any(String) });
  expect(explain('ibr-co-15')).not.toHaveProperty('profile');
  expect(explain('ibr-132-ae')).toMatchObject({ profile: 'PINT-AE' });
  expect(explain('aligned-ibrp-048')).toBeUndefined();
});

test.each(['', 'PINT-AE-', 'PINT-AE-*', 'BIS-3.0-UBL-CR-*', 'PINT-AE-__proto__', 'constructor'])(
  '"%s" is no rule',
  (id) => expect(explain(id)).toBeUndefined(),
);

test('a very long id is looked up and compared quickly', () => {
  const long = `PINT-AE-${'x'.repeat(1_000_000)}`;
  expect(explain(long)).toBeUndefined();
  expect(suggest(long)).toEqual([]);
});

test.each([
  ['PINT-AE-ibr-132-a', 'PINT-AE-ibr-132-ae'],
  ['PINT-AE-ibr-132', 'PINT-AE-ibr-132-ae'],
  ['pint-ae-IBR-132-AE', 'PINT-AE-ibr-132-ae'],
  ['ibr-132', 'PINT-AE-ibr-132-ae'],
  ['BIS-3.0-BRCO-15', 'BIS-3.0-BR-CO-15'],
  ['PINT-MY-XSD-vaule', 'PINT-MY-XSD-value'],
  ['BIS-3.0-BR-CO-51', 'BIS-3.0-BR-CO-15'],
  ['aligned-ibrp-048', 'PINT-MY-aligned-ibrp-048'],
])('for %s, %s is suggested', (asked, meant) => expect(suggest(asked)).toContain(meant));

test.each(['', '   ', 'quite another thing'])('for "%s" nothing is suggested', (asked) =>
  expect(suggest(asked)).toEqual([]),
);

describe('the codes that a text names are those of the list', () => {
  test.each([
    ['PINT-AE-ibr-139-ae', 'tax-categories'],
    ['PINT-AE-ibr-005-ae', 'billing-frequencies'],
    ['PINT-AE-ibr-006-ae', 'reverse-charge-goods'],
    ['PINT-AE-ibr-166-ae', 'reverse-charge-goods'],
    ['PINT-MY-aligned-ibrp-cl-01-my', 'tax-categories'],
    ['PINT-MY-ibr-cl-05-my', 'accounting-currencies'],
    ['BIS-3.0-BR-CL-17', 'tax-categories'],
    ['BIS-3.0-BR-CL-06', 'period-codes'],
  ])('%s names every code of %s', (id, list) => {
    const { fix, profile } = explain(id)!;
    const codes = [...profiles.find((each) => each.id === profile)!.codeLists.billing[list]!];
    expect(codes.filter((code) => !words(fix).includes(code))).toEqual([]);
  });

  test.each([
    ['allowance-reasons', ['ibr-cl-19', 'BR-CL-19'], '95 100 41 64'],
    ['charge-reasons', ['ibr-cl-20', 'BR-CL-20'], 'FC ABL AA PC ADR'],
    ['units', ['ibr-cl-23', 'BR-CL-23'], 'C62 H87 XBX HUR DAY MON KGM LTR MTR'],
    ['units', ['ibr-023', 'BR-23'], 'C62 H87 HUR DAY KGM LTR MTR'],
    ['object-schemes', ['ibr-cl-07', 'BR-CL-07'], 'MG CT'],
    ['classification-schemes', ['ibr-cl-13', 'BR-CL-13'], 'HS STI TST CG ZZZ'],
    ['identifier-schemes', ['ibr-cl-11', 'BR-CL-11'], '0088 0060 0160 0208 0235'],
    ['endpoint-schemes', ['ibr-cl-25', 'BR-CL-25'], '0235 0230 0088 0208 0192 9930'],
    ['payment-means', ['ibr-cl-16', 'BR-CL-16'], '10 30 48 49 54 55 58'],
    ['countries', ['ibr-cl-14', 'BR-CL-14'], 'AE MY SG DE GR'],
  ])('%s: %s', (list, rules, codes) => {
    const having = profiles.filter(({ codeLists }) => list in codeLists.billing);
    expect(having.length).toBeGreaterThanOrEqual(3);
    for (const { id, codeLists } of having) {
      const text = rules.map((rule) => explain(`${id}-${rule}`)).find((each) => each !== undefined);
      for (const code of codes.split(' ')) {
        expect(words(text!.fix), `${text!.rule} names ${code}`).toContain(code);
        expect(codeLists.billing[list]!.has(code), `${id} ${list} ${code}`).toBe(true);
      }
    }
  });
});

function words(text: string): readonly string[] {
  return text.split(/[\s,;:]+/).map((word) => word.replace(/[.)]$/, '').replace(/^\(/, ''));
}
