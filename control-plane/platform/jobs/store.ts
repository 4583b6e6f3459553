import type { Db } from '../db/database.ts';
import { columnArrays, unnest } from '../db/insert.ts';
import type { Tx } from '../db/tx.ts';
import { unflushed } from '../db/unflushed.ts';
import { traceparentOf } from '../tracing/active-spans.ts';
import type { Job, NewJob } from './job.ts';

/** A job as a claim reads it. */
export interface JobRow {
  readonly id: number;
  readonly tenant_id: string;
  readonly queue: string;
  readonly key: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly losses: number;
  readonly claim_id: string;
  readonly traceparent: string | null;
}

const columns = {
  tenant_id: 'uuid',
  queue: 'text',
  key: 'text',
  payload: 'jsonb',
  run_at: 'timestamptz',
  traceparent: 'text',
} as const;

const insertSql = `insert into job (${Object.keys(columns)})
  select tenant_id, queue, key, payload, coalesce(run_at, clock_timestamp()), traceparent
  from ${unnest(Object.values(columns))} as n (${Object.keys(columns)})
  on conflict (tenant_id, queue, key) do nothing returning key`;

/**
 * Inserts jobs; one whose key exists is left as it is. Returns the keys that were inserted. Without
 * `runAt` a job is due now by the database's clock, which claims use too: otherwise a node whose
 * clock is ahead would delay its own work.
 */
export async function insertJobs(
  tx: Tx,
  tenantId: string,
  jobs: readonly NewJob[],
): Promise<{ key: string }[]> {
  if (jobs.length === 0) return [];
  const rows = jobs.map(({ queue, key, payload = {}, runAt = null }) => {
    const traceparent = traceparentOf(key) ?? null;
    return { tenant_id: tenantId, queue, key, payload, run_at: runAt, traceparent };
  });
  return tx.rows(insertSql, columnArrays<(typeof rows)[number]>(columns, rows));
}

/** Deletes jobs that are still under these claims; returns how many were. */
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

/** One job to be done again later. */
export interface Rescheduled {
  readonly job: Job;
  readonly runAt: Date;
  /** Replaces the payload. */
  readonly payload?: unknown;
  readonly error?: string;
}

/**
 * Releases jobs that are still under these claims until a later time; returns how many were.
 * Attempts start at zero again, because the handler ended normally.
 */
export async function rescheduleClaimed(
  tx: Tx,
  tenantId: string,
  items: readonly Rescheduled[],
): Promise<number> {
  return tx.run(
    `update job set claim_id = null, run_at = held.run_at, attempts = 0, losses = 0,
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

/** Changes when a job that no worker holds is due; returns 1 when there is such a job, else 0. */
export async function changeJobRunAt(
  tx: Tx,
  tenantId: string,
  { queue, key, runAt }: { queue: string; key: string; runAt?: Date },
): Promise<number> {
  return tx.run(
    `update job set run_at = coalesce($4, clock_timestamp())
     where tenant_id = $1 and queue = $2 and key = $3 and claim_id is null and parked_at is null`,
    [tenantId, queue, key, runAt ?? null],
  );
}

/**
 * Jobs that become due per second when many are made due together: about what a source can answer.
 */
const runNowPerSecond = 500;

/** Makes waiting jobs due one shortly after the other; returns how many there were. */
export async function runJobsNow(
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
     where tenant_id = $1 and queue = $2 and job.key = wanted.key and claim_id is null
       and parked_at is null`,
    [tenantId, queue, keys, runNowPerSecond],
  );
}

/** The most characters that are stored of an error. */
const errorLengthMax = 500;

/**
 * Tenants with jobs in the queue, in the order of their ids after `after`, each with the
 * milliseconds until its first job is due.
 */
export function findTenants(
  db: Db,
  queue: string,
  after: string,
  max: number,
): Promise<{ tenant_id: string; due_in_ms: number }[]> {
  return db.call('select * from job_tenants($1, $2, $3)', [queue, after, max]);
}

/** Which jobs are wanted, and for how long. */
export interface ClaimRequest {
  readonly queue: string;
  readonly tenants: readonly string[];
  /** The most jobs of each tenant. */
  readonly share: number;
  readonly wanted: number;
  readonly claimId: string;
  readonly leaseMs: number;
}

/**
 * Claims due jobs of these tenants for `leaseMs`; jobs that another worker is claiming are skipped. Does not wait for
 * the disk: a claim that a crash of the database loses is one whose lease is lost.
 */
export function claimJobs(db: Db, claim: ClaimRequest): Promise<JobRow[]> {
  const { queue, tenants, share, wanted, claimId, leaseMs } = claim;
  return db.call(
    `select claimed.* from ${unflushed}, claim_jobs($1, $2, $3, $4, $5, $6) as claimed`,
    [queue, tenants, share, wanted, claimId, leaseMs],
  );
}

/** Which doubtful jobs are wanted; tenants after `after` come first. */
export interface DoubtfulRequest {
  readonly queue: string;
  readonly after: string;
  readonly claimId: string;
  readonly leaseMs: number;
  /** Losses in a row after which a job is parked. */
  readonly lossesMax: number;
  /** The most jobs. */
  readonly most: number;
}

/**
 * Claims doubtful jobs of one tenant that were lost equally often: the more often, the fewer, and one alone that the
 * next loss would park, or that failed often.
 */
export function claimDoubtfulJobs(db: Db, claim: DoubtfulRequest): Promise<JobRow[]> {
  const { queue, after, claimId, leaseMs, lossesMax, most } = claim;
  return db.call('select * from claim_doubtful_jobs($1, $2, $3, $4, $5, $6)', [
    queue,
    after,
    claimId,
    leaseMs,
    lossesMax,
    most,
  ]);
}

/** Parks a claimed job, so that it is not claimed again; false when the claim is no longer valid. */
export async function parkClaimed(
  tx: Tx,
  tenantId: string,
  job: Pick<Job, 'id' | 'claimId'>,
): Promise<boolean> {
  const changed = await tx.run(
    `update job set parked_at = clock_timestamp(), claim_id = null
     where tenant_id = $1 and id = $2 and claim_id = $3`,
    [tenantId, job.id, job.claimId],
  );
  return changed === 1;
}

/** Extends leases; returns the ids of the jobs whose claims are still valid. */
export async function extendClaims(
  tx: Tx,
  jobs: readonly Job[],
  leaseMs: number,
): Promise<{ extend_claims: number }[]> {
  return tx.rows('select extend_claims($1, $2, $3, $4)', [
    jobs.map(({ tenantId }) => tenantId),
    jobs.map(({ id }) => id),
    jobs.map(({ claimId }) => claimId),
    leaseMs,
  ]);
}

/** Extends the leases of which a quarter is over and whose claims are still valid. */
export async function prolongClaims(tx: Tx, jobs: readonly Job[], leaseMs: number): Promise<void> {
  await tx.rows('select prolong_claims($1, $2, $3, $4)', [
    jobs.map(({ tenantId }) => tenantId),
    jobs.map(({ id }) => id),
    jobs.map(({ claimId }) => claimId),
    leaseMs,
  ]);
}

/** Whether the claim is still valid; if so, it stays valid until the transaction ends. */
export async function extendSharedClaim(tx: Tx, job: Job, leaseMs: number): Promise<boolean> {
  const row = await tx.row<{ is_ours: boolean }>('select share_claim($1, $2, $3, $4) as is_ours', [
    job.tenantId,
    job.id,
    job.claimId,
    leaseMs,
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
  await tx.rows('select return_jobs($1, $2, $3, $4, $5, $6)', [
    jobs.map(({ tenantId }) => tenantId),
    jobs.map(({ id }) => id),
    jobs.map(({ claimId }) => claimId),
    delaysMs,
    refund,
    error?.slice(0, errorLengthMax),
  ]);
}

/** The NOTIFY channel on which nodes announce which queue has new work. */
export const jobChannel = 'job';
