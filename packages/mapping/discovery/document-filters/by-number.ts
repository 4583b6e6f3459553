import { columnFacts, type FoundTable, type SampleRow, wordsOfColumn } from '../database.ts';
import { isMark } from '../marks.ts';
import { type DocumentFilter, kindsMax, withCredit } from './document-filter.ts';
import { creditText, textScore } from './document-words.ts';

/**
 * `type = 7` where the numbers of those documents begin as numbers of invoices do (IV-001, RE2026/7), and others
 * as those of orders and quotations; looked for where the other filters leave several kinds.
 */
export function numberingFilter(
  header: FoundTable,
  column: string,
  others: readonly DocumentFilter[],
): DocumentFilter | undefined {
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
export function seriesFilter(header: FoundTable, column: string): DocumentFilter | undefined {
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

/** Documents that have no number yet: more are no drafts; of states, which may have further values, far fewer. */
const unnumbered = { rowsMin: 2, shareMax: 0.5, ofStateMax: 0.2 } as const;

/**
 * `booked = 1` where each of these has a number, and those with 0 have none yet. A state of which two values were seen
 * may have further ones that are final too, so that nearly all documents have to be in it.
 */
export function unnumberedFilter(header: FoundTable, column: string): DocumentFilter | undefined {
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
