import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { firstIdAt } from '../../platform/ids.ts';

/**
 * Deletes up to `max` settled invoices that nothing has happened to since an instant, with their
 * documents, events and keys; returns how many.
 */
export async function pruneInvoices(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  before: Date,
  max: number,
): Promise<number> {
  const row = await tx.row<{ count: number }>(
    'select prune_invoices($1, $2, $3, $4, $5) as count',
    [tenantId, environment, before, firstIdAt('inv', before), max],
  );
  return row!.count;
}
