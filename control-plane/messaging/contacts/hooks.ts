import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';

/** A contact that becomes part of another. */
export interface Merge {
  /** The contact that is removed. */
  readonly from: string;
  /** The contact that remains. */
  readonly into: string;
}

/** What other parts of messaging do when contacts change. */
export interface ContactHooks {
  /** Runs in the transaction of the merge, with both contacts locked and still present. */
  merged(tx: Tx, scope: TenantScope, merge: Merge): Promise<void>;
}
