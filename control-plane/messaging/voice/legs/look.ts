/** Finds out what became of legs whose end nobody told, once their call is over. */
import type { LegReport } from '../../../channels/voice-contract.ts';
import { type CallRow, lockCall } from '../calls/store.ts';
import type { VoiceDesk } from '../desk.ts';
import { contextOf, type OpenProvider } from '../providers/account.ts';
import { lookUp, pagesOf } from '../providers/look-up.ts';
import { giveUpLegs, hearLeg } from './progress.ts';
import { findLegs, type LegRow } from './store.ts';

/** So long after its call's end a leg is asked for; then what is known is settled. */
const unheardMs = 3_600_000;
/** A list shows a leg a while after it was dialled. */
const graceMs = 120_000;
/** What was dialled is listed from this before the call on. */
const earlierMs = 5_000;

/** Writes down what the provider says of the open legs of a call that is over. */
export async function lookForLegs(
  desk: VoiceDesk,
  open: OpenProvider,
  call: CallRow,
): Promise<void> {
  const { place, provider } = open;
  const listed = await list(desk, open, call);
  const gone =
    provider.kind === 'trunk' ? await goneChannels(desk, open, call) : new Set<string | null>();
  await desk.db.tenant(place.tenantId, async (tx) => {
    let now = await lockCall(tx, place, call.id);
    if (now === undefined) return;
    for (const report of listed ?? []) now = await hearLeg(desk, tx, place, now, report);
    const sinceMs = desk.clock().getTime() - (now.ended_at ?? now.created_at).getTime();
    const known = new Set((listed ?? []).map(({ legId }) => legId));
    const isLost = ({ provider_leg_id: id, answered_at }: LegRow) => {
      if (sinceMs > unheardMs || gone.has(id)) return true;
      const isListed = listed === undefined || (id !== null && known.has(id));
      return !isListed && answered_at === null && sinceMs > graceMs;
    };
    if (now.legs_open > 0) await giveUpLegs(desk, tx, place, now, isLost);
  });
}

/** The legs as the provider has them; undefined when it does not say, as a PBX never does. */
async function list(
  desk: VoiceDesk,
  { provider, account }: OpenProvider,
  call: CallRow,
): Promise<readonly LegReport[] | undefined> {
  const callId = call.provider_call_id ?? call.request_id;
  if (provider.kind !== 'markup' || callId === null) return undefined;
  const handle = { requestId: call.request_id ?? callId, callId };
  const since = new Date((call.asked_at ?? call.created_at).getTime() - earlierMs);
  const request = provider.legs.request(handle, since, account as never, contextOf(desk));
  const listed = await pagesOf(desk, { provider, account }, request);
  return listed?.isWhole ? provider.legs.read(listed.pages, handle) : undefined;
}

/** Channels of legs that the PBX has no more: their end came while nobody listened. */
async function goneChannels(
  desk: VoiceDesk,
  open: OpenProvider,
  call: CallRow,
): Promise<ReadonlySet<string | null>> {
  const { place } = open;
  const legs = await desk.db.tenant(place.tenantId, (tx) => findLegs(tx, place, call.id));
  const gone = new Set<string | null>();
  for (const { provider_leg_id, ended_at } of legs) {
    if (ended_at !== null || provider_leg_id === null) continue;
    const found = await lookUp(desk, open, { requestId: provider_leg_id });
    if (found.kind === 'gone') gone.add(provider_leg_id);
  }
  return gone;
}
