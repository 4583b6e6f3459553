import type { Tx } from '../../platform/db/tx.ts';
import type { Place } from './store.ts';

/** One contact that becomes part of another. */
export interface Merge {
  /** The one that goes. */
  readonly from: string;
  /** The one that stays. */
  readonly into: string;
}

/** What other parts do with what they have of contacts. */
export interface ContactHooks {
  /** Inside the transaction of the merge, both contacts locked and there. */
  merged(tx: Tx, place: Place, merge: Merge): Promise<void>;
}
