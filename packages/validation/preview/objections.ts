import { withCompany } from '@drawbridge/mapping/company.ts';
import { coverage } from '@drawbridge/mapping/coverage.ts';
import { fingerprint, shortHash } from '@drawbridge/mapping/fingerprint.ts';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { ErrorSource } from '../source/error-source.ts';
import type { InvoiceError } from '../source/verdict.ts';
import {
  allApproved,
  type ComparedTotal,
  type Examination,
  type TotalName,
  totalNames,
} from './examine.ts';

/** What stands against approving a mapping, until somebody accepts it or the mapping is changed. */
export interface Objection {
  /** The same for the same thing as long as the fields concerned say the same. */
  readonly id: string;
  readonly kind: (typeof objectionKinds)[number];
  readonly words: string;
  /** How many documents it is of. */
  readonly documents: number;
  readonly example?: Example;
}

export const objectionKinds = [
  'total_differs',
  'tax_differs',
  'refused',
  'missing_field',
  'zero_tax',
] as const;

interface Example {
  readonly source_ref: string;
  readonly source?: ErrorSource;
}

interface PreviewedMapping {
  readonly profile: Profile;
  readonly mapping: Mapping;
  readonly company: Company | undefined;
}

/** Kinds of refusals that are listed, the most frequent first. */
const refusalsMax = 50;
/** Documents that are named for a total that differs. */
const differencesMax = 5;

/** What examined documents come to together. */
export function summaryOf(given: PreviewedMapping, examinations: readonly Examination[]) {
  const refused = examinations.filter(({ errors }) => errors.length > 0).length;
  const refusals = refusalsOf(examinations).slice(0, refusalsMax);
  return {
    documents: {
      read: examinations.length,
      passed: examinations.length - refused,
      refused,
    },
    refusals: refusals.map(({ first, ref, documents }) => ({
      rule: first.rule,
      field: first.field,
      message: first.message,
      documents,
      example: exampleOf(ref, first.source),
    })),
    totals: totalNames.flatMap((total) => totalSummary(total, examinations) ?? []),
    objections: objectionsOf(given, examinations, refusals),
  };
}

interface Found<Item> {
  readonly ref: string;
  readonly item: Item;
}

interface Group<Item> {
  readonly first: Item;
  /** The document of the first. */
  readonly ref: string;
  readonly documents: number;
}

function grouped<Item>(
  found: readonly Found<Item>[],
  keyOf: (item: Item) => string,
): readonly Group<Item>[] {
  const groups = [...Map.groupBy(found, ({ item }) => keyOf(item)).values()];
  return groups
    .map((group) => ({
      first: group[0]!.item,
      ref: group[0]!.ref,
      documents: new Set(group.map(({ ref }) => ref)).size,
    }))
    .toSorted((one, other) => other.documents - one.documents);
}

function refusalsOf(examinations: readonly Examination[]): readonly Group<InvoiceError>[] {
  const found = examinations.flatMap(({ ref, errors }) => errors.map((item) => ({ ref, item })));
  return grouped(found, ({ rule, field }) => `${rule} ${withoutPositions(field)}`);
}

/** The same fault in each of a thousand lines is one. */
function withoutPositions(field: string): string {
  return field.replaceAll(/\[\d+\]/g, '[]');
}

function totalSummary(total: TotalName, examinations: readonly Examination[]) {
  const compared = comparedOf(total, examinations);
  const [first] = compared;
  if (first === undefined) return undefined;
  const differing = compared.filter(({ item }) => !item.isEqual);
  return {
    total,
    ...(first.item.source === undefined
      ? {}
      : { origin: first.item.source.origin, column: first.item.source.column }),
    compared: compared.length,
    equal: compared.length - differing.length,
    differences: differing.slice(0, differencesMax).map(({ ref, item }) => ({
      source_ref: ref,
      ours: item.ours,
      erp: item.erp,
      ...(item.currency === undefined ? {} : { currency: item.currency }),
      ...(item.source === undefined ? {} : { source: shortened(item.source) }),
    })),
  };
}

function comparedOf(
  total: TotalName,
  examinations: readonly Examination[],
): readonly Found<ComparedTotal>[] {
  return examinations.flatMap(({ ref, totals }) =>
    totals.filter((each) => each.total === total).map((item) => ({ ref, item })),
  );
}

function objectionsOf(
  { profile, mapping, company }: PreviewedMapping,
  examinations: readonly Examination[],
  refusals: readonly Group<InvoiceError>[],
): readonly Objection[] {
  const whole = withCompany(allApproved(mapping), company, profile.id);
  const read = examinations.length;
  return [
    ...totalNames.flatMap((total) => differenceObjection(whole, total, examinations) ?? []),
    ...silentZeroObjections(whole, examinations),
    ...coverage(whole, profile.fields, profile.filled).fields.flatMap(
      ({ state, path, message = path }) =>
        state === 'missing' ? [missingObjection(whole, path, message, read)] : [],
    ),
    ...refusals.map((group) => refusalObjection(whole, group, read)),
  ];
}

const totalWords: Readonly<Record<TotalName, string>> = {
  lines: 'sum of the lines',
  net: 'total without tax',
  tax: 'tax',
  gross: 'total with tax',
};

/** Fields whose values amounts are computed from. */
const isOfAmounts = ({ target }: MappingField) =>
  /^(lines\[\]|allowances|charges|tax|totals\.|prepaid|paid|currency)/.test(target);

function differenceObjection(
  mapping: Mapping,
  total: TotalName,
  examinations: readonly Examination[],
): Objection | undefined {
  const compared = comparedOf(total, examinations);
  const differing = compared.filter(({ item }) => !item.isEqual);
  const [first] = differing;
  if (first === undefined) return undefined;
  const { ours, erp, currency = '', source } = first.item;
  const place = source === undefined ? '' : ` in ${source.origin}.${source.column}`;
  const kind = total === 'tax' ? 'tax_differs' : 'total_differs';
  return {
    id: idOf(kind, [total, source?.column ?? '', fingerprint(mapping, isOfAmounts)]),
    kind,
    words:
      `The ${totalWords[total]} is not the ERP's own in ${differing.length} of ${compared.length} documents: ` +
      `${ours} ${currency} here, and ${erp}${place}.`,
    documents: differing.length,
    example: exampleOf(first.ref, source),
  };
}

/** Tax categories that are objected to: a source may hold any text as one. */
const zeroCategoriesMax = 20;

const isOfTax = ({ target }: MappingField) => /tax\.(category|rate)$|^tax_/.test(target);

function silentZeroObjections(
  mapping: Mapping,
  examinations: readonly Examination[],
): readonly Objection[] {
  const found = examinations.flatMap(({ ref, silentZeros }) =>
    silentZeros.map((item) => ({ ref, item })),
  );
  const groups = grouped(found, ({ category }) => category).slice(0, zeroCategoriesMax);
  return groups.map(({ first, ref, documents }) => ({
    id: idOf('zero_tax', [first.category, fingerprint(mapping, isOfTax)]),
    kind: 'zero_tax',
    words:
      `${documents} of ${examinations.length} documents have lines at 0 % in the tax category ${first.category}, which ` +
      'no column of the ERP says: zero-rated, exempt and out of scope are declared differently.',
    documents,
    example: exampleOf(ref, first.source),
  }));
}

function missingObjection(
  mapping: Mapping,
  path: string,
  words: string,
  documents: number,
): Objection {
  const isConcerned = ({ target }: MappingField) => target === path;
  const id = idOf('missing_field', [path, fingerprint(mapping, isConcerned)]);
  return { id, kind: 'missing_field', words, documents };
}

function refusalObjection(
  mapping: Mapping,
  { first, ref, documents }: Group<InvoiceError>,
  read: number,
): Objection {
  const { rule, field, message, source } = first;
  const kind =
    source !== undefined && (source.value ?? '').trim() === '' ? 'missing_field' : 'refused';
  const isConcerned = ({ from }: MappingField) =>
    source === undefined || from?.column === source.column;
  return {
    id: idOf(kind, [rule, withoutPositions(field), fingerprint(mapping, isConcerned)]),
    kind,
    words: `${documents} of ${read} documents would be refused by ${rule}: ${message}`,
    documents,
    example: exampleOf(ref, source),
  };
}

function idOf(kind: Objection['kind'], concerned: readonly string[]): string {
  return `obj_${shortHash([kind, ...concerned])}`;
}

function exampleOf(ref: string, source: ErrorSource | undefined): Example {
  return { source_ref: ref, ...(source === undefined ? {} : { source: shortened(source) }) };
}

/** Characters of a value that are shown: a column may hold a megabyte. */
const valueLengthMax = 200;

function shortened(source: ErrorSource): ErrorSource {
  return { ...source, value: source.value?.slice(0, valueLengthMax).toWellFormed() ?? null };
}
