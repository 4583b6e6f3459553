import { isFinal } from '@drawbridge/messaging/call-status.ts';
import type { Place } from '../../contacts/store.ts';
import type { VoiceDesk } from '../desk.ts';
import { contextOf, type OpenProvider } from '../providers/account.ts';
import { advance } from './progress.ts';
import { type CallRow, lockCall, updateCall } from './store.ts';

/** What asking for the end of a call came to; its row says the rest. */
export type HangUpAsked =
  | { readonly kind: 'asked'; readonly call: CallRow; readonly isPlaced: boolean }
  | { readonly kind: 'over' }
  | { readonly kind: 'missing' };

/** Writes down that the call is to end: one that was not asked for yet never is. */
export function askToHangUp(desk: VoiceDesk, place: Place, id: string): Promise<HangUpAsked> {
  return desk.db.tenant(place.tenantId, async (tx): Promise<HangUpAsked> => {
    const call = await lockCall(tx, place, id);
    if (call === undefined) return { kind: 'missing' };
    if (isFinal(call.status)) return { kind: 'over' };
    if (call.intent === 'waiting') {
      const told = { status: 'canceled', intent: 'refused', cause: 'hung up before' } as const;
      const after = await advance(desk, tx, place, { ...call, hangup_asked: true }, told);
      return { kind: 'asked', call: after, isPlaced: false };
    }
    const asked = { ...call, hangup_asked: true };
    await updateCall(tx, place, id, asked);
    return { kind: 'asked', call: asked, isPlaced: nameOf(call) !== null };
  });
}

/** Asks the provider to end the call; its call-back tells when it has. */
export async function hangUp(desk: VoiceDesk, open: OpenProvider, call: CallRow): Promise<void> {
  const requestId = nameOf(call);
  if (requestId === null) return;
  const handle = { requestId, callId: call.provider_call_id ?? undefined };
  const request = open.provider.hangUp(handle, open.account as never, contextOf(desk));
  const exchange = await desk.wire.send(request);
  const status = exchange.kind === 'answered' ? exchange.response.status : exchange.kind;
  // A call that is not there any more has ended by itself; the look-up tells.
  desk.log.debug({ callId: call.id, status }, 'asked the provider to hang up');
}

/** By which the provider knows the call: a call-back may tell it before the answer to the request. */
function nameOf({ request_id, provider_call_id }: CallRow): string | null {
  return request_id ?? provider_call_id;
}
