import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';

const rowsMax = 20;
const valueLengthMax = 200;
/** Of all values together: sections may have hundreds of columns. */
const charactersMax = 400_000;

/** The sections of a document as people look at them: the first rows, without what is empty. */
export function shownSections({ sections }: SourceDocument) {
  let left = charactersMax;
  const shown = (row: SourceRow) => {
    const values = Object.entries(row.values).flatMap(([column, value]) => {
      if (value === null || value.trim() === '' || left <= 0) return [];
      const cut = value.slice(0, valueLengthMax).toWellFormed();
      left -= column.length + cut.length;
      return [[column, cut] as const];
    });
    return { key: row.key, values: Object.fromEntries(values) };
  };
  return Object.entries(sections).map(([section, rows]) => ({
    section,
    origin: rows[0]?.origin ?? '',
    rows_total: rows.length,
    rows: rows.slice(0, rowsMax).map(shown),
  }));
}
