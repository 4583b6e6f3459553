/** Unassigns the conversations of members who may no longer answer, so that others find them. */

import type { MemberHooks } from '../../../people/members/hooks.ts';
import { findMember } from '../../../people/members/store.ts';
import { mayAnswer } from '../../../people/roles/messaging-roles.ts';
import { type Environment, environments } from '../../../platform/auth/principal.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { InboxContext } from '../context.ts';
import { startRecording } from './change-recorder.ts';
import { lockAssigned } from './store.ts';

export const departedMemberQueue = 'inbox-departed-member';

export interface DepartedMemberPayload {
  readonly environment: Environment;
  readonly userId: string;
  readonly by: string;
}

/** How many conversations are unassigned in one transaction. */
export const unassignBatch = 200;

export function departedMemberHooks({ jobs }: Pick<InboxContext, 'jobs'>): MemberHooks {
  return {
    changed: async (tx, tenantId, { userId, role, by }) => {
      if (mayAnswer(role)) return;
      const wanted = environments.map((environment) => {
        const payload: DepartedMemberPayload = { environment, userId, by };
        return { queue: departedMemberQueue, key: `${environment} ${userId}`, payload };
      });
      await jobs.enqueue(tx, tenantId, wanted);
    },
  };
}

/** Unassigns one batch of conversations; the job is rescheduled until none is left. */
export async function unassignDepartedMember(
  context: InboxContext,
  job: Job<DepartedMemberPayload>,
): Promise<void> {
  const { tenantId } = job;
  const { environment, userId, by } = job.payload;
  const scope = { tenantId, environment };
  await context.db.tenant(tenantId, async (tx) => {
    // A member who was readmitted in the meantime keeps the conversations.
    const isBack = mayAnswer((await findMember(tx, tenantId, userId))?.role);
    const rows = isBack ? [] : await lockAssigned(tx, scope, userId, unassignBatch);
    const recorder = await startRecording(tx, scope, context);
    const at = context.clock();
    for (const row of rows) recorder.apply(row, { kind: 'assign', at, by, to: null });
    await recorder.write();
    if (rows.length < unassignBatch) await context.jobs.complete(tx, tenantId, [job]);
    else await context.jobs.reschedule(tx, tenantId, [{ job, runAt: at }]);
  });
}
