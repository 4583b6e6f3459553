import {
  columnFacts,
  type FoundTable,
  isUnique,
  type SampleRow,
  wordsOfColumn,
} from '../database.ts';
import { type DocumentFilter, totalsOf } from './document-filter.ts';

/** Documents that correct another one, of all, at most. */
const correctionsMax = 0.5;

/** Of the documents that are corrected, those that are in the sample too, at least. */
const correctedMin = 0.6;

/** `credited_invoice_id`: filled in a credit note, with the key or number of another document of the same table. */
export function correctionFilter(header: FoundTable): DocumentFilter | undefined {
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
