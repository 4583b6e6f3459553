/** What becomes of a call that its provider did not accept; pure. */
import type { PlaceOutcome } from '../../../channels/voice-contract.ts';
import type { CallUpdate } from './call-updates.ts';
import type { CallRow } from './store.ts';

/** An answer after which the call is certainly not placed. */
export type Unplaced = Exclude<PlaceOutcome, { kind: 'placed' | 'unknown' }>;

export type AfterUnplaced =
  | { readonly kind: 'over'; readonly update: CallUpdate }
  | { readonly kind: 'again'; readonly runAt: Date; readonly reason: string };

/** A call that its provider has not accepted within this time is given up. */
const giveUpMs = 600_000;
const retryMs = 5_000;

/** `triedSince`: when the provider was asked first, however long the call had waited for its turn. */
export function afterUnplaced(
  outcome: Unplaced,
  { hangup_asked }: Pick<CallRow, 'hangup_asked'>,
  triedSince: Date,
  now: Date,
): AfterUnplaced {
  if (outcome.kind === 'refused') {
    return { kind: 'over', update: { status: 'failed', intent: 'refused', error: outcome } };
  }
  if (hangup_asked) return { kind: 'over', update: hungUpBefore };
  const reason = outcome.kind === 'throttled' ? outcome.code : outcome.reason;
  const runAt = new Date(now.getTime() + (outcome.afterMs ?? retryMs));
  if (runAt.getTime() - triedSince.getTime() <= giveUpMs) return { kind: 'again', runAt, reason };
  const error = { code: 'provider_unavailable', detail: reason };
  return { kind: 'over', update: { status: 'failed', intent: 'refused', error } };
}

/** Its end was asked for before it was placed. */
export const hungUpBefore: CallUpdate = {
  status: 'canceled',
  intent: 'refused',
  cause: 'hung up before',
};
