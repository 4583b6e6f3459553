/**
 * What the sending process asks of the database, across tenants, through the functions of migration
 * 051. `owner` is that process: what is not its own any more it can neither read nor write.
 */
import type { Breaker } from '@drawbridge/webhooks/breaker.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { SecretRow } from './endpoint-store.ts';

export interface ClaimedLane {
  readonly endpoint_id: string;
  readonly tenant_id: string;
  /** Milliseconds until a second has passed since the former owner may have sent. */
  readonly wait_ms: number;
}

export interface LaneRow {
  readonly url: string;
  readonly secrets: SecretRow[];
  readonly rate: number;
  readonly state: 'active' | 'degraded' | 'disabled';
  readonly breaker: Breaker;
  readonly failing_since: Date | null;
  readonly next_retry_at: Date | null;
}

export interface DueRow {
  readonly event_id: string;
  readonly environment: Environment;
  readonly seq: number;
  readonly subject_id: string;
  readonly attempt: number;
  readonly round_start: number;
  readonly is_test: boolean;
  readonly payload: string;
}

/** One attempt, and where it leaves its delivery; `next_at` when that is pending. */
export interface AttemptRecord {
  readonly endpoint_id: string;
  readonly environment: Environment;
  readonly event_id: string;
  readonly n: number;
  readonly at: Date;
  readonly ms: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response_head: string;
  readonly response_body: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly next_at: Date | null;
}

/** NOTIFY channel: the payload is the event of a test that has been sent. */
export const testedChannel = 'webhook_tested';

/** Takes lanes that have work and no owner: those of `endpoints`, or any when that is null. */
export function claimLanes(
  tx: Tx,
  owner: string,
  claim: {
    readonly endpoints: readonly string[] | null;
    readonly leaseMs: number;
    readonly max: number;
  },
): Promise<ClaimedLane[]> {
  return tx.rows('select * from claim_webhook_lanes($1, $2, $3, $4)', [
    owner,
    claim.endpoints,
    claim.leaseMs,
    claim.max,
  ]);
}

/** Ids of the endpoints that are still this owner's. */
export async function renewLanes(tx: Tx, owner: string, leaseMs: number): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    'select * from renew_webhook_lanes($1, $2) as renewed (id)',
    [owner, leaseMs],
  );
  return rows.map(({ id }) => id);
}

export function releaseLanes(tx: Tx, owner: string, endpoints: readonly string[]): Promise<number> {
  return tx.run('select release_webhook_lanes($1, $2)', [owner, endpoints]);
}

/** Undefined when the lane is another's, or the endpoint was deleted. */
export function loadLane(tx: Tx, owner: string, endpointId: string): Promise<LaneRow | undefined> {
  return tx.row('select * from load_webhook_lane($1, $2)', [owner, endpointId]);
}

/**
 * Deliveries that may be sent now: tests, then new ones in their order, then retries that are due.
 */
export function dueDeliveries(
  tx: Tx,
  owner: string,
  endpointId: string,
  max: { readonly fresh: number; readonly retry: number },
): Promise<DueRow[]> {
  return tx.rows('select * from due_webhook_deliveries($1, $2, $3, $4)', [
    owner,
    endpointId,
    max.fresh,
    max.retry,
  ]);
}

/**
 * Answers how many were written: an attempt of a lost lane, or one known already, is passed over.
 */
export async function recordAttempts(
  tx: Tx,
  owner: string,
  attempts: readonly AttemptRecord[],
): Promise<number> {
  const row = await tx.row<{ count: number }>(
    'select record_webhook_attempts($1, $2::json) as count',
    [owner, JSON.stringify(attempts)],
  );
  return row!.count;
}

export function setHealth(
  tx: Tx,
  owner: string,
  endpointId: string,
  health: { readonly breaker: Breaker; readonly failingSince: Date | null },
): Promise<number> {
  return tx.run('select set_webhook_health($1, $2, $3, $4)', [
    owner,
    endpointId,
    JSON.stringify(health.breaker),
    health.failingSince,
  ]);
}

/** Forgets at most `max` deliveries made before then, whatever became of them; answers how many. */
export async function pruneDeliveries(tx: Tx, before: Date, max: number): Promise<number> {
  const row = await tx.row<{ count: number }>('select prune_webhook_deliveries($1, $2) as count', [
    before,
    max,
  ]);
  return row!.count;
}
