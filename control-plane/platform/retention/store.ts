import type { Tx } from '../db/tx.ts';

/** Whether this transaction may prune a kind now: one node at a time does. */
export async function mayPrune(tx: Tx, kind: string): Promise<boolean> {
  const row = await tx.row<{ is_ours: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('retention ' || $1, 0)) as is_ours`,
    [kind],
  );
  return row!.is_ours;
}
