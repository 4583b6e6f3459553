import { existsSync } from 'node:fs';
import mysqlDriver, { type Connection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mariadbUnavailable, startMariadb, type TestMariadb } from '../../test/kit/mariadb.ts';
import { connectorSuite, sampleCommand, secretInTests } from '../contract.suite.ts';
import type { Connector } from '../contract.ts';
import {
  createTables,
  expectDiscovered,
  expectHostileNames,
  expectReadOnly,
  expectRightsProved,
  expectTypedQueriesSampled,
  headerQuery,
  runGrants,
  type SqlProbe,
  sampleChanges,
  sampleDrafts,
  sampleSections,
  sampleSlot,
  sqlSource,
  writingQueries,
} from '../sql/source.suite.ts';
import { mysql } from './connector.ts';
import { mysqlDialect } from './dialect.ts';

const never = new AbortController().signal;
const context = { clock: () => new Date('2026-02-01T00:00:00Z'), allowedRoots: [] };
const open = (settings: object, timeoutMs?: number) =>
  mysql.open(
    mysql.settings.parse(settings),
    timeoutMs === undefined ? context : { ...context, timeoutMs },
  );
const unavailable = mariadbUnavailable();

let server: TestMariadb;
let client: Connection;
const opened: Connector[] = [];

async function connect(settings: object): Promise<Connector> {
  const connector = await open({ url: server.url, ...settings });
  opened.push(connector);
  return connector;
}

const probe: SqlProbe = {
  dialect: mysqlDialect,
  async execute(text, values = []) {
    await client.query(text, [...values]);
  },
  async rows(text, values = []) {
    const [rows] = await client.query(text, [...values]);
    return rows as Record<string, unknown>[];
  },
};

const sleeping = `SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT ? AS k, SLEEP%'`;

async function startSource() {
  await createTables(probe, {
    identity: 'INTEGER AUTO_INCREMENT PRIMARY KEY',
    decimal: 'DECIMAL(40, 10)',
    text: 'VARCHAR(255)',
    longText: 'LONGTEXT',
    timestamp: 'DATETIME NULL',
    binary: 'LONGBLOB',
  });
  const { slot, ...common } = sqlSource(probe);
  const { pathname, hostname, port } = new URL(server.url);
  const [user, writer] = ['einv_reader', 'einv_writer'];
  for (const name of [user, writer]) {
    await probe.execute(`CREATE USER '${name}'@'%' IDENTIFIED BY '${secretInTests}'`);
  }
  const least = {
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    user,
    password: secretInTests,
  };
  const settings = {
    ...least,
    sections: sampleSections,
    changes: sampleChanges,
    writeBack: { mode: 'side-table', user: writer, password: secretInTests },
  };
  const columns = { ...settings.writeBack, mode: 'columns', columns: sampleSlot };
  await runGrants(probe, mysql, settings);
  await runGrants(probe, mysql, { ...settings, writeBack: columns, drafts: sampleDrafts });
  const nobodyThere = `mysql://u:${secretInTests}@127.0.0.1:1/erp`;
  return {
    ...common,
    connector: await open(settings),
    unreachable: await open({ ...settings, url: nobodyThere }),
    columns: {
      connector: await open({ ...settings, writeBack: columns, drafts: sampleDrafts }),
      slot,
    },
    endless: {
      open: (timeoutMs: number) =>
        open({ ...least, ...headerQuery('SELECT :ref AS k, SLEEP(600) AS s') }, timeoutMs),
      refs: ['x'],
      async isWorking() {
        return (await probe.rows(sleeping)).length > 0;
      },
      async interrupt() {
        for (const { id } of await probe.rows(sleeping)) await probe.execute(`KILL ${Number(id)}`);
      },
    },
    async stop() {
      // The server is shared by all suites of this file.
    },
  };
}

if (unavailable !== undefined) {
  test('the contract of connectors, on a real server', (context) => context.skip(unavailable));
} else {
  beforeAll(async () => {
    server = await startMariadb();
    const { hostname, port, pathname } = new URL(server.url);
    client = await mysqlDriver.createConnection({
      host: hostname,
      port: Number(port),
      user: 'root',
      database: pathname.slice(1),
      charset: 'utf8mb4',
    });
  });
  afterAll(async () => {
    for (const connector of opened) await connector.close();
    await client?.end();
    await server?.stop();
  });
  connectorSuite('mysql', startSource);
  describe('values of MySQL', valueTests);
  describe('sessions of MySQL', sessionTests);
}

function valueTests(): void {
  test.each([
    ['DECIMAL(30,2)', '12345678901234567890.10', '12345678901234567890.10'],
    ['BIGINT', '9223372036854775807', '9223372036854775807'],
    ['BIGINT UNSIGNED', '18446744073709551615', '18446744073709551615'],
    ['FLOAT', '0.1', '0.1'],
    ['DOUBLE', '1e21', '1000000000000000000000'],
    ['TINYINT(1)', '1', '1'],
    ['BIT(1)', "b'1'", '1'],
    ['DATE', "'2026-01-31'", '2026-01-31'],
    ['DATETIME', "'2026-01-31 10:00:00'", '2026-01-31T10:00:00'],
    ['DATETIME(6)', "'2026-01-31 10:00:00.000123'", '2026-01-31T10:00:00.000123'],
    ['TIME', "'10:00:00'", '10:00:00'],
    ['YEAR', '2026', '2026'],
    ['CHAR(5)', "'ab'", 'ab'],
    ['TEXT', "'Žluťoučký 😀'", 'Žluťoučký 😀'],
    ['JSON', `'{"a": 1.10}'`, '{"a": 1.10}'],
    ['VARCHAR(9)', 'NULL', null],
  ])('%s of %s is the text %s', async (type, literal, text) => {
    const table = `v_${type.replace(/\W/g, '_')}`;
    await probe.execute(`CREATE TABLE ${table} (k VARCHAR(9), v ${type}) CHARACTER SET utf8mb4`);
    await probe.execute(`INSERT INTO ${table} VALUES ('x', ${literal})`);
    const connector = await connect({ sections: { header: { table, key: 'k', match: 'k' } } });
    expect(await connector.read('x', never)).toMatchObject({
      document: { sections: { header: [{ values: { v: text } }] } },
    });
  });

  test('a TIMESTAMP is given in UTC in any time zone of the server', async () => {
    await probe.execute('CREATE TABLE stamped (k VARCHAR(9), v TIMESTAMP NULL)');
    await probe.execute(`SET time_zone = '+04:00'`);
    await probe.execute(`INSERT INTO stamped VALUES ('x', '2026-01-31 10:00:00')`);
    await probe.execute(`SET time_zone = '+00:00'`);
    const connector = await connect({
      sections: { header: { table: 'stamped', key: 'k', match: 'k' } },
      changes: { column: 'v', key: 'k' },
    });
    expect(await connector.read('x', never)).toMatchObject({
      document: { sections: { header: [{ values: { v: '2026-01-31T06:00:00Z' } }] } },
    });
    const page = await connector.list(undefined, never);
    expect(page).toMatchObject({ refs: ['x'] });
    const cursor = page.kind === 'page' ? page.cursor : '';
    expect(await connector.list(cursor, never)).toMatchObject({ kind: 'page', refs: [] });
  });

  test.each([
    ['INTEGER', '5', ['5 OR 1=1', '5abc', '05', '5.0', ' 5']],
    ['VARCHAR(20)', 'INV-1', ['inv-1', 'INV-1 ', 'ÍNV-1']],
  ])('a key of type %s is found by its own text only', async (type, key, others) => {
    const table = `k_${type.slice(0, 3)}`;
    await probe.execute(`CREATE TABLE ${table} (k ${type})`);
    await probe.execute(`INSERT INTO ${table} VALUES ('${key}')`);
    const connector = await connect({ sections: { header: { table, key: 'k', match: 'k' } } });
    const kinds = (await connector.readMany([key, ...others], never)).map(({ kind }) => kind);
    expect(kinds).toEqual(['found', ...others.map(() => 'missing')]);
  });

  test('a binary column is refused by name', async () => {
    const connector = await connect(headerQuery(`SELECT :ref AS k, x'00ff' AS scan`));
    expect(await connector.read('x', never)).toMatchObject({
      kind: 'unusable',
      fault: { code: 'binary_value' },
    });
  });
}

function sessionTests(): void {
  test('names that have to be quoted are names', async () => {
    await expectHostileNames(probe, connect);
  });

  test('invoices are found among documents of other kinds', async () => {
    await expectDiscovered(probe, connect);
  });

  test('handwritten queries with typed keys are described, with samples', async () => {
    await expectTypedQueriesSampled(probe, connect, 'CAST(:ref AS SIGNED)');
  });

  test('a read query cannot write, not even by a function', async () => {
    await probe.execute('CREATE TABLE called (n INT)');
    await probe.execute(
      'CREATE FUNCTION sneak(x VARCHAR(9)) RETURNS VARCHAR(9) DETERMINISTIC MODIFIES SQL DATA ' +
        'BEGIN INSERT INTO called VALUES (1); RETURN x; END',
    );
    const connector = await connect(headerQuery('SELECT sneak(:ref) AS k'));
    expect(await connector.read('x', never)).toMatchObject({ kind: 'unreachable' });
    expect(await probe.rows('SELECT * FROM called')).toEqual([]);
  });

  test.each([
    ...writingQueries,
    'CALL write_all(:ref)',
    `SELECT :ref AS k INTO OUTFILE '/tmp/drawbridge-owned'`,
    'SET SESSION transaction_read_only = :ref',
    'SELECT k FROM kept WHERE k = :ref FOR UPDATE; COMMIT',
  ])('%s does nothing', async (query) => {
    await probe.execute(
      'CREATE OR REPLACE PROCEDURE write_all(x VARCHAR(9)) ' +
        'BEGIN COMMIT; START TRANSACTION READ WRITE; DELETE FROM kept; COMMIT; SELECT x AS k; END',
    );
    await expectReadOnly(probe, connect, query, 'a');
    expect(existsSync('/tmp/drawbridge-owned')).toBe(false);
  });

  test('what a writer lacks is told before anything is written', async () => {
    await probe.execute(`CREATE USER 'proved'@'%' IDENTIFIED BY '${secretInTests}'`);
    await probe.execute('DROP TABLE IF EXISTS einv_status');
    const url = server.url.replace('root@', `proved:${secretInTests}@`);
    const open = (settings: object) => connect({ url, ...settings });
    await expectRightsProved(probe, open, '`proved`@`%`');
  });

  test('refs that differ in case only have a confirmation each', async () => {
    const connector = await connect({});
    const kinds = [];
    for (const [ref, invoiceId] of [
      ['a-1', 'inv_1'],
      ['A-1', 'inv_2'],
    ] as const) {
      const command = sampleCommand(ref, `key-${ref}`, { invoiceId });
      kinds.push((await connector.writeBack(command, never)).kind);
    }
    expect(kinds).toEqual(['written', 'written']);
  });

  describe('a user of months', () => {
    const user = 'monthly';
    const administer = (text: string) => probe.execute(text);
    const reader = async () => {
      const url = new URL(server.url);
      await administer(`CREATE OR REPLACE USER ${user} IDENTIFIED BY '${secretInTests}'`);
      await administer('CREATE TABLE IF NOT EXISTS monthly (k VARCHAR(9) PRIMARY KEY)');
      await administer(`GRANT SELECT ON ${url.pathname.slice(1)}.* TO ${user}`);
      url.username = user;
      url.password = secretInTests;
      const sections = { header: { table: 'monthly', key: 'k', match: 'k' } };
      return connect({ url: url.href, sections });
    };

    test('whose rights are withdrawn and granted again reads on by itself', async () => {
      const connector = await reader();
      const name = new URL(server.url).pathname.slice(1);
      expect(await connector.list(undefined, never)).toMatchObject({ kind: 'page' });
      await administer(`REVOKE SELECT ON ${name}.* FROM ${user}`);
      expect(await connector.list(undefined, never)).toMatchObject({
        fault: { code: 'access_denied' },
      });
      await administer(`GRANT SELECT ON ${name}.* TO ${user}`);
      expect(await connector.list(undefined, never)).toMatchObject({ kind: 'page' });
    });

    test.each([
      ['PASSWORD EXPIRE', 'has expired'],
      ['ACCOUNT LOCK', 'has locked this user'],
    ])('is told in plain words after %s', async (change, words) => {
      const connector = await reader();
      await administer(`ALTER USER ${user} ${change}`);
      expect(await connector.test(never)).toMatchObject({
        fault: { code: 'access_denied', message: expect.stringContaining(words) },
      });
    });
  });

  test('a wrong password is named as the fault, and not shown', async () => {
    const url = server.url.replace('root@', `root:${secretInTests}@`);
    const outcome = await (await connect({ url })).test(never);
    expect(outcome).toMatchObject({
      kind: 'failed',
      fault: { code: 'access_denied', retry: 'never' },
    });
    expect(JSON.stringify(outcome)).not.toContain(secretInTests);
  });
}
