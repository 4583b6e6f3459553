import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import type { Job } from './job.ts';
import { claimJobs, findTenants, type JobRow } from './store.ts';

export interface ClaimOptions {
  readonly db: Db;
  readonly queue: string;
  readonly batch: number;
  readonly newClaimId: () => string;
  readonly leaseMs: number;
  readonly pollMs: number;
}

export interface Claimed {
  readonly jobs: readonly Job[];
  /** Until something is due again; 0 when there may be more right now. */
  readonly idleMs: number;
}

// Bounds what a claim costs; the next one goes on where this one ended.
const tenantsPerClaim = 256;
const firstTenant = '00000000-0000-0000-0000-000000000000';

/**
 * Claims batches, tenants in turn: each that has due jobs gets an equal share, and the next claim
 * begins after the last one served. It rests once a whole round of tenants gave nothing.
 */
export function claimer(options: ClaimOptions): () => Promise<Claimed> {
  const { db, queue, batch, newClaimId, leaseMs, pollMs } = options;
  let after = firstTenant;
  let roundIsEmpty = true;
  let idleMs = pollMs;

  async function claimFor(tx: Tx, tenants: readonly string[]): Promise<JobRow[]> {
    if (tenants.length === 0) return [];
    const share = Math.ceil(batch / tenants.length);
    const claimId = newClaimId();
    return claimJobs(tx, { queue, tenants, share, wanted: batch, claimId, leaseMs });
  }

  return () =>
    db.system(async (tx) => {
      const visited = await findTenants(tx, queue, after, tenantsPerClaim);
      const due = visited.filter(({ due_in_ms }) => due_in_ms <= 0).slice(0, batch);
      const rows = await claimFor(
        tx,
        due.map(({ tenant_id }) => tenant_id),
      );
      for (const { due_in_ms } of visited) {
        if (due_in_ms > 0) idleMs = Math.min(idleMs, Math.ceil(due_in_ms));
      }
      const isRoundOver = visited.length < tenantsPerClaim && due.length < batch;
      after = isRoundOver ? firstTenant : (due.length === batch ? due : visited).at(-1)!.tenant_id;
      roundIsEmpty &&= rows.length === 0;
      const wait = isRoundOver && roundIsEmpty ? idleMs : 0;
      if (isRoundOver) {
        roundIsEmpty = true;
        idleMs = pollMs;
      }
      return { jobs: rows.map(toJob).sort((a, b) => a.id - b.id), idleMs: wait };
    });
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
  };
}
