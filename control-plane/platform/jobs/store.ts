import { columnArrays, unnest } from '../db/insert.ts';
import type { Tx } from '../db/tx.ts';
import type { Job, NewJob } from './job.ts';

export interface JobRow {
  readonly id: number;
  readonly tenant_id: string;
  readonly queue: string;
  readonly key: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly claim_id: string;
}

const columns = {
  tenant_id: 'uuid',
  queue: 'text',
  key: 'text',
  payload: 'jsonb',
  run_at: 'timestamptz',
} as const;

const insertSql = `insert into job (${Object.keys(columns)})
  select tenant_id, queue, key, payload, coalesce(run_at, clock_timestamp())
  from ${unnest(Object.values(columns))} as n (${Object.keys(columns)})
  on conflict (tenant_id, queue, key) do nothing returning key`;

/**
 * Puts jobs in; those whose key is there already are left as they are. Answers the keys put in. What
 * is due now is due by the database's clock, which is the one that claims go by: a node whose clock
 * is ahead must not keep its own work waiting.
 */
export async function insertJobs(
  tx: Tx,
  tenantId: string,
  jobs: readonly NewJob[],
): Promise<{ key: string }[]> {
  if (jobs.length === 0) return [];
  const rows = jobs.map(({ queue, key, payload = {}, runAt = null }) => {
    return { tenant_id: tenantId, queue, key, payload, run_at: runAt };
  });
  return tx.rows(insertSql, columnArrays<(typeof rows)[number]>(columns, rows));
}

/** Deletes jobs that are still under these claims; answers how many were. */
export async function deleteClaimed(
  tx: Tx,
  tenantId: string,
  jobs: readonly Job[],
): Promise<number> {
  return tx.run(
    `delete from job using unnest($2::bigint[], $3::uuid[]) as held (id, claim_id)
     where tenant_id = $1 and job.id = held.id and job.claim_id = held.claim_id`,
    [tenantId, jobs.map(({ id }) => id), jobs.map(({ claimId }) => claimId)],
  );
}

/** One job to be tried again. */
export interface Rescheduled {
  readonly job: Job;
  readonly runAt: Date;
  /** Replaces the payload. */
  readonly payload?: unknown;
  readonly error?: string;
}

/**
 * Frees jobs that are still under these claims for a later time; answers how many were. Attempts
 * are counted anew: the handler came to its end, and the next one is no repetition.
 */
export async function rescheduleClaimed(
  tx: Tx,
  tenantId: string,
  items: readonly Rescheduled[],
): Promise<number> {
  return tx.run(
    `update job set claim_id = null, run_at = held.run_at, attempts = 0,
       payload = coalesce(held.payload, job.payload), last_error = coalesce(held.error, last_error)
     from unnest($2::bigint[], $3::uuid[], $4::timestamptz[], $5::jsonb[], $6::text[])
       as held (id, claim_id, run_at, payload, error)
     where tenant_id = $1 and job.id = held.id and job.claim_id = held.claim_id`,
    [
      tenantId,
      items.map(({ job }) => job.id),
      items.map(({ job }) => job.claimId),
      items.map(({ runAt }) => runAt),
      items.map(({ payload }) => (payload === undefined ? null : JSON.stringify(payload))),
      items.map(({ error }) => error?.slice(0, errorLengthMax) ?? null),
    ],
  );
}

/** Makes a job that nobody holds due at another time; 1 when there is such a job. */
export async function moveJob(
  tx: Tx,
  tenantId: string,
  { queue, key, runAt }: { queue: string; key: string; runAt?: Date },
): Promise<number> {
  return tx.run(
    `update job set run_at = coalesce($4, clock_timestamp())
     where tenant_id = $1 and queue = $2 and key = $3 and claim_id is null`,
    [tenantId, queue, key, runAt ?? null],
  );
}

/** Jobs that come due in a second when many are hastened together: about what a source answers. */
const hastenedPerSecond = 500;

/** Makes waiting jobs due one shortly after the other; answers how many there were. */
export async function hastenJobs(
  tx: Tx,
  tenantId: string,
  queue: string,
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  return tx.run(
    `update job set run_at = least(run_at,
       clock_timestamp() + wanted.place * interval '1 s' / $4::int)
     from unnest($3::text[]) with ordinality as wanted (key, place)
     where tenant_id = $1 and queue = $2 and job.key = wanted.key and claim_id is null`,
    [tenantId, queue, keys, hastenedPerSecond],
  );
}

export const errorLengthMax = 500;

/**
 * Tenants with jobs in the queue, after one in id order; milliseconds until the first of each is
 * due.
 */
export async function findTenants(
  tx: Tx,
  queue: string,
  after: string,
  max: number,
): Promise<{ tenant_id: string; due_in_ms: number }[]> {
  return tx.rows('select * from job_tenants($1, $2, $3)', [queue, after, max]);
}

export interface ClaimRequest {
  readonly queue: string;
  readonly tenants: readonly string[];
  /** At most that many of each tenant. */
  readonly share: number;
  readonly wanted: number;
  readonly claimId: string;
  readonly leaseMs: number;
}

export async function claimJobs(tx: Tx, claim: ClaimRequest): Promise<JobRow[]> {
  const { queue, tenants, share, wanted, claimId, leaseMs } = claim;
  return tx.rows('select * from claim_jobs($1, $2, $3, $4, $5, $6)', [
    ...[queue, tenants, share, wanted, claimId, leaseMs],
  ]);
}

/** Prolongs leases; answers the ids of the jobs that are still ours. */
export async function extendClaims(
  tx: Tx,
  jobs: readonly Job[],
  leaseMs: number,
): Promise<{ extend_claims: number }[]> {
  return tx.rows('select extend_claims($1, $2, $3)', [
    ...[jobs.map(({ id }) => id), jobs.map(({ claimId }) => claimId), leaseMs],
  ]);
}

/** Prolongs leases of which a quarter is gone, as far as the jobs are still ours. */
export async function prolongClaims(tx: Tx, jobs: readonly Job[], leaseMs: number): Promise<void> {
  await tx.rows('select prolong_claims($1, $2, $3)', [
    ...[jobs.map(({ id }) => id), jobs.map(({ claimId }) => claimId), leaseMs],
  ]);
}

/** Whether the job is still ours, which it stays until the transaction ends. */
export async function shareClaim(tx: Tx, job: Job, leaseMs: number): Promise<boolean> {
  const row = await tx.row<{ is_ours: boolean }>('select share_claim($1, $2, $3) as is_ours', [
    ...[job.id, job.claimId, leaseMs],
  ]);
  return row!.is_ours;
}

/** Gives jobs back to their queue, each after its delay. */
export async function returnJobs(
  tx: Tx,
  jobs: readonly Job[],
  options: { delaysMs: readonly number[]; refund: boolean; error?: string },
): Promise<void> {
  const { delaysMs, refund, error } = options;
  await tx.rows('select return_jobs($1, $2, $3, $4, $5)', [
    ...[jobs.map(({ id }) => id), jobs.map(({ claimId }) => claimId)],
    ...[delaysMs, refund, error?.slice(0, errorLengthMax)],
  ]);
}

/** The channel on which nodes tell each other which queue has got work. */
export const jobChannel = 'job';

export async function notifyQueues(tx: Tx, queues: readonly string[]): Promise<void> {
  await tx.rows(`select pg_notify('${jobChannel}', queue) from unnest($1::text[]) as q (queue)`, [
    queues,
  ]);
}
