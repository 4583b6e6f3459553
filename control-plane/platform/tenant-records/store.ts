import type { Tx } from '../db/tx.ts';

/** A table with rows of tenants, as the database's catalogs describe it. */
export interface TenantTable {
  readonly name: string;
  readonly key_columns: readonly string[];
  /** Columns that an export leaves out. */
  readonly secret_columns: readonly string[];
  /** Its rows name files in the object store. */
  readonly has_object_key: boolean;
}

/** Every table of tenants but the directory, in the order in which rows of a tenant are deleted. */
export function listTenantTables(tx: Tx): Promise<TenantTable[]> {
  return tx.rows('select * from tenant_tables()');
}

/** Lets all later statements of the transaction see the same instant; it must be the first one. */
export async function fixSnapshot(tx: Tx): Promise<void> {
  await tx.run('set transaction isolation level repeatable read, read only');
}

/** Rows are read about so many bytes at a time. */
const batchBytes = 4_000_000;
const batchRowsMax = 1_000;

/**
 * The tenant's rows of a table as JSON texts, in the order of its key, a batch at a time; the largest
 * row and a few megabytes are in memory at once.
 */
export async function* readTenantRows(
  tx: Tx,
  tenantId: string,
  { name, key_columns, secret_columns }: TenantTable,
): AsyncGenerator<readonly string[]> {
  yield* readCursor(
    tx,
    `select (to_jsonb(t) - $2::text[])::text as text from ${quoted(name)} t
     where tenant_id = $1 order by ${key_columns.map(quoted).join(', ')}`,
    [tenantId, secret_columns],
  );
}

/** The keys of the tenant's files that a table names, a batch at a time. */
export async function* readObjectKeys(
  tx: Tx,
  tenantId: string,
  { name }: TenantTable,
): AsyncGenerator<readonly string[]> {
  yield* readCursor(
    tx,
    `select object_key as text from ${quoted(name)}
     where tenant_id = $1 and object_key is not null`,
    [tenantId],
  );
}

async function* readCursor(
  tx: Tx,
  sql: string,
  values: readonly unknown[],
): AsyncGenerator<readonly string[]> {
  await tx.run(`declare tenant_rows no scroll cursor for ${sql}`, values);
  for (let count = 1; ; ) {
    const rows = await tx.rows<{ text: string }>(`fetch ${count} from tenant_rows`);
    if (rows.length > 0) yield rows.map(({ text }) => text);
    if (rows.length < count) break;
    const bytes = rows.reduce((sum, { text }) => sum + text.length, 0);
    // Never more than twice as many as before, since the next rows may be larger.
    const fitting = Math.floor((batchBytes * rows.length) / Math.max(1, bytes));
    count = Math.max(1, Math.min(fitting, 2 * count, batchRowsMax));
  }
  await tx.run('close tenant_rows');
}

/** The tenant's own row as JSON. */
export async function readTenant(tx: Tx, tenantId: string): Promise<string> {
  const row = await tx.row<{ text: string }>(
    'select to_jsonb(t)::text as text from tenant t where id = $1',
    [tenantId],
  );
  return row!.text;
}

/** Marks a suspended tenant as one that is being deleted; false when it is not suspended. */
export async function beginDeletion(tx: Tx, tenantId: string): Promise<boolean> {
  const row = await tx.row<{ is_begun: boolean }>('select begin_tenant_deletion($1) as is_begun', [
    tenantId,
  ]);
  return row!.is_begun;
}

/** Deletes up to `max` rows of a tenant that is being deleted; returns how many. */
export async function deleteTenantRows(tx: Tx, table: string, max: number): Promise<number> {
  const row = await tx.row<{ deleted: number }>('select delete_tenant_rows($1, $2) as deleted', [
    table,
    max,
  ]);
  return row!.deleted;
}

/** Deletes the tenant itself; throws while a row refers to it. */
export async function deleteTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.rows('select end_tenant_deletion($1)', [tenantId]);
}

/** Names come from the catalogs. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
