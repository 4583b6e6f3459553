/** One call is asked for, and what comes of it is written down. */
import type { MarkupProvider, OutboundCall } from '../../../channels/voice-contract.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Turn } from '../../../platform/limits/turns.ts';
import type { Place } from '../../contacts/store.ts';
import { Gathered } from '../../gathered.ts';
import type { VoiceDesk } from '../desk.ts';
import { contextOf, type OpenProvider } from '../providers/account.ts';
import { settleQueue } from '../queues.ts';
import { answerUrlOf, callUrlOf } from './addresses.ts';
import { hangUp } from './hang-up.ts';
import { advance, type Told } from './progress.ts';
import { type CallRow, lockCall, notePlaced, updateCall } from './store.ts';

/** A call that could not be asked for by then is given up. */
const giveUpMs = 600_000;
const retryMs = 5_000;
const ringSeconds = 60;
const firstLookMs = 30_000;
const unknownLookMs = 15_000;
const lotMax = 200;

export interface Asker {
  /** The call's intent is written; ends when its job has. */
  ask(open: OpenProvider, turn: Turn, job: Job, call: CallRow): Promise<void>;
}

export function createAsker(desk: VoiceDesk): Asker {
  const placings = new Gathered((lot: readonly Placed[]) => settlePlaced(desk, lot), lotMax);
  return {
    ask: async (open, turn, job, call) => {
      const { provider, place } = open;
      const request = provider.place(asked(open, call), open.account as never, contextOf(desk));
      const exchange = await turn.run(() => desk.wire.send(request));
      if (exchange.kind === 'lost') return leaveUnknown(desk, place, job, exchange.reason);
      if (exchange.kind === 'unsent') return retry(desk, place, job, exchange.reason, retryMs);
      const outcome = provider.readPlacing(exchange.response, desk.clock());
      if (outcome.kind === 'placed') {
        const requestId = outcome.requestId || call.id;
        const placed = await placings.put(keyOf(place), { place, job, requestId });
        if (placed?.hangup_asked === true) await hangUp(desk, open, placed);
        return;
      }
      if (outcome.kind === 'refused') {
        const told = { status: 'failed', intent: 'refused', error: outcome } as const;
        return settleJob(desk, place, job, told);
      }
      if (outcome.kind === 'unknown') return leaveUnknown(desk, place, job, outcome.reason);
      const reason = outcome.kind === 'throttled' ? outcome.code : outcome.reason;
      return retry(desk, place, job, reason, outcome.afterMs ?? retryMs);
    },
  };
}

/** Of calls that are written together. */
export function keyOf({ tenantId, environment }: Place): string {
  return `${environment} ${tenantId}`;
}

function asked(open: OpenProvider, call: CallRow): OutboundCall {
  const { limits } = open.provider;
  const isRecordedByPlacing =
    open.provider.kind === 'trunk' || (open.provider as MarkupProvider).withRecording === undefined;
  return {
    id: call.id,
    to: call.to_number,
    from: call.from_number,
    answerUrl: answerUrlOf(open, call),
    statusUrl: callUrlOf(open, call.id, 'status'),
    recordingUrl:
      call.is_recorded && isRecordedByPlacing ? callUrlOf(open, call.id, 'recording') : undefined,
    ringSeconds: Math.min(ringSeconds, limits.ringSecondsMax),
    limitSeconds: Math.min(call.limit_seconds, limits.callSecondsMax),
    machineDetection: call.machine_detection,
  };
}

interface Placed {
  readonly place: Place;
  readonly job: Job;
  readonly requestId: string;
}

/** Of one place: the names by which the provider knows the calls, and when they are looked up. */
function settlePlaced(
  { db, jobs, clock }: VoiceDesk,
  lot: readonly Placed[],
): Promise<readonly (CallRow | undefined)[]> {
  const { place } = lot[0]!;
  const { tenantId, environment } = place;
  const runAt = new Date(clock().getTime() + firstLookMs);
  const payload = { environment, looks: 0 };
  return db.tenant(tenantId, async (tx) => {
    const placed = lot.map(({ job, requestId }) => ({ id: job.key, requestId }));
    const looks = lot.map(({ job }) => ({ queue: settleQueue, key: job.key, payload, runAt }));
    const [calls] = await Promise.all([
      notePlaced(tx, place, placed),
      jobs.complete(
        tx,
        tenantId,
        lot.map(({ job }) => job),
      ),
      jobs.enqueue(tx, tenantId, looks),
    ]);
    const byId = new Map(calls.map((call) => [call.id, call]));
    return placed.map(({ id }) => byId.get(id));
  });
}

/** It may be ringing: whoever hears of it first settles it. */
export async function leaveUnknown(
  desk: VoiceDesk,
  place: Place,
  job: Job,
  why: string,
): Promise<void> {
  desk.log.warn({ callId: job.key, why }, 'it is not known whether the call was placed');
  const { tenantId, environment } = place;
  await desk.db.tenant(tenantId, async (tx) => {
    const call = await lockCall(tx, place, job.key);
    await desk.jobs.complete(tx, tenantId, [job]);
    if (call === undefined) return;
    const runAt = new Date(desk.clock().getTime() + unknownLookMs);
    const look = { queue: settleQueue, key: call.id, payload: { environment, looks: 0 }, runAt };
    await desk.jobs.enqueue(tx, tenantId, [look]);
    // Call-backs may have been quicker than the answer that was lost.
    const isHeardOf = call.status !== 'queued' || call.provider_call_id !== null;
    const status = isHeardOf ? call.status : 'unknown';
    await updateCall(tx, place, call.id, { ...call, status, intent: 'unknown' });
  });
}

/** Nothing was taken: it is asked again, until it is too late to be wanted. */
async function retry(
  desk: VoiceDesk,
  place: Place,
  job: Job,
  reason: string,
  afterMs: number,
): Promise<void> {
  const isLate = await desk.db.tenant(place.tenantId, async (tx) => {
    const call = await lockCall(tx, place, job.key);
    if (call === undefined) return true;
    if (desk.clock().getTime() - call.created_at.getTime() > giveUpMs) return true;
    await updateCall(tx, place, call.id, { ...call, intent: 'waiting', asked_at: null });
    const runAt = new Date(desk.clock().getTime() + afterMs);
    await desk.jobs.reschedule(tx, place.tenantId, [{ job, runAt, error: reason }]);
    return false;
  });
  if (!isLate) return;
  const error = { code: 'provider_unavailable', detail: reason };
  await settleJob(desk, place, job, { status: 'failed', intent: 'refused', error });
}

/** Writes that there will be no call, and ends the job. */
function settleJob(desk: VoiceDesk, place: Place, job: Job, told: Told): Promise<void> {
  return desk.db.tenant(place.tenantId, async (tx) => {
    const call = await lockCall(tx, place, job.key);
    await desk.jobs.complete(tx, place.tenantId, [job]);
    if (call !== undefined) await advance(desk, tx, place, call, told);
  });
}
