import type { Status } from '@drawbridge/messaging/status.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { MessageRow } from './message-row.ts';

/** A message whose status rose. */
export interface StatusChange {
  readonly id: string;
  readonly channel: MessageRow['channel'];
  readonly contactId: string | null;
  readonly broadcastId: string | null;
  readonly from: Status;
  readonly to: Status;
  readonly at: Date;
}

/**
 * What other parts do when messages arrive or change. Each hook gets the rows of one tenant and
 * runs in the transaction that writes them, so both are committed or neither.
 */
export interface MessageHooks {
  /** New rows that people sent; each appears once, whatever the network repeats. */
  received?(tx: Tx, scope: TenantScope, messages: readonly MessageRow[]): Promise<void>;
  /** New rows for us to send, except those of broadcasts. */
  queued?(tx: Tx, scope: TenantScope, messages: readonly MessageRow[]): Promise<void>;
  statusChanged?(tx: Tx, scope: TenantScope, moves: readonly StatusChange[]): Promise<void>;
}
