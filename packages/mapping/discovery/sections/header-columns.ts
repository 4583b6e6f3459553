import { isCutDate } from '../../calendar.ts';
import { assessSamples } from '../../samples.ts';
import { columnFacts, type FoundTable, wordsOfColumn } from '../database.ts';
import { offText } from '../marks.ts';

/** What a header has a column for. */
export type HeaderColumn =
  | 'date'
  | 'number'
  | 'total'
  | 'due'
  | 'tax'
  | 'currency'
  | 'buyer'
  | 'supplier';

/** What the columns of a table are, of those that headers of invoices have. */
export function headerColumns(table: FoundTable): ReadonlySet<HeaderColumn> {
  const found = new Set<HeaderColumn>();
  for (const { name, type } of table.columns) {
    const words = new Set(wordsOfColumn(table, name));
    const { kind, values } = columnFacts(table, name);
    const isDate =
      kind === 'date' ||
      (kind === 'integer' && isDay(table, name, words)) ||
      (kind === 'empty' && (/date|time/i.test(type) || words.has('date')));
    const isAudit = words.has('created') || words.has('modified');
    if (isDate && !isAudit) found.add('date');
    if (words.has('due') && !words.has('amount')) found.add('due');
    if (words.has('number') || words.has('reference')) found.add('number');
    const isAmount = kind === 'integer' || kind === 'decimal' || kind === 'empty';
    if (isAmount && (words.has('total') || words.has('amount') || words.has('gross'))) {
      found.add('total');
    }
    if (isAmount && words.has('tax') && !words.has('vatnumber')) found.add('tax');
    if (words.has('currency')) found.add('currency');
    if (words.has('buyer')) found.add('buyer');
    const isOfItem = words.has('reference') || words.has('item');
    // A mark that is set in no document says no more than an empty column: "reallocate purchase".
    const isUnused = table.sample.length > 0 && [...values].every((one) => offText.test(one));
    if (words.has('supplier') && !isOfItem && !isUnused) found.add('supplier');
  }
  if (!found.has('date') && hasPairOfDays(table)) found.add('date');
  return found;
}

const daysMin = 6;

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

/** Whether numbers are days or moments: the name says so, and all are likely ones. */
function isDay(table: FoundTable, column: string, words: ReadonlySet<string>): boolean {
  if (!words.has('date') && !words.has('issue')) return false;
  const { values } = columnFacts(table, column);
  return assessSamples([...values], 'issue_date', 'date').verdict === 'for';
}
