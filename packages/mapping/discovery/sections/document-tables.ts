import { rememberedByObject } from '../../remembered.ts';
import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  folded,
  isUnfilled,
  isUnique,
  isWholeKey,
  type Reference,
  wordsOfColumn,
} from '../database.ts';
import { isOfTransaction, subjectOf } from '../references.ts';
import { headerScore } from './header-score.ts';
import { flatScore, lineScore } from './line-score.ts';
import type { ReferenceGraph } from './reference-graph.ts';

/** A table that may hold headers, with its lines. */
export interface DocumentTables {
  readonly header: FoundTable;
  readonly lines: FoundTable;
  /** From the lines to the header; undefined where one table has both. */
  readonly reference: Reference | undefined;
  readonly score: number;
}

/** What it says for a header that the amounts of the lines come to one of its columns. */
const summedScore = 3;

/** What lines score, at least. */
const linesScoreMin = 4;

/** What it says against lines that they are called after another header. */
const namedScore = 3;

/** What it says against lines that they point at the header by the key of another table. */
const otherKeyScore = 3;

/** What it says for lines that they are called as the header is: INV1 of OINV, where PCH1 has the same columns. */
const sharedNameScore = 0.4;

/** Tables that may be header and lines of invoices, each with how likely that is. */
export function likelyPairs(graph: ReferenceGraph): readonly DocumentTables[] {
  const pairs: DocumentTables[] = [];
  for (const header of graph.database.tables) {
    const own = headerScore(header, graph);
    for (const reference of graph.to.get(header.name) ?? []) {
      const lines = graph.byName.get(reference.table);
      if (lines === undefined || lines === header) continue;
      if (isUnfilled(lines, reference.columns[0]!)) continue;
      const theirs = lineScore(lines, header, reference, graph);
      const isSummed = graph.sums.some(
        ({ reference: one }) => one.table === lines.name && one.to === header.name,
      );
      const ofLines = theirs + (isSummed ? summedScore : 0);
      if (ofLines < linesScoreMin) continue;
      const score =
        own +
        ofLines +
        pointerScore(lines, reference) +
        sharedName(header.name, lines.name) * sharedNameScore -
        (isNamedAfterAnother(lines, header, graph) ? namedScore : 0) -
        (isKeyOfAnother(lines, header, reference, graph) ? otherKeyScore : 0);
      pairs.push({ header, lines, reference, score });
    }
    const flat = flatScore(header);
    if (flat > 0) pairs.push({ header, lines: header, reference: undefined, score: own + flat });
  }
  return pairs;
}

/** The longest run of letters that both names have, as a share of the shorter one. */
function sharedName(one: string, other: string): number {
  const [short = '', long = ''] = [folded(one), folded(other)].sort((a, b) => a.length - b.length);
  for (let length = short.length; length > 0; length -= 1) {
    for (let at = 0; at + length <= short.length; at += 1) {
      if (long.includes(short.slice(at, at + length))) return length / short.length;
    }
  }
  return 0;
}

/** Of columns that point at the same header, the one that is called after invoices, not after what they came from. */
function pointerScore(lines: FoundTable, { columns }: Reference): number {
  const words = wordsOfColumn(lines, columns[0]!);
  const isOfInvoice = words.includes('invoice') && !isOfTransaction(columns[0]!);
  return (isOfInvoice ? 0.3 : 0) - (words.includes('original') ? 1 : 0);
}

/**
 * Whether lines point at another table by its key, which the header only repeats: lines of an order, whose number stands
 * in the invoice, or of the invoice, whose key stands in the ledger.
 */
function isKeyOfAnother(
  lines: FoundTable,
  header: FoundTable,
  { columns: [column = ''], toColumns: [key = ''] }: Reference,
  { database }: ReferenceGraph,
): boolean {
  if (isWholeKey(header, [key])) return false;
  const { values } = columnFacts(lines, column);
  return (columnsByName(database).get(folded(column)) ?? []).some(({ table, name }) => {
    if (table === header || table === lines || !isUnique(table, [name])) return false;
    const theirs = columnFacts(table, name).values;
    return values.size > 0 && [...values].every((value) => theirs.has(value));
  });
}

const columnsByName = rememberedByObject(({ tables }: FoundDatabase) => {
  const all = tables.flatMap((table) => table.columns.map(({ name }) => ({ table, name })));
  return Map.groupBy(all, ({ name }) => folded(name));
});

/** Whether lines have the whole name of other invoices in theirs: "lineasfacturasprov" of "facturasprov". */
function isNamedAfterAnother(
  lines: FoundTable,
  header: FoundTable,
  { from }: ReferenceGraph,
): boolean {
  const name = lines.name.toLowerCase();
  if (name.includes(header.name.toLowerCase())) return false;
  return (from.get(lines.name) ?? []).some(
    ({ to }) =>
      to !== header.name && subjectOf(to).has('invoice') && name.includes(to.toLowerCase()),
  );
}
