import { fieldTerms } from '../field-terms.ts';
import type { Transform } from '../transform.ts';
import type { ReadColumn } from './columns.ts';

/** A column that may hold a target. */
export interface Candidate {
  readonly target: string;
  readonly column: ReadColumn;
  readonly confidence: number;
  readonly reason: string;
  readonly transforms: readonly Transform[];
  readonly order: number;
}

/** The most that a proposal has which a person looks at before it is taken: approval of many at once begins above. */
export const reviewedMax = 0.79;

const orders = new Map(fieldTerms.map(({ target }, index) => [target, index]));

/** The place of a field among all. */
export function orderOf(target: string): number {
  return orders.get(target) ?? 0;
}

/** A candidate that values make, whatever the column is called. */
export function byValues(
  target: string,
  column: ReadColumn,
  confidence: number,
  reason: string,
  transforms: readonly Transform[] = [],
): Candidate {
  return { target, column, confidence, reason, transforms, order: orderOf(target) };
}

/** The values that a candidate's step maps to others. */
export function mappedValues({ transforms }: Candidate): ReadonlySet<string> {
  const map = transforms.find((step) => step.kind === 'map');
  return new Set(Object.keys(map?.values ?? {}));
}
