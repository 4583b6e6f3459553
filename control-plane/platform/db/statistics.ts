import type { Tx } from './tx.ts';

/**
 * Runs ANALYZE on tables that have grown much since it last ran; returns how many. Call it at
 * intervals, and after many rows were inserted at once.
 */
export async function analyzeGrown(tx: Tx): Promise<number> {
  const row = await tx.row<{ count: number }>('select analyze_grown() as count');
  return row!.count;
}
