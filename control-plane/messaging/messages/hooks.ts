import type { Status } from '@drawbridge/messaging/status.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Place } from '../contacts/store.ts';
import type { MessageRow } from './message-row.ts';

/** A message whose status rose. */
export interface Move {
  readonly id: string;
  readonly channel: MessageRow['channel'];
  readonly contactId: string | null;
  readonly broadcastId: string | null;
  readonly from: Status;
  readonly to: Status;
  readonly at: Date;
}

/**
 * What other parts do when messages come and move. Each is called with the rows of one tenant,
 * inside the transaction that writes them: all of it happens, or none.
 */
export interface MessageHooks {
  /** New rows that people sent, each once, whatever the network repeats. */
  received?(tx: Tx, place: Place, messages: readonly MessageRow[]): Promise<void>;
  /** New rows that we are to send, broadcasts' left out. */
  queued?(tx: Tx, place: Place, messages: readonly MessageRow[]): Promise<void>;
  moved?(tx: Tx, place: Place, moves: readonly Move[]): Promise<void>;
}
