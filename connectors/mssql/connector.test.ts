import sql from 'mssql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectorSuite, secretInTests } from '../contract.suite.ts';
import type { Connector } from '../contract.ts';
import {
  createTables,
  expectHostileNames,
  expectReadOnly,
  expectTypedQueriesSampled,
  headerQuery,
  type SqlProbe,
  sampleChanges,
  sampleDrafts,
  sampleSections,
  sampleSlot,
  sqlSource,
  writingQueries,
} from '../sql/source.suite.ts';
import { mssql } from './connector.ts';
import { mssqlDialect } from './dialect.ts';
import { startTdsServer, type TdsServer, testLogin } from './tds/server.kit.ts';

const never = new AbortController().signal;
const context = { clock: () => new Date('2026-02-01T00:00:00Z'), allowedRoots: [] };
const open = (settings: object, timeoutMs?: number) =>
  mssql.open(
    mssql.settings.parse(settings),
    timeoutMs === undefined ? context : { ...context, timeoutMs },
  );

/** A real server, where there is one: its database is to be empty. */
const realUrl = process.env.MSSQL_URL;

let server: TdsServer | undefined;
let pool: sql.ConnectionPool;
let url: string;
const opened: Connector[] = [];

async function connect(settings: object): Promise<Connector> {
  const connector = await open({ url, ...settings });
  opened.push(connector);
  return connector;
}

const probe: SqlProbe = {
  dialect: mssqlDialect,
  async execute(text, values = []) {
    await requestWith(values).query(text);
  },
  async rows(text, values = []) {
    return (await requestWith(values).query(text)).recordset;
  },
};

function requestWith(values: readonly (string | null)[]): sql.Request {
  const request = new sql.Request(pool);
  for (const [index, value] of values.entries()) {
    request.input(`p${index + 1}`, sql.NVarChar(sql.MAX), value);
  }
  return request;
}

/** Makes more rows than any computer counts. */
const endlessQuery =
  'SELECT :ref AS k, COUNT_BIG(*) AS n FROM sys.all_columns AS a CROSS JOIN sys.all_columns AS b ' +
  'CROSS JOIN sys.all_columns AS c CROSS JOIN sys.all_columns AS d';

async function startSource() {
  await probe.execute('CREATE SEQUENCE ids AS INT START WITH 1000000');
  await createTables(probe, {
    identity: 'INT NOT NULL DEFAULT (NEXT VALUE FOR ids) PRIMARY KEY',
    decimal: 'DECIMAL(38, 10)',
    text: 'NVARCHAR(255)',
    longText: 'NVARCHAR(MAX)',
    timestamp: 'DATETIME2',
    binary: 'VARBINARY(MAX)',
  });
  const { slot, ...common } = sqlSource(probe);
  const settings = { url, sections: sampleSections, changes: sampleChanges };
  const columns = { mode: 'columns', columns: sampleSlot };
  const nobodyThere = `mssql://u:${secretInTests}@127.0.0.1:1/erp`;
  return {
    ...common,
    connector: await open(settings),
    unreachable: await open({ ...settings, url: nobodyThere }),
    columns: {
      connector: await open({ ...settings, writeBack: columns, drafts: sampleDrafts }),
      slot,
    },
    endless: {
      open: (timeoutMs: number) => open({ url, ...headerQuery(endlessQuery) }, timeoutMs),
      refs: ['x'],
      isWorking: async () => (await probe.rows(working)).length > 0,
      // A real server is not stopped for a test.
      ...(server === undefined ? {} : { interrupt: async () => server?.dropConnections() }),
    },
    async stop() {
      // The server is shared by all suites of this file.
    },
  };
}

const working =
  realUrl === undefined
    ? `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT $1 AS k%'`
    : 'SELECT r.session_id FROM sys.dm_exec_requests AS r CROSS APPLY ' +
      `sys.dm_exec_sql_text(r.sql_handle) AS t WHERE t.text LIKE '%@p1 AS k, COUNT_BIG%' ` +
      'AND r.session_id <> @@SPID';

beforeAll(async () => {
  server = realUrl === undefined ? await startTdsServer() : undefined;
  const { user, password } = testLogin;
  url = realUrl ?? `mssql://${user}:${password}@127.0.0.1:${server?.port}/erp`;
  const address = new URL(url);
  pool = await new sql.ConnectionPool({
    server: address.hostname,
    port: Number(address.port),
    user: address.username,
    password: decodeURIComponent(address.password),
    database: address.pathname.slice(1),
    options: { encrypt: false },
  }).connect();
});

afterAll(async () => {
  for (const connector of opened) await connector.close();
  await pool?.close();
  await server?.stop();
});

connectorSuite('mssql', startSource);

describe('values of SQL Server', () => {
  test.each([
    ['decimal(30,2)', '12345678901234567890.10', '12345678901234567890.10'],
    ['numeric(18,0)', '-9', '-9'],
    ['money', '922337203685477.5807', '922337203685477.5807'],
    ['bigint', '9223372036854775807', '9223372036854775807'],
    ['tinyint', '255', '255'],
    ['bit', '1', '1'],
    ['real', '0.1', '0.1'],
    ['float', '1e21', '1000000000000000000000'],
    ['date', '2026-01-31', '2026-01-31'],
    ['time', '10:00:00', '10:00:00'],
    ['datetime', '2026-01-31T10:00:00.003', '2026-01-31T10:00:00.003'],
    ['smalldatetime', '2026-01-31T10:05:00', '2026-01-31T10:05:00'],
    ['datetime2', '2026-01-31T10:00:00.000123', '2026-01-31T10:00:00.000123'],
    ['datetimeoffset', '2026-01-31T10:00:00+04:00', '2026-01-31T06:00:00Z'],
    ['char(5)', 'ab', 'ab'],
    ['nchar(5)', 'ab', 'ab'],
    ['varchar(20)', 'Société «ß»', 'Société «ß»'],
    ['nvarchar(max)', 'Žluťoučký 😀', 'Žluťoučký 😀'],
    [
      'uniqueidentifier',
      '0f0e8400-e29b-41d4-a716-446655440000',
      '0F0E8400-E29B-41D4-A716-446655440000',
    ],
    ['nvarchar(9)', null, null],
  ])('%s of %s is the text %s', async (type, value, text) => {
    const table = `v_${type.replace(/\W/g, '_')}_${value === null ? 'none' : 'some'}`;
    await probe.execute(`CREATE TABLE ${table} (k nvarchar(9), v ${type})`);
    await probe.execute(`INSERT INTO ${table} VALUES (N'x', @p1)`, [value]);
    const connector = await connect({ sections: { header: { table, key: 'k', match: 'k' } } });
    expect(await connector.read('x', never)).toMatchObject({
      document: { sections: { header: [{ values: { v: text } }] } },
    });
  });

  test.each([
    ['int', '7', ['07', '7.0', ' 7', 'seven', '99999999999999999999', '7 OR 1=1']],
    ['bigint', '9223372036854775807', ['9223372036854775808', '-1']],
    ['decimal(10,2)', '7.50', ['7.5', 'NaN']],
    ['nchar(6)', 'INV-1', ['INV-1 ', 'inv-1']],
    ['varchar(20)', 'Ünï-1', ['ünï-1', '😀']],
    ['date', '2026-01-31', ['2026-02-31', 'tomorrow']],
    ['datetime2', '2026-01-31T10:00:00.5', ['2026-01-31 10:00:00.5', 'tomorrow']],
    ['uniqueidentifier', '0F0E8400-E29B-41D4-A716-446655440000', ['x', '0f0e8400']],
  ])('a key of type %s is found by its own text only', async (type, key, others) => {
    const table = `k_${type.replace(/\W/g, '')}`;
    await probe.execute(`CREATE TABLE ${table} (k ${type})`);
    await probe.execute(`INSERT INTO ${table} VALUES (@p1)`, [key]);
    const connector = await connect({ sections: { header: { table, key: 'k', match: 'k' } } });
    const kinds = (await connector.readMany([key, ...others], never)).map(({ kind }) => kind);
    expect(kinds).toEqual(['found', ...others.map(() => 'missing')]);
  });

  test('changes are listed by a row version, which grows with every change', async () => {
    await probe.execute('CREATE TABLE doc (k nvarchar(9), v rowversion)');
    await probe.execute(`INSERT INTO doc (k) VALUES ('a')`);
    await probe.execute(`INSERT INTO doc (k) VALUES ('b')`);
    const connector = await connect({
      sections: { header: { table: 'doc', key: 'k', match: 'k' } },
      changes: { column: 'v', key: 'k' },
    });
    const first = await connector.list(undefined, never);
    expect(first).toMatchObject({ refs: ['a', 'b'] });
    const cursor = first.kind === 'page' ? first.cursor : '';
    expect(await connector.list(cursor, never)).toMatchObject({ refs: [] });
    await probe.execute(`UPDATE doc SET k = k WHERE k = 'a'`);
    expect(await connector.list(cursor, never)).toMatchObject({ refs: ['a'] });
  });

  test.each(['decimal(12,2)', 'datetime', 'datetimeoffset', 'varchar(20)', 'int'])(
    'changes are listed once by a column of type %s',
    async (type) => {
      const table = `c_${type.replace(/\W/g, '')}`;
      const value = /^date/.test(type) ? '2026-01-31T10:00:00.003' : '7';
      await probe.execute(`CREATE TABLE ${table} (k nvarchar(9), v ${type})`);
      await probe.execute(`INSERT INTO ${table} VALUES ('a', @p1)`, [value]);
      const connector = await connect({
        sections: { header: { table, key: 'k', match: 'k' } },
        changes: { column: 'v', key: 'k' },
      });
      const first = await connector.list(undefined, never);
      expect(first).toMatchObject({ refs: ['a'] });
      const cursor = first.kind === 'page' ? first.cursor : '';
      expect(await connector.list(cursor, never)).toMatchObject({ refs: [] });
    },
  );

  test('a decimal of a handwritten query is exact, or refused by name', async () => {
    const query = (text: string) =>
      headerQuery(`SELECT :ref AS k, CAST('${text}' AS decimal(30,2)) AS total`);
    const small = await connect(query('-1234567890123.45'));
    expect(await small.read('x', never)).toMatchObject({
      document: { sections: { header: [{ values: { total: '-1234567890123.45' } }] } },
    });
    const large = await connect(query('12345678901234567890.10'));
    expect(await large.read('x', never)).toMatchObject({
      kind: 'unusable',
      fault: { code: 'inexact_value', message: expect.stringContaining('"total"') },
    });
  });

  test('a binary column is refused by name', async () => {
    await probe.execute('CREATE TABLE scans (k nvarchar(9), scan varbinary(max))');
    await probe.execute(`INSERT INTO scans VALUES ('x', CONVERT(varbinary(max), 'a'))`);
    const sections = {
      header: { table: 'scans', key: 'k', match: 'k', columns: ['k', 'scan'] },
    };
    expect(await (await connect({ sections })).read('x', never)).toMatchObject({
      kind: 'unusable',
      fault: { code: 'binary_value' },
    });
  });
});

describe('handwritten queries of SQL Server', () => {
  test('names that have to be quoted are names', async () => {
    await expectHostileNames(probe, connect);
  });

  test('handwritten queries with typed keys are described, with samples', async () => {
    await expectTypedQueriesSampled(probe, connect, 'CAST(:ref AS smallint)');
  });

  test.each([
    ...writingQueries,
    'SELECT k FROM kept WHERE k = :ref DELETE FROM kept',
    'SELECT k INTO copied FROM kept WHERE k = :ref',
    'SELECT k FROM kept WHERE k = :ref COMMIT',
    'EXEC write_all :ref',
  ])('%s does nothing', async (query) => {
    await expectReadOnly(probe, connect, query, 'a');
  });

  test('one that answers twice is refused', async () => {
    const connector = await connect(headerQuery('SELECT 1 AS k SELECT :ref AS k'));
    expect(await connector.read('x', never)).toMatchObject({ fault: { code: 'query_unusable' } });
  });

  test('a value that its column cannot have is missing', async () => {
    await probe.execute('CREATE TABLE orders (k int)');
    await probe.execute('INSERT INTO orders VALUES (7)');
    const connector = await connect(
      headerQuery('SELECT k FROM orders WHERE k = CAST(:ref AS smallint)'),
    );
    const outcomes = await connector.readMany(['7', 'seven', '99999', '8'], never);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['found', 'missing', 'missing', 'missing']);
  });
});
