/**
 * Databases of an earlier version, with rows in most tables, are migrated and used. `test/former-databases/` has them as `pg_dump
 * --inserts` wrote them at migration 098: one of random requests, and one of the demo, whose keys stand beside it.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { expect, test } from 'vitest';
import keys from '../../test/former-databases/keys.json' with { type: 'json' };
import { migrationsFolder, sqlAt, startPostgres } from '../../test/kit/postgres.ts';
import { createApp } from '../app.ts';
import { modules } from '../modules/registry.ts';
import { migrate } from '../platform/db/migrate.ts';
import { createLog } from '../platform/log/log.ts';
import { readSettings } from '../settings.ts';

const folder = join(import.meta.dirname, '../../test/former-databases');

/** A database as the earlier version left it. */
async function startFormer(name: string) {
  const postgres = await startPostgres();
  const dump = await readFile(join(folder, `${name}.sql.gz`));
  await sqlAt(postgres.url, gunzipSync(dump).toString('utf8'));
  return postgres;
}

/** Rows by table, also those that row-level security hides from the owner. */
async function rowCounts(url: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  const { rows: tables } = await client.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
     and relkind = 'r' and relname <> 'migration'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    await client.query(`alter table ${name} no force row level security`);
    const { rows } = await client.query(`select count(*)::int as count from ${name}`);
    counts[name] = rows[0].count;
  }
  await client.query('rollback');
  await client.end();
  return counts;
}

test.each(['invoices', 'requests'])(
  'a database of %s keeps every row',
  async (name) => {
    const former = await startFormer(name);
    try {
      const before = await rowCounts(former.url);
      expect(Object.values(before).filter((count) => count > 0).length).toBeGreaterThan(20);
      const { applied } = await migrate({ url: former.url, folder: migrationsFolder });
      expect(applied[0]).toMatch(/^099/);
      expect(await rowCounts(former.url)).toMatchObject(before);
    } finally {
      await former.stop();
    }
  },
  60_000,
);

test('its keys, members, secrets, agents and invoices are what they were', async () => {
  const former = await startFormer('invoices');
  const home = await mkdtemp(join(tmpdir(), 'drawbridge-former-'));
  const app = await createApp({
    settings: readSettings({
      DATABASE_URL: former.url,
      DRAWBRIDGE_HOME: home,
      DRAWBRIDGE_SECRET_KEY: keys.secretKey,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
      LATE_MS: '60000',
    }),
    clock: () => new Date(),
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({ level: 'fatal' }),
    modules,
    checkReplies: true,
  });
  try {
    const { sandboxBaseUrl: url } = await app.listen();
    const get = async (path: string, key: string) => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
      expect(response.status).toBe(200);
      return (await response.json()) as { results: { id: string; status: string }[] };
    };
    const { results: invoices } = await get('/v1/invoices', keys.einvoicingKey);
    const byStatus = Map.groupBy(invoices, ({ status }) => status);
    expect(Object.fromEntries([...byStatus].map(([status, all]) => [status, all.length]))).toEqual({
      cleared: 3,
      delivered: 6,
      rejected: 4,
    });
    for (const { id } of invoices) await get(`/v1/invoices/${id}/events`, keys.einvoicingKey);
    expect((await get('/v1/agents', keys.einvoicingKey)).results).toHaveLength(1);
    const { results: connectors } = await get('/v1/connectors', keys.einvoicingKey);
    expect(connectors).toHaveLength(3);
    for (const { id } of connectors) await get(`/v1/connectors/${id}`, keys.einvoicingKey);
    await get('/contacts/', keys.messagingKey);
    const signedIn = await fetch(`${url}/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: keys.email, password: keys.password }),
    });
    expect(signedIn.status).toBe(200);
  } finally {
    await app.close();
    await former.stop();
    await rm(home, { recursive: true });
  }
}, 120_000);
