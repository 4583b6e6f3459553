/** Fetches recordings from providers into the object store, and deletes them when they expire. */
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportedRecording } from '../../../channels/voice-contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Download } from '../../../platform/outbound/download.ts';
import { mediaTypeOfFile, retryFetch } from '../../fetched-file.ts';
import { addCallEvent, addCallWebhook } from '../calls/call-updates.ts';
import { type CallRow, findCall } from '../calls/store.ts';
import type { CallingContext } from '../context.ts';
import { type OpenProvider, openProvider, requestContext } from '../providers/account.ts';
import { recordingQueue } from '../queues.ts';
import { orderTranscription } from '../transcription/transcribe.ts';
import { objectKeyOf, removeRecording } from './removal.ts';
import {
  type ExpiredRecording,
  findExpired,
  findRecording,
  insertRecording,
  markFailed,
  markStored,
  type RecordingRow,
} from './store.ts';

export interface RecordingJob {
  readonly environment: Environment;
}

const bytesMax = 512 * 1_024 * 1_024;
const dayMs = 86_400_000;
const sweepBatch = 50;
/** More than can be recorded between two sweeps. */
const sweepBatchesMax = 1_000;
const audio = /^(audio\/[\w.+-]+|application\/octet-stream|binary\/octet-stream)$/;

/** Saves a reported recording and queues its fetch; only once when it is reported again. */
export async function addRecording(
  context: CallingContext,
  tx: Tx,
  { scope, row }: OpenProvider,
  call: Pick<CallRow, 'id'>,
  { recordingId, url, durationSeconds }: ReportedRecording,
): Promise<void> {
  const now = context.clock();
  const id = newId('rec', () => now, context.random);
  const isNew = await insertRecording(tx, scope, {
    id,
    call_id: call.id,
    provider_recording_id: recordingId.slice(0, 200),
    source_url: url.slice(0, 2_000),
    duration_seconds: durationSeconds === undefined ? null : Math.round(durationSeconds),
    created_at: now,
    delete_after: new Date(now.getTime() + row.recording_days * dayMs),
  });
  if (!isNew) return;
  const payload = { environment: scope.environment, attempts: 0 };
  await context.jobs.enqueue(tx, scope.tenantId, [{ queue: recordingQueue, key: id, payload }]);
}

/** Fetches one recording, hashes it and stores it; once, however often the job runs. */
export async function fetchRecording(
  context: CallingContext,
  job: Job<RecordingJob & { readonly attempts: number }>,
): Promise<void> {
  const scope = { tenantId: job.tenantId, environment: job.payload.environment };
  const found = await context.db.tenant(scope.tenantId, async (tx) => {
    const recording = await findRecording(tx, scope, job.key);
    const call = recording && (await findCall(tx, scope, recording.call_id));
    return recording && call && { recording, call };
  });
  // Of one that was deleted while its file came, the file may have been put after that.
  if (found?.recording.state === 'deleted')
    await context.objects.remove(objectKeyOf(scope, job.key));
  const isWanted = found?.recording.state === 'fetching';
  const open = isWanted ? await openProvider(context, scope, found.call.provider_id) : undefined;
  if (found === undefined || open === undefined) {
    return context.db.tenant(scope.tenantId, (tx) =>
      context.jobs.complete(tx, scope.tenantId, [job]),
    );
  }
  const { recording, call } = found;
  const path = join(context.transit, `${recording.id}.${job.claimId}`);
  await mkdir(context.transit, { recursive: true, mode: 0o700 });
  try {
    const { provider, account } = open;
    const url = recording.source_url ?? '';
    const request = provider.recording(url, account as never, requestContext(context));
    const fetched = usable(await context.wire.fetchTo(path, request, bytesMax));
    if (fetched.kind === 'fetched') {
      await storeFile(context, open, job, { recording, call }, { ...fetched, path });
    } else {
      await context.db.tenant(scope.tenantId, (tx) => {
        const save = () => markFailed(tx, scope, recording.id, fetched.reason);
        return retryFetch(tx, context, job, fetched, save);
      });
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** The download; one whose file is no recording has failed too. */
function usable(fetched: Download): Download {
  if (fetched.kind === 'failed') return fetched;
  if (fetched.bytes === 0) return { kind: 'failed', reason: 'the file is empty', retry: 'later' };
  const [type = ''] = fetched.mediaType.toLowerCase().split(';');
  if (audio.test(type.trim())) return fetched;
  return { kind: 'failed', reason: 'the file is not audio', retry: 'never' };
}

async function storeFile(
  context: CallingContext,
  open: OpenProvider,
  job: Job,
  { recording, call }: { readonly recording: RecordingRow; readonly call: CallRow },
  {
    path,
    bytes,
    sha256,
    mediaType,
  }: Extract<Download, { kind: 'fetched' }> & { readonly path: string },
): Promise<void> {
  const { scope } = open;
  const key = objectKeyOf(scope, recording.id);
  await context.objects.put(key, { stream: createReadStream(path), bytes, sha256 });
  const now = context.clock();
  const media_type = (await readAudioType(path)) ?? mediaType.toLowerCase().split(';')[0]!.trim();
  await context.db.tenant(scope.tenantId, async (tx) => {
    const row = { media_type, bytes, sha256, object_key: key, stored_at: now };
    if (await markStored(tx, scope, recording.id, row)) {
      const { duration_seconds } = recording;
      const data = { recording_id: recording.id, sha256, bytes, duration_seconds };
      const once = `recording/${recording.id}`;
      await addCallEvent(context, tx, scope, call, { kind: 'recording', once, data, at: now });
      await addCallWebhook({ context, tx, scope, call }, 'recording.ready', now, data);
      await orderTranscription(context, tx, open, recording.id);
    } else if ((await findRecording(tx, scope, recording.id))?.state === 'deleted') {
      await context.objects.remove(key);
    }
    await context.jobs.complete(tx, scope.tenantId, [job]);
  });
}

/** The audio type by the file's bytes, because some providers give all files the same type. */
async function readAudioType(path: string): Promise<string | undefined> {
  const type = await mediaTypeOfFile(path);
  return type?.startsWith('audio/') ? type : undefined;
}

/** Deletes expired files; returns how many. The next sweep retries those that failed. */
export async function sweepRecordings(context: SweepContext): Promise<number> {
  let swept = 0;
  for (let batch = 0; batch < sweepBatchesMax; batch += 1) {
    const over = await context.db.system((tx) => findExpired(tx, context.clock(), sweepBatch));
    const done = await Promise.all(over.map((each) => removeExpired(context, each)));
    swept += done.filter(Boolean).length;
    if (over.length < sweepBatch || !done.every(Boolean)) break;
  }
  return swept;
}

type SweepContext = Pick<CallingContext, 'db' | 'clock' | 'objects' | 'log'>;

/** False when the file could not be deleted. */
async function removeExpired(
  context: SweepContext,
  { tenant_id, ...recording }: ExpiredRecording,
): Promise<boolean> {
  try {
    await removeRecording(context, tenant_id, recording);
    return true;
  } catch (err) {
    context.log.warn(
      { err, recordingId: recording.id },
      'an expired recording could not be deleted',
    );
    return false; // one failure must not stop the sweep
  }
}
