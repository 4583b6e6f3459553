/** Files that are fetched from providers, which keep them only for some time. */
import { open } from 'node:fs/promises';
import { mediaTypeOf, sniffedBytes } from '@drawbridge/messaging/inbox/media-type.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Clock } from '../platform/ids.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Download } from '../platform/outbound/download.ts';

/** Why a file was not fetched, and whether another attempt may bring it. */
export type FetchFault = Pick<Extract<Download, { kind: 'failed' }>, 'reason' | 'retry'>;

/** A file may be ready some moments after it is reported; after some hours it will not come. */
const attemptDelaysMs = [5_000, 30_000, 300_000, 1_800_000, 7_200_000] as const;

/** Reschedules the job; when no attempt is left or none can help, saves the fault instead. */
export async function retryFetch(
  tx: Tx,
  { jobs, clock }: { readonly jobs: Jobs; readonly clock: Clock },
  job: Job<{ readonly attempts: number }>,
  { reason, retry }: FetchFault,
  saveFault: () => Promise<unknown>,
): Promise<void> {
  const { attempts } = job.payload;
  const delayMs = retry === 'never' ? undefined : attemptDelaysMs[attempts];
  if (delayMs === undefined) {
    await saveFault();
    return jobs.complete(tx, job.tenantId, [job]);
  }
  const runAt = new Date(clock().getTime() + delayMs);
  const payload = { ...job.payload, attempts: attempts + 1 };
  return jobs.reschedule(tx, job.tenantId, [{ job, runAt, payload, error: reason }]);
}

/** The media type by the file's first bytes; undefined when it is none that we keep. */
export async function mediaTypeOfFile(path: string): Promise<string | undefined> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    return mediaTypeOf(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
