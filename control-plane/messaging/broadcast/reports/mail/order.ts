import { actorKindOf } from '../../../../platform/audit/actor.ts';
import type { TenantScope } from '../../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../../platform/db/tx.ts';
import type { Jobs } from '../../../../platform/jobs/jobs.ts';
import type { BroadcastRow } from '../../store.ts';

export const reportQueue = 'broadcast-report';

/** By then most networks have told what became of the last messages. */
const delayMs = 900_000;

/**
 * Has the report mailed of a broadcast that has just ended, if a person made it. A test, and one that was
 * canceled before it began, have nothing to report.
 */
export async function orderReport(
  { jobs }: { readonly jobs: Jobs },
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: BroadcastRow,
): Promise<void> {
  const { finished_at, author, test_contacts, state, started_at } = row;
  if (finished_at === null || test_contacts !== null || actorKindOf(author) !== 'user') return;
  if (state === 'canceled' && started_at === null) return;
  const runAt = new Date(finished_at.getTime() + delayMs);
  const job = { queue: reportQueue, key: row.id, payload: { environment, tries: 0 }, runAt };
  await jobs.enqueue(tx, tenantId, [job]);
}
