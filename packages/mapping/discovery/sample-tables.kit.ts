import type { FoundTable, SampleRow } from './database.ts';
import { likelyReferences, surestReferences } from './references.ts';

/** Tables as discovery finds them; columns by commas, that of the key first, and rows of texts. */
export function sampleTables(
  all: Readonly<Record<string, readonly [columns: string, ...rows: string[]]>>,
): readonly FoundTable[] {
  return Object.entries(all).map(([name, [columns, ...rows]]) => {
    const names = columns.split(', ');
    const sample = rows.map((row): SampleRow => {
      const cells = row.split(', ');
      return Object.fromEntries(names.map((column, at) => [column, cells[at] || null]));
    });
    return {
      name,
      columns: names.map((column) => ({ name: column, type: 'text' })),
      primaryKey: [names[0]!],
      uniques: [],
      rows: rows.length,
      sample,
    };
  });
}

/** Those tables with the references between them that names and values show. */
export function sampleDatabase(all: Parameters<typeof sampleTables>[0]) {
  const tables = sampleTables(all);
  const references = surestReferences([...likelyReferences(tables, [])].flat());
  return { tables, references };
}

/** `count` rows, each made of its number. */
export function rowsOf(count: number, row: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => row(index + 1));
}
