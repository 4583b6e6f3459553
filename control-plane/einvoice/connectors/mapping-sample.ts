import { type Applied, apply } from '@drawbridge/mapping/apply.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';

/** What a document of the source gives for a mapping. */
export interface MappingSample {
  /** Values by the target of their field; of a list that of the first occurrence. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Every value with where it came from; of a long list the first entries. */
  readonly places: readonly MappedValue[];
  readonly problems: readonly string[];
}

/** A value of the model. */
export interface MappedValue {
  /** Positions are counted from 1: `lines[2].qty`. */
  readonly path: string;
  readonly value: string;
  /** The column of the row that it came from; none of a constant. */
  readonly from?: { readonly section: string; readonly key: string; readonly column: string };
}

/** Entries of a list, and values in all, that are told with their places. */
const entriesMax = 20;
const placesMax = 1_000;
const valueLengthMax = 200;

/** Maps a document by every field, approved or not. */
export function sampleFrom(document: SourceDocument, mapping: Mapping): MappingSample {
  const fields = mapping.fields.map((field) => ({ ...field, status: 'approved' as const }));
  const applied = apply(document, { ...mapping, fields });
  const { cim, provenance, issues } = applied;
  const values = new Map<string, unknown>();
  for (const { target } of mapping.fields) {
    const path = target.replaceAll('[]', '[1]');
    if (provenance.has(path)) values.set(target, valueAt(cim, path));
  }
  const problems = issues.map(({ path, message }) => `${path}: ${message}`);
  return { values, places: placesOf(applied), problems };
}

function placesOf({ cim, provenance }: Applied): readonly MappedValue[] {
  return [...provenance]
    .filter(([path]) => positionsOf(path).every((position) => position <= entriesMax))
    .slice(0, placesMax)
    .map(([path, origin]) => {
      const value = String(valueAt(cim, path)).slice(0, valueLengthMax).toWellFormed();
      if (origin.kind === 'constant') return { path, value };
      const { section, key, column } = origin;
      return { path, value, from: { section, key, column } };
    });
}

const positionsOf = (path: string) =>
  [...path.matchAll(/\[(\d+)\]/g)].map(([, digits]) => Number(digits));

function valueAt(cim: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .reduce<unknown>((at, part) => {
      const name = /^\d+$/.test(part) ? Number(part) - 1 : part;
      return (at as Record<string | number, unknown> | undefined)?.[name];
    }, cim);
}
