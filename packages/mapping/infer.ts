import type { SourceDocument } from '@drawbridge/records/document.ts';
import { fieldTerms } from './field-terms.ts';
import { addressPartsByValue } from './inference/address-parts.ts';
import { type Candidate, orderOf, reviewedMax } from './inference/candidate.ts';
import {
  affixesOf,
  type DescribedColumn,
  type ReadColumn,
  readColumn,
} from './inference/columns.ts';
import { documentMoney, sumsByCurrency } from './inference/document-money.ts';
import type { CandidateEvidence } from './inference/evidence/rule.ts';
import { adjusted } from './inference/evidence.ts';
import { valuesWithForm } from './inference/forms.ts';
import { type Places, withPointStep, withPoints } from './inference/implied-points.ts';
import { nameCandidate } from './inference/name-candidates.ts';
import { ofOneAddress } from './inference/one-address.ts';
import { columnsOfOtherParties } from './inference/other-parties.ts';
import { provedBySums } from './inference/proved-by-sums.ts';
import { type Denominators, withQuotientStep, withQuotients } from './inference/quotients.ts';
import { loneQuantity, priceOfAmount, summedAmount } from './inference/summed-amounts.ts';
import { findRatedCodes } from './inference/tax-codes.ts';
import { categoryByCode, categoryByRate, rateByCode } from './inference/tax-fields.ts';
import {
  type WantedProfile,
  type WantedValues,
  wantedValuesOf,
} from './inference/wanted-values.ts';
import type { Join, Mapping, MappingField } from './mapping.ts';
import { standardMapping } from './standard/syntaxes.ts';

export type { DescribedColumn } from './inference/columns.ts';

/** Limits of the input: a source with more columns is not read as an invoice; further documents are left. */
const inferLimits = { columnsMax: 2_000, rowsMax: 5_000 } as const;

/** Less certain proposals are left out. */
const confidenceMin = 0.5;

/** What is known of a source besides its columns. */
export interface Evidence {
  /** Real documents of the source, up to a few dozen: their values and sums prove or refute. */
  readonly documents?: readonly SourceDocument[];
  /** How rows of joined sections are found. */
  readonly joins?: Readonly<Record<string, Join>> | undefined;
}

/**
 * Proposes a mapping from names, values, joins and sums. The same input gives the same proposal;
 * nothing in it is used before a person approves it.
 *
 *   infer(columns, profile, { documents, joins }).fields[0]
 *   // { target: 'number', from: { section: 'header', column: 'reference' }, confidence: 0.97, … }
 */
export function infer(
  columns: readonly DescribedColumn[],
  profile: WantedProfile,
  { documents = [], joins = {} }: Evidence = {},
): Mapping {
  const wanted = wantedValuesOf(profile);
  const standard = standardMapping(columns);
  if (standard !== undefined) {
    const own = standard.fields.filter(({ target }) => isWanted(target, wanted));
    return { ...standard, fields: own };
  }
  const read = columns.slice(0, inferLimits.columnsMax);
  const { evidence, places, denominators } = evidenceOf(read, withinRows(documents), joins, wanted);
  const amount = summedAmount(evidence.known, evidence.documents, evidence.sums);
  const chosen = bestOfEach(candidatesFor(evidence, amount));
  const all = [...chosen, ...fieldsBeside(chosen, evidence, amount, joins)].sort(
    (one, other) => orderOf(one.target) - orderOf(other.target),
  );
  const used = joinsOf(all, joins);
  return {
    ...(Object.keys(used).length === 0 ? {} : { joins: used }),
    fields: all
      .flatMap((field) => withPointStep(field, places))
      .map((field) => withQuotientStep(field, denominators))
      .map((field) => withAbsence(field, evidence.documents)),
  };
}

/** Whether the profile wants the target; identifiers of another country are left out. */
function isWanted(target: string, wanted: WantedValues): boolean {
  const isOfCountry = /(\.tin|identifiers\[\]\.id|industry_code|industry_name)$/.test(target);
  return !isOfCountry || wanted.paths.has(target);
}

/** The first documents that have so many rows together as are looked at. */
function withinRows(documents: readonly SourceDocument[]): readonly SourceDocument[] {
  let rows = 0;
  return documents.filter(({ sections }) => {
    const own = Object.values(sections).reduce((sum, section) => sum + section.length, 0);
    if (rows + own > inferLimits.rowsMax) return false;
    rows += own;
    return true;
  });
}

/** What columns, documents and sums say, and where numbers have their points. */
function evidenceOf(
  columns: readonly DescribedColumn[],
  written: readonly SourceDocument[],
  joins: Readonly<Record<string, Join>>,
  wanted: WantedValues,
): {
  readonly evidence: CandidateEvidence;
  readonly places: Places;
  readonly denominators: Denominators;
} {
  const affixes = affixesOf(columns);
  const read = columns.map((column) => readColumn(column, written, joins, affixes));
  const divided = withQuotients(read, written);
  const { known: all, documents, places } = withPoints(divided.known, divided.documents);
  const money = documentMoney(all, documents);
  const { columns: known, doubtful } = money;
  const { sums, ofBooks } =
    documents.length === 0
      ? { sums: undefined, ofBooks: money.ofBooks }
      : sumsByCurrency(money, documents);
  const ofOtherParties = columnsOfOtherParties(columns, joins);
  return {
    evidence: { known, documents, sums, wanted, doubtful, ofBooks, ofOtherParties },
    places,
    denominators: divided.denominators,
  };
}

/** Columns that may hold fields by their names, their values or the sums, the surest first. */
function candidatesFor(
  evidence: CandidateEvidence,
  amount: ReadColumn | undefined,
): readonly Candidate[] {
  const { known, documents, sums, wanted } = evidence;
  const addressParts = addressPartsByValue(known);
  return fieldTerms
    .filter((entry) => isWanted(entry.target, wanted))
    .flatMap((entry, order) =>
      known.flatMap((column) => nameCandidate(entry, column, order, wanted) ?? []),
    )
    .filter((each) => !isAddressPart(each, addressParts))
    .concat(
      addressParts,
      valuesWithForm(known, documents),
      amount === undefined ? [] : priceOfAmount(amount, known),
      sums === undefined ? [] : provedBySums(sums, documents),
    )
    .filter((each) => !isOtherNet(each, amount))
    .flatMap((each) => adjusted(each, evidence))
    .filter(({ confidence }) => confidence >= confidenceMin)
    .sort(byConfidence);
}

/** Whether it would be the net amount of a line, though the lines come to the total by another column. */
function isOtherNet({ target, column }: Candidate, amount: ReadColumn | undefined): boolean {
  return target === 'lines[].net' && amount !== undefined && column !== amount;
}

/** Whether a further line of the address is another part of it by its values. */
function isAddressPart({ target, column }: Candidate, parts: readonly Candidate[]): boolean {
  return /address\.line[23]$/.test(target) && parts.some((part) => part.column === column);
}

function byConfidence(a: Candidate, b: Candidate): number {
  return (
    b.confidence - a.confidence ||
    a.order - b.order ||
    compare(a.column.column.section, b.column.column.section) ||
    compare(a.column.column.column, b.column.column.column)
  );
}

/** Compares by code unit, independent of the machine's locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The best candidate of each field, of which each has a column of its own. */
function bestOfEach(candidates: readonly Candidate[]): readonly MappingField[] {
  const filled = candidates.filter((each) => !isEmptyBesideFull(each, candidates));
  const takenTargets = new Set<string>();
  const takenColumns = new Set<ReadColumn>();
  const picked: Candidate[] = [];
  for (const each of ofOneAddress(filled)) {
    if (takenTargets.has(each.target) || takenColumns.has(each.column)) continue;
    takenTargets.add(each.target);
    takenColumns.add(each.column);
    picked.push(each);
  }
  const rivals = candidates.filter(({ column }) => !takenColumns.has(column));
  return picked.map((each) => fieldOf(besideRivals(each, rivals)));
}

/** Whether it is empty in all documents, and another column that is not may hold the same. */
function isEmptyBesideFull(candidate: Candidate, others: readonly Candidate[]): boolean {
  return (
    candidate.column.filled === 0 &&
    others.some(({ target, column }) => target === candidate.target && column.filled !== 0)
  );
}

/** How much less another column may say for it not to be one that a person has to look at. */
const rivalMargin = 0.02;

/** Less sure where another column says as much for the same field and holds something else. */
function besideRivals(candidate: Candidate, others: readonly Candidate[]): Candidate {
  const rival = others.find(
    ({ target, confidence, column }) =>
      target === candidate.target &&
      !isOfSameRow(column, candidate.column) &&
      confidence >= candidate.confidence - rivalMargin &&
      column.values.length > 0 &&
      column.values.join('\n') !== candidate.column.values.join('\n'),
  );
  if (rival === undefined || candidate.confidence <= reviewedMax) return candidate;
  const { section, column } = rival.column.column;
  return {
    ...candidate,
    confidence: reviewedMax,
    reason: `${candidate.reason} "${column}" in "${section}" says as much.`,
  };
}

/** Whether both say which country or currency a row is: its code and its name hold something else, and mean the same. */
function isOfSameRow(one: ReadColumn, other: ReadColumn): boolean {
  const isList = one.context.has('country') || one.context.has('currency');
  return isList && one.column.section === other.column.section;
}

function fieldOf({
  target,
  column: { column },
  confidence,
  reason,
  transforms,
}: Candidate): MappingField {
  return {
    target,
    from: { section: column.section, column: column.column },
    ...(transforms.length === 0 ? {} : { transforms: [...transforms] }),
    status: 'proposed',
    confidence,
    reason,
  };
}

/** Fields that no column holds, and that others tell: a quantity of one, the category of a rate. */
function fieldsBeside(
  chosen: readonly MappingField[],
  { known, documents, sums, wanted }: CandidateEvidence,
  amount: ReadColumn | undefined,
  joins: Readonly<Record<string, Join>>,
): readonly MappingField[] {
  const codes = sums === undefined ? undefined : findRatedCodes(known, documents, joins, sums);
  return [
    amount === undefined ? undefined : loneQuantity(amount, known, chosen),
    categoryByRate(chosen, known, wanted) ?? categoryByCode(chosen, codes, wanted),
    rateByCode(chosen, codes),
  ].filter((field) => field !== undefined);
}

/** The joins that lead to the sections of the fields. */
function joinsOf(
  fields: readonly MappingField[],
  joins: Readonly<Record<string, Join>>,
): Record<string, Join> {
  const used: Record<string, Join> = {};
  const open = fields.flatMap(({ from }) => from?.section ?? []);
  for (const section of open) {
    const join = joins[section];
    // What hangs on the header has one row in a document, or is a list.
    if (join === undefined || used[section] !== undefined || join.parent === 'header') continue;
    used[section] = join;
    open.push(join.parent);
  }
  return used;
}

/** In JSON and XML what is empty may be left out: a column that some rows lack need not be there. */
function withAbsence(field: MappingField, documents: readonly SourceDocument[]): MappingField {
  const { from, transforms = [] } = field;
  if (from === undefined || transforms.some(({ kind }) => kind === 'default')) return field;
  const isAbsent = documents.some(({ sections }) =>
    sections[from.section]?.some(({ values }) => !Object.hasOwn(values, from.column)),
  );
  if (!isAbsent) return field;
  return { ...field, transforms: [...transforms, { kind: 'default', value: '' }] };
}
