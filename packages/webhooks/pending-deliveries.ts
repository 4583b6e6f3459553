/**
 * The deliveries of one endpoint in memory, and which is sent next: tests first; then four new ones
 * to one retry, so that a backlog does not delay new events; and of one subject always the earliest,
 * one at a time.
 *
 *     const pending = new PendingDeliveries<Row>();
 *     pending.beginFetch();
 *     pending.offer(await readRows());
 *     const row = pending.peek(false);
 *     if (row) pending.start(row); // … then finish(row, keepsBack), and saved(row)
 */
export interface PendingDelivery {
  readonly event_id: string;
  readonly subject_id: string;
  /** The order of events; of some that have the same, the order of their ids. */
  readonly seq: number;
  readonly is_test: boolean;
  /** Neither tried nor asked for again. */
  readonly is_fresh: boolean;
}

const turnsOfRetry = 5;

type Kind = 'test' | 'fresh' | 'retry';

export class PendingDeliveries<Row extends PendingDelivery> {
  readonly #lists: Record<Kind, Row[]> = { test: [], fresh: [], retry: [] };
  /** What waits of each subject, in order. */
  readonly #waiting = new Map<string, Row[]>();
  /** Read from the database and not saved since: waiting, under way, or sent and unsaved. */
  readonly #known = new Set<string>();
  readonly #underWay = new Set<string>();
  /** Subject → what failed and keeps later ones back; rows read after it is saved say so themselves. */
  readonly #failed = new Map<string, { readonly row: Row; isSaved: boolean }>();
  readonly #savedMeanwhile = new Set<string>();
  #turn = 0;

  /** How many wait to be sent. */
  get size(): number {
    const { test, fresh, retry } = this.#lists;
    return test.length + fresh.length + retry.length;
  }

  /** How many were read from the database and not saved since. */
  get known(): number {
    return this.#known.size;
  }

  /** Whether it was read from the database and not saved since. */
  isKnown({ event_id }: Row): boolean {
    return this.#known.has(event_id);
  }

  /** Call it before rows are read, because their state may be outdated when they arrive. */
  beginFetch(): void {
    this.#savedMeanwhile.clear();
    for (const [subject, { isSaved }] of this.#failed) if (isSaved) this.#failed.delete(subject);
  }

  /** Adds rows that were read; returns how many were new. */
  offer(rows: readonly Row[]): number {
    const added = rows.filter((row) => this.#isNew(row));
    for (const row of added) {
      this.#known.add(row.event_id);
      this.#lists[kindOf(row)].push(row);
      const others = this.#waiting.get(row.subject_id) ?? [];
      const at = others.findIndex((other) => isBefore(row, other));
      others.splice(at === -1 ? others.length : at, 0, row);
      this.#waiting.set(row.subject_id, others);
    }
    return added.length;
  }

  /** The next delivery to send, or undefined; it stays until `start`. */
  peek(onlyTests: boolean): Row | undefined {
    const { test, fresh, retry } = this.#lists;
    if (test.length > 0 || onlyTests) return test[0];
    const isRetryTurn = this.#turn % turnsOfRetry === turnsOfRetry - 1;
    const isNext = (row: Row) =>
      !this.#underWay.has(row.subject_id) && this.#waiting.get(row.subject_id)![0] === row;
    const [first, second] = isRetryTurn ? [retry, fresh] : [fresh, retry];
    return first.find(isNext) ?? second.find(isNext);
  }

  start(row: Row): void {
    this.#remove(row);
    this.#underWay.add(row.subject_id);
    this.#turn += 1;
  }

  /** The attempt is over; `keepsBack` says that it failed, and later ones of its subject wait for it. */
  finish(row: Row, keepsBack: boolean): void {
    this.#underWay.delete(row.subject_id);
    if (!keepsBack) {
      this.#failed.delete(row.subject_id);
      return;
    }
    this.#failed.set(row.subject_id, { row, isSaved: false });
    for (const other of [...(this.#waiting.get(row.subject_id) ?? [])]) {
      if (!isBefore(row, other)) continue;
      this.#remove(other); // to be read again later
      this.#known.delete(other.event_id);
    }
  }

  /** Its result is saved, or never will be. */
  saved(row: Row): void {
    this.#known.delete(row.event_id);
    this.#savedMeanwhile.add(row.event_id);
    const failed = this.#failed.get(row.subject_id);
    if (failed?.row.event_id === row.event_id) failed.isSaved = true;
  }

  /** Drops what waits; `keepsTests` for a disabled endpoint, which still gets tests. */
  clear(keepsTests: boolean): void {
    const { test, fresh, retry } = this.#lists;
    for (const row of [...fresh, ...retry, ...(keepsTests ? [] : test)]) {
      this.#remove(row);
      this.#known.delete(row.event_id);
    }
  }

  #isNew(row: Row): boolean {
    if (this.#known.has(row.event_id) || this.#savedMeanwhile.has(row.event_id)) return false;
    const failed = this.#failed.get(row.subject_id);
    return row.is_test || failed === undefined || !isBefore(failed.row, row);
  }

  #remove(row: Row): void {
    const list = this.#lists[kindOf(row)];
    list.splice(list.indexOf(row), 1);
    const others = this.#waiting.get(row.subject_id)!;
    others.splice(others.indexOf(row), 1);
    if (others.length === 0) this.#waiting.delete(row.subject_id);
  }
}

function isBefore(one: PendingDelivery, other: PendingDelivery): boolean {
  return one.seq === other.seq ? one.event_id < other.event_id : one.seq < other.seq;
}

function kindOf({ is_test, is_fresh }: PendingDelivery): Kind {
  if (is_test) return 'test';
  return is_fresh ? 'fresh' : 'retry';
}
