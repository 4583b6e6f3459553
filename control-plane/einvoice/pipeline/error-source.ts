import type { Applied, Provenance } from '@drawbridge/mapping/apply.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { ErrorSource } from '../invoices/store.ts';

/** What is known of where the values of one document came from. */
export interface Ground {
  readonly connectorId: string;
  readonly profile: Profile;
  readonly source: SourceDocument;
  readonly mapping: Mapping;
  readonly applied: Applied;
}

/**
 * The column that a value came from, or would have come from had it held anything. Undefined when the value is a
 * constant of the mapping or was computed from others.
 */
export function errorSource(ground: Ground, path: string): ErrorSource | undefined {
  const { provenance } = ground.applied;
  const original = ground.profile.movedPaths?.[path] ?? path;
  const known = provenance.get(path) ?? provenance.get(original);
  if (known !== undefined) return columnOf(ground.connectorId, known);
  return blankSource(ground, original) ?? blankSource(ground, path);
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
function blankSource(ground: Ground, path: string): ErrorSource | undefined {
  const { mapping, source, connectorId } = ground;
  const target = path.replaceAll(/\[\d+\]/g, '[]');
  const field = mapping.fields.find((each) => withoutLists(each.target) === withoutLists(target));
  if (field?.from === undefined) return undefined;
  const rows = source.sections[field.from.section] ?? [];
  const position = Number(/\[(\d+)\]/.exec(path)?.[1] ?? 1);
  const row = rows.length === 1 ? rows[0] : rows[position - 1];
  if (row === undefined) return undefined;
  const { section: _, column } = field.from;
  return {
    connector: connectorId,
    origin: row.origin,
    column,
    key: row.key,
    value: row.values[column] ?? null,
  };
}

/** A list that holds one entry may be shown with or without its position. */
function withoutLists(path: string): string {
  return path.replaceAll('[]', '');
}
