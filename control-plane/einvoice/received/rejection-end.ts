import type { Environment } from '../../platform/auth/principal.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { addEvents } from '../../webhooks/store.ts';
import {
  completeJobs,
  type PipelineContext,
  type PipelineJobPayload,
} from '../pipeline/work-item.ts';
import { rejectionUnansweredEventOf } from './events.ts';
import { saveResponseState } from './response-store.ts';
import { lockReceived } from './store.ts';

/** The queue of looks at rejections whose supplier can no longer cancel. */
export const rejectionEndQueue = 'rejection-end';

/** What was cancelled at the last moment has been listed by then. */
const listedAfterMs = 6 * 3_600_000;

/** The look at a rejected document, once its supplier can no longer cancel it. */
export function rejectionEndJob(
  { id, environment }: { readonly id: string; readonly environment: Environment },
  rejectableUntil: Date,
) {
  const payload: PipelineJobPayload = { environment };
  const runAt = new Date(rejectableUntil.getTime() + listedAfterMs);
  return { queue: rejectionEndQueue, key: id, runAt, payload };
}

/** Says where a supplier has not done what it was asked for, so that nobody takes the rejection for the end of it. */
export async function lookAtRejection(
  context: Pick<PipelineContext, 'db' | 'jobs' | 'clock' | 'random'>,
  job: Job<PipelineJobPayload>,
): Promise<void> {
  const { db, clock, random } = context;
  const { tenantId, key, payload } = job;
  await db.tenant(tenantId, async (tx) => {
    // A cancellation that comes in at the same time is waited for.
    const row = await lockReceived(tx, { tenantId, environment: payload.environment }, key);
    await completeJobs(context, tx, tenantId, [{ job }]);
    const until = row?.rejectable_until ?? null;
    const answer = row?.response ?? null;
    if (row === undefined || until === null || answer === null) return;
    if (row.cancelled_at !== null || answer.state !== 'delivered') return;
    const now = clock();
    const reason = `As far as is known the supplier did not cancel it until ${until.toISOString()}: it stands. Ask for a credit note.`;
    const response = { id: answer.id, document_id: row.id };
    await saveResponseState(tx, tenantId, response, { state: answer.state, reason, now });
    await addEvents(tx, tenantId, [rejectionUnansweredEventOf(row, until, { now, random })]);
  });
}
