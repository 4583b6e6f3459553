/** Finds the outcome of legs whose end was not reported, after their call has ended. */
import type { LegReport } from '../../../channels/voice-contract.ts';
import { type CallRow, lockCall } from '../calls/store.ts';
import type { CallingContext } from '../context.ts';
import { type OpenProvider, requestContext } from '../providers/account.ts';
import { fetchPages, lookUp } from '../providers/look-up.ts';
import { applyLegUpdate, closeUnreportedLegs } from './leg-updates.ts';
import { findLegs, type LegRow } from './store.ts';

/** How long after its call's end a leg is looked up; then it is settled with what is known. */
const unreportedMs = 3_600_000;
/** A provider's list shows a leg some time after it was dialled. */
const graceMs = 120_000;
/** The list is read from this long before the call. */
const earlierMs = 5_000;

/** Applies the provider's data about the open legs of an ended call. */
export async function reconcileLegs(
  context: CallingContext,
  open: OpenProvider,
  call: CallRow,
): Promise<void> {
  const { scope, provider } = open;
  const listed = await listLegs(context, open, call);
  const gone =
    provider.kind === 'trunk' ? await goneChannels(context, open, call) : new Set<string | null>();
  await context.db.tenant(scope.tenantId, async (tx) => {
    let now = await lockCall(tx, scope, call.id);
    if (now === undefined) return;
    for (const report of listed ?? [])
      now = await applyLegUpdate({ context, tx, scope, call: now }, report);
    const sinceMs = context.clock().getTime() - (now.ended_at ?? now.created_at).getTime();
    const known = new Set((listed ?? []).map(({ legId }) => legId));
    const isLost = ({ provider_leg_id: id, answered_at }: LegRow) => {
      if (sinceMs > unreportedMs || gone.has(id)) return true;
      const isListed = listed === undefined || (id !== null && known.has(id));
      return !isListed && answered_at === null && sinceMs > graceMs;
    };
    if (now.legs_open > 0) await closeUnreportedLegs(context, tx, scope, now, isLost);
  });
}

/** The provider's list of the legs; undefined when there is none, as on a PBX. */
async function listLegs(
  context: CallingContext,
  { provider, account }: OpenProvider,
  call: CallRow,
): Promise<readonly LegReport[] | undefined> {
  const callId = call.provider_call_id ?? call.request_id;
  if (provider.kind !== 'markup' || callId === null) return undefined;
  const handle = { requestId: call.request_id ?? callId, callId };
  const since = new Date((call.asked_at ?? call.created_at).getTime() - earlierMs);
  const request = provider.legs.request(handle, since, account as never, requestContext(context));
  const listed = await fetchPages(context, { provider, account }, request);
  return listed?.isWhole ? provider.legs.read(listed.pages, handle) : undefined;
}

/** Channels of legs that the PBX no longer has: they ended while no node listened. */
async function goneChannels(
  context: CallingContext,
  open: OpenProvider,
  call: CallRow,
): Promise<ReadonlySet<string | null>> {
  const { scope } = open;
  const legs = await context.db.tenant(scope.tenantId, (tx) => findLegs(tx, scope, call.id));
  const gone = new Set<string | null>();
  for (const { provider_leg_id, ended_at } of legs) {
    if (ended_at !== null || provider_leg_id === null) continue;
    const found = await lookUp(context, open, { requestId: provider_leg_id });
    if (found.kind === 'gone') gone.add(provider_leg_id);
  }
  return gone;
}
