import type { Tx } from '../../platform/db/tx.ts';

/** Who can no longer answer customers, and who saw to that. */
export interface Leaver {
  readonly userId: string;
  readonly by: string;
}

/** What other parts do with what they have of members. */
export interface MemberHooks {
  /** Inside the transaction that removes the member, or gives it a role that may not answer. */
  left(tx: Tx, tenantId: string, leaver: Leaver): Promise<void>;
}
