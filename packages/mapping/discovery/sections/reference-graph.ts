import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  isWholeKey,
  type Reference,
} from '../database.ts';
import { type LineSums, referencesBySums } from '../line-sums.ts';
import { commonPrefixes, transitiveReferences } from '../references.ts';
import { headerColumns } from './header-columns.ts';

/** Tables and what points at what, as values and sums show it too. */
export interface ReferenceGraph {
  readonly database: FoundDatabase;
  /** Unknown words that most names of tables begin with. */
  readonly prefixes: ReadonlySet<string>;
  /** No table has a row: then names are all there is. */
  readonly isEmpty: boolean;
  readonly byName: ReadonlyMap<string, FoundTable>;
  /** References by the table that points. */
  readonly from: ReadonlyMap<string, readonly Reference[]>;
  /** References by the table that is pointed at. */
  readonly to: ReadonlyMap<string, readonly Reference[]>;
  readonly sums: readonly LineSums[];
}

/** The graph of what discovery found, with references that only sums show, or that lead on. */
export function referenceGraph(database: FoundDatabase): ReferenceGraph {
  const { tables, references: known } = database;
  const sums = referencesBySums(tables);
  const byName = new Map(tables.map((table) => [table.name, table]));
  // Numbers of letters and digits are rarely counted anew for each kind; plain ones are.
  const isPlain = ({ to, toColumns }: Reference) =>
    columnFacts(byName.get(to)!, toColumns[0]!).kind === 'integer';
  const isKnown = (sum: Reference) =>
    known.some(
      (one) =>
        one.table === sum.table &&
        one.to === sum.to &&
        one.columns[0] === sum.columns[0] &&
        (one.basis === 'declared' || one.columns.length >= sum.columns.length || !isPlain(sum)),
    );
  const shown = sums.map(({ reference }) => reference).filter((one) => !isKnown(one));
  const all = [...known, ...shown, ...transitiveReferences(byName, known)];
  const references = [...all, ...referencesToParts(byName, all)];
  return {
    database,
    sums,
    prefixes: commonPrefixes(tables),
    isEmpty: tables.every(({ sample }) => sample.length === 0),
    byName,
    from: Map.groupBy(references, ({ table }) => table),
    to: Map.groupBy(references, ({ to }) => to),
  };
}

/** Values of lines that such a table must hold, at least: others are lines of purchases. */
const ofPartMin = 0.3;

/**
 * References to tables that go on with a row that says nothing of a document: lines that point at "transactions"
 * point at the invoices that have the key of one.
 */
function referencesToParts(
  byName: ReadonlyMap<string, FoundTable>,
  references: readonly Reference[],
): readonly Reference[] {
  const parts = references.filter(({ table, columns, to, toColumns, basis }) => {
    const [own, whole] = [byName.get(table), byName.get(to)];
    if (own === undefined || whole === undefined || basis !== 'declared') return false;
    const kinds = headerColumns(whole);
    const areKeys = isWholeKey(own, columns) && isWholeKey(whole, toColumns);
    return areKeys && !kinds.has('buyer') && !kinds.has('total') && headerColumns(own).has('total');
  });
  return parts.flatMap((part) =>
    references.flatMap((one) => {
      const isOfWhole = one.to === part.to && one.toColumns.join() === part.toColumns.join();
      if (!isOfWhole || isWholeKey(byName.get(one.table)!, one.columns)) return [];
      const { values } = columnFacts(byName.get(one.table)!, one.columns[0]!);
      const theirs = columnFacts(byName.get(part.table)!, part.columns[0]!).values;
      const held = [...values].filter((value) => theirs.has(value)).length;
      if (held === 0 || held < values.size * ofPartMin) return [];
      return [{ ...one, to: part.table, toColumns: part.columns, basis: 'found' as const }];
    }),
  );
}
