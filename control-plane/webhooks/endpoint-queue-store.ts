/**
 * The statements of the delivering process, across tenants, through functions of the database.
 * `owner` is that process: it can neither read nor write queues that it no longer owns.
 */
import type { Breaker } from '@drawbridge/webhooks/breaker.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { SecretRow } from './endpoint-store.ts';

export interface ClaimedEndpointQueue {
  readonly endpoint_id: string;
  readonly tenant_id: string;
  /** Milliseconds until a second has passed since the former owner may have sent something. */
  readonly wait_ms: number;
}

export interface EndpointQueueRow {
  readonly url: string;
  readonly secrets: SecretRow[];
  readonly rate: number;
  readonly state: 'active' | 'degraded' | 'disabled';
  readonly breaker: Breaker;
  readonly failing_since: Date | null;
  readonly recovered_at: Date | null;
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
  /** Neither tried nor asked for again. */
  readonly is_fresh: boolean;
  /** An earlier one of its subject waits: it is to be kept back. */
  readonly is_blocked: boolean;
  readonly scheduled_at: Date | null;
  readonly wake_after: Date | null;
  readonly answered_since: Date | null;
  readonly is_set_aside: boolean;
  readonly payload: string;
  /** The span that made the event. */
  readonly traceparent: string | null;
}

/** One attempt, and the new state of its delivery; `next_at` is set when that is pending. */
export interface AttemptRecord {
  readonly tenant_id: string;
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
  readonly scheduled_at: Date | null;
  readonly wake_after: Date | null;
  readonly answered_since: Date | null;
  readonly is_set_aside: boolean;
  /** The attempt was beside the schedule, and is not counted by it. */
  readonly is_extra: boolean;
}

/** An endpoint's queue as its owner asks for it. */
export interface OwnedQueue {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly owner: string;
}

/** NOTIFY channel: the payload is the event of a test that has been sent. */
export const testedChannel = 'webhook_tested';

/**
 * Takes endpoint queues that have work and no owner: those of `endpoints`, or any when that is
 * null.
 */
export function claimEndpointQueues(
  tx: Tx,
  owner: string,
  claim: {
    readonly endpoints: readonly string[] | null;
    readonly at: Date;
    readonly leaseMs: number;
    readonly max: number;
  },
): Promise<ClaimedEndpointQueue[]> {
  return tx.rows('select * from claim_webhook_queues($1, $2, $3, $4, $5)', [
    owner,
    claim.endpoints,
    claim.at,
    claim.leaseMs,
    claim.max,
  ]);
}

/** Renews leases; returns the ids of the endpoints that this owner still owns. */
export async function renewEndpointQueues(
  tx: Tx,
  owner: string,
  leaseMs: number,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    'select * from renew_webhook_queues($1, $2) as renewed (id)',
    [owner, leaseMs],
  );
  return rows.map(({ id }) => id);
}

/** How many deliveries of all tenants wait, by kind; up to `max` of each. */
export function countPendingDeliveries(
  tx: Tx,
  max: number,
): Promise<{ kind: string; deliveries: number }[]> {
  return tx.rows('select * from count_pending_deliveries($1)', [max]);
}

export function releaseEndpointQueues(
  tx: Tx,
  owner: string,
  endpoints: readonly string[],
): Promise<number> {
  return tx.run('select release_webhook_queues($1, $2)', [owner, endpoints]);
}

/** Reads an endpoint queue; undefined when another process owns it or the endpoint was deleted. */
export function loadEndpointQueue(
  tx: Tx,
  { tenantId, owner, endpointId }: OwnedQueue,
): Promise<EndpointQueueRow | undefined> {
  return tx.row('select * from load_webhook_queue($1, $2, $3)', [tenantId, owner, endpointId]);
}

/**
 * Deliveries that may be sent at that time: tests, then new ones in their order, then retries that
 * are due; among them those that are to be kept back.
 */
export function dueDeliveries(
  tx: Tx,
  { tenantId, owner, endpointId }: OwnedQueue,
  at: Date,
  max: { readonly fresh: number; readonly retry: number },
): Promise<DueRow[]> {
  return tx.rows('select * from due_webhook_deliveries($1, $2, $3, $4, $5, $6)', [
    tenantId,
    owner,
    endpointId,
    at,
    max.fresh,
    max.retry,
  ]);
}

/**
 * Keeps deliveries back until the earlier ones of their subjects have gone. One that is new lets the
 * first of its subject go at once, unless that failed within `pauseMs` or had `attemptsMax` attempts.
 */
export function keepBackDeliveries(
  tx: Tx,
  { tenantId, owner, endpointId }: OwnedQueue,
  rows: readonly DueRow[],
  first: { readonly at: Date; readonly pauseMs: number; readonly attemptsMax: number },
): Promise<number> {
  return tx.run('select keep_back_webhook_deliveries($1, $2, $3, $4, $5, $6, $7, $8)', [
    tenantId,
    owner,
    endpointId,
    first.at,
    rows.map(({ environment }) => environment),
    rows.map(({ event_id }) => event_id),
    first.pauseMs,
    first.attemptsMax,
  ]);
}

/** Frees deliveries that were kept back by others which were removed while the queue had no owner. */
export function freeDeliveries(
  tx: Tx,
  { tenantId, owner, endpointId }: OwnedQueue,
): Promise<number> {
  return tx.run('select free_webhook_queue($1, $2, $3)', [tenantId, owner, endpointId]);
}

/**
 * Makes at most `max` deliveries that failed before the endpoint recovered due at once; returns how
 * many it found. Those that are due within `soonMs` anyway keep their time, and none is woken again
 * within `againAfterMs`.
 */
export async function wakeDeliveries(
  tx: Tx,
  { tenantId, owner, endpointId }: OwnedQueue,
  wake: {
    readonly at: Date;
    readonly recoveredAt: Date;
    readonly soonMs: number;
    readonly againAfterMs: number;
    readonly max: number;
  },
): Promise<number> {
  const row = await tx.row<{ count: number }>(
    'select wake_webhook_deliveries($1, $2, $3, $4, $5, $6, $7, $8) as count',
    [
      tenantId,
      owner,
      endpointId,
      wake.at,
      wake.recoveredAt,
      wake.soonMs,
      wake.againAfterMs,
      wake.max,
    ],
  );
  return row!.count;
}

/** What saving attempts resulted in. */
export interface RecordedAttempts {
  /** How many were saved: an attempt of a lost endpoint queue, or a known one, is skipped. */
  readonly recorded: number;
  /** Endpoints with deliveries that were kept back and may go now. */
  readonly freed: readonly string[];
}

export async function recordAttempts(
  tx: Tx,
  owner: string,
  attempts: readonly AttemptRecord[],
): Promise<RecordedAttempts> {
  const row = await tx.row<{ recorded: number; freed: string[] | null }>(
    'select * from record_webhook_attempts($1, $2::json)',
    [owner, JSON.stringify(attempts)],
  );
  return { recorded: row!.recorded, freed: row!.freed ?? [] };
}

/** What is known of how an endpoint answers. */
export interface EndpointHealthState {
  readonly breaker: Breaker;
  readonly failingSince: Date | null;
  /** When it last answered after it had failed. */
  readonly recoveredAt: Date | null;
}

export function setHealth(
  tx: Tx,
  { tenantId, owner, endpointId }: OwnedQueue,
  health: EndpointHealthState,
): Promise<number> {
  return tx.run('select set_webhook_health($1, $2, $3, $4, $5, $6)', [
    tenantId,
    owner,
    endpointId,
    JSON.stringify(health.breaker),
    health.failingSince,
    health.recoveredAt,
  ]);
}

/**
 * Deletes at most `max` deliveries that were settled before that time, with what belongs to them;
 * returns how many.
 */
export async function pruneDeliveries(tx: Tx, before: Date, max: number): Promise<number> {
  const row = await tx.row<{ count: number }>('select prune_webhook_deliveries($1, $2) as count', [
    before,
    max,
  ]);
  return row!.count;
}
