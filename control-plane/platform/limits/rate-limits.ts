/**
 * Rate limits that hold over all nodes: never more than `max` grants in any `windowMs` by the
 * database's clock, counted at the grant.
 *
 * ```ts
 * const limits = createRateLimits({ db, clock });
 * const verdict = await limits.count(`read ${keyId}`, { max: 100, windowMs: 1_000 }); // one request
 * const { granted, retryAfterMs } = await limits.take(`send ${tenantId}`, limit, 50); // a sender
 * ```
 *
 * It is cheap under load, because requests that arrive while a statement is under way go together in
 * the next one, all keys at once: a node never has more than one under way. A key that is used up is
 * refused here, without asking, until its next grant can fall due. Nothing is granted ahead, so
 * nothing is lost and the bound needs no clock but the database's.
 *
 * Other limiters exist because they bound something else: `ArrivalLimits` what arrives at the far
 * end, `Pacer` and the webhooks' `rateRing` how evenly one process sends what it was granted.
 */
import { Batcher } from '../concurrency/batcher.ts';
import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import type { LimitVerdict } from '../http/service.ts';
import type { Clock } from '../ids.ts';

/** How much of something a time span allows. */
export interface RateLimit {
  /** Grants of any window, 1 or more. */
  readonly max: number;
  /** Milliseconds, at most 60,000. */
  readonly windowMs: number;
}

/** What a caller got of what it wanted. */
interface Grant {
  /** How many of those wanted were granted. */
  readonly granted: number;
  /** How many more the window would grant. */
  readonly remaining: number;
  /** When at least one more is granted, from now; 0 when all that was wanted was granted. */
  readonly retryAfterMs: number;
}

/** The rate limits of all nodes, as this one asks for them. */
export interface RateLimits {
  /** Grants up to `wanted`; 0 looks without taking. Rejects when the database does not answer. */
  take(key: string, limit: RateLimit, wanted: number): Promise<Grant>;
  /** Grants one, in the form in which HTTP answers state it. Rejects when the database does not answer. */
  count(key: string, limit: RateLimit): Promise<LimitVerdict>;
}

/** What a caller wants of a key. */
interface Wanted {
  readonly key: string;
  readonly limit: RateLimit;
  readonly wanted: number;
}

const requestsPerStatement = 500;
const refusalsKept = 10_000;

/** The rate limits of this node; `clock` tells only how long a refusal holds. */
export function createRateLimits({ db, clock }: { db: Db; clock: Clock }): RateLimits {
  const refusedUntil = new Map<string, number>();
  const batcher = new Batcher<Wanted, Grant>({
    batchMax: requestsPerStatement,
    write: grantAll,
    isSharedError: () => true,
  });

  async function grantAll(requests: readonly Wanted[]): Promise<Grant[]> {
    const groups = [...Map.groupBy(requests, ({ key }) => key).values()];
    const rows = await takeGrants(db, groups);
    for (const row of rows) if (row.remaining === 0 && row.retry_after_ms > 0) refuse(row);
    const left = new Map(rows.map((row) => [row.key, { ...row }]));
    return requests.map(({ key, wanted }) => {
      const row = left.get(key)!;
      const granted = Math.min(row.granted, wanted);
      row.granted -= granted;
      const retryAfterMs = granted < wanted ? row.retry_after_ms : 0;
      return { granted, remaining: row.remaining + row.granted, retryAfterMs };
    });
  }

  function refuse({ key, retry_after_ms }: GrantRow): void {
    refusedUntil.set(key, clock().getTime() + retry_after_ms);
    if (refusedUntil.size > refusalsKept) refusedUntil.delete(refusedUntil.keys().next().value!);
  }

  function take(key: string, limit: RateLimit, wanted: number): Promise<Grant> {
    const retryAfterMs = (refusedUntil.get(key) ?? 0) - clock().getTime();
    // Longer than the window: the clock was set back, and tells nothing.
    if (retryAfterMs > 0 && retryAfterMs <= limit.windowMs * 2) {
      return Promise.resolve({ granted: 0, remaining: 0, retryAfterMs });
    }
    refusedUntil.delete(key);
    return batcher.add('', { key, limit, wanted });
  }

  return {
    take,
    count: async (key, limit) => {
      const { granted, remaining, retryAfterMs } = await take(key, limit, 1);
      return { ...limit, isGranted: granted === 1, remaining, retryAfterMs };
    },
  };
}

interface GrantRow {
  readonly key: string;
  granted: number;
  readonly remaining: number;
  readonly retry_after_ms: number;
}

/** One statement for many keys; each group is of one key, and its first request's limit holds. */
function takeGrants(db: Db, groups: readonly (readonly Wanted[])[]): Promise<GrantRow[]> {
  return db.call('select * from take_grants_of($1, $2, $3, $4)', [
    groups.map(([first]) => first!.key),
    groups.map(([first]) => first!.limit.max),
    groups.map(([first]) => first!.limit.windowMs),
    groups.map((group) => group.reduce((sum, { wanted }) => sum + wanted, 0)),
  ]);
}

/** Deletes windows that were not used for an hour; answers how many. */
export function sweepWindows(tx: Tx): Promise<number> {
  return tx.run(`delete from rate_window where touched_at < now() - interval '1 hour'`);
}
