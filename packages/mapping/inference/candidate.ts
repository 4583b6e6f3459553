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
