/**
 * Deliveries of one endpoint in memory, and which goes next: tests first; then new ones before
 * retries, four to one, so that a backlog cannot starve what happens now; and of one subject a
 * later event only after the earlier, unless that has failed twice.
 */
import type { DueRow } from './lane-store.ts';

const turnsOfRetry = 5;

export class LaneQueue {
  #test: DueRow[] = [];
  #fresh: DueRow[] = [];
  #retry: DueRow[] = [];
  /** Taken from the database and not written back: waiting, under way, or sent and unsaved. */
  readonly #known = new Set<string>();
  readonly #underWay = new Set<string>();
  /** Subject → event that failed once and keeps later ones back. */
  readonly #blocked = new Map<string, number>();
  readonly #savedMeanwhile = new Set<string>();
  #turn = 0;

  /** How many wait to be sent. */
  get size(): number {
    return this.#test.length + this.#fresh.length + this.#retry.length;
  }

  /** How many were taken from the database and not written back. */
  get known(): number {
    return this.#known.size;
  }

  /** Says that rows are being read, whose state may be old when they come. */
  beginFetch(): void {
    this.#savedMeanwhile.clear();
  }

  /** Takes in rows that were read; answers how many were new. */
  offer(rows: readonly DueRow[]): number {
    const added = rows.filter((row) => this.#isNew(row));
    for (const row of added) {
      this.#known.add(row.event_id);
      this.#listOf(row).push(row);
    }
    return added.length;
  }

  /** What goes next, or undefined; it stays until `start`. */
  peek(onlyTests: boolean): DueRow | undefined {
    const [test] = this.#test;
    if (test !== undefined || onlyTests) return test;
    const isRetryTurn = this.#turn % turnsOfRetry === turnsOfRetry - 1;
    const lists = isRetryTurn ? [this.#retry, this.#fresh] : [this.#fresh, this.#retry];
    const isFree = (row: DueRow) => !this.#underWay.has(row.subject_id) && !this.#isBlocked(row);
    return lists[0]!.find(isFree) ?? lists[1]!.find(isFree);
  }

  start(row: DueRow): void {
    const list = this.#listOf(row);
    list.splice(list.indexOf(row), 1);
    this.#underWay.add(row.subject_id);
    this.#turn += 1;
  }

  /** The attempt is over; `willRetry`: it failed and comes back. */
  finish(row: DueRow, willRetry: boolean): void {
    this.#underWay.delete(row.subject_id);
    if (willRetry && kindOf(row) === 'fresh') {
      this.#blocked.set(row.subject_id, row.seq);
      const [stay, go] = [[] as DueRow[], [] as DueRow[]];
      for (const other of this.#fresh) (this.#isBlocked(other) ? go : stay).push(other);
      this.#fresh = stay;
      for (const { event_id } of go) this.#known.delete(event_id); // to be read again later
    } else if (this.#blocked.get(row.subject_id) === row.seq) {
      this.#blocked.delete(row.subject_id);
    }
  }

  /** Its result is in the database, or will never be. */
  saved(row: DueRow): void {
    this.#known.delete(row.event_id);
    this.#savedMeanwhile.add(row.event_id);
  }

  /** Forgets what waits: of a disabled endpoint all but tests, of a deleted one those too. */
  clear(keepsTests: boolean): void {
    const tests = keepsTests ? this.#test : [];
    for (const { event_id } of [...this.#test, ...this.#fresh, ...this.#retry]) {
      this.#known.delete(event_id);
    }
    for (const { event_id } of tests) this.#known.add(event_id);
    [this.#test, this.#fresh, this.#retry] = [tests, [], []];
  }

  #isNew(row: DueRow): boolean {
    if (this.#known.has(row.event_id) || this.#savedMeanwhile.has(row.event_id)) return false;
    return row.is_test || !this.#isBlocked(row);
  }

  #isBlocked({ subject_id, seq }: DueRow): boolean {
    return seq > (this.#blocked.get(subject_id) ?? seq);
  }

  #listOf(row: DueRow): DueRow[] {
    return { test: this.#test, fresh: this.#fresh, retry: this.#retry }[kindOf(row)];
  }
}

function kindOf({ is_test, attempt, round_start }: DueRow): 'test' | 'fresh' | 'retry' {
  if (is_test) return 'test';
  return attempt === round_start ? 'fresh' : 'retry';
}
