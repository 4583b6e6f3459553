/** What was given to somebody who can no longer answer is nobody's again, or nobody would find it. */
import { type Environment, environments } from '../../platform/auth/principal.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { mayAnswer } from '../rbac.ts';
import type { Leaver, MemberHooks } from '../tenants/hooks.ts';
import { findMember } from '../tenants/people-store.ts';
import { lockAssigned } from './conversation-store.ts';
import type { InboxEdge } from './edge.ts';
import { beginLedger } from './ledger.ts';

export const leaverQueue = 'inbox-leaver';

export interface LeaverPayload extends Leaver {
  readonly environment: Environment;
}

/** Conversations in one transaction. */
export const leaverBatch = 200;

export function leaverHooks({ jobs }: Pick<InboxEdge, 'jobs'>): MemberHooks {
  return {
    left: async (tx, tenantId, leaver) => {
      const wanted = environments.map((environment) => {
        const payload: LeaverPayload = { environment, ...leaver };
        return { queue: leaverQueue, key: `${environment} ${leaver.userId}`, payload };
      });
      await jobs.enqueue(tx, tenantId, wanted);
    },
  };
}

/** Unassigns some conversations; the job comes again until there are none. */
export async function unassignLeaver(edge: InboxEdge, job: Job<LeaverPayload>): Promise<void> {
  const { tenantId } = job;
  const { environment, userId, by } = job.payload;
  const place = { tenantId, environment };
  await edge.db.tenant(tenantId, async (tx) => {
    // Whoever came back meanwhile keeps what is theirs.
    const isBack = mayAnswer((await findMember(tx, tenantId, userId))?.role);
    const rows = isBack ? [] : await lockAssigned(tx, place, userId, leaverBatch);
    const ledger = await beginLedger(tx, place, edge);
    const at = edge.clock();
    for (const row of rows) ledger.step(row, { kind: 'assign', at, by, to: null });
    await ledger.write();
    if (rows.length < leaverBatch) await edge.jobs.complete(tx, tenantId, [job]);
    else await edge.jobs.reschedule(tx, tenantId, [{ job, runAt: at }]);
  });
}
