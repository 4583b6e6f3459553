import { isCutDate } from '../calendar.ts';
import { areFirms } from '../inference/forms.ts';
import { assessSamples } from '../samples.ts';
import { wordsOf } from '../words.ts';
import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  isUnique,
  type Reference,
  tellingKey,
  wordsOfColumn,
} from './database.ts';
import { isKept, type KindFilter, kindFilters } from './kinds.ts';
import { type LineSums, lineProduct, referencesBySums } from './line-sums.ts';
import { commonPrefixes, isKind, subjectOf, transitiveReferences } from './references.ts';

/** A section as the settings of an SQL connector have it. */
export interface ProposedSection {
  readonly table: string;
  readonly key: string;
  readonly match: string;
  readonly matchFrom?: string;
  /** The section whose column `matchFrom` is; the header when left out. */
  readonly of?: string;
  readonly orderBy?: string;
  /** The header's table has a row for each line. */
  readonly repeats?: true;
  readonly where?: Readonly<Record<string, string | null>>;
}

/** What a database's invoices consist of, as far as it can be seen. */
export interface SectionProposal {
  /** By name; empty when nothing looks like an invoice. */
  readonly sections: Readonly<Record<string, ProposedSection>>;
  /** Why, in plain words, a sentence for each section. */
  readonly reasons: Readonly<Record<string, string>>;
  /** 0 to 1. */
  readonly confidence: number;
  /** Other tables that might hold the header, likeliest first. */
  readonly alternatives: readonly string[];
  readonly creditNotes: CreditNotes;
}

/** Where credit notes stand. */
export type CreditNotes =
  /** Rows of the header's table with another value. */
  | { readonly kind: 'value'; readonly column: string; readonly value: string }
  | { readonly kind: 'table'; readonly table: string }
  /** Invoices whose total is negative. */
  | { readonly kind: 'negative'; readonly column: string }
  | { readonly kind: 'none' };

/** A table that may hold headers, with its lines. */
interface Pair {
  readonly header: FoundTable;
  readonly lines: FoundTable;
  readonly reference: Reference | undefined;
  readonly score: number;
}

const none: SectionProposal = {
  sections: {},
  reasons: {},
  confidence: 0,
  alternatives: [],
  creditNotes: { kind: 'none' },
};

/** Below this nothing looks like an invoice. */
const scoreMin = 8;
/** Other tables that are named for the header. */
const alternativesMax = 5;

/**
 * Proposes what an invoice consists of, from structure, values, joins and names together.
 *
 *   const { sections } = proposeSections(database);
 *   sections.header // { table: 'invoices', key: 'id', match: 'number' }
 *
 * With `header`, the table that a person says the invoices stand in, whatever it looks like.
 */
export function proposeSections(database: FoundDatabase, header?: string): SectionProposal {
  const context = contextOf(database);
  const pairs = pairsOf(database, context).sort((one, other) => other.score - one.score);
  const best = header === undefined ? pairs[0] : pairs.find((pair) => pair.header.name === header);
  if (best === undefined || (header === undefined && best.score < scoreMin)) {
    return { ...none, alternatives: headersOf(pairs) };
  }
  return proposalOf(best, pairs, database, context);
}

/** A number of ours that another table repeats points at nothing. */
function isKeyOf(table: FoundTable, column: string): boolean {
  return tellingKey(table).join() === column;
}

/** Tables that might hold headers, the likeliest first. */
function headersOf(pairs: readonly Pair[]): readonly string[] {
  return [...new Set(pairs.map(({ header }) => header.name))].slice(0, alternativesMax);
}

function proposalOf(
  best: Pair,
  pairs: readonly Pair[],
  database: FoundDatabase,
  context: Context,
): SectionProposal {
  const { header, lines, reference } = best;
  const split = reference === undefined ? rowKinds(header) : undefined;
  const filters =
    split === undefined ? kindFilters(header, lines, reference, database) : [split.header];
  const kept = filteredRows(header, filters);
  const pointing = new Set(
    (context.from.get(header.name) ?? [])
      .filter(({ columns, to }) => columns.length === 1 && to !== lines.name)
      // Rows of another table with the same key go on with this one.
      .filter(({ columns }) => !isKeyOf(header, columns[0]!))
      .filter(({ basis, to, toColumns }) => {
        const table = context.byName.get(to);
        return basis === 'declared' || table === undefined || isKeyOf(table, toColumns[0]!);
      })
      .map(({ columns }) => columns[0]!),
  );
  const match = numberOf(header, kept, reference, filters, pointing);
  const key = keyOf(header, reference, match);
  const where = whereOf(filters);
  const sections: Record<string, ProposedSection> = {
    header: {
      table: header.name,
      key,
      match,
      ...where,
      ...(reference === undefined && split === undefined ? { repeats: true as const } : {}),
    },
  };
  const reasons: Record<string, string> = {
    header: `"${header.name}" has a date, a customer and a number, and "${lines.name}" its lines.`,
  };
  sections.lines =
    reference === undefined
      ? {
          table: lines.name,
          key: rowKeyOf(lines, [match], undefined),
          match,
          matchFrom: match,
          ...(split === undefined ? {} : whereOf([split.lines])),
        }
      : withFilter(childSection(lines, reference, filters), lineFilter(lines));
  reasons.lines = `"${lines.name}" has quantities and prices, and points at "${header.name}".`;
  const taxes = taxesOf(header, lines, database);
  if (taxes !== undefined) {
    sections.taxes = childSection(taxes.table, taxes.reference, filters);
    reasons.taxes = `"${taxes.table.name}" has tax amounts, and points at "${header.name}".`;
  }
  const customer = customerOf(header, database, context);
  if (customer !== undefined) {
    const { reference: to } = customer;
    sections.customer = {
      table: to.to,
      key: customer.key,
      match: to.toColumns[0]!,
      matchFrom: to.columns[0]!,
    };
    reasons.customer = `"${header.name}.${to.columns[0]}" points at "${to.to}".`;
  } else {
    const billing = billingRowsOf(header, context);
    if (billing !== undefined) {
      sections.customer = billing;
      reasons.customer = `"${billing.table}" has the addresses that documents of "${header.name}" are billed to.`;
    }
  }
  const others = pairs.filter((pair) => pair.header !== header);
  return {
    sections,
    reasons,
    confidence: confidenceOf(best.score, others[0]?.score ?? 0),
    alternatives: headersOf(others),
    creditNotes: creditNotesOf(header, filters, database),
  };
}

function confidenceOf(score: number, second: number): number {
  const strength = Math.min(1, score / 24);
  const margin = Math.min(1, Math.max(0, (score - second) / 5));
  return Math.round((0.4 + 0.35 * strength + 0.24 * margin) * 100) / 100;
}

interface Context {
  readonly prefixes: ReadonlySet<string>;
  /** No table has a row: then names are all there is. */
  readonly isEmpty: boolean;
  readonly byName: ReadonlyMap<string, FoundTable>;
  readonly from: ReadonlyMap<string, readonly Reference[]>;
  readonly to: ReadonlyMap<string, readonly Reference[]>;
  readonly sums: readonly LineSums[];
}

function contextOf({ tables, references: known }: FoundDatabase): Context {
  const sums = referencesBySums(tables);
  const byName = new Map(tables.map((table) => [table.name, table]));
  // Numbers of letters and digits are rarely counted anew for each kind; plain ones are.
  const isPlain = ({ to, toColumns }: Reference) =>
    columnFacts(byName.get(to)!, toColumns[0]!).kind === 'integer';
  const isKnown = (sum: Reference) =>
    known.some(
      (one) =>
        one.table === sum.table &&
        one.to === sum.to &&
        one.columns[0] === sum.columns[0] &&
        (one.basis === 'declared' || one.columns.length >= sum.columns.length || !isPlain(sum)),
    );
  const shown = sums.map(({ reference }) => reference).filter((one) => !isKnown(one));
  const all = [...known, ...shown, ...transitiveReferences(byName, known)];
  const references = [...all, ...referencesToParts(byName, all)];
  return {
    sums,
    prefixes: commonPrefixes(tables),
    isEmpty: tables.every(({ sample }) => sample.length === 0),
    byName,
    from: Map.groupBy(references, ({ table }) => table),
    to: Map.groupBy(references, ({ to }) => to),
  };
}

/** Values of lines that such a table must hold, at least: others are lines of purchases. */
const ofPartMin = 0.3;

/**
 * References to tables that go on with a row that says nothing of a document: lines that point at "transactions"
 * point at the invoices that have the key of one.
 */
function referencesToParts(
  byName: ReadonlyMap<string, FoundTable>,
  references: readonly Reference[],
): readonly Reference[] {
  const parts = references.filter(({ table, columns, to, toColumns, basis }) => {
    const [own, whole] = [byName.get(table), byName.get(to)];
    if (own === undefined || whole === undefined || basis !== 'declared') return false;
    const { buyer, total } = columnKinds(whole);
    const areKeys = isKeyOf(own, columns.join()) && isKeyOf(whole, toColumns.join());
    return areKeys && !buyer && !total && columnKinds(own).total;
  });
  return parts.flatMap((part) =>
    references.flatMap((one) => {
      const isOfWhole = one.to === part.to && one.toColumns.join() === part.toColumns.join();
      if (!isOfWhole || isKeyOf(byName.get(one.table)!, one.columns.join())) return [];
      const { values } = columnFacts(byName.get(one.table)!, one.columns[0]!);
      const theirs = columnFacts(byName.get(part.table)!, part.columns[0]!).values;
      const held = [...values].filter((value) => theirs.has(value)).length;
      if (held === 0 || held < values.size * ofPartMin) return [];
      return [{ ...one, to: part.table, toColumns: part.columns, basis: 'found' as const }];
    }),
  );
}

function pairsOf(database: FoundDatabase, context: Context): Pair[] {
  const pairs: Pair[] = [];
  for (const header of database.tables) {
    const own = headerScore(header, context);
    for (const reference of context.to.get(header.name) ?? []) {
      const lines = context.byName.get(reference.table);
      if (lines === undefined || lines === header) continue;
      const theirs = lineScore(lines, header, reference, context);
      const isSummed = context.sums.some(
        ({ reference: one }) => one.table === lines.name && one.to === header.name,
      );
      const score =
        own +
        theirs +
        (isSummed ? summedScore : 0) +
        pointerScore(lines, reference) -
        (isNamedAfterAnother(lines, header, context) ? namedScore : 0);
      if (theirs + (isSummed ? summedScore : 0) >= 4)
        pairs.push({ header, lines, reference, score });
    }
    const flat = flatScore(header);
    if (flat > 0) pairs.push({ header, lines: header, reference: undefined, score: own + flat });
  }
  return pairs;
}

/** Of columns that point at the same header, the one that is called after invoices, not after what they came from. */
function pointerScore(lines: FoundTable, { columns }: Reference): number {
  const words = wordsOfColumn(lines, columns[0]!);
  return (words.includes('invoice') ? 0.3 : 0) - (words.includes('original') ? 1 : 0);
}

/** Whether lines have the whole name of other invoices in theirs: "lineasfacturasprov" of "facturasprov". */
function isNamedAfterAnother(lines: FoundTable, header: FoundTable, { from }: Context): boolean {
  const name = lines.name.toLowerCase();
  if (name.includes(header.name.toLowerCase())) return false;
  return (from.get(lines.name) ?? []).some(
    ({ to }) =>
      to !== header.name && subjectOf(to).has('invoice') && name.includes(to.toLowerCase()),
  );
}

const namedScore = 3;

/** What it says for a header that the amounts of the lines come to one of its columns. */
const summedScore = 3;

/** Words of the names of tables that are no invoices of ours, and what they cost. */
const headerPenalties: Readonly<Record<string, number>> = {
  supplier: 8,
  quote: 6,
  recurring: 6,
  log: 5,
  payment: 5,
  delivery: 5,
  employee: 4,
  warehouse: 4,
  location: 4,
  item: 4,
  line: 5,
  tax: 4,
  price: 4,
  order: 1.5,
  credit: 3,
  category: 3,
  contact: 3,
  address: 4,
  account: 0.5,
  discount: 4,
  bank: 5,
};

/** Words that documents of many kinds are called by, so that they say less than "invoice". */
const weakInvoice =
  /(^|[^a-z])(docs?|documents?|documentos?|dokumente?n?|trans|transactions?|moves?|vouchers?|beleg)([^a-z]|$)/i;

function headerScore(table: FoundTable, { prefixes, from, byName, isEmpty }: Context): number {
  const words = subjectOf(table.name, prefixes);
  let score = 0;
  if (words.has('invoice'))
    score += weakInvoice.test(table.name.replace(/([a-z])([A-Z])/g, '$1_$2')) ? 2.5 : 5;
  if (words.has('order')) score += 1.5;
  if (wordsOf(table.name).includes('parent') || /header|kopf|cabecera|entete/i.test(table.name))
    score += 1;
  if (/sales|venta|verkauf|vente|jualan|debtor|receivable|(^|[_.])ar(_|$)/i.test(table.name))
    score += 1.5;
  if (words.has('buyer')) score += words.has('invoice') ? 1 : -4;
  for (const word of words) score -= headerPenalties[word] ?? 0;
  const kinds = columnKinds(table);
  score += kinds.date ? 1.5 : -3;
  score += kinds.number ? 1 : 0;
  score += kinds.total ? 1.5 : 0;
  score += kinds.due ? 1 : 0;
  score += kinds.tax ? 1 : 0;
  score += kinds.currency ? 0.5 : 0;
  score += kinds.buyer ? 1.5 : 0;
  score -= kinds.supplier ? 5 : 0;
  const partners = (from.get(table.name) ?? []).map(({ to }) => subjectOf(to, prefixes));
  if (partners.some((subject) => subject.has('buyer'))) score += 2.5;
  if (partners.some((subject) => subject.has('supplier'))) score -= 5;
  const hasParty = (from.get(table.name) ?? []).some((each) =>
    isParty(byName.get(each.to), prefixes),
  );
  if (!kinds.buyer && hasParty) score += 1.5;
  const isBuyerInOrder = (from.get(table.name) ?? []).some(({ to }) => {
    const order = byName.get(to);
    const isOrder = order !== undefined && subjectOf(to, prefixes).has('order');
    return isOrder && words.has('invoice') && kinds.number && columnKinds(order).buyer;
  });
  // A document that says nothing of its customer is rather a part of another one, if not its order does.
  if (!kinds.buyer && !hasParty && !words.has('buyer')) score += isBuyerInOrder ? 1.5 : -3;
  if (table.sample.length === 0 && !isEmpty) score -= 4;
  return score;
}

function columnKinds(table: FoundTable) {
  const found = {
    date: false,
    number: false,
    total: false,
    due: false,
    tax: false,
    currency: false,
    buyer: false,
    supplier: false,
  };
  for (const { name, type } of table.columns) {
    const words = new Set(wordsOfColumn(table, name));
    const { kind } = columnFacts(table, name);
    const isDate =
      kind === 'date' ||
      (kind === 'integer' && isDay(table, name, words)) ||
      (kind === 'empty' && (/date|time/i.test(type) || words.has('date')));
    const isAudit = words.has('created') || words.has('modified');
    if (isDate && !isAudit) found.date = true;
    if (words.has('due') && !words.has('amount')) found.due = true;
    if (words.has('number') || words.has('reference')) found.number = true;
    const isAmount = kind === 'integer' || kind === 'decimal' || kind === 'empty';
    if (isAmount && (words.has('total') || words.has('amount') || words.has('gross'))) {
      found.total = true;
    }
    if (isAmount && words.has('tax') && !words.has('vatnumber')) found.tax = true;
    if (words.has('currency')) found.currency = true;
    if (words.has('buyer')) found.buyer = true;
    if (words.has('supplier') && !words.has('reference') && !words.has('item'))
      found.supplier = true;
  }
  if (!found.date && hasPairOfDays(table)) found.date = true;
  return found;
}

/** Two columns of numbers that read as days, of which one is never before the other: those of issue and due. */
function hasPairOfDays(table: FoundTable): boolean {
  if (table.sample.length < daysMin) return false;
  const days = table.columns.flatMap(({ name }) => {
    const { kind, values, filled, rows } = columnFacts(table, name);
    const isKey = table.primaryKey.includes(name);
    if (kind !== 'integer' || isKey || filled < rows || values.size < daysMin) return [];
    const { verdict, transforms } = assessSamples([...values], 'issue_date', 'date');
    const [step] = transforms;
    return verdict === 'for' && step?.kind === 'date' && isCutDate(step.format)
      ? [{ name, format: step.format }]
      : [];
  });
  return days.some((one) =>
    days.some(
      (other) =>
        one !== other &&
        one.format === other.format &&
        table.sample.some((row) => row[one.name] !== row[other.name]) &&
        table.sample.every((row) => Number(row[one.name]) <= Number(row[other.name])),
    ),
  );
}

const daysMin = 6;

/** Whether numbers are days or moments: the name says so, and all are likely ones. */
function isDay(table: FoundTable, column: string, words: ReadonlySet<string>): boolean {
  if (!words.has('date') && !words.has('issue')) return false;
  const { values } = columnFacts(table, column);
  return assessSamples([...values], 'issue_date', 'date').verdict === 'for';
}

const partyWords = ['address', 'city', 'phone', 'email', 'postcode', 'country', 'vatnumber'];

/** Whether the rows of a table look like persons or firms. */
function isParty(table: FoundTable | undefined, prefixes: ReadonlySet<string>): boolean {
  if (table === undefined) return false;
  const subject = subjectOf(table.name, prefixes);
  const others = ['supplier', 'employee', 'warehouse', 'location', 'seller', 'delivery'];
  if (others.some((one) => subject.has(one))) {
    return false;
  }
  if (holdsFirms(table)) return true;
  const words = new Set(table.columns.flatMap(({ name }) => wordsOfColumn(table, name)));
  const isNamed = table.columns.some(({ name }) => {
    const own = wordsOfColumn(table, name);
    const isFilled = table.sample.length === 0 || columnFacts(table, name).filled > 0;
    return isFilled && (own.includes('name') || own.includes('seller'));
  });
  return isNamed && partyWords.filter((word) => words.has(word)).length >= 2;
}

const firmTables = new WeakMap<FoundTable, boolean>();

/** Whether each row is of a firm, whatever its columns are called. */
function holdsFirms(table: FoundTable): boolean {
  const known = firmTables.get(table);
  if (known !== undefined) return known;
  const found = table.columns.some(({ name }) => {
    const values = table.sample.map((row) => row[name] ?? '');
    const areOwn = new Set(values).size >= values.length * 0.8;
    return areOwn && areFirms(values);
  });
  firmTables.set(table, found);
  return found;
}

const linePenalties: Readonly<Record<string, number>> = {
  tax: 4,
  payment: 5,
  log: 5,
  supplier: 5,
  delivery: 2,
  note: 3,
  contact: 4,
  category: 2,
  discount: 2,
  recurring: 4,
  quote: 4,
};

function lineScore(
  table: FoundTable,
  header: FoundTable,
  { basis, confidence, columns }: Reference,
  { prefixes, from, isEmpty }: Context,
): number {
  const words = subjectOf(table.name, prefixes);
  let score = basis === 'declared' ? 1.5 : confidence - 0.2;
  for (const word of words) score -= linePenalties[word] ?? 0;
  if (words.has('line')) score += 2.5;
  if (words.has('item')) score += 1;
  const shared = [...subjectOf(header.name, prefixes)].filter((word) => words.has(word));
  if (shared.length > 0) score += 1.5;
  const names = table.columns.map(({ name }) => ({
    words: new Set(wordsOfColumn(table, name)),
    kind: columnFacts(table, name).kind,
  }));
  const isNumeric = (kind: string) => kind === 'integer' || kind === 'decimal' || kind === 'empty';
  const has = (...wanted: string[]) =>
    names.some(({ words: own, kind }) => isNumeric(kind) && wanted.every((one) => own.has(one)));
  const isProduct = lineProduct(table) !== undefined;
  score += isProduct || has('quantity') ? 3 : -2;
  const isRated = names.some(
    ({ words: own, kind }) => isNumeric(kind) && own.has('rate') && !own.has('tax'),
  );
  score += isProduct || has('price') || isRated ? 2.5 : has('amount') || has('total') ? 1 : -2;
  if (names.some(({ words: own }) => own.has('description') || own.has('item'))) score += 1;
  if ((from.get(table.name) ?? []).some(({ to }) => subjectOf(to, prefixes).has('item')))
    score += 1;
  const parents = table.sample.map((row) => columns.map((column) => row[column]).join('\n'));
  if (parents.length > new Set(parents).size) score += 1;
  if (table.sample.length === 0 && !isEmpty) score -= 3;
  return score;
}

/** A table with a row for each line, in which the header repeats. */
function flatScore(table: FoundTable): number {
  const words = table.columns.map(({ name }) => new Set(wordsOfColumn(table, name)));
  const has = (...wanted: string[]) => words.some((own) => wanted.every((one) => own.has(one)));
  if (!has('quantity') || !has('price')) return 0;
  const hasBuyer = has('buyer', 'name') || has('buyer', 'address') || has('buyer', 'tax');
  const repeated = repeatedNumber(table);
  return hasBuyer && repeated !== undefined ? 9 : 0;
}

/** The invoice number of such a table: it repeats, and with it date and customer. */
function repeatedNumber(table: FoundTable): string | undefined {
  return table.columns.find(({ name }) => {
    const words = wordsOfColumn(table, name);
    const { values, filled, rows, kind } = columnFacts(table, name);
    const isNumber =
      words.includes('invoice') && (words.includes('number') || words.includes('id'));
    return isNumber && kind !== 'date' && filled === rows && values.size < rows && values.size > 1;
  })?.name;
}

/**
 * How headers and lines are told apart in one table: by a column with two values, of which one has the quantities
 * and the other the customer.
 */
function rowKinds(
  table: FoundTable,
): { readonly header: KindFilter; readonly lines: KindFilter } | undefined {
  const withWord = (word: string) =>
    table.columns
      .map(({ name }) => name)
      .filter((name) => wordsOfColumn(table, name).includes(word));
  const [quantity] = withWord('quantity');
  const [buyer] = withWord('buyer');
  if (quantity === undefined || buyer === undefined) return undefined;
  for (const { name } of table.columns) {
    const { values, rows, filled, kind } = columnFacts(table, name);
    if (values.size !== 2 || filled < rows || kind === 'date' || kind === 'decimal') continue;
    const holds = (value: string, column: string, isHeld: boolean) =>
      table.sample.every((row) => row[name] !== value || ((row[column] ?? '') !== '') === isHeld);
    const lines = [...values].find(
      (value) => holds(value, quantity, true) && holds(value, buyer, false),
    );
    const header = [...values].find((value) => value !== lines);
    if (lines === undefined || header === undefined || !holds(header, quantity, false)) continue;
    return { header: { column: name, value: header }, lines: { column: name, value: lines } };
  }
  return undefined;
}

/**
 * `item_type = goods` where rows of other types, such as tax or freight, have no quantity; undefined where more
 * than one type has quantities.
 */
function lineFilter(lines: FoundTable): KindFilter | undefined {
  const quantity = lines.columns.find(({ name }) =>
    wordsOfColumn(lines, name).includes('quantity'),
  );
  if (quantity === undefined) return undefined;
  for (const { name } of lines.columns) {
    if (!isKind(lines, name) || columnFacts(lines, name).filled < lines.sample.length) continue;
    const counted = (value: string) =>
      new Set(
        lines.sample
          .filter((row) => row[name] === value)
          .map((row) => Number(row[quantity.name] ?? 0) !== 0),
      );
    const values = [...columnFacts(lines, name).values];
    const withQuantity = values.filter((value) => counted(value).has(true));
    const isTold = withQuantity.length === 1 && !counted(withQuantity[0]!).has(false);
    if (values.length > 1 && isTold) return { column: name, value: withQuantity[0]! };
  }
  return undefined;
}

function withFilter(section: ProposedSection, filter: KindFilter | undefined): ProposedSection {
  if (filter === undefined) return section;
  return { ...section, where: { ...section.where, [filter.column]: filter.value } };
}

function filteredRows(table: FoundTable, filters: readonly KindFilter[]) {
  return table.sample.filter((row) => isKept(row, filters));
}

function whereOf(filters: readonly KindFilter[]) {
  if (filters.length === 0) return {};
  return { where: Object.fromEntries(filters.map(({ column, value }) => [column, value])) };
}

/** The column with the number that a person knows an invoice by. */
function numberOf(
  table: FoundTable,
  rows: readonly Readonly<Record<string, string | null>>[],
  reference: Reference | undefined,
  filters: readonly KindFilter[],
  pointing: ReadonlySet<string>,
): string {
  if (reference === undefined) return repeatedNumber(table) ?? table.columns[0]!.name;
  const scored = table.columns.map(({ name }) => ({
    name,
    score: pointing.has(name) ? 0 : numberScore(table, name, rows, filters),
  }));
  const best = scored.sort((one, other) => other.score - one.score)[0];
  if (best !== undefined && best.score >= 2) return writtenOut(table, rows, best.name);
  return reference.toColumns[0]!;
}

/** The number as it is printed, where a column has it with what stands before it: INV-000017 beside 17. */
function writtenOut(
  table: FoundTable,
  rows: readonly Readonly<Record<string, string | null>>[],
  number: string,
): string {
  if (columnFacts(table, number).kind !== 'integer' || rows.length < ownRowsMin) return number;
  const printed = table.columns.find(({ name }) => {
    const words = wordsOfColumn(table, name);
    const isNumber = words.includes('number') || words.includes('reference');
    const isWritten = columnFacts(table, name).kind === 'text';
    const endsSo = (row: Readonly<Record<string, string | null>>) =>
      /^[A-Z]/i.test(row[name] ?? '') && row[name]!.endsWith(row[number] ?? '-');
    return isNumber && isWritten && !words.includes('payment') && rows.every(endsSo);
  });
  return printed?.name ?? number;
}

function numberScore(
  table: FoundTable,
  column: string,
  rows: readonly Readonly<Record<string, string | null>>[],
  filters: readonly KindFilter[],
): number {
  const words = new Set(wordsOfColumn(table, column));
  const { kind } = columnFacts(table, column);
  if (kind === 'date' || kind === 'decimal' || (kind === 'empty' && table.sample.length > 0))
    return 0;
  const values = rows.map((row) => row[column] ?? '');
  // Drafts often have none yet.
  const filled = values.filter((value) => value !== '');
  const isMostly = filled.length >= values.length * (words.has('number') ? 0.7 : 1);
  if (values.length > 0 && (!isMostly || new Set(filled).size < filled.length)) return 0;
  const others = [
    'buyer',
    'seller',
    'supplier',
    'delivery',
    'tax',
    'phone',
    'original',
    'due',
    'payment',
    'account',
    'created',
    'modified',
    'item',
    'type',
    'status',
    'employee',
    'warehouse',
    'location',
  ];
  if (others.some((other) => words.has(other))) return 0;
  const isTable = [...subjectOf(table.name)].some((word) => words.has(word));
  let score = 0;
  if (words.has('number')) score += words.size === 1 || words.has('invoice') || isTable ? 4 : 2;
  else if (words.has('reference')) score += words.size === 1 || words.has('invoice') ? 2.6 : 0;
  else if (words.has('code')) score += words.size === 1 || words.has('invoice') ? 2.5 : 0;
  else if (words.has('name') && words.size === 1) score += 2.7;
  else if (words.has('id') && words.size > 1 && isTable) score += 1;
  // A long number beside the key, of which no other table is known: `increment_id`.
  else if (words.has('id') && !table.primaryKey.includes(column)) {
    score += filled.length > 2 && filled.every((value) => /^\d{6,20}$/.test(value)) ? 2.1 : 0;
  }
  if (words.has('order') && !isTable) score -= 3;
  const isWritten =
    kind === 'text' && filled.length > 0 && filled.every((value) => /\d/.test(value));
  if (score > 0 && isWritten) score += 1.5;
  if (words.has('name') && values.length > 0 && !isWritten) return 0;
  // The key of a row is a number by which people rarely know it, where there is another one.
  const isKey = table.primaryKey.includes(column);
  if (isKey && kind === 'integer') score -= filters.length > 0 ? 2 : 0.5;
  return score;
}

function keyOf(table: FoundTable, reference: Reference | undefined, match: string): string {
  const key = tellingKey(table);
  if (key.length === 1 && reference !== undefined) return key[0]!;
  if (reference !== undefined) return reference.toColumns[0]!;
  return key.length === 1 ? key[0]! : match;
}

function childSection(
  table: FoundTable,
  { columns, toColumns, where: kind = {} }: Reference,
  filters: readonly KindFilter[],
): ProposedSection {
  const where: Record<string, string | null> = { ...kind };
  for (const [index, column] of columns.entries()) {
    if (index === 0) continue;
    const filter = filters.find((each) => each.column === toColumns[index]);
    if (filter !== undefined) where[column] = filter.value;
  }
  const orderBy = positionOf(table, columns);
  return {
    table: table.name,
    key: rowKeyOf(table, columns, orderBy),
    match: columns[0]!,
    matchFrom: toColumns[0]!,
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(Object.keys(where).length === 0 ? {} : { where }),
  };
}

function positionOf(table: FoundTable, parents: readonly string[]): string | undefined {
  return table.columns.find(({ name }) => {
    if (parents.includes(name) || (table.primaryKey.length === 1 && table.primaryKey[0] === name))
      return false;
    const words = wordsOfColumn(table, name);
    const { kind } = columnFacts(table, name);
    const isPosition =
      words.includes('line') && words.every((word) => word === 'line' || word === 'number');
    return isPosition && (kind === 'integer' || kind === 'empty');
  })?.name;
}

function rowKeyOf(
  table: FoundTable,
  parents: readonly string[],
  orderBy: string | undefined,
): string {
  if (table.primaryKey.length === 1 && !parents.includes(table.primaryKey[0]!)) {
    return table.primaryKey[0]!;
  }
  const rest = tellingKey(table).find((column) => !parents.includes(column));
  const unique = table.columns.find(
    ({ name }) =>
      wordsOfColumn(table, name).includes('id') &&
      !parents.includes(name) &&
      isUnique(table, [name]),
  );
  return rest ?? unique?.name ?? orderBy ?? table.columns[0]!.name;
}

function taxesOf(
  header: FoundTable,
  lines: FoundTable,
  { tables, references }: FoundDatabase,
): { readonly table: FoundTable; readonly reference: Reference } | undefined {
  const found = references
    .filter(({ to, table, columns: [column = ''] }) => {
      const own = tables.find(({ name }) => name === table);
      const isEmpty =
        own !== undefined && own.sample.length > 0 && columnFacts(own, column).filled === 0;
      return to === header.name && table !== lines.name && !isEmpty;
    })
    .map((reference) => ({
      reference,
      table: tables.find(({ name }) => name === reference.table)!,
    }))
    .filter(({ table }) => table !== undefined && isTaxTable(table))
    .sort((one, other) => other.reference.confidence - one.reference.confidence);
  return found[0];
}

function isTaxTable(table: FoundTable): boolean {
  const words = subjectOf(table.name);
  if (!words.has('tax') || words.has('supplier')) return false;
  const own = table.columns.map(({ name }) => wordsOfColumn(table, name));
  const has = (word: string) => own.some((each) => each.includes(word));
  return (has('amount') || has('total')) && !has('quantity');
}

function customerOf(
  header: FoundTable,
  { tables, references }: FoundDatabase,
  { prefixes }: Context,
): { readonly reference: Reference; readonly key: string } | undefined {
  const scored = references
    .filter(({ table, columns, where }) => {
      if (table !== header.name || columns.length > 1 || where !== undefined) return false;
      return header.sample.length === 0 || columnFacts(header, columns[0]!).filled > 0;
    })
    .flatMap((reference) => {
      const table = tables.find(({ name }) => name === reference.to);
      if (table === undefined || table === header) return [];
      const isReached =
        (hasName(table) && isPlacedByAnother(table, header, { tables, references })) ||
        isFirmByAnother(table, { tables, references });
      const score = customerScore(reference, header, table, prefixes, isReached);
      const isBilling = isBillingAddress(reference, header, table, prefixes);
      return score < customerMin ? [] : [{ reference, table, score, isBilling }];
    })
    .sort((one, other) => other.score - one.score);
  const best =
    scored.find(({ isBilling }) => isBilling && !isPlaced(scored[0]!.table)) ?? scored[0];
  if (best === undefined) return undefined;
  const reference = extended(best.reference, best.table, header, { tables, references });
  const { primaryKey } = tables.find(({ name }) => name === reference.to)!;
  const key = primaryKey.length === 1 ? primaryKey[0]! : reference.toColumns[0]!;
  return { reference, key };
}

/** Addresses of the documents themselves, of which one kind is that of whom is invoiced. */
function billingRowsOf(header: FoundTable, { to, byName }: Context): ProposedSection | undefined {
  for (const { table: name, columns, toColumns } of to.get(header.name) ?? []) {
    const table = byName.get(name);
    if (table === undefined || columns.length > 1 || !isPlaced(table)) continue;
    for (const { name: kind } of table.columns.filter((one) => isKind(table, one.name))) {
      const value = [...columnFacts(table, kind).values].find((one) => billingText.test(one));
      const rows = table.sample.filter((row) => row[kind] === value);
      const documents = new Set(rows.map((row) => row[columns[0]!]));
      if (value === undefined || documents.size < rows.length) continue;
      const [key = columns[0]!] = tellingKey(table);
      const [match, matchFrom] = [columns[0]!, toColumns[0]!];
      return { table: name, key, match, matchFrom, where: { [kind]: value } };
    }
  }
  return undefined;
}

const billingText = /^(bill(ing)?|bill.?to|invoice|invoicing|payer|rechnung|fact|fatur)/i;

/** Where a row of a customer has no name, and a table that extends it has: parties, and firms among them. */
function extended(
  reference: Reference,
  table: FoundTable,
  header: FoundTable,
  { tables, references }: Pick<FoundDatabase, 'tables' | 'references'>,
): Reference {
  if (hasName(table)) return reference;
  const wanted = columnFacts(header, reference.columns[0]!).values;
  const [found] = references.filter(({ table: name, columns, to }) => {
    const own = tables.find((one) => one.name === name);
    if (to !== table.name || own === undefined || own === header || !hasName(own)) return false;
    const isKey = own.primaryKey.length === 1 && own.primaryKey[0] === columns[0];
    const held = columnFacts(own, columns[0]!).values;
    const share = [...wanted].filter((value) => held.has(value)).length / wanted.size;
    return isKey && share >= extensionMin;
  });
  return found === undefined
    ? reference
    : { ...reference, to: found.table, toColumns: [found.columns[0]!] };
}

/** Customers of documents that such a table has to hold: others may be persons. */
const extensionMin = 0.5;

function hasName(table: FoundTable): boolean {
  return table.columns.some(({ name }) => {
    const isFilled = table.sample.length === 0 || columnFacts(table, name).filled > 0;
    return isFilled && wordsOfColumn(table, name).includes('name');
  });
}

const customerMin = 2.6;
/** Documents that show whether customers repeat, at least. */
const ownRowsMin = 12;

function customerScore(
  { columns, toColumns, confidence }: Reference,
  header: FoundTable,
  table: FoundTable,
  prefixes: ReadonlySet<string>,
  isReached: boolean,
): number {
  const subject = subjectOf(table.name, prefixes);
  const words = new Set(columns.flatMap((column) => wordsOfColumn(header, column)));
  let score = confidence;
  if (subject.has('buyer')) score += 3 - 0.5 * (subject.size - 1);
  if (words.has('buyer')) score += 2;
  // Where names are keys a name beside the key may hold the same.
  if (words.has('name')) score -= 0.2;
  const isFirm = isParty(table, prefixes) || isReached;
  if (isFirm) score += 2;
  // Customers buy again, and there are several: another document of each one is none, nor is what all have in common.
  if (header.sample.length >= ownRowsMin) {
    if (subject.has('invoice') && isUnique(header, columns)) score -= 3;
    if (columnFacts(header, columns[0]!).values.size === 1) score -= 3;
  }
  if (words.has('invoice')) score += 0.5;
  if (words.has('order')) score -= 0.5;
  // A customer is known by the key, though names may tell them apart too.
  if (table.primaryKey.length === 1 && table.primaryKey[0] === toColumns[0]) score += 0.3;
  if (words.has('delivery') || words.has('original') || words.has('branch')) score -= 2;
  const others = [
    'supplier',
    'employee',
    'warehouse',
    'location',
    'seller',
    'delivery',
    'original',
  ];
  const isUser = subject.has('buyer') && words.has('employee') && words.size <= 2;
  if (!isUser && others.some((other) => subject.has(other) || words.has(other))) score -= 4;
  const isBilling = isBillingAddress({ columns }, header, table, prefixes);
  if (!isBilling && (subject.has('address') || words.has('address'))) score -= 4;
  // An account is one of a ledger, or a firm.
  if (subject.has('account') && !isFirm && !subject.has('buyer')) score -= 4;
  // A person at the firm is not the customer, where the firm is told too.
  if (subject.has('contact')) score -= 0.5;
  if (table.sample.length === 0) score -= 1;
  return score;
}

/** The address that an invoice is sent to is a customer, where it has a name. */
function isBillingAddress(
  { columns }: Pick<Reference, 'columns'>,
  header: FoundTable,
  table: FoundTable,
  prefixes: ReadonlySet<string>,
): boolean {
  const words = new Set(columns.flatMap((column) => wordsOfColumn(header, column)));
  return words.has('invoice') && words.has('address') && isParty(table, prefixes);
}

/** Whether rows of another table say where those of this one are. */
function isPlacedByAnother(
  table: FoundTable,
  header: FoundTable,
  { tables, references }: Pick<FoundDatabase, 'tables' | 'references'>,
): boolean {
  return references.some(({ table: from, to }) => {
    const other = tables.find(({ name }) => name === from);
    return to === table.name && other !== undefined && other !== header && isPlaced(other);
  });
}

/** Whether a row has no name and points at the firm that it is an account of. */
function isFirmByAnother(
  table: FoundTable,
  { tables, references }: Pick<FoundDatabase, 'tables' | 'references'>,
): boolean {
  if (hasName(table)) return false;
  return references.some(({ table: from, to, columns, basis }) => {
    const firms = tables.find(({ name }) => name === to);
    const isOfEach =
      columns.length === 1 && columnFacts(table, columns[0]!).values.size === table.sample.length;
    return from === table.name && basis === 'declared' && isOfEach && firms && holdsFirms(firms);
  });
}

/** Whether a row says where somebody is; an account with which one signs in does not. */
function isPlaced(table: FoundTable): boolean {
  const words = new Set(table.columns.flatMap(({ name }) => wordsOfColumn(table, name)));
  return ['address', 'city', 'postcode', 'country'].filter((word) => words.has(word)).length >= 2;
}

function creditNotesOf(
  header: FoundTable,
  filters: readonly KindFilter[],
  { tables }: FoundDatabase,
): CreditNotes {
  const filter = filters.find(({ creditValue }) => creditValue !== undefined);
  if (filter?.creditValue !== undefined) {
    return { kind: 'value', column: filter.column, value: filter.creditValue };
  }
  const invoices = filteredRows(header, filters);
  const total = header.columns.find(({ name }) => {
    const words = wordsOfColumn(header, name);
    const isAmount = words.includes('total') || words.includes('gross') || words.includes('net');
    if (!isAmount || columnFacts(header, name).kind === 'text') return false;
    return invoices.some((row) => row[name]?.startsWith('-') === true);
  });
  if (total !== undefined) return { kind: 'negative', column: total.name };
  const table = tables.find(({ name, sample }) => {
    const words = subjectOf(name);
    return words.has('credit') && !words.has('supplier') && !words.has('line') && sample.length > 0;
  });
  return table === undefined ? { kind: 'none' } : { kind: 'table', table: table.name };
}
