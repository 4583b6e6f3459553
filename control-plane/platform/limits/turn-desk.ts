/** Asks the database for turns, and tells it what became of them. */
import type { Db } from '../db/database.ts';
import { FarClock } from './far-clock.ts';
import type { Limit } from './limits.ts';
import { type TurnRow, type TurnWish, takeTurns } from './turn-store.ts';

const keysPerStatement = 500;
/** What becomes of turns is told so late at most: many together, and long before it is asked for. */
const tellMs = 20;

interface Wish {
  readonly key: string;
  readonly limit: Limit;
  readonly wanted: number;
  resolve(taken: Taken): void;
  reject(error: unknown): void;
}

export interface Taken {
  /** When each may go, in microseconds by the database's clock. */
  readonly goesAt: readonly number[];
  /** When there may be more, from now. */
  readonly retryAfterMs: number;
}

/**
 * What comes while a statement is under way goes together in the next, all keys at once: a node
 * never has more than one under way.
 */
export class TurnDesk {
  /** The database's, in milliseconds since 1970. */
  readonly clock = new FarClock();
  readonly #db: Db;
  readonly #stopwatch: () => number;
  #wishes: Wish[] = [];
  readonly #told = new Map<string, { limit: Limit; goes: number[]; until: number[] }>();
  #isAsking = false;
  #telling: NodeJS.Timeout | undefined;

  constructor(db: Db, stopwatch: () => number) {
    this.#db = db;
    this.#stopwatch = stopwatch;
  }

  /** One of each key at a time: a second one waits for the next statement. */
  take(key: string, limit: Limit, wanted: number): Promise<Taken> {
    return new Promise((resolve, reject) => {
      this.#wishes.push({ key, limit, wanted, resolve, reject });
      if (!this.#isAsking) void this.#ask();
    });
  }

  /** A turn counts until then, in milliseconds by the database's clock; 0: it was not used. */
  tell(key: string, limit: Limit, goesAt: number, untilMs: number): void {
    const told = this.#told.get(key) ?? { limit, goes: [], until: [] };
    this.#told.set(key, told);
    told.goes.push(goesAt);
    told.until.push(Math.ceil(untilMs * 1_000));
    if (this.#isAsking) return;
    this.#telling ??= setTimeout(() => void this.#ask(), tellMs);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    clearTimeout(this.#telling);
    this.#telling = undefined;
    await new Promise(setImmediate); // what came with the first goes with it
    while (this.#wishes.length + this.#told.size > 0) await this.#exchange();
    this.#isAsking = false;
  }

  async #exchange(): Promise<void> {
    const wishes = new Map<string, Wish>();
    for (const wish of this.#wishes) {
      if (wishes.size < keysPerStatement && !wishes.has(wish.key)) wishes.set(wish.key, wish);
    }
    this.#wishes = this.#wishes.filter((wish) => wishes.get(wish.key) !== wish);
    const keys = [...new Set([...wishes.keys(), ...this.#told.keys()])].slice(0, keysPerStatement);
    const rows = keys.map((key) => rowOf(key, wishes.get(key), this.#told.get(key)));
    for (const key of keys) this.#told.delete(key);
    const askedAt = this.#stopwatch();
    try {
      const answers = await this.#db.system((tx) => takeTurns(tx, rows));
      this.#note(answers, askedAt);
      for (const { key, goes_at, retry_us } of answers) {
        wishes.get(key)?.resolve({ goesAt: goes_at, retryAfterMs: retry_us / 1_000 });
      }
    } catch (error) {
      // What was to be told is lost with it: those turns count for as long as any may.
      for (const wish of wishes.values()) wish.reject(error);
    }
  }

  #note([first]: readonly TurnRow[], askedAt: number): void {
    if (first !== undefined) this.clock.note(first.now_us / 1_000, askedAt, this.#stopwatch());
  }
}

function rowOf(
  key: string,
  wish: Wish | undefined,
  told: { limit: Limit; goes: number[]; until: number[] } | undefined,
): TurnWish {
  const { max, windowMs } = (wish ?? told)!.limit;
  return {
    ...{ key, most: max, window_us: windowMs * 1_000, wanted: wish?.wanted ?? 0 },
    told_goes: told?.goes ?? [],
    told_until: told?.until ?? [],
  };
}
