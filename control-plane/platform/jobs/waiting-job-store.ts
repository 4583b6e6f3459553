import type { Tx } from '../db/tx.ts';

/** Due jobs of a queue that no worker holds. */
export interface WaitingJobs {
  readonly queue: string;
  readonly jobs: number;
  /** Since the one that has waited longest became due; 0 when there is none. */
  readonly oldest_seconds: number;
}

/** Counts the waiting jobs of all tenants, within bounds for each queue. */
export function countWaitingJobs(
  tx: Tx,
  queues: readonly string[],
  max: { readonly tenants: number; readonly jobs: number },
): Promise<WaitingJobs[]> {
  const values = [queues, max.tenants, max.jobs];
  return tx.rows('select * from count_waiting_jobs($1, $2, $3)', values);
}
