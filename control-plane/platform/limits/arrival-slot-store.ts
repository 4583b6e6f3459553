import type { Tx } from '../db/tx.ts';

/** Slots wanted of a key, and what became of earlier ones; instants in µs by the database's clock. */
export interface SlotRequest {
  readonly key: string;
  readonly most: number;
  readonly window_us: number;
  readonly wanted: number;
  readonly reported_goes: readonly number[];
  readonly reported_until: readonly number[];
}

/** Slots that were given of a key; instants in µs by the database's clock. */
export interface SlotRow {
  readonly key: string;
  readonly goes_at: readonly number[];
  /** From `now_us`, at the earliest. */
  readonly retry_us: number;
  readonly now_us: number;
}

/** One statement for many keys; each at most once. `atUs` stands for the clock in proofs. */
export function takeSlots(
  tx: Tx,
  wishes: readonly SlotRequest[],
  atUs: number | null = null,
): Promise<SlotRow[]> {
  return tx.rows('select * from take_slots_of($1, $2)', [JSON.stringify(wishes), atUs]);
}

/** Deletes the slots of keys that were not used for an hour; answers how many keys. */
export function sweepSlots(tx: Tx): Promise<number> {
  return tx.run(`delete from arrival_slots where touched_at < now() - interval '1 hour'`);
}
