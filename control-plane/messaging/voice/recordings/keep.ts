/** Recordings on their way from the provider to the object store, and out of it again. */
import { createReadStream } from 'node:fs';
import { mkdir, open as openFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaTypeOf, sniffedBytes } from '@drawbridge/messaging/inbox/media-type.ts';
import type { ReportedRecording } from '../../../channels/voice-contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Fetched } from '../../wire.ts';
import { announce, record } from '../calls/progress.ts';
import { type CallRow, findCall } from '../calls/store.ts';
import type { VoiceDesk } from '../desk.ts';
import { contextOf, type OpenProvider, openProvider } from '../providers/account.ts';
import { recordingQueue } from '../queues.ts';
import {
  findOver,
  findRecording,
  insertRecording,
  markDeleted,
  markFailed,
  markStored,
  type OverRecording,
  type RecordingRow,
} from './store.ts';

export interface RecordingJob {
  readonly environment: Environment;
}

const bytesMax = 512 * 1_024 * 1_024;
const dayMs = 86_400_000;
/** A file is often ready some moments after it was told of; later it is not coming any more. */
const attemptDelaysMs = [5_000, 30_000, 300_000, 1_800_000, 7_200_000] as const;
const sweepBatch = 50;
/** With the time between two sweeps, more than is recorded in it. */
const sweepBatchesMax = 1_000;
const audio = /^(audio\/[\w.+-]+|application\/octet-stream|binary\/octet-stream)$/;

/** Writes down that there is a recording, and has it fetched; told again, it is one. */
export async function keepRecording(
  desk: VoiceDesk,
  tx: Tx,
  { place, row }: OpenProvider,
  call: Pick<CallRow, 'id'>,
  { recordingId, url, durationSeconds }: ReportedRecording,
): Promise<void> {
  const now = desk.clock();
  const id = newId('rec', () => now, desk.random);
  const isNew = await insertRecording(tx, place, {
    ...{ id, call_id: call.id, provider_recording_id: recordingId.slice(0, 200) },
    source_url: url.slice(0, 2_000),
    duration_seconds: durationSeconds === undefined ? null : Math.round(durationSeconds),
    created_at: now,
    delete_after: new Date(now.getTime() + row.recording_days * dayMs),
  });
  if (!isNew) return;
  const payload = { environment: place.environment, attempts: 0 };
  await desk.jobs.enqueue(tx, place.tenantId, [{ queue: recordingQueue, key: id, payload }]);
}

/** Fetches one recording, sums it and stores it: once, however often the job is begun. */
export async function fetchRecording(
  desk: VoiceDesk,
  job: Job<RecordingJob & { readonly attempts: number }>,
): Promise<void> {
  const place = { tenantId: job.tenantId, environment: job.payload.environment };
  const found = await desk.db.tenant(place.tenantId, async (tx) => {
    const recording = await findRecording(tx, place, job.key);
    const call = recording && (await findCall(tx, place, recording.call_id));
    return recording?.state === 'fetching' && call !== undefined ? { recording, call } : undefined;
  });
  const open = found && (await openProvider(desk, place, found.call.provider_id));
  if (found === undefined || open === undefined) {
    return desk.db.tenant(place.tenantId, (tx) => desk.jobs.complete(tx, place.tenantId, [job]));
  }
  const { recording, call } = found;
  const path = join(desk.transit, `${recording.id}.${job.claimId}`);
  await mkdir(desk.transit, { recursive: true, mode: 0o700 });
  try {
    const { provider, account } = open;
    const url = recording.source_url ?? '';
    const request = provider.recording(url, account as never, contextOf(desk));
    const fetched = await desk.wire.fetchTo(path, request, bytesMax);
    const wrong = faultOf(fetched);
    if (fetched.kind === 'fetched' && wrong === undefined) {
      await store(desk, open, job, recording, call, path, fetched);
    } else {
      await failed(desk, open, job, recording, wrong ?? { reason: 'unknown', retry: 'later' });
    }
  } finally {
    await rm(path, { force: true });
  }
}

function faultOf(fetched: Fetched): { reason: string; retry: 'never' | 'later' } | undefined {
  if (fetched.kind === 'failed') return fetched;
  if (fetched.bytes === 0) return { reason: 'the file is empty', retry: 'later' };
  const [type = ''] = fetched.mediaType.toLowerCase().split(';');
  return audio.test(type.trim()) ? undefined : { reason: 'the file is no sound', retry: 'never' };
}

async function store(
  desk: VoiceDesk,
  { place }: OpenProvider,
  job: Job,
  recording: RecordingRow,
  call: CallRow,
  path: string,
  { bytes, sha256, mediaType }: Extract<Fetched, { kind: 'fetched' }>,
): Promise<void> {
  const key = `voice/${place.tenantId}/${place.environment}/${recording.id}`;
  await desk.objects.put(key, { stream: createReadStream(path), bytes, sha256 });
  const now = desk.clock();
  const media_type = (await soundOf(path)) ?? mediaType.toLowerCase().split(';')[0]!.trim();
  await desk.db.tenant(place.tenantId, async (tx) => {
    const row = { media_type, bytes, sha256, object_key: key, stored_at: now };
    if (await markStored(tx, place, recording.id, row)) {
      const { duration_seconds } = recording;
      const data = { recording_id: recording.id, sha256, bytes, duration_seconds };
      const once = `recording/${recording.id}`;
      await record(desk, tx, place, call, { kind: 'recording', once, data, at: now });
      await announce(desk, tx, place, call, 'recording.ready', now, data);
    }
    await desk.jobs.complete(tx, place.tenantId, [job]);
  });
}

/** What the sound is by its own bytes: some providers call all files the same. */
async function soundOf(path: string): Promise<string | undefined> {
  const file = await openFile(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    const type = mediaTypeOf(buffer.subarray(0, bytesRead));
    return type?.startsWith('audio/') ? type : undefined;
  } finally {
    await file.close();
  }
}

async function failed(
  desk: VoiceDesk,
  { place }: OpenProvider,
  job: Job<RecordingJob & { readonly attempts: number }>,
  recording: RecordingRow,
  { reason, retry }: { readonly reason: string; readonly retry: 'never' | 'later' },
): Promise<void> {
  const { attempts } = job.payload;
  const delayMs = retry === 'never' ? undefined : attemptDelaysMs[attempts];
  await desk.db.tenant(place.tenantId, async (tx) => {
    if (delayMs === undefined) {
      await markFailed(tx, place, recording.id, reason);
      return desk.jobs.complete(tx, place.tenantId, [job]);
    }
    const runAt = new Date(desk.clock().getTime() + delayMs);
    const payload = { ...job.payload, attempts: attempts + 1 };
    return desk.jobs.reschedule(tx, place.tenantId, [{ job, runAt, payload, error: reason }]);
  });
}

/** Deletes files whose time is over; answers how many. One that cannot be is tried the next time. */
export async function sweepRecordings(desk: SweepDesk): Promise<number> {
  let swept = 0;
  for (let batch = 0; batch < sweepBatchesMax; batch += 1) {
    const over = await desk.db.system((tx) => findOver(tx, desk.clock(), sweepBatch));
    const done = await Promise.all(over.map((each) => forget(desk, each)));
    swept += done.filter(Boolean).length;
    if (over.length < sweepBatch || !done.every(Boolean)) break;
  }
  return swept;
}

type SweepDesk = Pick<VoiceDesk, 'db' | 'clock' | 'objects' | 'log'>;

/** False when its file is still there. */
async function forget(
  { db, objects, log }: SweepDesk,
  { tenant_id, id, object_key }: OverRecording,
): Promise<boolean> {
  try {
    await objects.remove(object_key);
    await db.tenant(tenant_id, (tx) => markDeleted(tx, tenant_id, id));
    return true;
  } catch (err) {
    log.warn({ err, recordingId: id }, 'a recording whose time is over is still there');
    return false; // the others must not wait for it
  }
}
