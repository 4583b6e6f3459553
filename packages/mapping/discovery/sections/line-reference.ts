import { shareOf } from '../../inference/numbers.ts';
import { columnFacts, type FoundTable, type Reference } from '../database.ts';
import { type DocumentFilter, keptRows } from '../document-filters/document-filter.ts';
import type { ReferenceGraph } from './reference-graph.ts';

/** Of the documents that the filters leave, those more that another column has lines of, at least. */
const moreMin = 0.5;

/**
 * The reference by which lines are found: the given one, or another of the same lines that has far more of the documents
 * that the filters leave. Where purchases have the same lines as sales, one column points at bills and one at invoices.
 * Not where the lines come to the totals by the given one.
 */
export function lineReference(
  header: FoundTable,
  lines: FoundTable,
  given: Reference,
  filters: readonly DocumentFilter[],
  { to, sums }: ReferenceGraph,
): Reference {
  const isSummed = sums.some(
    ({ reference: one }) =>
      one.table === lines.name && one.to === header.name && one.columns[0] === given.columns[0],
  );
  if (isSummed) return given;
  const [key = ''] = given.toColumns;
  const rows = keptRows(header, filters);
  const coverage = ({ columns }: Reference) => {
    const held = columnFacts(lines, columns[0]!).values;
    return shareOf(rows, (row) => held.has(row[key] ?? ''));
  };
  const others = (to.get(header.name) ?? []).filter(
    (one) => one.table === lines.name && one.toColumns.join() === given.toColumns.join(),
  );
  const best = others.toSorted((one, other) => coverage(other) - coverage(one))[0];
  const isMore = best !== undefined && coverage(best) - coverage(given) >= moreMin;
  return isMore ? best : given;
}
