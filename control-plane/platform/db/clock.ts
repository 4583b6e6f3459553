import type { Tx } from './tx.ts';

/** The time by the clock of the database. */
export async function readClock(tx: Tx): Promise<Date> {
  const row = await tx.row<{ now: Date }>('select clock_timestamp() as now');
  return row!.now;
}
