/**
 * Rate limits that hold over all nodes: never more than `max` grants in any `windowMs` by the
 * database's clock, counted at the grant.    const limits = createLimits({ db, clock });   const
 * verdict = await limits.count(`read ${keyId}`, { max: 100, windowMs: 1_000 });   // one request
 * const { granted, retryAfterMs } = await limits.take(`send ${tenantId}`, limit, 50);  // a sender
 * It is cheap under load because requests that arrive while a statement is under way go together in
 * the next one, all keys at once: a node never has more than one under way. A key that is used up
 * is refused here, without asking, until its next grant can fall due. Nothing is granted ahead, so
 * nothing is lost and the bound needs no clock but the database's.
 */
import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import type { LimitVerdict } from '../http/service.ts';
import type { Clock } from '../ids.ts';

export interface Limit {
  readonly max: number;
  /** At most 60 s. */
  readonly windowMs: number;
}

export interface Grant {
  /** How many of those wanted were granted. */
  readonly granted: number;
  readonly remaining: number;
  /** When at least one more is granted, from now; 0 when all that was wanted was granted. */
  readonly retryAfterMs: number;
}

export interface Limits {
  /** Grants up to `wanted`. */
  take(key: string, limit: Limit, wanted: number): Promise<Grant>;
  /** Grants one, told as HTTP answers tell it. */
  count(key: string, limit: Limit): Promise<LimitVerdict>;
}

interface Waiting {
  readonly key: string;
  readonly limit: Limit;
  readonly wanted: number;
  resolve(grant: Grant): void;
  reject(error: unknown): void;
}

const keysPerStatement = 500;
const refusalsKept = 10_000;

export function createLimits({ db, clock }: { db: Db; clock: Clock }): Limits {
  let waiting: Waiting[] = [];
  let isFlushing = false;
  const refusedUntil = new Map<string, number>();

  async function flush(): Promise<void> {
    isFlushing = true;
    while (waiting.length > 0) {
      const { now, later } = split(waiting);
      waiting = later;
      try {
        distribute(now, await db.system((tx) => takeGrants(tx, [...now.values()])));
      } catch (error) {
        for (const wish of [...now.values()].flat()) wish.reject(error);
      }
    }
    isFlushing = false;
  }

  function distribute(wishes: ReadonlyMap<string, Waiting[]>, rows: readonly GrantRow[]): void {
    for (const { key, granted, remaining, retry_after_ms } of rows) {
      if (remaining === 0 && retry_after_ms > 0) {
        refusedUntil.set(key, clock().getTime() + retry_after_ms);
        if (refusedUntil.size > refusalsKept)
          refusedUntil.delete(refusedUntil.keys().next().value!);
      }
      let left = granted;
      for (const wish of wishes.get(key) ?? []) {
        const share = Math.min(left, wish.wanted);
        left -= share;
        const retryAfterMs = share < wish.wanted ? retry_after_ms : 0;
        wish.resolve({ granted: share, remaining: remaining + left, retryAfterMs });
      }
    }
  }

  function take(key: string, limit: Limit, wanted: number): Promise<Grant> {
    const retryAfterMs = (refusedUntil.get(key) ?? 0) - clock().getTime();
    // Longer than the window: the clock was set back, and tells nothing.
    if (retryAfterMs > 0 && retryAfterMs <= limit.windowMs * 2) {
      return Promise.resolve({ granted: 0, remaining: 0, retryAfterMs });
    }
    refusedUntil.delete(key);
    return new Promise((resolve, reject) => {
      waiting.push({ key, limit, wanted, resolve, reject });
      if (!isFlushing) void flush();
    });
  }

  return {
    take,
    count: async (key, limit) => {
      const { granted, remaining, retryAfterMs } = await take(key, limit, 1);
      return { ...limit, isGranted: granted === 1, remaining, retryAfterMs };
    },
  };
}

/** The wishes of as many keys as one statement takes, by key; and the others. */
function split(waiting: readonly Waiting[]): { now: Map<string, Waiting[]>; later: Waiting[] } {
  const now = new Map<string, Waiting[]>();
  const later: Waiting[] = [];
  for (const wish of waiting) {
    const known = now.get(wish.key);
    if (known) known.push(wish);
    else if (now.size < keysPerStatement) now.set(wish.key, [wish]);
    else later.push(wish);
  }
  return { now, later };
}

interface GrantRow {
  readonly key: string;
  readonly granted: number;
  readonly remaining: number;
  readonly retry_after_ms: number;
}

/**
 * One statement for many keys; each group of wishes is of one key, and its first one's limit holds.
 */
function takeGrants(tx: Tx, groups: readonly (readonly Waiting[])[]): Promise<GrantRow[]> {
  return tx.rows('select * from take_grants_of($1, $2, $3, $4)', [
    groups.map(([first]) => first!.key),
    groups.map(([first]) => first!.limit.max),
    groups.map(([first]) => first!.limit.windowMs),
    groups.map((group) => group.reduce((sum, { wanted }) => sum + wanted, 0)),
  ]);
}

/** Deletes windows that nobody used for an hour; answers how many. */
export function sweepWindows(tx: Tx): Promise<number> {
  return tx.run(`delete from rate_window where touched_at < now() - interval '1 hour'`);
}
