import type { FieldRow } from '@drawbridge/profiles/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { codeOf } from './code-names.ts';
import { type FieldTerms, fieldTerms } from './field-terms.ts';
import { addressPartsByValue } from './inference/address-parts.ts';
import { type Candidate, reviewedMax } from './inference/candidate.ts';
import {
  affixesOf,
  type DescribedColumn,
  isHeaderTax,
  owners,
  type ReadColumn,
  readColumn,
} from './inference/columns.ts';
import { documentMoney, sumsByCurrency } from './inference/document-money.ts';
import { adjusted } from './inference/evidence.ts';
import { valuesWithForm } from './inference/forms.ts';
import { withPointStep, withPoints } from './inference/implied-points.ts';
import { ofOneAddress } from './inference/one-address.ts';
import { columnsOfOtherParties } from './inference/other-parties.ts';
import { provedBySums } from './inference/proved-by-sums.ts';
import { loneQuantity, priceOfAmount, summedAmount } from './inference/summed-amounts.ts';
import { findRatedCodes, type RatedCodes } from './inference/tax-codes.ts';
import type { Join, Mapping, MappingField } from './mapping.ts';
import { assessSamples, type SampleVerdict } from './samples.ts';
import { standardMapping } from './standard/syntaxes.ts';
import { targets } from './targets.ts';
import type { Transform } from './transform.ts';
import { malaysianTaxCodeGuesses, type Role, taxCodeGuesses } from './vocabulary.ts';
import { likeness, wordsOf } from './words.ts';

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
 *   infer(columns, profile.fields, { documents, joins }).fields[0]
 *   // { target: 'number', from: { section: 'header', column: 'reference' }, confidence: 0.97, … }
 */
export function infer(
  columns: readonly DescribedColumn[],
  fields: readonly FieldRow[],
  { documents: sampled = [], joins = {} }: Evidence = {},
): Mapping {
  const written = withinRows(sampled);
  const wanted = new Set(fields.map((field) => field.path));
  const standard = standardMapping(columns);
  if (standard !== undefined) {
    const own = standard.fields.filter(({ target }) => isWanted(target, wanted));
    return { ...standard, fields: own };
  }
  const read = columns.slice(0, inferLimits.columnsMax);
  const affixes = affixesOf(read);
  const {
    known: all,
    documents,
    places: points,
  } = withPoints(
    read.map((column) => readColumn(column, written, joins, affixes)),
    written,
  );
  const money = documentMoney(all, documents);
  const { columns: known, doubtful } = money;
  const { sums, ofBooks } =
    documents.length === 0
      ? { sums: undefined, ofBooks: money.ofBooks }
      : sumsByCurrency(money, documents);
  const ofOtherParties = columnsOfOtherParties(read, joins);
  const amount = summedAmount(known, documents);
  const addressParts = addressPartsByValue(known);
  const candidates = fieldTerms
    .filter((entry) => isWanted(entry.target, wanted))
    .flatMap((entry, order) =>
      known.flatMap((column) => candidate(entry, column, order, wanted) ?? []),
    )
    .filter((each) => !isAddressPart(each, addressParts))
    .concat(
      addressParts,
      valuesWithForm(known, documents),
      amount === undefined ? [] : priceOfAmount(amount, known),
      sums === undefined ? [] : provedBySums(sums, documents),
    )
    .flatMap((each) =>
      adjusted(each, { known, documents, sums, wanted, doubtful, ofBooks, ofOtherParties }),
    )
    .filter(({ confidence }) => confidence >= confidenceMin)
    .sort(byConfidence);
  const filled = candidates.filter((each) => !isEmptyBesideFull(each, candidates));
  const held = ofOneAddress(filled);
  const takenTargets = new Set<string>();
  const takenColumns = new Set<ReadColumn>();
  const picked: Candidate[] = [];
  for (const each of held) {
    if (takenTargets.has(each.target) || takenColumns.has(each.column)) continue;
    takenTargets.add(each.target);
    takenColumns.add(each.column);
    picked.push(each);
  }
  const rivals = candidates.filter(({ column }) => !takenColumns.has(column));
  const chosen = picked.map((each) => fieldOf(besideRivals(each, rivals)));
  const quantity = amount === undefined ? undefined : loneQuantity(amount, known, chosen);
  if (quantity !== undefined) chosen.push(quantity);
  const codes = sums === undefined ? undefined : findRatedCodes(known, documents, joins, sums);
  const category = categoryByRate(chosen, known, wanted) ?? categoryByCode(chosen, codes, wanted);
  if (category !== undefined) chosen.push(category);
  const rate = rateByCode(chosen, codes);
  if (rate !== undefined) chosen.push(rate);
  const order = new Map(fieldTerms.map((entry, index) => [entry.target, index]));
  chosen.sort((a, b) => order.get(a.target)! - order.get(b.target)!);
  const used = joinsOf(chosen, joins);
  const lacking = chosen
    .flatMap((field) => withPointStep(field, points))
    .map((field) => withAbsence(field, documents));
  return { ...(Object.keys(used).length === 0 ? {} : { joins: used }), fields: lacking };
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

/** Whether a further line of the address is another part of it by its values. */
function isAddressPart({ target, column }: Candidate, parts: readonly Candidate[]): boolean {
  return /address\.line[23]$/.test(target) && parts.some((part) => part.column === column);
}

/** Where no column has a code of the tax, its rate says the category: 0 % may mean several. */
function categoryByRate(
  chosen: readonly MappingField[],
  known: readonly ReadColumn[],
  wanted: ReadonlySet<string>,
): MappingField | undefined {
  const target = 'lines[].tax.category';
  const rate = chosen.find((field) => field.target === 'lines[].tax.rate');
  if (rate?.from === undefined || chosen.some((field) => field.target === target)) return undefined;
  const { section, column } = rate.from;
  const read = known.find((one) => one.column.section === section && one.column.column === column);
  const isMalaysian = wanted.has('seller.industry_code');
  const values: Record<string, string> = {};
  for (const value of read?.values ?? []) {
    const category = categoryOf(value.trim(), isMalaysian);
    if (category !== undefined) values[value.trim()] = category;
  }
  if (Object.keys(values).length === 0) return undefined;
  const hasZero = Object.keys(values).some((value) => Number(value) === 0);
  const confidence = Math.min(rate.confidence ?? 0, hasZero || isMalaysian ? 0.65 : 0.85);
  const doubt = hasZero ? ' A rate of 0 may be zero-rated, exempt or out of scope: say which.' : '';
  return {
    target,
    from: rate.from,
    transforms: [{ kind: 'map', values }],
    status: 'proposed',
    confidence,
    reason: `The rate in "${column}" says the category.${doubt}`,
  };
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

/** Where nothing says the rate, codes whose lines have each one rate say the category. */
function categoryByCode(
  chosen: readonly MappingField[],
  codes: RatedCodes | undefined,
  wanted: ReadonlySet<string>,
): MappingField | undefined {
  const target = 'lines[].tax.category';
  if (codes === undefined || chosen.some((field) => field.target === target)) return undefined;
  const { section, column } = codes.column.column;
  const isMalaysian = wanted.has('seller.industry_code');
  const values = Object.fromEntries(
    [...codes.rates].flatMap(([code, rate]) => {
      const category = categoryOf(String(rate), isMalaysian);
      return category === undefined ? [] : [[code, category]];
    }),
  );
  return {
    target,
    from: { section, column },
    transforms: [{ kind: 'map', values }],
    status: 'proposed',
    confidence: 0.65,
    reason: `The tax of the lines shows the rate of each code in "${column}". A rate of 0 may be zero-rated, exempt or out of scope: say which.`,
  };
}

/** Where nothing else of a line says its tax, the codes that the totals tell the rates of. */
function rateByCode(
  chosen: readonly MappingField[],
  codes: RatedCodes | undefined,
): MappingField | undefined {
  const target = 'lines[].tax.rate';
  const isTold = chosen.some((field) => field.target === target);
  if (codes?.basis !== 'totals' || isTold) return undefined;
  const { section, column } = codes.column.column;
  const values = Object.fromEntries([...codes.rates].map(([code, rate]) => [code, String(rate)]));
  return {
    target,
    from: { section, column },
    transforms: [{ kind: 'map', values }],
    status: 'proposed',
    confidence: 0.65,
    reason: `The totals of the documents show the rate of each code in "${column}".`,
  };
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

/** Whether the profile wants the target; identifiers of another country are left out. */
function isWanted(target: string, wanted: ReadonlySet<string>): boolean {
  const isCountrys = /(\.tin|identifiers\[\]\.id|industry_code|industry_name)$/.test(target);
  return !isCountrys || wanted.has(target);
}

function candidate(
  entry: FieldTerms,
  read: ReadColumn,
  order: number,
  wanted: ReadonlySet<string>,
): Candidate | undefined {
  const { column, role, values } = read;
  // Only lines repeat, so columns of lines and fields of lines belong together.
  const isLine = role === 'line' || role === 'item';
  const isOfTax = (role === 'tax' || isHeaderTax(read)) && /^lines\[\]\.tax\./.test(entry.target);
  if (isLine !== (entry.role === 'line') && !isOfTax) return undefined;
  const datatype = targets.get(entry.target)?.datatype ?? 'text';
  const verdict = assessSamples(values, entry.target, datatype);
  if (verdict.verdict === 'against') return undefined;
  if (erpColumn(entry.not, column) !== undefined) return undefined;
  const named = erpColumn(entry.columns, column);
  const score = named === undefined ? nameScore(entry, read) : 0.92;
  if (score === 0) return undefined;
  const bonus = (verdict.verdict === 'for' ? 0.05 : 0) + (wanted.has(entry.target) ? 0.02 : 0);
  const weight = read.isCut ? cutWeight : 1;
  const confidence = Math.round(Math.min(score + bonus, 0.99) * weight * 100) / 100;
  if (confidence < 0.3) return undefined;
  return {
    target: entry.target,
    column: read,
    confidence,
    reason: reasonOf(named, column, verdict),
    transforms: [...verdict.transforms, ...guesses(entry.target, values, wanted)],
    order,
  };
}

/** Of a name that is cut to a few letters, beside one that is written out. */
const cutWeight = 0.82;

function erpColumn(
  known: readonly string[] | undefined,
  { origin, column }: DescribedColumn,
): string | undefined {
  const table = origin.toLowerCase();
  return known?.find((name) => {
    const dot = name.indexOf('.');
    if (name.slice(dot + 1).toLowerCase() !== column.toLowerCase()) return false;
    const knownTable = name.slice(0, dot).toLowerCase();
    // A schema before a name, and the company before a NAV name, differ by site.
    return table === knownTable || new RegExp(`[.$\\[]${quoted(knownTable)}($|[\\]$])`).test(table);
  });
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Sections about one thing, whose columns are nothing else: a "name" there is the name of that. */
const closedContexts = [
  'country',
  'currency',
  'state',
  'unit',
  'tax',
  'terms',
  'method',
  'order',
  'contact',
  'phone',
  'email',
  'link',
];
/** What such a section may say of its owner by the column's own name. */
const openInContact = new Set(['phone', 'email']);
/** What the order says of the invoice that is made of it, where the invoice does not. */
const openInOrder = new Set(['exchange_rate.rate', 'payment_means[].code', 'currency']);
const inOrderWeight = 0.93;
/** Of a column "customer": less than "customer name" has. */
const loneNameScore = 0.8;
/** What the item of a line may say of the line: what it is, and neither its price nor its stock. */
const ofItems =
  /^lines\[\]\.(name|description|sku|unit|tax\.category|tax\.rate|classifications\[\]\.code|origin_country)$/;

function nameScore(entry: FieldTerms, read: ReadColumn): number {
  const { words, context, role, owner, isKey } = read;
  const isOfDocument = role === 'document' && entry.target === 'buyer.name';
  if (isOfDocument && isLoneName(read, 'buyer')) return loneNameScore;
  if (entry.target === 'lines[].sku' && isLoneName(read, 'item')) return 0;
  if (isKey && !/^(number|lines\[\]\.sku)$/.test(entry.target)) return 0;
  if (role === 'item' && !ofItems.test(entry.target)) return 0;
  const fit = fitOf(entry, role, owner);
  if (fit === 0) return 0;
  const both = new Set([...words, ...context]);
  if (entry.target.endsWith('.amount') && words.has('percent')) return 0;
  const isOfLine = role === 'line' && context.size === 0;
  if (/^lines\[\]\.tax\./.test(entry.target) && isOfLine && words.has('amount')) return 0;
  // "Country/region code" is a country, and a number of a taxpayer no entry in a register.
  if (entry.target.endsWith('subdivision') && words.has('country')) return 0;
  if (entry.target.endsWith('registration_id') && words.has('tax')) return 0;
  // What was paid is not what is due.
  const isPaid = words.has('payment') || words.has('paid');
  if (entry.target === 'totals.due' && isPaid && !words.has('due')) return 0;
  if (entry.target === 'totals.tax' && (words.has('net') || words.has('gross'))) return 0;
  if (/^lines\[\]\.(net|gross_price)$/.test(entry.target) && words.has('tax') && !words.has('net'))
    return 0;
  const isNamed = entry.needs?.some((word) => both.has(word)) !== false;
  if (!isNamed && role !== 'tax') return 0;
  const isOfOrder = [...context].join() === 'order' && openInOrder.has(entry.target);
  let best = 0;
  for (const phrase of entry.phrases) {
    const wanted = phraseWords(phrase);
    const closed = closedContexts.filter((one) => context.has(one));
    const isOpen =
      context.has('contact') || context.has('link')
        ? [...wanted].some((word) => openInContact.has(word))
        : isOfOrder;
    if (closed.length > 0 && !isOpen && !closed.some((one) => wanted.has(one))) continue;
    best = Math.max(
      best,
      likeness(wanted, withoutDigits(words)) * 0.96,
      likeness(wanted, words) * (closed.length > 0 && !isOpen ? 0.95 : 1),
      likeness(wanted, both),
    );
  }
  return best * fit * (isKey ? 0.7 : 0.88) * (isOfOrder ? inOrderWeight : 1);
}

/** "Customer" or "Item" and nothing else, with names as values: neither number nor code of it. */
function isLoneName({ words, values, isKey }: ReadColumn, word: string): boolean {
  const isCode = (value: string) => /^\S*\d\S*$/.test(value.trim());
  const isLone = words.size === 1 && words.has(word) && !isKey;
  return isLone && values.length > 0 && !values.every(isCode);
}

/** `tax1` is a tax; which lines of an address there are is told by their numbers. */
function withoutDigits(words: ReadonlySet<string>): ReadonlySet<string> {
  if (words.has('address') || words.has('line')) return words;
  return new Set([...words].filter((word) => !/^\d+$/.test(word)));
}

const phrases = new Map<string, ReadonlySet<string>>();

function phraseWords(phrase: string): ReadonlySet<string> {
  const known = phrases.get(phrase);
  if (known !== undefined) return known;
  const words = wordsOf(phrase).filter((word) => !owners.has(word));
  const made = new Set(words.length === 0 ? wordsOf(phrase) : words);
  phrases.set(phrase, made);
  return made;
}

/** How well a column of this section and owner fits the target. */
function fitOf({ role: wanted, target }: FieldTerms, role: Role, owner: Role | undefined): number {
  if (owner !== undefined && role !== owner && role !== 'document')
    return role === 'line' ? 0.5 : 0;
  const effective = owner ?? role;
  if (effective === wanted) return 1;
  if (effective === 'item' && wanted === 'line') return 0.97;
  if (effective === 'tax' && wanted === 'line') return 0.85;
  if (effective === 'document' && /^lines\[\]\.tax\./.test(target)) return 0.95;
  // Many ERPs keep the currency and the terms with the customer.
  if (effective === 'buyer' && /^(currency|payment_terms\[\]\.note)$/.test(target)) return 0.93;
  // "customer_ref" in an order, "buyer order number".
  if (
    effective === 'buyer' &&
    owner !== undefined &&
    /^(purchase_order|buyer_reference)$/.test(target)
  )
    return 1;
  // In a flat header columns without an owner (`city`) are usually the buyer's.
  return effective === 'document' && wanted === 'buyer' ? 0.6 : 0;
}

function guesses(
  target: string,
  samples: readonly string[],
  wanted: ReadonlySet<string>,
): readonly Transform[] {
  if (target === 'lines[].unit') return codeSteps('units', samples);
  // Only invoices of the Emirates have a list of them.
  const hasEmirates = wanted.has('buyer.tax_registrations[].scheme');
  if (target === 'buyer.address.subdivision' && hasEmirates) return codeSteps('emirates', samples);
  if (!/tax\.category$|tax_breakdown\[\]\.category$/.test(target)) return [];
  const isMalaysian = wanted.has('seller.industry_code');
  const table = isMalaysian ? malaysianTaxCodeGuesses : taxCodeGuesses;
  const values: Record<string, string> = {};
  if (samples.length > 0 && samples.every((one) => /^[YN]$/i.test(one.trim()))) {
    return [{ kind: 'map', values: { Y: isMalaysian ? 'SA' : 'S', N: isMalaysian ? 'O' : 'Z' } }];
  }
  for (const sample of samples) {
    const code = sample.trim();
    const guess =
      table[code.toUpperCase()] ??
      (/[a-z%]/i.test(code) ? categoryOf(code, isMalaysian) : undefined) ??
      categoryInName(code, isMalaysian);
    if (guess !== undefined && guess !== code) values[code] = guess;
  }
  return Object.keys(values).length === 0 ? [] : [{ kind: 'map', values, unmapped: 'keep' }];
}

/** A word of a longer name that is a common code: "UAE VAT STD", "Zero-rated"; undefined where two disagree. */
function categoryInName(name: string, isMalaysian: boolean): string | undefined {
  const words = name.toUpperCase().split(/[^A-Z]+/);
  const found = new Set(
    words.flatMap((word) => {
      const isWord = word.length >= 3 && word !== 'VAT';
      return isWord && Object.hasOwn(taxCodeGuesses, word) ? [taxCodeGuesses[word]!] : [];
    }),
  );
  const [category] = found;
  if (category === undefined || found.size > 1) return undefined;
  if (!isMalaysian) return category;
  return category === 'S' ? 'SA' : category === 'Z' ? 'O' : category;
}

/** Codes of the recommendation are kept; names stand in a map, so that a person sees them. */
function codeSteps(list: 'units' | 'emirates', samples: readonly string[]): readonly Transform[] {
  const values: Record<string, string> = {};
  for (const sample of samples) {
    const name = sample.trim();
    const code = codeOf(list, name);
    if (code !== undefined && code !== name) values[name] = code;
  }
  return Object.keys(values).length === 0 ? [] : [{ kind: 'map', values, unmapped: 'keep' }];
}

/** A rate, or a name with one: "20% S", "VAT 5 %", "Exempt". */
function categoryOf(text: string, isMalaysian: boolean): string | undefined {
  if (/exempt|steuerfrei|exent|exonere|dikecual/i.test(text)) return 'E';
  const rate = /^(\d+(?:\.\d+)?)$|(\d+(?:[.,]\d+)?)\s*%/.exec(text);
  if (rate !== null) {
    const value = Number((rate[1] ?? rate[2] ?? '').replace(',', '.'));
    if (isMalaysian) return value === 0 ? 'O' : value === 10 || value === 5 ? 'SA' : 'SE';
    return value === 0 ? 'Z' : 'S';
  }
  return undefined;
}

function reasonOf(
  named: string | undefined,
  column: DescribedColumn,
  verdict: SampleVerdict,
): string {
  const name =
    named === undefined
      ? `The name "${column.column}" in "${column.section}" reads like it.`
      : `${named} is where this ERP keeps it.`;
  return verdict.verdict === 'for' ? `${name} The sample values have the right form.` : name;
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
