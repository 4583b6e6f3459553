/**
 * Has recordings transcribed: by their provider where its account does that, by the host's own service
 * otherwise.
 */
import type { OrderedTranscription } from '../../../channels/voice-contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import { storable } from '../../../platform/db/storable.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import { findCall } from '../calls/store.ts';
import type { CallingContext } from '../context.ts';
import { type OpenProvider, openProvider, requestContext } from '../providers/account.ts';
import { transcriptionQueue } from '../queues.ts';
import { findRecording, type RecordingRow } from '../recordings/store.ts';
import type { TranscriptionOutcome } from './outcome.ts';
import { readReported } from './reported.ts';
import {
  deleteReported,
  insertTranscription,
  settleTranscription,
  type TranscriptionRow,
} from './store.ts';

export interface TranscriptionJob {
  readonly environment: Environment;
  readonly tries: number;
}

/** Seconds until it is asked again; the last one from then on. */
const delaysSeconds = [2, 5, 10, 20, 30, 60, 120, 300];
const pendingMsMax = 86_400_000;
const textLengthMax = 1_000_000;

/** Has a stored recording transcribed, when there is somebody who does it. */
export async function orderTranscription(
  context: CallingContext,
  tx: Tx,
  open: OpenProvider,
  recordingId: string,
): Promise<void> {
  if (transcriptionOf(open) === undefined && context.transcriber === undefined) return;
  const { scope } = open;
  await insertTranscription(tx, scope, recordingId, context.clock());
  const payload: TranscriptionJob = { environment: scope.environment, tries: 0 };
  const job = { queue: transcriptionQueue, key: recordingId, payload };
  await context.jobs.enqueue(tx, scope.tenantId, [job]);
}

/** The provider's own transcription, where this account has it. */
function transcriptionOf({ provider, account }: OpenProvider) {
  const own = provider.kind === 'markup' ? provider.transcription : undefined;
  return own?.isUsedBy(account as never) ? own : undefined;
}

/** Asks for one transcription, or for what became of it. */
export async function transcribe(
  context: CallingContext,
  job: Job<TranscriptionJob>,
): Promise<void> {
  const { db, clock, jobs } = context;
  const scope = { tenantId: job.tenantId, environment: job.payload.environment };
  const found = await db.tenant(scope.tenantId, async (tx) => {
    const recording = await findRecording(tx, scope, job.key);
    const call = recording && (await findCall(tx, scope, recording.call_id));
    return call && { recording, call };
  });
  const open = found && (await openProvider(context, scope, found.call.provider_id));
  const outcome: TranscriptionOutcome =
    open === undefined
      ? { kind: 'failed', reason: 'the provider configuration was removed' }
      : storable(await ask(context, open, found!.recording));
  await db.tenant(scope.tenantId, async (tx) => {
    const age = clock().getTime() - (found?.recording.stored_at ?? clock()).getTime();
    const isOver = age >= pendingMsMax;
    if ((outcome.kind === 'pending' || outcome.kind === 'unclear') && !isOver) {
      const { tries } = job.payload;
      const delay = (delaysSeconds[tries] ?? delaysSeconds.at(-1)!) * 1_000;
      const runAt = new Date(clock().getTime() + delay);
      const payload = { ...job.payload, tries: tries + 1 };
      const error = outcome.kind === 'unclear' ? { error: outcome.reason } : {};
      await jobs.reschedule(tx, scope.tenantId, [{ job, runAt, payload, ...error }]);
      return;
    }
    await settleTranscription(tx, scope, job.key, settled(outcome), clock());
    await deleteReported(tx, scope.tenantId, job.key);
    await jobs.complete(tx, scope.tenantId, [job]);
  });
}

function settled(outcome: TranscriptionOutcome) {
  switch (outcome.kind) {
    case 'completed': {
      const text = outcome.text.slice(0, textLengthMax);
      return {
        state: 'completed',
        text,
        language: outcome.language ?? null,
        reason: null,
      } as const;
    }
    case 'pending':
      return failed('no text came within a day');
    default:
      return failed(outcome.reason);
  }
}

function failed(reason: string) {
  return { state: 'failed', text: null, language: null, reason: reason.slice(0, 500) } as const;
}

async function ask(
  context: CallingContext,
  open: OpenProvider,
  recording: RecordingRow,
): Promise<TranscriptionOutcome> {
  const own = transcriptionOf(open);
  if (own?.kind === 'reported') return readReported(context, open, own, recording);
  if (own?.kind === 'ordered')
    return askProvider(context, open, own, recording.provider_recording_id);
  return context.transcriber === undefined
    ? { kind: 'failed', reason: 'no transcriber is set up any more' }
    : context.transcriber.transcribe(recording);
}

/** Looks first, so that a lost answer does not have a recording transcribed and paid for twice. */
async function askProvider(
  context: CallingContext,
  { account }: OpenProvider,
  own: OrderedTranscription<unknown>,
  recordingId: string,
): Promise<TranscriptionOutcome> {
  const timing = requestContext(context);
  const looked = await context.wire.send(own.find(recordingId, account, timing));
  if (looked.kind !== 'answered') return { kind: 'unclear', reason: looked.reason };
  const state = own.readFound(looked.response);
  switch (state.kind) {
    case 'none': {
      const begun = await context.wire.send(own.begin(recordingId, account, timing));
      if (begun.kind !== 'answered') return { kind: 'unclear', reason: begun.reason };
      return own.readBegun(begun.response);
    }
    case 'done': {
      const told = await context.wire.send(own.text(state.id, account, timing));
      if (told.kind !== 'answered') return { kind: 'unclear', reason: told.reason };
      const text = own.readText(told.response);
      return text === undefined
        ? { kind: 'unclear', reason: 'the provider told no text' }
        : { kind: 'completed', text, language: state.language };
    }
    default:
      return state;
  }
}

/** The transcription of a call, as it is shown. */
export function showTranscription(rows: readonly TranscriptionRow[]) {
  if (rows.length === 0) return { status: 'not_configured' as const };
  if (rows.some(({ state }) => state === 'pending')) return { status: 'pending' as const };
  const done = rows.filter(({ state }) => state === 'completed');
  const [first] = done;
  if (first === undefined) return { status: 'failed' as const, reason: rows[0]?.reason ?? '' };
  const language = first.language === null ? {} : { language: first.language };
  const text = done.map((row) => row.text).join('\n');
  return { status: 'completed' as const, text, ...language };
}
