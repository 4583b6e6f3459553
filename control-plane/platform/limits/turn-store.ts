import type { Tx } from '../db/tx.ts';

/** Turns wanted of a key, and what became of earlier ones; instants in µs by the database's clock. */
export interface TurnWish {
  readonly key: string;
  readonly most: number;
  readonly window_us: number;
  readonly wanted: number;
  readonly told_goes: readonly number[];
  readonly told_until: readonly number[];
}

export interface TurnRow {
  readonly key: string;
  readonly goes_at: readonly number[];
  /** From `now_us`, at the earliest. */
  readonly retry_us: number;
  readonly now_us: number;
}

/** One statement for many keys; each at most once. `atUs` stands for the clock in proofs. */
export function takeTurns(
  tx: Tx,
  wishes: readonly TurnWish[],
  atUs: number | null = null,
): Promise<TurnRow[]> {
  return tx.rows('select * from take_turns_of($1, $2)', [JSON.stringify(wishes), atUs]);
}

/** Deletes lanes that nobody used for an hour; answers how many. */
export function sweepTurns(tx: Tx): Promise<number> {
  return tx.run(`delete from turn_lane where touched_at < now() - interval '1 hour'`);
}
