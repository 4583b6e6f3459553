import { columnFacts, type FoundTable, type Reference, wordsOfColumn } from '../database.ts';
import { lineProduct } from '../line-sums.ts';
import { isOfTransaction, subjectOf } from '../references.ts';
import { repeatedNumber } from './number-column.ts';
import type { ReferenceGraph } from './reference-graph.ts';

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

/** How much a table looks like one of lines of that header; higher is likelier. */
export function lineScore(
  table: FoundTable,
  header: FoundTable,
  { basis, confidence, columns }: Reference,
  { prefixes, from, isEmpty }: ReferenceGraph,
): number {
  const words = subjectOf(table.name, prefixes);
  let score = basis === 'declared' ? 1.5 : confidence - 0.2;
  for (const word of words) score -= linePenalties[word] ?? 0;
  if (words.has('line')) score += 2.5;
  if (words.has('item')) score += 1;
  const shared = [...subjectOf(header.name, prefixes)].filter((word) => words.has(word));
  const isOfBooks = isOfTransaction(table.name) && !isOfTransaction(header.name);
  if (shared.length > 0 && !isOfBooks) score += 1.5;
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
  // Movements of stock have quantities and prices too, but neither of these.
  if (names.some(({ words: own }) => own.has('tax') || own.has('discount'))) score += 1;
  const parents = table.sample.map((row) => columns.map((column) => row[column]).join('\n'));
  if (parents.length > new Set(parents).size) score += 1;
  if (table.sample.length === 0 && !isEmpty) score -= 3;
  return score;
}

/** How much a table looks like one with a row for each line, in which the header repeats; 0 where it does not. */
export function flatScore(table: FoundTable): number {
  const words = table.columns.map(({ name }) => new Set(wordsOfColumn(table, name)));
  const has = (...wanted: string[]) => words.some((own) => wanted.every((one) => own.has(one)));
  if (!has('quantity') || !has('price')) return 0;
  const hasBuyer = has('buyer', 'name') || has('buyer', 'address') || has('buyer', 'tax');
  const repeated = repeatedNumber(table);
  return hasBuyer && repeated !== undefined ? 9 : 0;
}
