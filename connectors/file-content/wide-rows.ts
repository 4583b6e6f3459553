import type { SourceRow } from '@drawbridge/records/document.ts';
import type { WholeDocument } from './whole-document.ts';

/**
 * The document of a row that holds a whole invoice, with columns for each of its lines: those of
 * `item#_qty` are `item1_qty`, `item2_qty` … A line of which all are empty is none.
 */
export function wideDocument(
  ref: string,
  row: SourceRow,
  lineColumns: readonly string[],
): WholeDocument {
  const lines = new Map<number, Record<string, string | null>>();
  for (const [column, value] of Object.entries(row.values)) {
    for (const pattern of lineColumns) {
      const number = numberIn(column, pattern);
      if (number === undefined) continue;
      const line = lines.get(number) ?? {};
      line[pattern] = value;
      lines.set(number, line);
    }
  }
  const filled = [...lines]
    .filter(([, values]) => Object.values(values).some((value) => value !== null))
    .sort(([one], [other]) => one - other);
  return {
    ref,
    sections: {
      header: [row],
      lines: filled.map(([number, values]) => {
        return { origin: row.origin, key: `${row.key}, item ${number}`, values };
      }),
    },
  };
}

/** The number that stands for the `#` of a pattern. */
function numberIn(column: string, pattern: string): number | undefined {
  const [before = '', after = ''] = pattern.split('#');
  if (!column.startsWith(before) || !column.endsWith(after)) return undefined;
  const digits = column.slice(before.length, column.length - after.length);
  return /^\d{1,3}$/.test(digits) ? Number(digits) : undefined;
}
