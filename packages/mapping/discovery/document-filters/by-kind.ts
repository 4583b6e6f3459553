import { wordsOf } from '../../words.ts';
import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  type Reference,
  type SampleRow,
  wordsOfColumn,
} from '../database.ts';
import { isMark, offText, onText } from '../marks.ts';
import { type DocumentFilter, kindsMax, namesOf, totalsOf, withCredit } from './document-filter.ts';
import { creditText, textScore } from './document-words.ts';

/** A kind that is part of the key must be said, or a number means several documents. */
export function keyFilter(
  header: FoundTable,
  lines: FoundTable,
  reference: Reference,
  column: string,
  database: FoundDatabase,
): DocumentFilter | undefined {
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
export function typeFilter(
  header: FoundTable,
  column: string,
  database: FoundDatabase,
): DocumentFilter | undefined {
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
export function namedKindsFilter(
  header: FoundTable,
  column: string,
  database: FoundDatabase,
): DocumentFilter | undefined {
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

/** A letter that says neither that it is an invoice nor that it is none. */
function isBareLetter(value: string): boolean {
  return /^[a-z]$/i.test(value.trim()) && textScore(value) === 0;
}

/** `type = 0` where another number has all the documents with negative totals. */
function signFilter(
  header: FoundTable,
  column: string,
  values: readonly string[],
): DocumentFilter | undefined {
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
