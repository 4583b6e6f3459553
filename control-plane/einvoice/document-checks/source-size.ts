import type { SourceDocument } from '@drawbridge/records/document.ts';

/** About what a value takes beside its characters. */
const valueOverhead = 8;

/** About how many bytes a document of a source has as JSON. */
export function sizeOf({ sections, xml = '' }: SourceDocument): number {
  let size = xml.length;
  for (const rows of Object.values(sections)) {
    for (const { values } of rows) {
      for (const name in values) size += (values[name]?.length ?? 0) + name.length + valueOverhead;
    }
  }
  return size;
}
