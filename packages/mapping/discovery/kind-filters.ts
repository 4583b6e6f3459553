import { wordsOf } from '../words.ts';
import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  isUnique,
  type Reference,
  type SampleRow,
  wordsOfColumn,
} from './database.ts';
import { isMark, offText, onText } from './marks.ts';
import { subjectOf } from './references.ts';

/** A column that tells invoices from other rows, and its value for invoices. */
export interface KindFilter {
  readonly column: string;
  /** Null: the column is empty, as in rows that were not deleted. */
  readonly value: string | null;
  /** Its value for credit notes, where one was seen. */
  readonly creditValue?: string;
}

/** Different values of a column of kinds, at most. */
const kindsMax = 15;

const invoiceText =
  /^(out_invoice|out|outgoing|sales?|sell|selling|customer|receivable|acc(ount)?s?_?rec(eivable)?|sales_?invoice|customer_?invoice|invoice|inv|si|ri|iv|fa|fs|fv|ft|rechnung|re|rg|ar|factura|facture|faktura|fattura|invois|standard|380|f2)$/i;
const creditText =
  /cr[eé]dit|kredit|refund|return|gutschrift|abono|avoir|rectif|storno|^(cn|cm|gs|gu|gut|kfs|nc|sr|rtn|381|out_refund|g2)$/i;
const otherText =
  /^in$|incoming|quote|quotation|cotiza|presupuest|angebot|auftrag|devis|commande|pedido|sebut.?harga|pesanan|order|pro.?forma|estimate|delivery|receipt|payment|purchase|supplier|vendor|journal|entry|deposit|recurring|template|in_|\bap\b|payable|acc(ount)?s?_?pay/i;
const finalText =
  /^(posted|post|submitted|approved|authori[sz]ed|final|finali[sz]ed|confirmed|closed|completed?|validated|issued|sent|paid|open|unpaid|co|cl|gebucht|contabilizad[ao]|emitid[ao]|valid[eé]e?|[eé]mise?|freigegeben|verbucht|geboekt|disahkan)$/i;
const draftText =
  /draft|cancel|void|delet|entwurf|entw\.?$|storn|anul|rascunho|borrador|brouillon|abandon|annul|pending|processing|failed|on.?hold|temp|^cart$|basket|checkout|deraf|batal|rejected|^(dr|ip|vo|re|na)$/i;

/** What a header has to be filtered by, so that only invoices are read. */
export function kindFilters(
  header: FoundTable,
  lines: FoundTable,
  reference: Reference | undefined,
  database: FoundDatabase,
): readonly KindFilter[] {
  const ofTypes = header.columns.flatMap(({ name }) => {
    const isInKey = reference?.toColumns.slice(1).includes(name) === true;
    const filter = isInKey
      ? keyFilter(header, lines, reference!, name, database)
      : typeFilter(header, name, database);
    return filter ?? [];
  });
  const filters = withoutEqual(header, ofTypes);
  const numbered = header.columns.flatMap(
    ({ name }) => numberingFilter(header, name, filters) ?? [],
  );
  filters.push(...numbered.slice(0, 1));
  if (filters.length === 0) {
    const others = header.columns.flatMap(
      ({ name }) => namedKindsFilter(header, name, database) ?? seriesFilter(header, name) ?? [],
    );
    filters.push(...others.slice(0, 1));
  }
  const ofCustomers = partyFilter(header, database);
  if (ofCustomers !== undefined && !filters.some(({ column }) => column === ofCustomers.column)) {
    filters.push(ofCustomers);
  }
  const correction = correctionFilter(keptBy(header, filters));
  if (correction !== undefined) filters.push(correction);
  // A state is looked for among documents of the kind that is wanted: others have others.
  const ofKind = keptBy(header, filters);
  for (const { name } of header.columns) {
    const filter = filters.some(({ column }) => column === name)
      ? undefined
      : (stateFilter(ofKind, name, database) ??
        followedFilter(ofKind, name, lines, database) ??
        deletedFilter(keptBy(header, filters), name));
    if (filter !== undefined) filters.push(filter);
  }
  // Whether a document was printed says nothing more where its state is known.
  const ofState = keptBy(header, filters);
  const unnumbered = header.columns.flatMap(({ name }) => unnumberedFilter(ofState, name) ?? []);
  return [...filters, ...unnumbered.slice(0, 1)];
}

/** Without those that leave the rows that another one leaves: of these, the column that is called a kind and no more. */
function withoutEqual(header: FoundTable, filters: readonly KindFilter[]): KindFilter[] {
  const plainest = filters.toSorted(
    (one, other) => wordsOf(one.column).length - wordsOf(other.column).length,
  );
  const byRows = new Map<string, KindFilter>();
  for (const filter of plainest) {
    const rows = header.sample.map((row) => Number(row[filter.column] === filter.value)).join('');
    if (!byRows.has(rows)) byRows.set(rows, filter);
  }
  return filters.filter((filter) => [...byRows.values()].includes(filter));
}

/** `owner_type = 2` where the owners of those documents are customers, and those of others are not. */
function partyFilter(header: FoundTable, { references }: FoundDatabase): KindFilter | undefined {
  for (const { table, to, where = {} } of references) {
    const [column, value] = Object.entries(where)[0] ?? [];
    if (table !== header.name || column === undefined || value === undefined) continue;
    const isOfCustomers = subjectOf(to).has('buyer') && columnFacts(header, column).values.size > 1;
    if (isOfCustomers) return { column, value };
  }
  return undefined;
}

/** The table with those rows of its sample that the filters leave. */
function keptBy(table: FoundTable, filters: readonly KindFilter[]): FoundTable {
  return filters.length === 0 ? table : { ...table, sample: keptRows(table, filters) };
}

/** The rows of the sample that the filters leave. */
export function keptRows(
  { sample }: FoundTable,
  filters: readonly KindFilter[],
): readonly SampleRow[] {
  return sample.filter((row) =>
    filters.every(({ column, value }) =>
      value === null ? row[column] == null : (row[column] ?? '') === value,
    ),
  );
}

/** Documents that correct another one, of all, at most. */
const correctionsMax = 0.5;
/** Of the documents that are corrected, those that are in the sample too, at least. */
const correctedMin = 0.6;

/** `credited_invoice_id`: filled in a credit note, with the key or number of another document of the same table. */
function correctionFilter(header: FoundTable): KindFilter | undefined {
  const unique = header.columns.filter(({ name }) => isUnique(header, [name]));
  const isPrimary = (name: string) => header.primaryKey.includes(name);
  const keys = unique.toSorted(
    (one, other) => Number(isPrimary(other.name)) - Number(isPrimary(one.name)),
  );
  const marks = header.columns.filter(({ name }) => mayBeCorrection(header, name));
  for (const { name: key } of keys) {
    const own = columnFacts(header, key).values;
    const mark = marks.find(({ name }) => {
      const { values } = columnFacts(header, name);
      const found = [...values].filter((value) => own.has(value)).length;
      return name !== key && found >= values.size * correctedMin;
    });
    if (mark !== undefined) return { column: mark.name, value: null };
  }
  return undefined;
}

/** Whether a column is filled in some documents, which its name or their totals say are credit notes. */
function mayBeCorrection(header: FoundTable, column: string): boolean {
  const { filled, rows } = columnFacts(header, column);
  if (filled === 0 || filled > rows * correctionsMax) return false;
  const words = wordsOfColumn(header, column);
  const isNamed = ['credit', 'original'].some((word) => words.includes(word));
  return isNamed || isNegativeWhere(header, column);
}

/** Whether totals are negative where a column is filled, and only there. */
function isNegativeWhere(header: FoundTable, column: string): boolean {
  const [total] = totalsOf(header);
  if (total === undefined) return false;
  const isNegative = (row: SampleRow) => Number(row[total]) < 0;
  const isZero = (row: SampleRow) => Number(row[total]) === 0;
  return (
    header.sample.some(isNegative) &&
    header.sample.every((row) => isZero(row) || isNegative(row) === ((row[column] ?? '') !== ''))
  );
}

/** `deleted = 0` where some rows are. */
export function deletedMark(table: FoundTable, column: string): KindFilter | undefined {
  const words = wordsOfColumn(table, column);
  const { values, filled, rows } = columnFacts(table, column);
  const off = [...values].find((value) => offText.test(value));
  if (off === undefined || filled < rows || !words.includes('deleted')) return undefined;
  // No, yes, and a letter for what takes it back.
  const areLetters = values.size === 3 && [...values].every((value) => /^[a-z\d]$/i.test(value));
  const isTold = isMark(values) || (areLetters && words.join() === 'deleted');
  return isTold ? { column, value: off } : undefined;
}

/** `deleted_at`: empty in rows that are still there. */
function deletedFilter(header: FoundTable, column: string): KindFilter | undefined {
  const { kind, filled, rows } = columnFacts(header, column);
  const isMark = kind === 'date' && wordsOfColumn(header, column).includes('deleted');
  return isMark && filled < rows ? { column, value: null } : undefined;
}

/** A kind that is part of the key must be said, or a number means several documents. */
function keyFilter(
  header: FoundTable,
  lines: FoundTable,
  reference: Reference,
  column: string,
  database: FoundDatabase,
): KindFilter | undefined {
  const values = [...columnFacts(header, column).values];
  const names = namesOf(header, column, database);
  const at = reference.toColumns.indexOf(column);
  const scored = values
    .map((value) => ({
      value,
      score:
        kindScore(header, lines, reference, column, at, value, database) +
        textScore(names.get(value) ?? value),
    }))
    .sort((one, other) => other.score - one.score);
  const best = scored[0];
  if (best === undefined) return undefined;
  const credit = values.find((value) => creditText.test(names.get(value) ?? value));
  return withCredit(column, best.value, credit === best.value ? undefined : credit);
}

/** What the values are called, where they point at a table of names. */
function namesOf(
  table: FoundTable,
  column: string,
  { tables, references }: FoundDatabase,
): ReadonlyMap<string, string> {
  const found = references.find((each) => each.table === table.name && each.columns[0] === column);
  const to = tables.find(({ name }) => name === found?.to);
  const text = to && nameColumn(to);
  if (found === undefined || to === undefined || text === undefined) return new Map();
  return new Map(to.sample.map((row) => [row[found.toColumns[0]!] ?? '', row[text] ?? '']));
}

/** The column with the names of the rows: the one that is called so, or the only text. */
function nameColumn(table: FoundTable): string | undefined {
  const all = table.columns.map(({ name }) => name);
  const named = all.find((name) => {
    const words = wordsOfColumn(table, name);
    const isText = words.includes('name') || words.includes('description');
    return isText || /name|desc|label|title/i.test(name);
  });
  const texts = all.filter((name) => columnFacts(table, name).kind === 'text');
  return named ?? (texts.length === 1 ? texts[0] : undefined);
}

/** Documents that take another one back, whatever that is. */
const reversalText = /revers|storno|cancel|anulac/i;

function textScore(text: string): number {
  if (reversalText.test(text)) return -4;
  if (invoiceText.test(text) || /(sales|customer).*invoice/i.test(text)) return 4;
  if (creditText.test(text) || otherText.test(text)) return -4;
  const words = wordsOf(text);
  if (words.join() === 'buyer,invoice') return 4;
  return /invoice|rechnung|factur|faktur|invois/i.test(text) ? 2 : 0;
}

/** How much the rows of a kind look like invoices that were sent: lines, tax, numbers, due dates. */
function kindScore(
  header: FoundTable,
  lines: FoundTable,
  reference: Reference,
  column: string,
  at: number,
  value: string,
  { tables, references }: FoundDatabase,
): number {
  const rows = header.sample.filter((row) => row[column] === value);
  if (rows.length === 0) return -10;
  let score = 0;
  if (hasChildren(lines, reference, at, value)) score += 4;
  for (const other of references) {
    if (other.to !== header.name || other.table === lines.name) continue;
    const place = other.toColumns.indexOf(column);
    const table = tables.find(({ name }) => name === other.table);
    if (place > 0 && table !== undefined && hasChildren(table, other, place, value)) score += 0.5;
  }
  for (const { name } of header.columns) score += columnScore(header, name, rows);
  return score + Math.min(1, rows.length / header.sample.length);
}

function hasChildren(table: FoundTable, { columns }: Reference, at: number, value: string) {
  return table.sample.some((row) => row[columns[at]!] === value);
}

function columnScore(header: FoundTable, name: string, rows: readonly SampleRow[]): number {
  const words = new Set(wordsOfColumn(header, name));
  const values = rows.map((row) => row[name] ?? '').filter((value) => value !== '');
  const distinct = new Set(values).size;
  const isDate = columnFacts(header, name).kind === 'date';
  // 0000-00-00 is how MySQL writes "none".
  const held = values.filter((value) => !/^0000/.test(value)).length;
  if (words.has('due')) return held > 0 ? 1 : -0.5;
  const isNumber = words.has('number') || words.has('reference');
  if (isNumber && !isDate && !header.primaryKey.includes(name) && !words.has('buyer')) {
    return distinct > 1 && distinct === values.length
      ? 1.5
      : distinct <= 1 && rows.length > 1
        ? -1.5
        : 0;
  }
  if (words.has('paid')) return values.some((value) => Number(value) !== 0) ? 1 : 0;
  if (words.has('total') || words.has('amount')) {
    return values.some((value) => Number(value) < 0) ? -2 : 0;
  }
  return 0;
}

/** `move_type = out_invoice` among others. */
function typeFilter(
  header: FoundTable,
  column: string,
  database: FoundDatabase,
): KindFilter | undefined {
  const words = wordsOfColumn(header, column);
  const { values, kind, filled, rows } = columnFacts(header, column);
  if (kind === 'date' || kind === 'decimal' || values.size < 2 || values.size > kindsMax)
    return undefined;
  if (filled < rows) return undefined;
  const all = [...values];
  const isFlag = isMark(values);
  const isReversal = /^(is_?)?(reverse[ds]?|reversal)$/i.test(column);
  if (isFlag && (isReversal || words.includes('credit'))) {
    const off = all.find((value) => offText.test(value))!;
    return { column, value: off, creditValue: all.find((value) => value !== off)! };
  }
  const isOfInvoices = /^is_?(so|sales?)_?(trx|invoice|transaction)?$|^(is_?)?invoice$/i;
  if (isFlag && isOfInvoices.test(column)) {
    return { column, value: all.find((value) => onText.test(value))! };
  }
  if (!words.includes('type') && !words.includes('invoice')) return undefined;
  const names = namesOf(header, column, database);
  const isNamed = all.every((value) => names.has(value));
  const areBare = kind === 'integer' || all.every(isBareLetter);
  if (areBare && !isNamed) return signFilter(header, column, all);
  const textOf = (value: string) => (isNamed ? names.get(value)! : value);
  const scores = all.map((value) => ({ value, score: textScore(textOf(value)) }));
  const most = Math.max(...scores.map(({ score }) => score));
  const invoices = scores.flatMap(({ value, score }) =>
    score > 0 && score === most ? [value] : [],
  );
  // Where a table is named for orders, an order among refunds is what it has.
  const others = all.filter((value) => !creditText.test(textOf(value)));
  const [plain] = others;
  const subject = wordsOf(header.name);
  const isOfTable =
    plain !== undefined && wordsOf(textOf(plain)).some((word) => subject.includes(word));
  if (invoices.length === 0 && others.length === 1 && isOfTable) invoices.push(plain);
  const isTelling =
    invoices.length === 1 &&
    all.some((value) => textScore(textOf(value)) < 0 || value !== invoices[0]);
  if (!isTelling) return undefined;
  const credit = all.find(
    (value) =>
      creditText.test(textOf(value)) && !/^in_|purchase|supplier|\bap\b/i.test(textOf(value)),
  );
  return withCredit(column, invoices[0]!, credit);
}

/** `preference_id = 1` where it points at kinds of documents, whatever it is called: Invoice, Quote, Receipt. */
function namedKindsFilter(
  header: FoundTable,
  column: string,
  database: FoundDatabase,
): KindFilter | undefined {
  const { values, filled, rows } = columnFacts(header, column);
  if (values.size < 2 || values.size > kindsMax || filled < rows) return undefined;
  const names = namesOf(header, column, database);
  const kinds = [...values].map((value) => ({ value, name: names.get(value) ?? '' }));
  const invoices = kinds.filter(({ name }) => textScore(name) > 0);
  const areKinds = kinds.every(({ name }) => textScore(name) !== 0);
  if (invoices.length !== 1 || !areKinds) return undefined;
  const credit = kinds.find(({ name }) => creditText.test(name))?.value;
  return withCredit(column, invoices[0]!.value, credit);
}

/** The filter, with the value for credit notes where there is one. */
function withCredit(column: string, value: string, credit: string | undefined): KindFilter {
  return credit === undefined ? { column, value } : { column, value, creditValue: credit };
}

/** A letter that says neither that it is an invoice nor that it is none. */
function isBareLetter(value: string): boolean {
  return /^[a-z]$/i.test(value.trim()) && textScore(value) === 0;
}

/** `type = 0` where another number has all the documents with negative totals. */
function signFilter(
  header: FoundTable,
  column: string,
  values: readonly string[],
): KindFilter | undefined {
  const totals = totalsOf(header);
  if (totals.length === 0) return values.includes('380') ? { column, value: '380' } : undefined;
  for (const total of totals) {
    const signOf = (value: string) => {
      const amounts = header.sample
        .filter((row) => row[column] === value)
        .map((row) => Math.sign(Number(row[total])))
        .filter((sign) => sign !== 0);
      return new Set(amounts).size === 1 ? amounts[0] : 0;
    };
    const positive = values.filter((value) => signOf(value) === 1);
    const negative = values.filter((value) => signOf(value) === -1);
    if (positive.length !== 1 || negative.length !== 1) continue;
    return { column, value: positive[0]!, creditValue: negative[0]! };
  }
  return undefined;
}

/** Columns with a total of the documents. */
function totalsOf(header: FoundTable): readonly string[] {
  return header.columns.flatMap(({ name }) => {
    const words = wordsOfColumn(header, name);
    const { kind } = columnFacts(header, name);
    const isAmount = words.includes('gross') || words.includes('total') || words.includes('net');
    return isAmount && (kind === 'decimal' || kind === 'integer') ? [name] : [];
  });
}

/**
 * `type = 7` where the numbers of those documents begin as numbers of invoices do (IV-001, RE2026/7), and others
 * as those of orders and quotations; looked for where the other filters leave several kinds.
 */
function numberingFilter(
  header: FoundTable,
  column: string,
  others: readonly KindFilter[],
): KindFilter | undefined {
  const { kind, filled, rows } = columnFacts(header, column);
  if (kind === 'date' || kind === 'decimal' || filled < rows) return undefined;
  if (!wordsOfColumn(header, column).includes('type')) return undefined;
  const left = header.sample.filter((row) =>
    others.every((each) => row[each.column] === each.value),
  );
  const values = [...new Set(left.map((row) => row[column]!))];
  if (values.length < 2 || values.length > kindsMax) return undefined;
  for (const { name } of header.columns) {
    const words = wordsOfColumn(header, name);
    const isNumber = ['number', 'reference', 'code', 'name', 'invoice'].some((word) =>
      words.includes(word),
    );
    const isOfInvoices = words.includes('invoice') && words.includes('number');
    const { kind: ofNumbers } = columnFacts(header, name);
    const isPlain = ofNumbers === 'integer' && isOfInvoices;
    if (!isNumber || (ofNumbers !== 'text' && !isPlain)) continue;
    const numbersOf = (value: string) =>
      left.flatMap((row) => (row[column] === value ? (row[name]?.trim() ?? '') : []));
    const beginnings = new Map(values.map((value) => [value, beginningOf(numbersOf(value))]));
    const invoices = values.filter((value) => isInvoiceNumber(beginnings.get(value) ?? ''));
    // Plain numbers, where those of all other kinds begin as those of offers and orders do, or where only one kind
    // has a number of an invoice.
    const numbered = values.filter((value) => numbersOf(value).some((number) => number !== ''));
    const plain = numbered.filter((value) => !otherNumber.test(beginnings.get(value) ?? ''));
    const isOne = plain.length === 1 && (numbered.length > 1 || isOfInvoices);
    if (invoices.length === 0 && isOne) invoices.push(plain[0]!);
    const own = beginnings.get(invoices[0] ?? '');
    const isTold = numbered.every(
      (value) => value === invoices[0] || beginnings.get(value) !== own,
    );
    if (invoices.length !== 1 || !isTold) continue;
    const credit = values.find((value) => creditText.test(beginnings.get(value) ?? ''));
    return withCredit(column, invoices[0]!, credit);
  }
  return undefined;
}

/** Kinds of documents with numbers of their own, at least, for a column that is not called after kinds. */
const seriesMin = 3;

/** `journal = 12` where the numbers of each of several journals begin otherwise, and those of one as of invoices. */
function seriesFilter(header: FoundTable, column: string): KindFilter | undefined {
  const { kind, filled, rows, values } = columnFacts(header, column);
  if (kind === 'date' || kind === 'decimal' || filled < rows) return undefined;
  if (values.size < seriesMin || values.size > kindsMax) return undefined;
  for (const { name } of header.columns) {
    const words = wordsOfColumn(header, name);
    const isNumber = words.includes('number') || words.includes('invoice');
    if (!isNumber || columnFacts(header, name).kind !== 'text' || name === column) continue;
    const beginnings = new Map(
      [...values].map((value) => [
        value,
        beginningOf(
          header.sample.flatMap((row) => (row[column] === value ? (row[name] ?? '') : [])),
        ),
      ]),
    );
    const different = new Set(beginnings.values());
    if (different.size < values.size || different.has('')) continue;
    const invoices = [...values].filter((value) => isInvoiceNumber(beginnings.get(value)!));
    if (invoices.length !== 1) continue;
    const credit = [...values].find((value) => creditText.test(beginnings.get(value)!));
    return withCredit(column, invoices[0]!, credit);
  }
  return undefined;
}

const otherNumber = /^(q|quo|quote|est|so|ord|pro|pf|an|dev|co|po|dn|del|ls|cn|cr|gs|rtn)$/i;

/** Whether the letters that numbers begin with are those of invoices. */
export function isInvoiceNumber(beginning: string): boolean {
  return textScore(beginning) > 0 || /^inv|inv$/i.test(beginning);
}

/** The letters that all the numbers begin with; nothing where they differ. Drafts have none yet. */
export function beginningOf(numbers: readonly string[]): string {
  const given = numbers.filter((number) => number.trim() !== '');
  const found = new Set(given.map((number) => /^[A-Za-z]+/.exec(number)?.[0] ?? ''));
  return found.size === 1 ? [...found][0]! : '';
}

/** Words of a mark that a document is no draft any more: `posted`, `is_approved`. */
const finalWords: ReadonlySet<string> = new Set([
  'is',
  'posting',
  'approved',
  'confirmed',
  'released',
  'validated',
  'valid',
  'finalized',
  'finalised',
  'submitted',
  'issued',
  'complete',
  'completed',
  'flag',
  'code',
]);

/** Documents that have no number yet: more are no drafts; of states, which may have further values, far fewer. */
const unnumbered = { rowsMin: 2, shareMax: 0.5, ofStateMax: 0.2 } as const;

/**
 * `booked = 1` where each of these has a number, and those with 0 have none yet. A state of which two values were seen
 * may have further ones that are final too, so that nearly all documents have to be in it.
 */
function unnumberedFilter(header: FoundTable, column: string): KindFilter | undefined {
  const { values, kind, filled, rows } = columnFacts(header, column);
  const own = wordsOfColumn(header, column);
  const isState =
    values.size === 2 && kind === 'text' && (own.includes('status') || own.includes('state'));
  if ((!isMark(values) && !isState) || filled < rows) return undefined;
  const shareMax = isMark(values) ? unnumbered.shareMax : unnumbered.ofStateMax;
  for (const { name } of header.columns) {
    const number = columnFacts(header, name);
    const missing = number.rows - number.filled;
    const words = wordsOfColumn(header, name);
    const isBuyers = words.includes('buyer') || words.includes('order');
    const isOwn =
      (words.includes('number') && !isBuyers) || (isState && words.join() === 'reference');
    const isNumber = isOwn && number.kind !== 'date';
    const isPartly = missing >= unnumbered.rowsMin && missing <= rows * shareMax;
    // A number of something else repeats, or is missing without a reason.
    if (!isNumber || !isPartly || number.values.size < number.filled) continue;
    const isNumbered = (row: SampleRow) => (row[name] ?? '').trim() !== '';
    const final = new Set(header.sample.filter(isNumbered).map((row) => row[column]!));
    const open = header.sample.filter((row) => !isNumbered(row)).map((row) => row[column]!);
    const [value] = final;
    if (final.size === 1 && !open.includes(value!)) return { column, value: value! };
  }
  return undefined;
}

/** Different states that mean nothing by themselves, at most, and the letters of such a one. */
const bareStates = { max: 6, lengthMax: 2 } as const;
/** Documents in a state that was followed by something, of all: others are drafts and cancelled ones. */
const followedMin = 0.5;
/** Documents in that state that something followed, of these. */
const followedShareMin = 0.95;

/**
 * `state = 3` where the books, or whoever else goes on with a document, know documents in that state only. What was
 * paid does not tell: documents that are open are final too.
 */
function followedFilter(
  header: FoundTable,
  column: string,
  lines: FoundTable,
  { tables, references }: FoundDatabase,
): KindFilter | undefined {
  const words = wordsOfColumn(header, column);
  const { values, filled, rows } = columnFacts(header, column);
  if (!words.includes('status') && !words.includes('state')) return undefined;
  if (filled < rows || values.size < 2 || values.size > bareStates.max) return undefined;
  if ([...values].some((value) => value.length > bareStates.lengthMax)) return undefined;
  const isOfPayment = (name: readonly string[]) =>
    ['payment', 'paid', 'deleted', 'credit'].some((word) => name.includes(word));
  const isSet = (value: string | null | undefined) => value != null && !/^[0. -]*$/.test(value);
  const marks = header.columns
    .filter(({ name }) => {
      const own = wordsOfColumn(header, name);
      const points = references.some(
        (one) => one.table === header.name && one.columns[0] === name && one.to !== header.name,
      );
      return name !== column && !isOfPayment(own) && (points || own.includes('posting'));
    })
    .map(
      ({ name }) =>
        (row: SampleRow) =>
          isSet(row[name]),
    );
  const followers = references
    .filter(({ to, table }) => to === header.name && table !== lines.name && table !== header.name)
    .flatMap(({ table, columns, toColumns }) => {
      const own = tables.find(({ name }) => name === table);
      if (own === undefined || isOfPayment(wordsOf(table))) return [];
      const held = columnFacts(own, columns[0]!).values;
      return [(row: SampleRow) => held.has(row[toColumns[0]!] ?? '')];
    });
  for (const isFollowed of [...marks, ...followers]) {
    const followed = header.sample.filter(isFollowed);
    const [value, ...others] = new Set(followed.map((row) => row[column]!));
    if (value === undefined || others.length > 0) continue;
    const all = header.sample.filter((row) => row[column] === value).length;
    const isMost = all >= rows * followedMin && followed.length >= all * followedShareMin;
    if (isMost) return { column, value };
  }
  return undefined;
}

/** Whether documents in a state lack the number, or a day, that all of those in the final one have. */
function isUnfinished(header: FoundTable, column: string, state: string, final: string): boolean {
  return header.columns.some(({ name }) => {
    const isDay = columnFacts(header, name).kind === 'date';
    if (!isDay && !wordsOfColumn(header, name).includes('number')) return false;
    const isHeld = (value: string, isFilled: boolean) =>
      header.sample.every(
        (row) => row[column] !== value || ((row[name] ?? '').trim() !== '') === isFilled,
      );
    return isHeld(final, true) && isHeld(state, false);
  });
}

/** What all values begin with before a dash or the like: `wc-` of wc-completed, wc-cancelled. */
function commonPrefix(values: readonly string[]): string {
  const [prefix = ''] = /^[a-z]+[-_:.]/i.exec(values[0] ?? '') ?? [];
  return values.every((value) => value.startsWith(prefix)) ? prefix : '';
}

/** `state = posted` where there are drafts; `cancelled = 0` where some are. */
function stateFilter(
  header: FoundTable,
  column: string,
  database: FoundDatabase,
): KindFilter | undefined {
  const words = wordsOfColumn(header, column);
  const { values, kind, filled, rows } = columnFacts(header, column);
  if (values.size < 2 || values.size > kindsMax || filled < rows) return undefined;
  // What is not paid or sent yet is an invoice too.
  if (words.includes('payment') || words.includes('delivery')) return undefined;
  const all = [...values];
  const names = namesOf(header, column, database);
  const isNamed = all.every((value) => names.has(value));
  if (kind === 'text' || isNamed) {
    const prefix = isNamed ? 0 : commonPrefix(all).length;
    const textOf = (value: string) => (isNamed ? names.get(value)! : value.slice(prefix));
    const final = all.filter((value) => finalText.test(textOf(value)));
    const drafts = all.filter((value) => draftText.test(textOf(value)));
    const others = all.filter((value) => !final.includes(value) && !drafts.includes(value));
    const isTelling =
      final.length === 1 &&
      drafts.length > 0 &&
      others.every((value) => isUnfinished(header, column, value, final[0]!));
    if (isTelling) return { column, value: final[0]! };
    // One word that is unknown, beside drafts or cancelled ones.
    const rest = all.filter((value) => !draftText.test(textOf(value)));
    const isState = words.includes('status') || words.includes('state');
    if (isState && rest.length === 1 && drafts.length > 0 && textOf(rest[0]!).length > 2) {
      return { column, value: rest[0]! };
    }
  }
  const isFlag = isMark(values);
  const off = all.find((value) => offText.test(value));
  if (isFlag && (words.includes('draft') || words.includes('quote'))) {
    return { column, value: off! };
  }
  const mark = deletedMark(header, column);
  if (mark !== undefined) return mark;
  if (isFlag && words.every((word) => finalWords.has(word))) {
    return { column, value: all.find((value) => onText.test(value))! };
  }
  // 0 draft, 1 submitted, 2 cancelled.
  const isDocStatus = /docstatus/i.test(column) && values.has('1');
  return isDocStatus ? { column, value: '1' } : undefined;
}
