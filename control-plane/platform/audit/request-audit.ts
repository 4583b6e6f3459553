import type { Tx } from '../db/tx.ts';
import type { AuditedAction } from './audit-log.ts';

/** What a handler records; without an action of its own the route's operation is meant. */
export type Recorded = Omit<AuditedAction, 'action'> & {
  readonly action?: string;
  /** On public routes: who it turned out to be. */
  readonly userId?: string;
};

/** The audit log as one request writes it. */
export interface RequestAudit {
  /** Records in the transaction of the change. */
  record(tx: Tx, tenantId: string, recorded: Recorded): Promise<void>;
  /** Records in the log of the host, for what belongs to no tenant. */
  recordForHost(tx: Tx, recorded: Recorded & { readonly aboutTenant?: string }): Promise<void>;
}
