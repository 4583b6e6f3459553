import { columnFacts, type FoundTable, wordsOfColumn } from '../database.ts';
import { subjectOf } from '../references.ts';
import type { LookupContext } from './lookup-context.ts';
import { isSingle } from './table-facts.ts';

/** Taxes with a rate; a group of taxes has none of its own. */
export function taxName(
  parent: string,
  table: FoundTable,
  context: LookupContext,
): string | undefined {
  const isOfRates = isRated(table) || leadsToRate(table, context);
  if (!isOfRates && !hasRates(table, context)) return undefined;
  if (parent === 'lines_tax') return 'lines_tax_rate';
  return parent === 'lines' || parent === 'item' ? `${parent}_tax` : undefined;
}

/** Whether a table without a rate points at one with rates, as a group of taxes does. */
function leadsToRate(table: FoundTable, { references, byName, prefixes }: LookupContext): boolean {
  return references.some((reference) => {
    const to = byName.get(reference.to);
    if (reference.table !== table.name || to === undefined) return false;
    const words = reference.columns.flatMap((column) => wordsOfColumn(table, column));
    const isOfTax = words.includes('tax') || subjectOf(to.name, prefixes).has('tax');
    return isOfTax && isRated(to);
  });
}

/** Whether the rates of a table of taxes are rows of another one that point at it. */
function hasRates(table: FoundTable, { references, byName, prefixes }: LookupContext): boolean {
  return references.some(({ table: from, to, columns: [column = ''] }) => {
    const rates = byName.get(from);
    if (to !== table.name || rates === undefined || !subjectOf(from, prefixes).has('tax')) {
      return false;
    }
    return isSingle(rates, column) && isRated(rates) && rates.columns.length <= rateColumnsMax;
  });
}

/** Columns of a table of rates, at most: a line of a document has more. */
const rateColumnsMax = 12;

function isRated(table: FoundTable): boolean {
  return table.columns.some(({ name }) => {
    const words = wordsOfColumn(table, name);
    const { kind, values } = columnFacts(table, name);
    const isNumber = kind === 'integer' || kind === 'decimal';
    const isRate =
      isNumber && !table.primaryKey.includes(name) && values.has('0') && values.size > 1;
    return (
      words.includes('rate') || words.includes('percent') || words.includes('amount') || isRate
    );
  });
}

/** Rows of a table of rates, at most, and what they are multiples of where the point is left out. */
const rates = { rowsMax: 12, max: 40, parts: [1, 100, 1_000] } as const;

/** A few rows with a name or code each and a number that is a rate, 0 among them. */
export function isTableOfRates(table: FoundTable): boolean {
  const { sample, columns } = table;
  if (sample.length < 2 || sample.length > rates.rowsMax) return false;
  const isRate = (name: string) => {
    const { kind, values } = columnFacts(table, name);
    const numbers = [...values].map(Number);
    return (
      (kind === 'integer' || kind === 'decimal') &&
      !table.primaryKey.includes(name) &&
      values.size > 1 &&
      numbers.includes(0) &&
      rates.parts.some((part) =>
        numbers.every(
          (value) => value >= 0 && value <= rates.max * part && (part === 1 || value % part === 0),
        ),
      ) &&
      Math.max(...numbers) > 1
    );
  };
  const isPriced = columns.some(({ name }) => {
    const words = wordsOfColumn(table, name);
    return words.includes('price') || words.includes('cost') || words.includes('quantity');
  });
  return !isPriced && columns.some(({ name }) => isRate(name));
}
