/** Everything of a tenant as files: its rows as lines of JSON, and its files. */
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import type { Objects } from '../objects/objects.ts';
import {
  fixSnapshot,
  listTenantTables,
  readObjectKeys,
  readTenant,
  readTenantRows,
  type TenantTable,
} from './store.ts';

/** What is needed to export a tenant. */
export interface ExportContext {
  readonly db: Db;
  readonly objects: Objects;
}

/** What an export wrote. */
export interface TenantExport {
  /** Rows of each table. */
  readonly tables: Readonly<Record<string, number>>;
  /** Files of the object store. */
  readonly objects: number;
}

const fileMode = 0o600;
const folderMode = 0o700;

/**
 * Writes `tenant.json`, `tables/<table>.jsonl`, `objects/<key>` and at the end `export.json`, without
 * which it is not whole. All rows are of the same instant. `folder` must not exist: throws EEXIST.
 */
export async function exportTenant(
  { db, objects }: ExportContext,
  tenantId: string,
  folder: string,
): Promise<TenantExport> {
  await mkdir(folder, { mode: folderMode });
  await mkdir(join(folder, 'tables'), { mode: folderMode });
  const written = await db.tenant(tenantId, async (tx) => {
    await fixSnapshot(tx);
    const tenant = await readTenant(tx, tenantId);
    await writeFile(join(folder, 'tenant.json'), `${tenant}\n`, { mode: fileMode });
    const tables: Record<string, number> = {};
    let objectCount = 0;
    for (const table of await listTenantTables(tx)) {
      tables[table.name] = await writeTable(tx, tenantId, table, join(folder, 'tables'));
      if (!table.has_object_key) continue;
      for await (const keys of readObjectKeys(tx, tenantId, table)) {
        for (const key of keys) objectCount += await copyObject(objects, key, folder);
      }
    }
    return { tables, objects: objectCount };
  });
  const summary = JSON.stringify({ tenant: tenantId, ...written }, null, 2);
  await writeFile(join(folder, 'export.json'), `${summary}\n`, { mode: fileMode });
  return written;
}

async function writeTable(
  tx: Tx,
  tenantId: string,
  table: TenantTable,
  folder: string,
): Promise<number> {
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const batch of readTenantRows(tx, tenantId, table)) {
      rows += batch.length;
      for (const row of batch) yield `${row}\n`;
    }
  }
  const file = createWriteStream(join(folder, `${table.name}.jsonl`), { mode: fileMode });
  await pipeline(Readable.from(lines()), file);
  return rows;
}

/** 1, or 0 when the file was removed since. */
async function copyObject(objects: Objects, key: string, folder: string): Promise<0 | 1> {
  const found = await objects.get(key);
  if (found === undefined) return 0;
  const path = join(folder, 'objects', key);
  await mkdir(dirname(path), { recursive: true, mode: folderMode });
  await pipeline(found.stream, createWriteStream(path, { mode: fileMode }));
  return 1;
}
