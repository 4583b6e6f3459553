/** Asks the database for slots, and reports what became of them. */
import { Batcher } from '../concurrency/batcher.ts';
import type { Db } from '../db/database.ts';
import { type SlotRequest, takeSlots } from './arrival-slot-store.ts';
import type { RateLimit } from './rate-limits.ts';
import { RemoteClock } from './remote-clock.ts';

const keysPerStatement = 500;
/** Reports wait so long at most: many go together, and long before they are asked for. */
const reportDelayMs = 20;

/** Slots that are wanted of a key. */
interface Wanted {
  readonly key: string;
  readonly limit: RateLimit;
  readonly wanted: number;
}

/** What became of slots of a key; instants in microseconds by the database's clock. */
interface Reports {
  readonly limit: RateLimit;
  readonly departed: number[];
  readonly countsUntil: number[];
}

/** What the database gave. */
export interface SlotAnswer {
  /** When each may go, in microseconds by the database's clock. */
  readonly departsAt: readonly number[];
  /** When there may be more, from now. */
  readonly retryAfterMs: number;
}

/**
 * The slots of all keys of this node. What is asked for and reported while a statement is under way
 * goes together in the next one.
 */
export class ArrivalSlots {
  /** The database's, in milliseconds since 1970. */
  readonly clock = new RemoteClock();
  readonly #db: Db;
  readonly #stopwatch: () => number;
  readonly #reports = new Map<string, Reports>();
  #reporting: NodeJS.Timeout | undefined;
  /** Undefined: nothing is wanted, there are only reports. */
  readonly #exchanges = new Batcher<Wanted | undefined, SlotAnswer | undefined>({
    batchMax: keysPerStatement,
    write: (wanted) => this.#exchangeAll(wanted),
    isSharedError: () => true,
  });

  /** `stopwatch` answers milliseconds that never go back. */
  constructor(db: Db, stopwatch: () => number) {
    this.#db = db;
    this.#stopwatch = stopwatch;
  }

  /** Answers up to `wanted` slots. Rejects when the database does not answer. */
  async take(key: string, limit: RateLimit, wanted: number): Promise<SlotAnswer> {
    return (await this.#exchanges.add('', { key, limit, wanted }))!;
  }

  /**
   * A slot counts until then, in milliseconds by the database's clock; 0: it was not used. When the
   * database cannot be told, the slot counts for as long as any may.
   */
  report(key: string, limit: RateLimit, departsAt: number, untilMs: number): void {
    const reports = this.#reports.get(key) ?? { limit, departed: [], countsUntil: [] };
    this.#reports.set(key, reports);
    reports.departed.push(departsAt);
    reports.countsUntil.push(Math.ceil(untilMs * 1_000));
    this.#reporting ??= setTimeout(() => this.#sendReports(), reportDelayMs);
  }

  #sendReports(): void {
    this.#reporting = undefined;
    // They may have gone with a request since.
    if (this.#reports.size > 0) this.#exchanges.add('', undefined).catch(() => {});
  }

  /** One request of each key goes in a statement: a second one of a key waits for the next. */
  async #exchangeAll(
    all: readonly (Wanted | undefined)[],
  ): Promise<readonly (SlotAnswer | undefined)[]> {
    const answers = new Map<Wanted, SlotAnswer>();
    let open = all.filter((each) => each !== undefined);
    do {
      const byKey = Map.groupBy(open, ({ key }) => key);
      const first = new Map([...byKey].map(([key, [request]]) => [key, request!]));
      open = [...byKey.values()].flatMap((own) => own.slice(1));
      await this.#exchange(first, answers);
    } while (open.length > 0);
    return all.map((each) => each && answers.get(each));
  }

  async #exchange(
    wanted: ReadonlyMap<string, Wanted>,
    answers: Map<Wanted, SlotAnswer>,
  ): Promise<void> {
    const keys = [...new Set([...wanted.keys(), ...this.#reports.keys()])];
    const taken = keys.slice(0, Math.max(keysPerStatement, wanted.size));
    const rows = taken.map((key) => rowOf(key, wanted.get(key), this.#reports.get(key)));
    for (const key of taken) this.#reports.delete(key);
    if (this.#reports.size > 0) {
      this.#reporting ??= setTimeout(() => this.#sendReports(), reportDelayMs);
    }
    if (rows.length === 0) return;
    const askedAt = this.#stopwatch();
    const found = await this.#db.system((tx) => takeSlots(tx, rows));
    const [first] = found;
    if (first !== undefined) this.clock.observe(first.now_us / 1_000, askedAt, this.#stopwatch());
    for (const { key, goes_at, retry_us } of found) {
      const request = wanted.get(key);
      if (request === undefined) continue;
      answers.set(request, { departsAt: goes_at, retryAfterMs: retry_us / 1_000 });
    }
  }
}

function rowOf(key: string, wanted: Wanted | undefined, reports: Reports | undefined): SlotRequest {
  const { max, windowMs } = (wanted ?? reports)!.limit;
  return {
    key,
    most: max,
    window_us: windowMs * 1_000,
    wanted: wanted?.wanted ?? 0,
    reported_goes: reports?.departed ?? [],
    reported_until: reports?.countsUntil ?? [],
  };
}
