import type { Tx } from './tx.ts';

/**
 * Tells the planner of tables that have grown much since the server looked; how many there were. To
 * be called now and then, and after many rows came at once.
 */
export async function analyzeGrown(tx: Tx): Promise<number> {
  const row = await tx.row<{ count: number }>('select analyze_grown() as count');
  return row!.count;
}
