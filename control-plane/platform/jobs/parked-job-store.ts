/** Parked jobs, for the host: read over all tenants, and changed by tenant and id. */
import type { Tx } from '../db/tx.ts';
import { type JobRow, jobChannel } from './store.ts';

/** A job with what is known of its claims. */
export interface KnownJobRow extends JobRow {
  readonly run_at: Date;
  readonly last_error: string | null;
  readonly created_at: Date;
  readonly parked_at: Date | null;
}

/** How many jobs of each queue are parked. */
export async function countParkedJobs(tx: Tx): Promise<{ queue: string; jobs: number }[]> {
  return tx.rows('select * from count_parked_jobs()');
}

/** Parked jobs of all tenants, the last parked first; without `queue` or `tenantId`, of any. */
export async function listParkedJobs(
  tx: Tx,
  filter: {
    readonly queue: string | undefined;
    readonly tenantId: string | undefined;
    readonly max: number;
  },
): Promise<KnownJobRow[]> {
  const { queue = null, tenantId = null, max } = filter;
  return tx.rows('select * from list_parked_jobs($1, $2, $3)', [queue, tenantId, max]);
}

/** The job with this id, parked or not, of any tenant. */
export async function findJob(tx: Tx, id: number): Promise<KnownJobRow | undefined> {
  return tx.row('select * from find_job($1)', [id]);
}

/** Makes a parked job due now, with its counts at zero, and tells nodes; false when it is not parked. */
export async function retryParkedJob(tx: Tx, tenantId: string, id: number): Promise<boolean> {
  const row = await tx.row(
    `with changed as (update job
       set parked_at = null, run_at = clock_timestamp(), attempts = 0, losses = 0
       where tenant_id = $1 and id = $2 and parked_at is not null returning queue)
     select pg_notify('${jobChannel}', queue) from changed`,
    [tenantId, id],
  );
  return row !== undefined;
}

/** Deletes a parked job; false when it is not parked. */
export async function discardParkedJob(tx: Tx, tenantId: string, id: number): Promise<boolean> {
  const deleted = await tx.run(
    'delete from job where tenant_id = $1 and id = $2 and parked_at is not null',
    [tenantId, id],
  );
  return deleted === 1;
}
