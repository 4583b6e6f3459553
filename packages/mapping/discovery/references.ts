import { conceptsOf } from '../concepts.ts';
import { shareOf } from '../inference/numbers.ts';
import { rememberedByName } from '../remembered.ts';
import { wordsOf, writtenWords } from '../words.ts';
import { isShownByCopies } from './copied-values.ts';
import {
  bareName,
  byPlainName,
  columnFacts,
  type FoundTable,
  folded,
  isUnique,
  isWholeKey,
  type Reference,
  wordsOfColumn,
} from './database.ts';
import { abbreviatedDocument } from './document-abbreviations.ts';
import { namedTable, typedPointers } from './typed-references.ts';

/** Words that say that a column is a key, but not of what. */
const keyWords: ReadonlySet<string> = new Set(['id', 'key', 'code', 'number', 'reference', 'name']);
/** Words of a table's name that say nothing of its subject. */
const tableNoise: ReadonlySet<string> = new Set(['parent', 'sales', 'dbo', 'public', 'tab']);
/** Names that many tables have for their own key. */
const commonKeys =
  /^(id|code|name|no|nr|key|number|rowid|seq|type|guid|oid|uuid|line|pos|idx|status)$/;

/** A reference that its name makes likely. */
export interface LikelyReference extends Reference {
  /** The share of the values that the sample of the other table has. */
  readonly contained: number;
  /** Whether that sample is the whole table, so that a missing value is missing. */
  readonly isWhole: boolean;
}

/**
 * References that names and values make likely, besides the declared ones: those of one table after the other, so that
 * whoever serves others too may do so in between.
 */
export function* likelyReferences(
  tables: readonly FoundTable[],
  declared: readonly Reference[],
): Generator<readonly LikelyReference[]> {
  const prefixes = commonPrefixes(tables);
  const targets: Target[] = [];
  for (const table of tables) {
    targets.push(targetOf(table, prefixes));
    yield [];
  }
  const known = new Set(declared.map(({ table, columns }) => `${table}\n${columns.join()}`));
  for (const table of tables) {
    const typed = typedReferences(table, targets, prefixes);
    yield table.columns.flatMap(({ name: column }) => {
      const isKnown = known.has(`${table.name}\n${column}`);
      const own = typed.filter(({ columns }) => columns[0] === column);
      if (isKnown) return [];
      return own.length > 0 ? own : referencesOf(table, column, targets);
    });
  }
}

/** What a column points at where another one names the table: `rel_id` with `rel_type = invoice`. */
function typedReferences(
  table: FoundTable,
  targets: readonly Target[],
  prefixes: ReadonlySet<string>,
): readonly LikelyReference[] {
  return typedPointers(table).flatMap(({ column, kind, values }) => {
    const named = namedTable(kind.value);
    const words = subjectOf(named, prefixes);
    const others = targets.filter(({ table: to }) => to !== table && to.primaryKey.length === 1);
    const isAlike = ({ subject }: Target) =>
      words.size > 0 && words.size === subject.size && [...words].every((one) => subject.has(one));
    const target =
      others.find(({ table: to }) => folded(to.name) === folded(named)) ??
      others.find(({ table: to }) => singularName(to.name) === singularName(named)) ??
      others.find(isAlike) ??
      onlyTableOf(values, others);
    if (target === undefined) return [];
    const [key = ''] = target.table.primaryKey;
    const theirs = columnFacts(target.table, key).values;
    const contained = [...values].filter((value) => theirs.has(value)).length;
    const made = likely([column], [key], table, target.table, 0.8, values.size, contained);
    return made === undefined ? [] : [{ ...made, where: { [kind.column]: kind.value } }];
  });
}

/** `SaleInvoice` and `sales_invoices` alike: bills are invoices too. */
function singularName(name: string): string {
  return writtenWords(name).map(singular).join(' ');
}

/** Letters of a key that no other table has by chance, at least: a GUID. */
const longKeyMin = 24;

const isLongKey = (value: string) => value.length >= longKeyMin;

/** Whether all the values are keys of that table. */
function hasKeys(table: FoundTable, values: ReadonlySet<string>): boolean {
  const theirs = columnFacts(table, table.primaryKey[0]!).values;
  return [...values].every((value) => theirs.has(value));
}

/** The table whose keys these are, whatever stands for it beside them: long ones, or codes that no other table has. */
function onlyTableOf(values: ReadonlySet<string>, others: readonly Target[]): Target | undefined {
  const isCode = (value: string) => isLongKey(value) || /^(?=.*\D).{3,20}$/.test(value);
  const areTelling = [...values].every(values.size < commonValuesMin ? isLongKey : isCode);
  if (!areTelling) return undefined;
  const found = others.filter(({ table }) => hasKeys(table, values));
  return found.length === 1 ? found[0] : undefined;
}

function referencesOf(
  table: FoundTable,
  column: string,
  targets: readonly Target[],
): LikelyReference[] {
  const { kind } = columnFacts(table, column);
  if (kind === 'date' || kind === 'decimal' || isOwnKey(table, column)) return [];
  const pointer = pointerOf(table, column);
  return targets.flatMap((target) => {
    return target.table === table ? [] : (referenceTo(table, pointer, target) ?? []);
  });
}

/** A table's own key named `id` points at nothing; one named as another table's key may. */
function isOwnKey(table: FoundTable, column: string): boolean {
  return (
    table.primaryKey.length === 1 &&
    table.primaryKey[0] === column &&
    commonKeys.test(column.toLowerCase())
  );
}

interface Target {
  readonly table: FoundTable;
  /** What the table is about: `0_debtors_master` → buyer. */
  readonly subject: ReadonlySet<string>;
  /** Columns by which a row can be named, each with what must be the same besides. */
  readonly keys: readonly { readonly column: string; readonly beside?: string }[];
}

/** Words of columns that tell kinds of rows apart. */
const kindWords: readonly string[] = ['type', 'status'];
/** Distinct values of a column that tells kinds of rows apart, at most. */
const kindsMax = 30;

function targetOf(table: FoundTable, prefixes: ReadonlySet<string>): Target {
  const subject = subjectOf(table.name, prefixes);
  const names = table.columns.map(({ name }) => name);
  const single = names.filter((name) => isNaming(table, name));
  const isDeclared = (name: string) => table.primaryKey.includes(name);
  const inOrder = [...single.filter(isDeclared), ...single.filter((name) => !isDeclared(name))];
  const keys: { column: string; beside?: string }[] = inOrder
    .slice(0, keysMax)
    .map((column) => ({ column }));
  // A number that repeats from kind to kind: (type, number) is the key.
  const taken = new Set(single);
  const numbering = names.filter((name) => !taken.has(name) && isNumbering(table, name));
  const kinds = names
    .filter((name) => isKind(table, name))
    .sort((one, other) => byPlainName(table, one, other))
    .slice(0, kindColumnsMax);
  for (const beside of kinds) {
    for (const column of numbering.slice(0, numberColumnsMax)) {
      if (column !== beside && isUnique(table, [beside, column])) keys.push({ column, beside });
    }
  }
  return { table, subject, keys };
}

/** Of one table, so that one with hundreds of columns that look so does not take minutes. */
const keysMax = 30;
const kindColumnsMax = 5;
const numberColumnsMax = 20;

/** Whether a column tells kinds of rows apart. */
export function isKind(table: FoundTable, column: string): boolean {
  const { values, kind } = columnFacts(table, column);
  const isNamed = wordsOfColumn(table, column).some((word) => kindWords.includes(word));
  return isNamed && kind !== 'date' && kind !== 'decimal' && values.size <= kindsMax;
}

function isNumbering(table: FoundTable, column: string): boolean {
  if (table.primaryKey.length > 1) return table.primaryKey.includes(column);
  const { kind } = columnFacts(table, column);
  const words = wordsOfColumn(table, column);
  return (
    (kind === 'integer' || kind === 'text') && words.includes('number') && words.includes('invoice')
  );
}

/** Rows that a column must tell apart before it counts as a key that nobody declared. */
const naturalKeyRowsMin = 5;

function isNaming(table: FoundTable, column: string): boolean {
  const { primaryKey, uniques, sample } = table;
  if (primaryKey.length === 1 && primaryKey[0] === column) return true;
  if (uniques.some((unique) => unique.length === 1 && unique[0] === column)) return true;
  const { kind } = columnFacts(table, column);
  if (kind === 'date' || kind === 'decimal' || kind === 'empty') return false;
  if (!isUnique(table, [column])) return false;
  if (primaryKey.includes(column)) return true;
  const isNamed = wordsOfColumn(table, column).some((word) => keyWords.has(word));
  const isCoded =
    kind === 'text' &&
    [...columnFacts(table, column).values].every((value) => /^[A-Z0-9._-]{2,20}$/.test(value));
  return (
    (isNamed && (primaryKey.length === 0 || sample.length >= naturalKeyRowsMin)) ||
    (isCoded && sample.length >= 2 && folded(column).length >= 6)
  );
}

/** A column that may point at something. */
interface Pointer {
  readonly column: string;
  /** Its name, and that without its table's prefix. */
  readonly names: readonly [PointerName, ...PointerName[]];
}

interface PointerName {
  readonly name: string;
  /** What it points at by that name. */
  readonly stem: ReadonlySet<string>;
}

function pointerOf(table: FoundTable, column: string): Pointer {
  const named = (name: string): PointerName => ({ name, stem: stemOf(name) });
  const bare = bareName(table, column);
  const others = bare === column ? [] : [named(bare)];
  return { column, names: [named(column), ...others] };
}

function referenceTo(
  table: FoundTable,
  pointer: Pointer,
  { table: to, subject, keys }: Target,
): LikelyReference | undefined {
  const { column } = pointer;
  let best: LikelyReference | undefined;
  for (const key of keys) {
    const byName = Math.max(
      ...pointer.names.map((name) => nameEvidence(name, column, table, key.column, to, subject)),
    );
    const named =
      key.beside !== undefined || byName >= copied
        ? byName
        : isShownByCopies(table, column, to, key.column)
          ? copied
          : byName || valueEvidence(table, pointer, to, key.column, subject);
    if (named === 0) continue;
    const sure = key.beside !== undefined && folded(column) === folded(key.column) ? 0.7 : named;
    const made =
      key.beside === undefined
        ? simple(table, column, to, key.column, named)
        : compound(table, column, to, key.column, key.beside, sure);
    if (made !== undefined && (best === undefined || made.confidence > best.confidence))
      best = made;
  }
  return best;
}

/** How sure it is that a column points at the table that it is called as. */
const namedAsTable = 0.92;

/** How sure it is that a column points at rows whose values stand beside it. */
const copied = 0.8;

/** How much the name of a column, whole or without its table's prefix, says that it holds that key of that table, 0 to 1. */
function nameEvidence(
  { name, stem }: PointerName,
  column: string,
  from: FoundTable,
  key: string,
  to: FoundTable,
  subject: ReadonlySet<string>,
): number {
  const isPrimary = isWholeKey(to, [key]);
  const extension = extensionEvidence(column, from, to, isPrimary);
  if (extension > 0) return extension;
  const own = folded(name);
  const foldedKey = folded(key);
  // `item` is the key of "item" rather than that of a table with a row for each item.
  if (isPrimary && own === folded(to.name) && !isWholeKey(from, [column])) return namedAsTable;
  const isSame = own === foldedKey || own === folded(bareName(to, key)) || isEndOf(own, foldedKey);
  if (isSame && !commonKeys.test(own)) {
    // Both may hold the key of a third table.
    return isPrimary && !isWholeKey(from, [column]) ? 0.9 : 0.5;
  }
  const tableAndKey =
    folded(to.name).endsWith(own.slice(0, -foldedKey.length)) && own.endsWith(foldedKey);
  if (tableAndKey && own.length > foldedKey.length + 2) return 0.85;
  if (own.length > 6 && (folded(to.name).replace(/^\d+/, '') + foldedKey).includes(own)) return 0.8;
  if (isEndedByKey(own, foldedKey, columnFacts(from, column).values)) return isPrimary ? 0.6 : 0.55;
  const owner = ownerEvidence(column, from, subject, isPrimary);
  if (owner > 0) return owner;
  const parent = parentEvidence(name, from, to, isPrimary);
  if (parent > 0) return parent;
  // Services on the web call their customers users.
  if (isPrimary && subject.has('buyer') && /^users?_?id$/i.test(name)) return 0.5;
  if (stem.size === 0 || subject.size === 0) return 0;
  const common = [...stem].filter((word) => subject.has(word)).length;
  if (common === 0) return 0;
  // The type of a document is not a document.
  if (kindWords.some((word) => stem.has(word) && !subject.has(word))) return 0;
  // A line is pointed at as a line: a number of an invoice is not the number of one of its lines.
  if (subject.has('line') && !stem.has('line')) return 0;
  const strength = isPrimary ? 1 : 0.85;
  if (common === stem.size && common === subject.size) return 0.85 * strength;
  if (common === subject.size) return 0.65 * strength;
  return common === stem.size ? 0.55 * strength : 0;
}

/** `vatc` of `vtvatc`, whose first letters are those of a table with few columns. */
function isEndOf(own: string, key: string): boolean {
  const rest = key.length - own.length;
  return own.length >= 4 && rest > 0 && rest <= 2 && key.endsWith(own);
}

/** Letters of the whole name of a key, and of its values, that another column has by chance no more, at least. */
const endOfKey = { nameMin: 5, valueMin: 4 } as const;

/** Whether a column is called as the key of another table, with who is meant before it: `invdebno` of `debno`. */
function isEndedByKey(own: string, key: string, values: ReadonlySet<string>): boolean {
  const isNamed = key.length >= endOfKey.nameMin && own.length > key.length && own.endsWith(key);
  if (!isNamed || commonKeys.test(key) || values.size < commonValuesMin) return false;
  return [...values].every((value) => value.trim().length >= endOfKey.valueMin);
}

/** How sure it is that a column with keys of so many letters points at the table that has them. */
const longKey = 0.75;

/** Distinct values that must all be keys of the other table, at least. */
const commonValuesMin = 5;

/**
 * How much the values alone say: codes of letters and digits are rarely those of another table by chance. Plain
 * numbers are, so they need a word in common too.
 */
function valueEvidence(
  from: FoundTable,
  { column, names: [{ stem }] }: Pointer,
  to: FoundTable,
  key: string,
  subject: ReadonlySet<string>,
): number {
  const own = columnFacts(from, column);
  const theirs = columnFacts(to, key);
  const areLong = () => own.values.size > 0 && [...own.values].every(isLongKey);
  if (isWholeKey(to, [key]) && areLong() && hasKeys(to, own.values)) return longKey;
  if (own.values.size < commonValuesMin) return 0;
  for (const value of own.values) if (!theirs.values.has(value)) return 0;
  const isCode = own.kind === 'text' || [...own.values].every((value) => /^0\d{4,}$/.test(value));
  const isShort = [...own.values].every(
    (value) => value.length >= 3 && value.length <= 20 && !/\s/.test(value),
  );
  if (isCode && (isShort || areNames(own.values))) return isUnique(from, [column]) ? 0 : 0.56;
  const isKey = to.primaryKey.length === 1 && to.primaryKey[0] === key;
  return isKey && [...stem].some((word) => subject.has(word)) ? 0.52 : 0;
}

/** Whether most of the values are several words: names of firms, which no other table has by chance. */
function areNames(values: ReadonlySet<string>): boolean {
  return shareOf([...values], (value) => /\p{Letter}\s+\p{Letter}/u.test(value)) >= namesMin;
}

const namesMin = 0.8;

/** `accountid` of "account_custom" is that of "account", whose row it extends. */
function extensionEvidence(column: string, from: FoundTable, to: FoundTable, isPrimary: boolean) {
  const isKey = from.primaryKey.length === 1 && from.primaryKey[0] === column;
  if (!isKey || !isPrimary) return 0;
  const isNamed = folded(from.name).startsWith(folded(to.name)) && from.name !== to.name;
  return isNamed && folded(column).startsWith(folded(to.primaryKey[0]!)) ? 0.8 : 0;
}

/** An `id` that repeats, beside a key of another name, is the document's that a line is of. */
function ownerEvidence(
  column: string,
  from: FoundTable,
  subject: ReadonlySet<string>,
  isPrimary: boolean,
) {
  if (!/^id$/i.test(column) || from.primaryKey.length !== 1) return 0;
  const words = new Set(from.columns.flatMap(({ name }) => wordsOfColumn(from, name)));
  const isLine = words.has('quantity') && words.has('price');
  if (!isPrimary || !isLine || isUnique(from, [column])) return 0;
  return subject.has('invoice') && !subject.has('line') ? 0.75 : 0;
}

/** `parent` in "Invoice Item" points at "Invoice". */
function parentEvidence(column: string, from: FoundTable, to: FoundTable, isPrimary: boolean) {
  const isParent = /^(parent|header|hdr|head|kopf)(_?id)?$/i.test(column);
  const isNamed = folded(from.name).startsWith(folded(to.name).replace(/s$/, ''));
  return isParent && isNamed && isPrimary ? 0.85 : 0;
}

/** What a column points at by its name: `bill_to_customer_id` → invoice, buyer. It is compared with every table. */
const stemOf = rememberedByName((column): ReadonlySet<string> => {
  const own = wordsOf(column)
    .filter((word) => !keyWords.has(word) && !/^\d+$/.test(word) && !isInitials(word))
    .map(singular);
  // `tax_id` of a person is a number of a taxpayer; where it points at something, that is a tax.
  return new Set(own.includes('tax') ? own.filter((word) => word !== 'vatnumber') : own);
});

/** A short beginning that is no word: `pi` of PI_Devise. */
function isInitials(word: string): boolean {
  return word.length <= 2 && conceptsOf(word) === undefined;
}

/** The words of what a table is about. */
export function subjectOf(
  name: string,
  prefixes: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const bare = name.replace(/^.*\./, '').replace(/^(tab|tbl)(?=[A-Z_ ])/, '');
  const words = wordsOf(bare)
    .filter(
      (word) =>
        !tableNoise.has(word) && !prefixes.has(word) && !/^\d+$/.test(word) && !isInitials(word),
    )
    .map(singular);
  // A table of sales alone is one of invoices: `ar`, `ventas`.
  const isSales = conceptsOf(bare.toLowerCase())?.join() === 'sales';
  return new Set(isSales ? ['invoice'] : [...words, ...abbreviatedDocument(bare)]);
}

/** Whether a name is that of transactions, which are counted, and kept, apart from the invoices that they are of. */
export function isOfTransaction(name: string): boolean {
  const own = /^(trx|txn|trans|tran|transaction)s?(number|num|nr|no|id)?$/;
  return writtenWords(name).some((word) => own.test(word));
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1') : word;
}

/** Unknown first words that most tables share: `llx` of llx_facture, llx_societe. */
export function commonPrefixes(tables: readonly FoundTable[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const first = wordsOf(name.replace(/^.*\./, ''))[0];
    if (first === undefined || conceptsOf(first) !== undefined) continue;
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const common = [...counts].filter(([, count]) => count > 2 && count > tables.length * 0.4);
  return new Set(common.map(([word]) => word));
}

function simple(
  table: FoundTable,
  column: string,
  to: FoundTable,
  key: string,
  named: number,
): LikelyReference | undefined {
  const { values, kind } = columnFacts(table, column);
  const theirs = columnFacts(to, key);
  if (kind === 'text' && theirs.kind === 'integer') return undefined;
  // Keys are counted from one: 0, -1 and -99 point at nothing.
  const own = [...values].filter((value) => value !== '0' && !/^-\d+$/.test(value));
  const contained = own.filter((value) => theirs.values.has(value)).length;
  return likely([column], [key], table, to, named, own.length, contained);
}

function compound(
  table: FoundTable,
  column: string,
  to: FoundTable,
  key: string,
  beside: string,
  named: number,
): LikelyReference | undefined {
  const pair = (row: Readonly<Record<string, string | null>>, one: string, other: string) =>
    `${row[one] ?? ''}\n${row[other] ?? ''}`;
  const theirs = new Set(to.sample.map((row) => pair(row, beside, key)));
  let best: LikelyReference | undefined;
  for (const { name } of table.columns) {
    if (name === column || !isKind(table, name)) continue;
    const own = new Set(
      table.sample.filter((row) => row[column] != null).map((row) => pair(row, name, column)),
    );
    const contained = [...own].filter((each) => theirs.has(each)).length;
    // Rows of other kinds may point at other tables.
    if (contained === 0) continue;
    const kinds = new Set(to.sample.map((row) => row[beside]));
    const meant = [...own].filter((each) => kinds.has(each.slice(0, each.indexOf('\n')))).length;
    const made = likely([column, name], [key, beside], table, to, named, meant, contained);
    if (made !== undefined && (best === undefined || made.contained > best.contained)) best = made;
  }
  return best;
}

const containedMin = 0.9;
/** How much a name must say of a column that points at this table in some of its rows only. */
const sharedMin = 0.7;
const sharedShareMin = 0.5;
const sharedValuesMin = 10;

function likely(
  columns: readonly string[],
  toColumns: readonly string[],
  table: FoundTable,
  to: FoundTable,
  named: number,
  values: number,
  containedCount: number,
): LikelyReference | undefined {
  const isWhole = to.rows === undefined || to.rows <= to.sample.length;
  const contained = values === 0 ? 0 : containedCount / values;
  // A column may point at tables of several kinds, such as lines of sales and of purchases.
  const isShared = named >= sharedMin && contained >= sharedShareMin && values >= sharedValuesMin;
  if (values > 0 && isWhole && contained < containedMin && !isShared) return undefined;
  const evidence = values === 0 ? -0.15 : contained >= containedMin ? 0.1 : -0.1;
  const confidence = Math.max(0, Math.min(0.99, named + evidence));
  return {
    table: table.name,
    columns,
    to: to.name,
    toColumns,
    basis: 'found',
    confidence,
    contained,
    isWhole,
  };
}

/**
 * References that lead on: what points at a row that extends another, having its key, points at that other row too.
 * `order_stats.order_id` is that of "orders", so a line with an order_id is one of an order.
 */
export function transitiveReferences(
  tables: ReadonlyMap<string, FoundTable>,
  references: readonly Reference[],
): readonly Reference[] {
  const isExtension = ({ table, columns, confidence }: Reference) => {
    const own = tables.get(table);
    const isKey = own?.primaryKey.includes(columns[0]!) === true && isUnique(own, columns);
    return columns.length === 1 && isKey && confidence >= extensionMin;
  };
  return references.filter(isExtension).flatMap((extension) =>
    references
      .filter(
        (one) => one.to === extension.table && one.toColumns.join() === extension.columns.join(),
      )
      .filter((one) => one.table !== extension.to && !isReferred(references, one, extension.to))
      .map((one) => ({
        ...one,
        to: extension.to,
        toColumns: extension.toColumns,
        basis: 'found' as const,
        confidence: Math.min(one.confidence, extension.confidence),
      })),
  );
}

const extensionMin = 0.8;

function isReferred(references: readonly Reference[], { table }: Reference, to: string): boolean {
  return references.some((one) => one.table === table && one.to === to);
}

/** Of references of the same columns the surest; those that are too weak are left out. */
export function surestReferences(all: readonly Reference[]): readonly Reference[] {
  const best = new Map<string, Reference>();
  for (const reference of all) {
    if (reference.confidence < 0.5) continue;
    // Rows of several kinds may point at a table each.
    const isOfKind = reference.columns.length > 1 || reference.where !== undefined;
    const kinds = isOfKind ? reference.to : '';
    const id = `${reference.table}\n${reference.columns[0]}\n${kinds}`;
    const known = best.get(id);
    const isSurer =
      known === undefined ||
      known.confidence < reference.confidence ||
      (known.confidence === reference.confidence && isCalledSo(reference) && !isCalledSo(known));
    if (isSurer) best.set(id, reference);
  }
  return [...best.values()];
}

/** Whether a column is called as the table that it points at, and not by another word for that: `product_id`. */
function isCalledSo({ columns: [column = ''], to, toColumns: [key = ''] }: Reference): boolean {
  const own = folded(column);
  const last = folded(key);
  const stem = own.endsWith(last) ? own.slice(0, -last.length) : own;
  return stem.length > 2 && folded(to).replace(/s$/, '').endsWith(stem);
}
