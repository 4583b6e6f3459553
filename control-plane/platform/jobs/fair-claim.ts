import type { Db } from '../db/database.ts';
import type { Job } from './job.ts';
import { claimDoubtfulJobs, claimJobs, findTenants, type JobRow } from './store.ts';

/** How a worker claims jobs of its queue. */
export interface ClaimOptions {
  readonly db: Db;
  readonly queue: string;
  /** The most jobs of one claim. */
  readonly batch: number;
  readonly newClaimId: () => string;
  readonly leaseMs: number;
  /** Milliseconds until the next claim when nothing is due. */
  readonly pollMs: number;
  /** Whether jobs of a tenant may be claimed now; default: always. */
  readonly mayClaim?: (tenantId: string) => boolean;
}

/** What one claim found. */
export interface ClaimedJobs {
  readonly jobs: readonly Job[];
  /** Milliseconds until something is due again; 0 when there may be more right now. */
  readonly idleMs: number;
  /** True when nothing could be claimed of what is due, as when all of it is doubtful. */
  readonly isRestDoubtful: boolean;
}

// Limits the cost of a claim; the next one continues where this one ended.
const tenantsPerClaim = 256;
const firstTenant = '00000000-0000-0000-0000-000000000000';

/**
 * Makes a function that claims a batch, tenants in turn: each that has due jobs gets an equal
 * share, and the next claim begins after the last tenant served. It pauses once a whole round of
 * tenants left nothing. Rejects when the database does not answer.
 *
 * ```ts
 * const claim = createFairClaim({ db, queue, batch, newClaimId, leaseMs, pollMs });
 * const { jobs, idleMs } = await claim();
 * ```
 */
export function createFairClaim(options: ClaimOptions): () => Promise<ClaimedJobs> {
  const { db, queue, batch, newClaimId, leaseMs, pollMs } = options;
  const { mayClaim = () => true } = options;
  let after = firstTenant;
  let isMoreDue = false;
  let idleMs = pollMs;

  return async () => {
    const visited = await findTenants(db, queue, after, tenantsPerClaim);
    for (const { due_in_ms } of visited) {
      if (due_in_ms > 0) idleMs = Math.min(idleMs, Math.ceil(due_in_ms));
    }
    const tenants = visited
      .filter(({ tenant_id, due_in_ms }) => due_in_ms <= 0 && mayClaim(tenant_id))
      .map(({ tenant_id }) => tenant_id)
      .slice(0, batch);
    const share = Math.ceil(batch / tenants.length);
    const claim = { queue, tenants, share, wanted: batch, claimId: newClaimId(), leaseMs };
    const rows = tenants.length === 0 ? [] : await claimJobs(db, claim);
    const isFull = tenants.length === batch;
    const isRoundOver = visited.length < tenantsPerClaim && !isFull;
    after = isRoundOver ? firstTenant : isFull ? tenants.at(-1)! : visited.at(-1)!.tenant_id;
    // Where there was something there may be more.
    isMoreDue ||= rows.length > 0;
    const wait = isRoundOver && !isMoreDue ? idleMs : 0;
    if (isRoundOver) {
      isMoreDue = false;
      idleMs = pollMs;
    }
    return {
      jobs: rows.map(toJob).sort((a, b) => a.id - b.id),
      idleMs: wait,
      isRestDoubtful: tenants.length > 0 && rows.length === 0,
    };
  };
}

/** Jobs of one tenant that were lost or failed repeatedly, and the losses in a row of each. */
export interface DoubtfulJobs {
  readonly jobs: readonly [Job, ...Job[]];
  readonly losses: number;
}

/**
 * Makes a function that claims jobs that were lost or failed repeatedly, tenants in turn: the more often they
 * were lost, the fewer together. Rejects when the database does not answer.
 */
export function createDoubtfulClaim(
  options: Omit<ClaimOptions, 'pollMs' | 'mayClaim'> & {
    /** Losses in a row after which a job is parked. */
    readonly lossesMax: number;
  },
): () => Promise<DoubtfulJobs | undefined> {
  const { db, queue, batch: most, newClaimId, leaseMs, lossesMax } = options;
  let after = firstTenant;

  return async () => {
    const claim = { queue, after, claimId: newClaimId(), leaseMs, lossesMax, most };
    const [first, ...others] = await claimDoubtfulJobs(db, claim);
    if (first === undefined) return undefined;
    after = first.tenant_id;
    return { jobs: [toJob(first), ...others.map(toJob)], losses: first.losses };
  };
}

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    queue: row.queue,
    key: row.key,
    payload: row.payload,
    attempt: row.attempts,
    claimId: row.claim_id,
    traceparent: row.traceparent,
  };
}
