/**
 * Deletes everything of a suspended tenant: its files, then its rows in short transactions, the directory
 * entries last. It may be ended at any time and started again.
 */
import type { Db } from '../db/database.ts';
import type { Objects } from '../objects/objects.ts';
import {
  deleteTenant,
  deleteTenantRows,
  listTenantTables,
  readObjectKeys,
  type TenantTable,
} from './store.ts';

/** What is needed to delete a tenant. */
export interface DeletionContext {
  readonly db: Db;
  readonly objects: Objects;
  /** Called after each transaction with the rows deleted from a table. */
  readonly onProgress: (table: string, rows: number) => void;
}

const rowsPerTransaction = 2_000;
const removalsAtOnce = 16;
/** Rounds over all tables; triggers and work under way may add rows behind the first one. */
const roundsMax = 10;

/**
 * Deletes a tenant that is marked as being deleted; returns the rows deleted of each table. Throws
 * when rows keep being added to it.
 */
export async function deleteTenantRecords(
  context: DeletionContext,
  tenantId: string,
): Promise<ReadonlyMap<string, number>> {
  const { db } = context;
  const tables = await db.tenant(tenantId, listTenantTables);
  const deleted = new Map<string, number>();
  for (let round = 1; ; round += 1) {
    let rows = 0;
    for (const table of tables) {
      const { name } = table;
      // Also of rows that were added since: by triggers, or by work that was under way.
      if (table.has_object_key) await removeObjects(context, tenantId, table);
      const count = await emptyTable(context, tenantId, name);
      rows += count;
      deleted.set(name, (deleted.get(name) ?? 0) + count);
    }
    if (rows === 0) break;
    if (round === roundsMax) {
      throw new Error(`rows keep being added to tenant ${tenantId}: is its work still under way?`);
    }
  }
  await emptyTable(context, tenantId, 'tenant_directory');
  await db.tenant(tenantId, (tx) => deleteTenant(tx, tenantId));
  return deleted;
}

async function emptyTable(
  { db, onProgress }: DeletionContext,
  tenantId: string,
  table: string,
): Promise<number> {
  let rows = 0;
  for (let count = rowsPerTransaction; count === rowsPerTransaction; ) {
    count = await db.tenant(tenantId, (tx) => deleteTenantRows(tx, table, rowsPerTransaction));
    rows += count;
    if (count > 0) onProgress(table, count);
  }
  return rows;
}

/** Before the rows, which are all that knows of the files. */
async function removeObjects(
  { db, objects }: DeletionContext,
  tenantId: string,
  table: TenantTable,
): Promise<void> {
  await db.tenant(tenantId, async (tx) => {
    for await (const keys of readObjectKeys(tx, tenantId, table)) {
      for (let at = 0; at < keys.length; at += removalsAtOnce) {
        await Promise.all(keys.slice(at, at + removalsAtOnce).map((key) => objects.remove(key)));
      }
    }
  });
}
