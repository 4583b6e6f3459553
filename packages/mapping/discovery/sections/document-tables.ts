import { type FoundTable, type Reference, wordsOfColumn } from '../database.ts';
import { subjectOf } from '../references.ts';
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

/** Tables that may be header and lines of invoices, each with how likely that is. */
export function likelyPairs(graph: ReferenceGraph): readonly DocumentTables[] {
  const pairs: DocumentTables[] = [];
  for (const header of graph.database.tables) {
    const own = headerScore(header, graph);
    for (const reference of graph.to.get(header.name) ?? []) {
      const lines = graph.byName.get(reference.table);
      if (lines === undefined || lines === header) continue;
      const theirs = lineScore(lines, header, reference, graph);
      const isSummed = graph.sums.some(
        ({ reference: one }) => one.table === lines.name && one.to === header.name,
      );
      const ofLines = theirs + (isSummed ? summedScore : 0);
      if (ofLines < linesScoreMin) continue;
      const score =
        own +
        ofLines +
        pointerScore(lines, reference) -
        (isNamedAfterAnother(lines, header, graph) ? namedScore : 0);
      pairs.push({ header, lines, reference, score });
    }
    const flat = flatScore(header);
    if (flat > 0) pairs.push({ header, lines: header, reference: undefined, score: own + flat });
  }
  return pairs;
}

/** Of columns that point at the same header, the one that is called after invoices, not after what they came from. */
function pointerScore(lines: FoundTable, { columns }: Reference): number {
  const words = wordsOfColumn(lines, columns[0]!);
  return (words.includes('invoice') ? 0.3 : 0) - (words.includes('original') ? 1 : 0);
}

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
