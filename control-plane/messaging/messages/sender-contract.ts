import type { SendOutcome } from '../../channels/contract.ts';
import type { Place } from '../contacts/store.ts';
import type { MessageRow } from './message-row.ts';

/** What became of one message that was sent, as it is written in the database now. */
export interface Sent {
  readonly id: string;
  readonly outcome: SendOutcome;
}

/** Sends messages over the wire and writes down what came of it. */
export interface Sender {
  /**
   * The rows are claimed by the caller: status `sending`, `claim_id` and `attempts` written and
   * committed, so that a crash from here on is seen. All belong to one app. When it resolves each
   * row is `sent`, `failed`, `unknown`, or `queued` again with a later `due_at` (throttled, retry).
   * `leave` is waited for before each goes over the wire.
   */
  send(
    place: Place,
    appId: string,
    claimId: string,
    rows: readonly MessageRow[],
    leave?: () => Promise<void>,
  ): Promise<Sent[]>;
}
