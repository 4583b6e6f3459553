/**
 * Deletes what has outlived its life time, in batches of a transaction each, on any number of nodes.
 *
 *     const retention = startRetention({ db, clock, databaseClock, log, metrics }, prunables, tenantPrunables);
 *     // …
 *     await retention.stop();
 */
import type { TenantScope } from '../auth/tenant-scope.ts';
import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import type { Clock } from '../ids.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { listLifeTimes, mayPrune } from './store.ts';

/** A kind of row with a life time. */
export interface Prunable {
  /** Names it in the metric and in the lock that one node has at a time. */
  readonly kind: string;
  readonly lifeDays: number;
  /** Deletes up to `max` settled rows that ended before an instant; returns how many. */
  prune(tx: Tx, before: Date, max: number): Promise<number>;
}

/** A kind whose life time each tenant sets for itself, and that is kept for ever until then. */
export interface TenantPrunable {
  readonly kind: string;
  /** Deletes up to `max` things that ended before an instant, with what belongs to them; returns how many. */
  prune(tx: Tx, scope: TenantScope, before: Date, max: number): Promise<number>;
}

/** What the sweep works with. */
export interface RetentionContext {
  readonly db: Db;
  readonly clock: Clock;
  /** Rows have their times from nodes and from the database, and what is deleted by a wrong clock is gone. */
  readonly databaseClock: () => Promise<Date>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'rowsPruned'>;
}

/** The running sweep. */
export interface Retention {
  /** Prunes all kinds once. A kind that fails is logged, and tried again by the next sweep. */
  sweep(): Promise<void>;
  /** Begins no further batch, and waits for the one under way. */
  stop(): Promise<void>;
}

const limits = { sweepMs: 600_000, rows: 1_000, batches: 1_000, things: 100 };
const dayMs = 86_400_000;
/** The least difference of the clocks of node and database that is told. */
const toldAheadMs = 600_000;

/** Begins to prune every ten minutes. */
export function startRetention(
  { db, clock, databaseClock, log, metrics }: RetentionContext,
  prunables: readonly Prunable[],
  tenantPrunables: readonly TenantPrunable[] = [],
  { sweepMs, rows, batches, things } = limits,
): Retention {
  let isStopped = false;
  let underWay: Promise<void> | undefined;

  async function pruneAll(): Promise<void> {
    const now = await earlierClock().catch((err: unknown) => {
      log.warn({ err }, 'old rows were not deleted; the next sweep tries again');
      return undefined;
    });
    if (now === undefined) return;
    const attempt = (kind: string, pruning: Promise<void>) =>
      pruning.catch((err: unknown) =>
        log.warn({ err, kind }, 'old rows were not deleted; the next sweep tries again'),
      );
    for (const prunable of prunables) await attempt(prunable.kind, pruneKind(prunable, now));
    for (const prunable of tenantPrunables) {
      await attempt(prunable.kind, pruneOfTenants(prunable, now));
    }
  }

  /** The time by this node or by the database, whichever is earlier. */
  async function earlierClock(): Promise<Date> {
    const database = await databaseClock();
    const now = clock();
    const aheadMs = now.getTime() - database.getTime();
    if (aheadMs > toldAheadMs) {
      log.warn(
        { aheadMs },
        'the clock of this node is ahead of the database; what is old is judged by the database. Set the clock of the host right',
      );
    }
    return aheadMs > 0 ? database : now;
  }

  async function pruneKind({ kind, lifeDays, prune }: Prunable, now: Date): Promise<void> {
    const before = beforeOf(lifeDays, now);
    await pruneBatches(kind, rows, () =>
      db.system(async (tx) => ((await mayPrune(tx, kind)) ? prune(tx, before, rows) : 0)),
    );
  }

  async function pruneOfTenants({ kind, prune }: TenantPrunable, now: Date): Promise<void> {
    for (const { tenant_id, environment, days } of await db.system((tx) =>
      listLifeTimes(tx, kind),
    )) {
      const scope = { tenantId: tenant_id, environment };
      const lock = `${kind} ${tenant_id} ${environment}`;
      await pruneBatches(kind, things, () =>
        db.tenant(tenant_id, async (tx) =>
          (await mayPrune(tx, lock)) ? prune(tx, scope, beforeOf(days, now), things) : 0,
        ),
      );
    }
  }

  async function pruneBatches(
    kind: string,
    max: number,
    prune: () => Promise<number>,
  ): Promise<void> {
    for (let batch = 0; batch < batches && !isStopped; batch += 1) {
      const pruned = await prune();
      metrics.rowsPruned.inc({ kind }, pruned);
      if (pruned < max) return;
    }
  }

  function beforeOf(days: number, now: Date): Date {
    return new Date(now.getTime() - days * dayMs);
  }

  const sweep = () => {
    underWay ??= pruneAll().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const timer = setInterval(() => void sweep(), sweepMs);
  return {
    sweep,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await underWay;
    },
  };
}
