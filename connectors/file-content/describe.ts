import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { ColumnDescription } from '../contract.ts';
import { samplesOf } from '../samples.ts';

/** Rows of each section that are looked at for samples. */
const rowsLooked = 5;

/** The columns of a few documents, with samples of their values. */
export function columnsOf(documents: readonly SourceDocument[]): readonly ColumnDescription[] {
  const columns = new Map<string, { column: ColumnDescription; seen: (string | null)[] }>();
  for (const { sections } of documents) {
    for (const [section, rows] of Object.entries(sections)) {
      for (const { origin, values } of rows.slice(0, rowsLooked)) {
        for (const [column, value] of Object.entries(values)) {
          const id = JSON.stringify([section, column]);
          const blank = { section, origin, column, type: 'text', samples: [] };
          const entry = columns.get(id) ?? { column: blank, seen: [] };
          entry.seen.push(value);
          columns.set(id, entry);
        }
      }
    }
  }
  return [...columns.values()].map(({ column, seen }) => ({ ...column, samples: samplesOf(seen) }));
}
