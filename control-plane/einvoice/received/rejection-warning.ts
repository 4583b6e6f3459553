import type { Environment } from '../../platform/auth/principal.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { addEvents } from '../../webhooks/store.ts';
import {
  completeJobs,
  type PipelineContext,
  type PipelineJobPayload,
} from '../pipeline/work-item.ts';
import { rejectionEndsEventOf } from './events.ts';
import { findReceived } from './store.ts';

/** The queue of warnings that a document can soon not be rejected any more. */
export const warningQueue = 'rejection-warning';

/** How long before the end the warning comes; at once, for what comes in later than that. */
const warnBeforeMs = 24 * 3_600_000;

/** The warning of a document that may be rejected until then; none where that is over. */
export function warningJobs(
  { id, environment }: { readonly id: string; readonly environment: Environment },
  rejectableUntil: Date | null,
  now: Date,
) {
  if (rejectableUntil === null || rejectableUntil <= now) return [];
  const payload: PipelineJobPayload = { environment };
  const runAt = new Date(Math.max(now.getTime(), rejectableUntil.getTime() - warnBeforeMs));
  return [{ queue: warningQueue, key: id, runAt, payload }];
}

/** Warns those who asked for it, unless the supplier was answered, has cancelled it, or the time is over. */
export async function warnOfRejectionEnd(
  context: Pick<PipelineContext, 'db' | 'jobs' | 'clock' | 'random'>,
  job: Job<PipelineJobPayload>,
): Promise<void> {
  const { db, clock, random } = context;
  const { tenantId, key, payload } = job;
  await db.tenant(tenantId, async (tx) => {
    await completeJobs(context, tx, tenantId, [{ job }]);
    const row = await findReceived(tx, { tenantId, environment: payload.environment }, key);
    const now = clock();
    const until = row?.rejectable_until ?? null;
    if (row === undefined || row.response !== null || row.cancelled_at !== null) return;
    if (until === null || until <= now) return;
    await addEvents(tx, tenantId, [rejectionEndsEventOf(row, until, { now, random })]);
  });
}
