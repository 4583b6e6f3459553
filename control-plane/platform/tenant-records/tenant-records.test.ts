import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import type { Objects } from '../objects/objects.ts';
import { openObjects } from '../objects/open-objects.ts';
import { deleteTenantRecords } from './deletion.ts';
import { exportTenant } from './export.ts';
import { beginDeletion, deleteTenantRows } from './store.ts';

let kit: TestDb;
let home: string;
let objects: Objects;
/** Every table with a tenant, as the catalogs have it: a new one is tested without being named here. */
let tables: readonly string[];

beforeAll(async () => {
  kit = await startDb();
  home = await mkdtemp(join(tmpdir(), 'tenant-records-'));
  objects = openObjects({ home });
  const rows = await sqlAt<{ name: string }>(
    kit.url,
    `select table_name as name from information_schema.columns join information_schema.tables
       using (table_schema, table_name)
     where column_name = 'tenant_id' and table_schema = 'public' and table_type = 'BASE TABLE'
     order by 1`,
  );
  tables = rows.map(({ name }) => name);
  // Rows are filled with anything that fits the types, and refer to rows that are added later.
  await sqlAt(
    kit.url,
    `do $$ declare c record; begin
       for c in select conrelid::regclass as name, conname, contype from pg_constraint
         where contype in ('c', 'f') and connamespace = 'public'::regnamespace
       loop execute format(case c.contype
         when 'c' then 'alter table %s drop constraint %I'
         else 'alter table %s alter constraint %I deferrable' end, c.name, c.conname);
       end loop;
     end $$`,
  );
});
afterAll(async () => {
  await kit.stop();
  await rm(home, { recursive: true });
});

/** A suspended tenant with up to `count` rows in every table, as its keys permit; all name each other, as foreign keys ask. */
async function tenantWithRows(count = 1): Promise<string> {
  const id = randomUUID();
  await setTriggers('disable');
  await sqlAt(
    kit.url,
    `do $fill$ declare t text; n int; columns text; wanted text; begin
       set constraints all deferred;
       set local drawbridge.tenant = '${id}';
       insert into tenant (id, name, suspended_at) values ('${id}', 'Acme', now());
       insert into user_account (id, email, name, password_hash, created_at)
         select 'x' || i, 'x' || i, 'x', 'x', now() from generate_series(1, ${count}) i
         on conflict do nothing;
       insert into control_plane_identity (public_key, sealed_secret_key)
         select 'x' || i, 'x' from generate_series(1, ${count}) i
         on conflict do nothing;
       for t in select unnest(array['${tables.join("','")}']) loop
         for n in 1..${count} loop
           select string_agg(quote_ident(attname), ','), string_agg(case
               when attname = 'tenant_id' then quote_literal('${id}')
               when attname = 'kind' and t = 'tenant_directory' then '''agent'''
               when t = 'tenant_directory' then quote_literal('${id}' || n)
               when attname = 'object_key' then quote_literal('files/${id}/' || n)
               when format_type(atttypid, null) = 'text' then quote_literal('x' || n)
               when format_type(atttypid, null) like '%[]' then '''{}'''
               when format_type(atttypid, null) in ('json', 'jsonb') then '''{}'''
               when format_type(atttypid, null) = 'bytea' then '''\\xffff'''
               when format_type(atttypid, null) = 'boolean' then 'false'
               when format_type(atttypid, null) = 'uuid' then 'gen_random_uuid()'
               when format_type(atttypid, null) like 'timestamp%' then
                 quote_literal(timestamptz '2026-01-01' + n * interval '1 h')
               when format_type(atttypid, null) = 'tsvector' then ''''''
               when format_type(atttypid, null) = 'tstzrange' then
                 quote_literal(tstzrange(timestamptz '2026-01-01' + n * interval '1 h',
                   timestamptz '2026-01-01' + (n + 1) * interval '1 h'))
               when format_type(atttypid, null) = 'date' then '''2026-01-01'''
               else n::text end, ',')
             into columns, wanted
             from pg_attribute where attrelid = t::regclass and attnum > 0 and not attisdropped
               and attidentity = '' and attgenerated = '';
           execute format('insert into %I (%s) values (%s) on conflict do nothing', t, columns, wanted);
         end loop;
       end loop;
     end $fill$`,
  );
  await setTriggers('enable');
  return id;
}

async function setTriggers(change: 'enable' | 'disable'): Promise<void> {
  const all = tables.map((name) => `alter table ${name} ${change} trigger user`);
  await sqlAt(kit.url, all.join(';'));
}

async function countsOf(tenantId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await kit.db.tenant(tenantId, async (tx) => {
    for (const table of tables) {
      const sql = `select count(*) from ${table} where tenant_id = $1`;
      counts[table] = (await tx.row<{ count: number }>(sql, [tenantId]))!.count;
    }
  });
  return counts;
}

const nothing = () => Object.fromEntries(tables.map((name) => [name, 0]));

async function putObject(tenantId: string, n: number): Promise<string> {
  const path = join(home, 'objects/files', tenantId, String(n));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `file ${n}`);
  return path;
}

const deletion = () => ({ db: kit.db, objects, onProgress: () => {} });

test('an export has every row and file of the tenant, no secret, and nothing of another', async () => {
  const [id, other] = [await tenantWithRows(3), await tenantWithRows(2)];
  await putObject(id, 1);
  const folder = join(home, 'export');
  const written = await exportTenant({ db: kit.db, objects }, id, folder);
  const { tenant_directory: _, ...counts } = await countsOf(id);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  expect(written.tables).toEqual(counts);
  const files = await readdir(join(folder, 'tables'));
  expect(new Set(files)).toEqual(new Set(Object.keys(counts).map((name) => `${name}.jsonl`)));
  let all = '';
  for (const file of files) all += await readFile(join(folder, 'tables', file), 'utf8');
  expect(all).not.toContain(other);
  const row = JSON.parse(all.split('\n')[0]!);
  expect(row.tenant_id).toBe(id);
  const [key] = (await readFile(join(folder, 'tables/api_key.jsonl'), 'utf8')).split('\n');
  expect(Object.keys(JSON.parse(key!))).toContain('shown');
  expect(Object.keys(JSON.parse(key!))).not.toContain('hash');
  expect(await readFile(join(folder, 'objects/files', id, '1'), 'utf8')).toBe('file 1');
  expect(JSON.parse(await readFile(join(folder, 'export.json'), 'utf8'))).toMatchObject({
    tenant: id,
  });
  await expect(exportTenant({ db: kit.db, objects }, id, folder)).rejects.toThrow('EEXIST');
});

/** Columns that sound like secrets and are none. */
const harmless = [
  'agent.control_plane_key',
  'agent.public_key',
  'agent_command.idempotency_key',
  'conversation_attachment.object_key',
  'idempotency.key',
  'invoice.buyer_key',
  'invoice.gross_key',
  'invoice.submission_key',
  'invoice_object.object_key',
  'job.key',
  'removed_object.object_key',
  'voice_recording.object_key',
];

test('a column that sounds like a secret is marked as one, or known to be harmless', async () => {
  const columns = await sqlAt<{ name: string; comment: string | null }>(
    kit.url,
    `select table_name || '.' || column_name as name,
       col_description(format('%I', table_name)::regclass, ordinal_position) as comment
     from information_schema.columns where table_schema = 'public'
       and table_name in ('${tables.filter((name) => name !== 'tenant_directory').join("','")}')
       and column_name ~ 'secret|hash|sealed|settings|token|password|credential|(^|_)key(_|$)'`,
  );
  const unmarked = columns.filter(({ comment }) => comment !== 'secret').map(({ name }) => name);
  expect(new Set(unmarked)).toEqual(new Set(harmless));
});

test('a deletion leaves nothing of the tenant, and everything of others', async () => {
  const [id, other] = [await tenantWithRows(3), await tenantWithRows(2)];
  const [own, foreign] = [await putObject(id, 2), await putObject(other, 1)];
  const before = await countsOf(other);
  await kit.db.tenant(id, (tx) => beginDeletion(tx, id));
  await deleteTenantRecords(deletion(), id);
  expect(await countsOf(id)).toEqual(nothing());
  expect(await sqlAt(kit.url, 'select from tenant where id = $1', [id])).toEqual([]);
  expect(await countsOf(other)).toEqual(before);
  await expect(readFile(own)).rejects.toThrow('ENOENT');
  expect(await readFile(foreign, 'utf8')).toBe('file 1');
});

test('a deletion that ended anywhere is finished by the next one', async () => {
  const id = await tenantWithRows(2);
  await kit.db.tenant(id, (tx) => beginDeletion(tx, id));
  const isThere = async () =>
    (await sqlAt(kit.url, 'select from tenant where id = $1', [id])).length === 1;
  let runs = 0;
  for (; await isThere(); runs += 1) {
    let tablesLeft = 8;
    const onProgress = () => {
      tablesLeft -= 1;
      if (tablesLeft === 0) throw new Error('killed');
    };
    await deleteTenantRecords({ ...deletion(), onProgress }, id).catch((error: Error) => {
      expect(error.message).toBe('killed');
    });
    const { tenant_directory: listed, ...left } = await countsOf(id);
    // As long as there is anything, the directory says whose it is.
    if (Object.values(left).some((count) => count > 0)) expect(listed).toBe(2);
  }
  expect(runs).toBeGreaterThan(5);
  expect(await countsOf(id)).toEqual(nothing());
});

test('rows of a tenant that is not being deleted are not deleted', async () => {
  const id = await tenantWithRows();
  const rows = kit.db.tenant(id, (tx) => deleteTenantRows(tx, 'invoice', 10));
  await expect(rows).rejects.toThrow('not being deleted');
  await sqlAt(kit.url, 'update tenant set suspended_at = null where id = $1', [id]);
  expect(await kit.db.tenant(id, (tx) => beginDeletion(tx, id))).toBe(false);
});
