import { columnFacts, type FoundDatabase, type FoundTable, wordsOfColumn } from '../database.ts';
import { type DocumentFilter, keptRows } from '../document-filters/document-filter.ts';
import { subjectOf } from '../references.ts';

/** Where credit notes stand. */
export type CreditNotes =
  /** Rows of the header's table with another value. */
  | { readonly kind: 'value'; readonly column: string; readonly value: string }
  | { readonly kind: 'table'; readonly table: string }
  /** Invoices whose total is negative. */
  | { readonly kind: 'negative'; readonly column: string }
  | { readonly kind: 'none' };

/** Where the credit notes of a header stand: in its own rows, or in another table. */
export function creditNotesOf(
  header: FoundTable,
  filters: readonly DocumentFilter[],
  { tables }: FoundDatabase,
): CreditNotes {
  const filter = filters.find(({ creditValue }) => creditValue !== undefined);
  if (filter?.creditValue !== undefined) {
    return { kind: 'value', column: filter.column, value: filter.creditValue };
  }
  const invoices = keptRows(header, filters);
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
