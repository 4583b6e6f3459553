import type { LookedRow, TableSettings } from './looked-table.ts';

const headerKind = /^(h|hd|hdr|head|header|k|kopf|cab|ent|e)$/i;
const lineKind = /^(l|ln|lin|line|lines|d|dt|dtl|det|detail|p|pos|position|i|itm|item|r|row)$/i;
const columnsLooked = 2;
const kindsMax = 5;

/**
 * Tables whose rows are headers and lines by turns, as a column says (`H`, `L`); undefined for others. Such
 * rows have columns of their own, so that no line can name them.
 */
export function rowKindsOf(
  rows: readonly LookedRow[],
):
  | { readonly settings: NonNullable<TableSettings['rowSections']>; readonly reason: string }
  | undefined {
  for (let at = 0; at < columnsLooked; at += 1) {
    const kinds = rows.map(({ fields }) => fields[at]?.trim() ?? '');
    const [first = ''] = kinds;
    const different = new Set(kinds);
    const lines = [...different].find((kind) => lineKind.test(kind));
    const isTold = headerKind.test(first) && lines !== undefined && different.size <= kindsMax;
    if (!isTold || different.has('')) continue;
    const names = [...different].map((kind) => [kind, sectionOf(kind, first, lines)] as const);
    return {
      settings: { column: String(at + 1), sections: Object.fromEntries(names) },
      reason: `Column ${at + 1} says what a row is: "${first}" begins an invoice, "${lines}" is a line of it.`,
    };
  }
  return undefined;
}

function sectionOf(kind: string, header: string, lines: string): string {
  if (kind === header) return 'header';
  return kind === lines ? 'lines' : kind.toLowerCase();
}
