import { shareOf } from '../../inference/numbers.ts';
import { columnFacts, type FoundTable, type Reference } from '../database.ts';
import { type KindFilter, keptRows } from '../kind-filters.ts';
import type { ReferenceGraph } from './reference-graph.ts';

/** Of the documents that are kept, those more that another column has lines of, at least. */
const moreMin = 0.5;

/**
 * The pointer that has lines of the documents that are kept: where purchases have the same lines as sales, one column
 * points at bills and one at invoices.
 */
export function pointerOfKept(
  header: FoundTable,
  pointer: Reference,
  filters: readonly KindFilter[],
  { to }: ReferenceGraph,
  lines: FoundTable,
): Reference {
  const [key = ''] = pointer.toColumns;
  const rows = keptRows(header, filters);
  const coverage = ({ columns }: Reference) => {
    const held = columnFacts(lines, columns[0]!).values;
    return shareOf(rows, (row) => held.has(row[key] ?? ''));
  };
  const others = (to.get(header.name) ?? []).filter(
    (one) => one.table === lines.name && one.toColumns.join() === pointer.toColumns.join(),
  );
  const best = others.toSorted((one, other) => coverage(other) - coverage(one))[0];
  const isMore = best !== undefined && coverage(best) - coverage(pointer) >= moreMin;
  return isMore ? best : pointer;
}
