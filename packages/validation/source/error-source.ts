import { lookUp } from '@drawbridge/cim/look-up.ts';
import type { Applied, Provenance } from '@drawbridge/mapping/apply.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';

/** The place in a source that a value came from. */
export interface ErrorSource {
  readonly connector: string;
  /** Table or file. */
  readonly origin: string;
  readonly column: string;
  readonly key: string;
  readonly value: string | null;
}

/** Where the values of one document came from. */
export interface MappedSource {
  readonly connectorId: string;
  readonly profile: Profile;
  readonly source: SourceDocument;
  readonly mapping: Mapping;
  readonly applied: Applied;
}

/**
 * The column that a value came from, or that is empty. Undefined when the value is a constant of
 * the mapping or was computed from others.
 */
export function errorSource(mapped: MappedSource, path: string): ErrorSource | undefined {
  const { provenance } = mapped.applied;
  const original = mapped.profile.movedPaths?.[path] ?? path;
  const known = provenance.get(path) ?? provenance.get(original);
  if (known !== undefined) return columnOf(mapped.connectorId, known);
  return blankSource(mapped, original) ?? blankSource(mapped, path);
}

/** The source of a value that the mapping could not use. */
export function columnOf(
  connector: string,
  provenance: Provenance | undefined,
): ErrorSource | undefined {
  if (provenance?.kind !== 'column') return undefined;
  const { origin, column, key, value } = provenance;
  return { connector, origin, column, key, value };
}

/** A column that is mapped, and empty in this document. */
function blankSource(mapped: MappedSource, path: string): ErrorSource | undefined {
  const { mapping, source, connectorId } = mapped;
  const target = path.replaceAll(/\[\d+\]/g, '[]');
  const field = mapping.fields.find((each) => withoutLists(each.target) === withoutLists(target));
  if (field?.from === undefined) return undefined;
  const rows = lookUp(source.sections, field.from.section) ?? [];
  const position = Number(/\[(\d+)\]/.exec(path)?.[1] ?? 1);
  const row = rows.length === 1 ? rows[0] : rows[position - 1];
  if (row === undefined) return undefined;
  const { section: _, column } = field.from;
  return {
    connector: connectorId,
    origin: row.origin,
    column,
    key: row.key,
    value: lookUp(row.values, column) ?? null,
  };
}

/** Removes positions: a list of one entry may be written with or without its position. */
function withoutLists(path: string): string {
  return path.replaceAll('[]', '');
}
