import { apply } from '@drawbridge/mapping/apply.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';

/** What a document of the source gives for a mapping. */
export interface MappingSample {
  /** Values by the target of their field; of a list that of the first occurrence. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly string[];
}

/** Maps a document by every field, approved or not. */
export function sampleFrom(document: SourceDocument, mapping: Mapping): MappingSample {
  const fields = mapping.fields.map((field) => ({ ...field, status: 'approved' as const }));
  const { cim, provenance, issues } = apply(document, { ...mapping, fields });
  const values = new Map<string, unknown>();
  for (const { target } of mapping.fields) {
    const path = target.replaceAll('[]', '[1]');
    if (provenance.has(path)) values.set(target, valueAt(cim, path));
  }
  return { values, problems: issues.map(({ path, message }) => `${path}: ${message}`) };
}

function valueAt(cim: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .reduce<unknown>((at, part) => {
      const name = /^\d+$/.test(part) ? Number(part) - 1 : part;
      return (at as Record<string | number, unknown> | undefined)?.[name];
    }, cim);
}
