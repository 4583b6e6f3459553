/**
 * Asks providers for calls. The intent is written before the question goes out: a job that finds it
 * there was cut off halfway, and the call may be ringing. Such a call is `unknown`; what becomes of
 * it is told by call-backs or looked up, and it is never asked for again.
 */
import type { MarkupProvider, OutboundCall } from '../../../channels/voice-contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Place } from '../../contacts/store.ts';
import type { VoiceDesk } from '../desk.ts';
import { contextOf, type OpenProvider, openProvider } from '../providers/account.ts';
import { settleQueue } from '../queues.ts';
import { answerUrlOf, callUrlOf } from './addresses.ts';
import { hangUp } from './hang-up.ts';
import { advance, type Told } from './progress.ts';
import { type CallRow, findCall, lockCall, updateCall } from './store.ts';

export interface CallJob {
  readonly environment: Environment;
}

/** A call that could not be asked for by then is given up. */
const giveUpMs = 600_000;
const retryMs = 5_000;
const ringSeconds = 60;
const firstLookMs = 30_000;
const unknownLookMs = 15_000;

/** Places one call, or puts the job off. */
export async function placeCall(desk: VoiceDesk, job: Job<CallJob>): Promise<void> {
  const place = { tenantId: job.tenantId, environment: job.payload.environment };
  const waiting = await desk.db.tenant(place.tenantId, (tx) => findCall(tx, place, job.key));
  if (waiting === undefined || waiting.intent === 'placed' || waiting.intent === 'refused') {
    return finish(desk, place, job);
  }
  if (waiting.intent !== 'waiting') return leaveUnknown(desk, place, job, 'a node went down');
  const open = await openProvider(desk, place, waiting.provider_id);
  if (open === undefined) throw new Error('a call names a configuration that is not there');
  const { provider, row } = open;
  const max = Math.min(row.calls_per_second, provider.limits.calls.count);
  const windowMs = provider.limits.calls.perMs;
  const grant = await desk.limits.take(`voice place ${row.id}`, { max, windowMs }, 1);
  if (grant.granted === 0) return putOff(desk, place, job, grant.retryAfterMs);
  const call = await intend(desk, place, job);
  if (call === undefined) return finish(desk, place, job);
  const request = provider.place(asked(open, call), open.account as never, contextOf(desk));
  const exchange = await desk.wire.send(request);
  if (exchange.kind === 'lost') return leaveUnknown(desk, place, job, exchange.reason);
  if (exchange.kind === 'unsent') return retry(desk, place, job, exchange.reason, retryMs);
  const outcome = provider.readPlacing(exchange.response, desk.clock());
  if (outcome.kind === 'placed') return placed(desk, open, job, outcome.requestId || call.id);
  if (outcome.kind === 'refused') return refused(desk, place, job, outcome);
  if (outcome.kind === 'unknown') return leaveUnknown(desk, place, job, outcome.reason);
  const reason = outcome.kind === 'throttled' ? outcome.code : outcome.reason;
  return retry(desk, place, job, reason, outcome.afterMs ?? retryMs);
}

/** Writes the intent; undefined when the call was taken back meanwhile. */
function intend(desk: VoiceDesk, place: Place, job: Job): Promise<CallRow | undefined> {
  return desk.db.tenant(place.tenantId, async (tx) => {
    await desk.jobs.hold(tx, [job]);
    const call = await lockCall(tx, place, job.key);
    if (call?.intent !== 'waiting') return undefined;
    const intent = { ...call, intent: 'asked', asked_at: desk.clock() } as const;
    await updateCall(tx, place, call.id, intent);
    return intent;
  });
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
    machineDetection: call.machine_detection !== 'off',
  };
}

async function placed(
  desk: VoiceDesk,
  open: OpenProvider,
  job: Job,
  requestId: string,
): Promise<void> {
  const told = { status: 'queued', intent: 'placed', requestId } as const;
  const call = await settleJob(desk, open.place, job, told, firstLookMs);
  if (call?.hangup_asked === true) await hangUp(desk, open, call);
}

async function refused(
  desk: VoiceDesk,
  place: Place,
  job: Job,
  error: { readonly code: string; readonly detail: string },
): Promise<void> {
  await settleJob(desk, place, job, { status: 'failed', intent: 'refused', error });
}

/** It may be ringing: whoever hears of it first settles it. */
async function leaveUnknown(desk: VoiceDesk, place: Place, job: Job, why: string): Promise<void> {
  desk.log.warn({ callId: job.key, why }, 'it is not known whether the call was placed');
  await settleJob(desk, place, job, { status: 'unknown', intent: 'unknown' }, unknownLookMs);
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

/** Writes the outcome, ends the job, and has the call looked up later when more is to come. */
function settleJob(
  desk: VoiceDesk,
  place: Place,
  job: Job,
  told: Told,
  lookAfterMs?: number,
): Promise<CallRow | undefined> {
  return desk.db.tenant(place.tenantId, async (tx) => {
    const call = await lockCall(tx, place, job.key);
    await desk.jobs.complete(tx, place.tenantId, [job]);
    if (call === undefined) return undefined;
    if (lookAfterMs !== undefined) {
      const runAt = new Date(desk.clock().getTime() + lookAfterMs);
      const payload = { environment: place.environment, looks: 0 };
      await desk.jobs.enqueue(tx, place.tenantId, [
        { queue: settleQueue, key: call.id, payload, runAt },
      ]);
    }
    if (told.status === 'unknown') {
      // Call-backs may have been quicker than the answer that was lost.
      const isHeardOf = call.status !== 'queued' || call.provider_call_id !== null;
      const status = isHeardOf ? call.status : 'unknown';
      const row = { ...call, status, intent: 'unknown' } as const;
      await updateCall(tx, place, call.id, row);
      return row;
    }
    return advance(desk, tx, place, call, told);
  });
}

function putOff(desk: VoiceDesk, place: Place, job: Job, afterMs: number): Promise<void> {
  const runAt = new Date(desk.clock().getTime() + Math.max(1, afterMs));
  return desk.db.tenant(place.tenantId, (tx) =>
    desk.jobs.reschedule(tx, place.tenantId, [{ job, runAt }]),
  );
}

function finish(desk: VoiceDesk, place: Place, job: Job): Promise<void> {
  return desk.db.tenant(place.tenantId, (tx) => desk.jobs.complete(tx, place.tenantId, [job]));
}
