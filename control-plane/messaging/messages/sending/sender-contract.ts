import type { SendOutcome } from '../../../channels/contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { MessageRow } from '../message-row.ts';

/** What came of one message: what its provider made of it, or why that was not asked. */
export type SendingOutcome =
  | SendOutcome
  /** It is sent no more. */
  | {
      readonly kind: 'withheld';
      readonly status: 'skipped' | 'expired';
      readonly code: string;
      readonly detail: string;
    }
  /** It waits for its app, or for an earlier message to the same person. */
  | { readonly kind: 'waiting'; readonly code: string; readonly afterMs: number };

/** The outcome of one message, as it is now in the database. */
export interface Sent {
  readonly id: string;
  readonly outcome: SendingOutcome;
}

/** A message's permission to leave. */
export interface Turn {
  /** The provider has answered, or will not. */
  end(): void;
}

/** Sends messages and records the outcomes. */
export interface Sender {
  /**
   * The caller has claimed the rows: status `sending`, `claim_id` and `attempts` are written and
   * committed, so that a crash from here on can be detected. All rows belong to one app. When it
   * resolves, each row is `sent`, `failed`, `skipped`, `expired`, `unknown`, or `queued` again with a later
   * `due_at` (throttled, retry, an account that is refused). Each message waits for `turn` before it is sent.
   */
  send(
    scope: TenantScope,
    appId: string,
    claimId: string,
    rows: readonly MessageRow[],
    turn?: () => Promise<Turn>,
  ): Promise<Sent[]>;
}
