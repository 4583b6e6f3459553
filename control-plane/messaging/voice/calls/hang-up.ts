import { isFinal } from '@drawbridge/messaging/call-status.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { CallingContext } from '../context.ts';
import { type OpenProvider, requestContext } from '../providers/account.ts';
import { applyCallUpdate } from './call-updates.ts';
import { type CallRow, lockCall, updateCall } from './store.ts';
import { hungUpBefore } from './unplaced.ts';

/** The result of a request to end a call. */
export type HangUpRequest =
  | { readonly kind: 'asked'; readonly call: CallRow; readonly isPlaced: boolean }
  | { readonly kind: 'over' }
  | { readonly kind: 'missing' };

/** Saves that the call is to end; a call that was not placed yet never will be. */
export function requestHangUp(
  context: CallingContext,
  scope: TenantScope,
  id: string,
): Promise<HangUpRequest> {
  return context.db.tenant(scope.tenantId, async (tx): Promise<HangUpRequest> => {
    const call = await lockCall(tx, scope, id);
    if (call === undefined) return { kind: 'missing' };
    if (isFinal(call.status)) return { kind: 'over' };
    if (call.intent === 'waiting') {
      const after = await applyCallUpdate(
        context,
        tx,
        scope,
        { ...call, hangup_asked: true },
        hungUpBefore,
      );
      return { kind: 'asked', call: after, isPlaced: false };
    }
    const asked = { ...call, hangup_asked: true };
    await updateCall(tx, scope, id, asked);
    return { kind: 'asked', call: asked, isPlaced: providerIdOf(call) !== null };
  });
}

/** Asks the provider to end the call; a call-back reports the end. */
export async function hangUp(
  context: CallingContext,
  open: OpenProvider,
  call: CallRow,
): Promise<void> {
  const requestId = providerIdOf(call);
  if (requestId === null) return;
  const handle = { requestId, callId: call.provider_call_id ?? undefined };
  const request = open.provider.hangUp(handle, open.account as never, requestContext(context));
  const exchange = await context.wire.send(request);
  const status = exchange.kind === 'answered' ? exchange.response.status : exchange.kind;
  // A call that the provider no longer has has ended already; the look-up finds that.
  context.log.debug({ callId: call.id, status }, 'asked the provider to hang up');
}

/** The provider's id of the call: a call-back may report it before the answer to the request does. */
function providerIdOf({ request_id, provider_call_id }: CallRow): string | null {
  return request_id ?? provider_call_id;
}
