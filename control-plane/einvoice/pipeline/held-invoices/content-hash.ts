import { createHash } from 'node:crypto';
import type { SourceDocument } from '@drawbridge/records/document.ts';

/** SHA-256 of what a source holds of a document, by which a change of it is told from a second report. */
export function contentHash({ sections, xml = '' }: SourceDocument): string {
  const hash = createHash('sha256').update(xml);
  for (const [section, rows] of Object.entries(sections).toSorted(byName)) {
    for (const { key, values } of rows) {
      hash.update(JSON.stringify([section, key, Object.entries(values).toSorted(byName)]));
    }
  }
  return hash.digest('hex');
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
