/** The presets on databases of their own kinds; T-SQL is not run, because no SQL Server may stand here. */
import { readdirSync } from 'node:fs';
import mysqlDriver, { type Connection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mariadbUnavailable, startMariadb, type TestMariadb } from '../../test/kit/mariadb.ts';
import { startPostgres, type TestPostgres } from '../../test/kit/postgres.ts';
import { mysql } from '../mysql/connector.ts';
import { mysqlDialect } from '../mysql/dialect.ts';
import { postgres } from '../postgres/connector.ts';
import { postgresDialect } from '../postgres/dialect.ts';
import { expectRead, type PresetExample } from './contract.suite.ts';
import { presets } from './registry.ts';

const context = { clock: () => new Date('2026-04-01T00:00:00Z'), allowedRoots: [] };

async function exampleOf(id: string): Promise<PresetExample> {
  return ((await import(`./${id}/example.ts`)) as { example: PresetExample }).example;
}

test('every folder of a preset stands in the registry', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(presets.map(({ id }) => id).sort()).toEqual(folders.sort());
});

describe('on PostgreSQL', () => {
  test.each(presets)('$title', async (preset) => {
    const server: TestPostgres = await startPostgres();
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await expectRead(preset, await exampleOf(preset.id), {
      kind: 'postgres',
      types: {
        integer: 'bigint',
        decimal: 'numeric',
        text: 'text',
        date: 'date',
        timestamp: 'timestamp',
        boolean: 'boolean',
      },
      quote: postgresDialect.quote,
      execute: async (text) => void (await client.query(text)),
      open: (settings) =>
        postgres.open(postgres.settings.parse({ url: server.url, ...settings }), context),
    });
    await client.end();
    await server.stop();
  });
});

const unavailable = mariadbUnavailable();

describe('on MariaDB', () => {
  let server: TestMariadb | undefined;
  let client: Connection;
  beforeAll(async () => {
    if (unavailable !== undefined) return;
    server = await startMariadb();
    client = await mysqlDriver.createConnection(server.url);
  });
  afterAll(async () => {
    await client?.end();
    await server?.stop();
  });

  test.for(presets)('$title', async (preset, ctx) => {
    if (server === undefined) return ctx.skip(unavailable);
    const url = new URL(server.url);
    url.pathname = `/erp_${preset.id.replaceAll('-', '_')}`;
    await client.query(`CREATE OR REPLACE DATABASE ${url.pathname.slice(1)}`);
    await client.query(`USE ${url.pathname.slice(1)}`);
    await expectRead(preset, await exampleOf(preset.id), {
      kind: 'mysql',
      types: {
        integer: 'BIGINT',
        decimal: 'DECIMAL(19,6)',
        text: 'TEXT',
        date: 'DATE',
        timestamp: 'DATETIME',
        boolean: 'TINYINT(1)',
      },
      quote: mysqlDialect.quote,
      execute: async (text) => void (await client.query(text)),
      open: (settings) => mysql.open(mysql.settings.parse({ url: url.href, ...settings }), context),
    });
  });
});
