import { lookUp } from '@drawbridge/cim/look-up.ts';
import { type Provenance, textAt } from '@drawbridge/mapping/apply.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';

/** Where the values of an invoice came from when it was checked, by path. */
export type Origins = Readonly<Record<string, Provenance>>;

type ColumnOrigin = Extract<Provenance, { readonly kind: 'column' }>;

/** What makes up a total, where no column holds it. */
const amountPaths = /^(lines|allowances_charges|tax_breakdown|totals)\b/;

/** Whether a source holds all that an invoice was made of, and no further lines. */
export function isAllAsBefore(origins: Origins, source: SourceDocument): boolean {
  const columns = Object.values(origins).flatMap(columnOf);
  return columns.length > 0 && areHeld(origins, columns, source);
}

/**
 * Whether a source still holds what the value at that path was made of: one that comes out otherwise is then
 * mapped otherwise. What a mapping sets, or did not map, is not of the source.
 */
export function isAsBefore(origins: Origins, path: string, source: SourceDocument): boolean {
  const known = lookUp(origins, path);
  return known?.kind !== 'column' || isHeld(known, source);
}

/** The same of the total, for which the amounts of the source stand where it is computed. */
export function isTotalAsBefore(origins: Origins, source: SourceDocument): boolean {
  if (lookUp(origins, 'totals.gross') !== undefined) {
    return isAsBefore(origins, 'totals.gross', source);
  }
  const parts = Object.entries(origins).flatMap(([path, origin]) =>
    amountPaths.test(path) ? columnOf(origin) : [],
  );
  return areHeld(origins, parts, source);
}

function columnOf(origin: Provenance): ColumnOrigin[] {
  return origin.kind === 'column' ? [origin] : [];
}

function areHeld(
  origins: Origins,
  columns: readonly ColumnOrigin[],
  source: SourceDocument,
): boolean {
  return columns.every((column) => isHeld(column, source)) && !hasNewLine(origins, source);
}

function hasNewLine(origins: Origins, { sections }: SourceDocument): boolean {
  const lines = Object.entries(origins).flatMap(([path, origin]) =>
    path.startsWith('lines[') ? columnOf(origin) : [],
  );
  return [...Map.groupBy(lines, ({ section }) => section)].some(([section, known]) => {
    const keys = new Set(known.map(({ key }) => key));
    return (lookUp(sections, section) ?? []).some(({ key }) => !keys.has(key));
  });
}

function isHeld({ section, key, column, value }: ColumnOrigin, source: SourceDocument): boolean {
  const rows = lookUp(source.sections, section) ?? [];
  return rows.some((row) => row.key === key && (textAt(row, column) ?? '') === value);
}
