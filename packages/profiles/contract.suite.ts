/**
 * The tests that every country must pass. Its own test calls `profileSuite` with named documents as
 * an ERP gives them.
 */
import type { Binding } from '@drawbridge/binding/compile.ts';
import { build } from '@drawbridge/binding/json/build.ts';
import { emit } from '@drawbridge/binding/xml/emit.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import type { CimObject, CimValue } from '@drawbridge/cim/json.ts';
import { walk } from '@drawbridge/cim/node.ts';
import { compileRules } from '@drawbridge/rules/engine/compile.ts';
import { runRules } from '@drawbridge/rules/engine/run.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCompanyField } from './company.ts';
import type { Profile } from './contract.ts';

/** Runs the contract against one country; a document named `self-billed …` is validated as such. */
export function profileSuite(
  profile: Profile,
  documents: Readonly<Record<string, CimObject>>,
): void {
  describe(`profile contract: ${profile.id}`, () => {
    describe.each(Object.entries(documents))('%s', (name, source) => {
      documentTests(profile, name, source);
    });
    describe('fields', () => fieldTests(profile));
    describe('companies and tax', () => companyTests(profile));
    it('completes any document without an exception, also a wrong one', () => {
      const completes = fc.property(json, (cim) => profile.complete(cim) !== undefined);
      fc.assert(completes, { numRuns: 300 });
    });
  });
}

function documentTests(profile: Profile, name: string, source: CimObject): void {
  const { complete, creditNoteTypeCodes, releases, codeLists, bindings } = profile;
  const isCreditNote = creditNoteTypeCodes.includes(String(source.type_code));
  const binding = bindings[isCreditNote ? 'credit-note' : 'invoice'];

  it("keeps all of the profile's rules", () => {
    const { root } = build(binding, complete(source));
    const way = name.startsWith('self-billed') ? 'selfBilling' : 'billing';
    const sets = releases.at(-1)![way];
    const breaches = runRules(compileRules(binding.root, sets), root, codeLists[way]);
    expect(breaches.map(({ rule }) => `${rule.id}: ${rule.message}`).join('\n')).toBe('');
  });

  it('is written and read back without loss', () => {
    const built = build(binding, complete(source));
    expect(built.issues).toEqual([]);
    const xml = emit(binding, built.root);
    const read = parse([binding], xml);
    if (read.kind !== 'parsed') throw new Error(read.fault.message);
    expect(emit(binding, read.root)).toBe(xml);
    expect([...walk(read.root)].filter((node) => node.unbound !== undefined)).toEqual([]);
    expect(
      [...walk(built.root)].filter((node) => node.shape.kind === 'value' && node.text === ''),
    ).toEqual([]);
  });

  it('keeps every value of the source', () => {
    const completed = complete(source);
    const moved = new Set(['seller.trn', 'buyer.trn']);
    for (const [path, value] of leaves(source)) {
      if (!moved.has(path)) expect([path, at(completed, path)]).toEqual([path, value]);
    }
  });

  it('is complete after one pass', () => {
    const once = complete(source);
    expect(complete(once)).toEqual(once);
  });
}

function leaves(value: CimValue | undefined, path = ''): [string, CimValue][] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[path, value]];
  return Object.entries(value).flatMap(([name, each]) =>
    leaves(each as CimValue, path === '' ? name : `${path}.${name}`),
  );
}

function at(value: CimValue | undefined, path: string): CimValue | undefined {
  return path
    .split('.')
    .reduce<CimValue | undefined>((found, name) => (found as CimObject | undefined)?.[name], value);
}

function fieldTests({ bindings, fields, filled }: Profile): void {
  it('name places that the invoice model has', () => {
    const paths = [...fields.map((field) => field.path), ...Object.values(filled).flat()];
    expect(paths.filter((path) => !isPlace(bindings.invoice, path))).toEqual([]);
  });

  it('stand there once, with a name and help', () => {
    const paths = fields.map((field) => field.path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(fields.every((field) => field.name !== '' && field.help.endsWith('.'))).toBe(true);
  });

  it('include all that is filled', () => {
    const paths = new Set(fields.map((field) => field.path));
    expect(Object.keys(filled).filter((path) => !paths.has(path))).toEqual([]);
  });
}

/** Whether the invoice model has a place of that path. */
function isPlace(binding: Binding, path: string): boolean {
  const json = path
    .split('.')
    .reduceRight<CimValue>(
      (value, name) => (name.endsWith('[]') ? { [name.slice(0, -2)]: [value] } : { [name]: value }),
      '1',
    );
  return build(binding, json as CimObject).issues.length === 0;
}

function companyTests({ bindings, codeLists, company, taxCategories }: Profile): void {
  const { countries, paths, asked = [] } = company;
  const facts = Object.values(countries);
  const withoutCode = (name: string, codes: readonly (string | undefined)[]) => {
    const list = codeLists.billing[name];
    if (list === undefined) throw new Error(`not written yet: the code list "${name}"`);
    return codes.filter((code) => code !== undefined && !list.has(code));
  };

  it('has the countries of its companies', () => {
    const missing = 'not written yet: the countries whose companies send its documents';
    expect(Object.keys(countries).length, missing).toBeGreaterThan(0);
  });

  it('uses codes of its own lists', () => {
    const { usualCodes, taxed, untaxed, ofRate } = taxCategories;
    const categories = [...Object.values(usualCodes), taxed, untaxed, ofRate?.(1), ofRate?.(10)];
    const schemes = facts.map(({ endpointScheme }) => endpointScheme);
    const currencies = facts.map(({ currency }) => currency);
    expect(withoutCode('countries', Object.keys(countries))).toEqual([]);
    expect(withoutCode('tax-categories', categories)).toEqual([]);
    expect(withoutCode('endpoint-schemes', schemes)).toEqual([]);
    expect(withoutCode('currencies', currencies)).toEqual([]);
  });

  it('writes answers of a company where the invoice model has them', () => {
    const all = (['seller', 'buyer'] as const).flatMap((side) => Object.entries(paths(side)));
    const names = [...all.map(([name]) => name), ...asked];
    expect(names.filter((name) => !isCompanyField(name))).toEqual([]);
    expect(all.filter(([, path]) => !isPlace(bindings.invoice, path))).toEqual([]);
  });
}

/** Documents with the members that profiles read, and values of any kind. */
const json: fc.Arbitrary<CimObject> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.integer(),
    fc.double(),
    fc.constantFrom('S', 'E', '0', '1e9', '12.5', '-3', null, true),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  object: fc.dictionary(
    fc.constantFrom(
      'lines',
      'tax',
      'category',
      'rate',
      'qty',
      'unit_price',
      'base_qty',
      'allowances',
      'percent',
      'amount',
      'totals',
      'tax_breakdown',
      'seller',
      'trn',
      'exchange_rate',
      'currency',
      'tax_totals',
      'documents',
      'charges',
      'classifications',
      'number',
    ),
    tie('value'),
  ),
})).object as fc.Arbitrary<CimObject>;
