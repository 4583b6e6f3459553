/** What discovery says of databases that are not as one wishes, on each kind of database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { methods } from '@drawbridge/link/methods.ts';
import Database from 'better-sqlite3';
import mysqlDriver, { type Connection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mariadbUnavailable, startMariadb, type TestMariadb } from '../../test/kit/mariadb.ts';
import { startPostgres } from '../../test/kit/postgres.ts';
import type { Connector } from '../contract.ts';
import { mysql } from '../mysql/connector.ts';
import { postgres } from '../postgres/connector.ts';
import { sqlite } from '../sqlite/connector.ts';

const context = { clock: () => new Date('2026-04-01T00:00:00Z'), allowedRoots: [] };

const invoice =
  'number varchar(20), invoice_date varchar(20), customer_id integer, total_amount decimal(12,2)';
const line = 'description varchar(50), quantity decimal(12,2), unit_price decimal(12,2)';
const customer = 'name varchar(50), city varchar(50), phone varchar(20)';
const customers =
  "insert into customer values (1, 'Gulf Star', 'Dubai', '04 555'), (2, 'Al Noor', 'Ajman', '06 555')";
const invoices = (table: string, sign = '') => [
  `insert into ${table} values (1, '${table}-1', '2026-01-05', 1, 20), (2, '${table}-2', '2026-01-06', 2, ${sign}30)`,
  `insert into ${table}_line values (1, 1, 'Pump', 2, 10), (2, 2, 'Valve', ${sign}3, 10)`,
];
const tables = (name: string, key = ' primary key', declared = '') => [
  `create table ${name} (id integer${key}, ${invoice})`,
  `create table ${name}_line (id integer${key}, ${name}_id integer, ${line}${declared})`,
];
/** With the lines' key to the header declared. */
const declaredTables = (name: string) =>
  tables(name, ' primary key', `, foreign key (${name}_id) references ${name} (id)`);
const customerTable = (key = ' primary key') =>
  `create table customer (id integer${key}, ${customer})`;

/** The statement for tables whose names say nothing. */
const hidden = (statement: string) =>
  statement
    .replace(/(table|into) customer/, '$1 a1')
    .replace(/(table|into) invoice_line/, '$1 a3')
    .replace(/(table|into) invoice/, '$1 a2');

/** A database that is not as one wishes, and what discovery says of it. */
interface BadCase {
  readonly name: string;
  readonly statements: readonly string[];
  /** The table that is proposed as the header; none when it is undefined. */
  readonly header: string | undefined;
  /** Rows of it that were found. */
  readonly rows?: number;
  /** What must be among the notes. */
  readonly says?: RegExp;
}

const badCases: readonly BadCase[] = [
  {
    name: 'no tables',
    statements: [],
    header: undefined,
    says: /^This user sees no table\. Give it the right to read them/,
  },
  {
    name: 'empty tables',
    statements: [customerTable(), ...tables('invoice')],
    header: 'invoice',
    says: /^All tables are empty: what is proposed follows from their names alone\.$/,
  },
  {
    name: 'nothing like an invoice',
    statements: [
      'create table settings (name varchar(20) primary key, value varchar(20))',
      "insert into settings values ('theme', 'dark')",
    ],
    header: undefined,
    says: /^No table looks like invoices with lines\./,
  },
  {
    name: 'two candidates for the header',
    statements: [
      customerTable(),
      customers,
      ...declaredTables('invoice'),
      ...declaredTables('sales_invoice'),
      ...invoices('invoice'),
      ...invoices('sales_invoice'),
    ],
    header: 'sales_invoice',
    says: /^The invoices may also stand in "invoice": look at the documents, and choose\.$/,
  },
  {
    name: 'views only',
    statements: [
      ...[customerTable(), customers, ...tables('invoice'), ...invoices('invoice')].map(hidden),
      'create view customer as select * from a1',
      'create view invoice as select * from a2',
      'create view invoice_line as select * from a3',
    ],
    header: 'invoice',
  },
  {
    name: 'no keys',
    statements: [customerTable(''), customers, ...tables('invoice', ''), ...invoices('invoice')],
    header: 'invoice',
  },
  {
    name: 'a text of megabytes in each row',
    statements: [
      customerTable(),
      customers,
      ...tables('invoice'),
      ...invoices('invoice'),
      'alter table invoice add scan json',
      `update invoice set scan = '"${'x'.repeat(1_500_000)}"'`,
    ],
    header: 'invoice',
    rows: 2,
    says: /Column "scan" holds a value of more than 1 MiB/,
  },
  {
    name: 'credit notes as negative invoices',
    statements: [customerTable(), customers, ...tables('invoice'), ...invoices('invoice', '-')],
    header: 'invoice',
    says: /^Some invoices have a negative total_amount: they are credit notes/,
  },
];

const full = [customerTable(), customers, ...tables('invoice'), ...invoices('invoice')];

const noRights: BadCase = {
  name: 'no rights',
  statements: full,
  header: undefined,
  says: /^This user sees no table\. Give it the right to read them/,
};

const fewRights: BadCase = {
  name: 'rights on another table only',
  statements: full,
  header: undefined,
  says: /^No table looks like invoices with lines\./,
};

async function expectCase(connector: Connector, { header, rows, says }: BadCase): Promise<void> {
  const outcome = await connector.discover!({}, new AbortController().signal);
  await connector.close();
  if (outcome.kind !== 'discovered') throw new Error(JSON.stringify(outcome));
  const sections = outcome.layouts[0]?.layout.sections as
    | Readonly<Record<string, { readonly table: string }>>
    | undefined;
  expect({ header: sections?.header?.table, notes: outcome.notes }).toEqual({
    header,
    notes: says === undefined ? [] : expect.arrayContaining([expect.stringMatching(says)]),
  });
  if (rows !== undefined) {
    expect(outcome.places.find(({ name }) => name === header)).toMatchObject({ rows });
  }
}

test.each(badCases)('SQLite: $name', async (bad) => {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-bad-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'erp.sqlite');
  const database = new Database(file);
  for (const statement of bad.statements) database.exec(statement);
  database.close();
  const settings = sqlite.settings.parse({ file });
  await expectCase(await sqlite.open(settings, { ...context, allowedRoots: [folder] }), bad);
});

const long = 'x'.repeat(300);
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

test.each<[string, readonly string[], string | undefined]>([
  [
    'a header whose name no setting holds',
    [
      ...full,
      'alter table invoice_line rename to l',
      `alter table invoice rename to invoice_${long}`,
    ],
    undefined,
  ],
  [
    'a column whose name no setting holds',
    [...full, `alter table invoice add ${long} text`],
    'invoice',
  ],
  ['a column without a name', [...full, 'alter table invoice add "" text'], 'invoice'],
  [
    'names of members of every object',
    [
      ...full,
      'alter table invoice add __proto__ text',
      "update invoice set __proto__ = '1'",
      'create table constructor (id integer primary key, __proto__ text)',
    ],
    'invoice',
  ],
  [
    'names that quote, comment and act on terminals',
    [
      ...full.map((each) => each.replace(/\binvoice\b/g, quoted('in"v; -- \u001b[2Joice'))),
      `create table ${quoted("o'r\n1=1")} (a text)`,
    ],
    'in"v; -- \u001b[2Joice',
  ],
  [
    'dates that are none',
    [...full, "alter table invoice add due_date text default '0000-00-00'"],
    'invoice',
  ],
])('SQLite: what is found of %s passes the link', async (_, statements, header) => {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-bad-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'erp.sqlite');
  const database = new Database(file);
  for (const statement of statements) database.exec(statement);
  database.close();
  const settings = sqlite.settings.parse({ file });
  const connector = await sqlite.open(settings, { ...context, allowedRoots: [folder] });
  const outcome = await connector.discover!({}, new AbortController().signal);
  await connector.close();
  const carried = methods['connector.discover'].result.parse(JSON.parse(JSON.stringify(outcome)));
  if (carried.kind !== 'discovered') throw new Error(JSON.stringify(carried));
  const [layout] = carried.layouts.map((each) => each.layout.sections);
  expect((layout as { header?: { table: string } } | undefined)?.header?.table).toBe(header);
});

describe('PostgreSQL', () => {
  test.each(badCases)('$name', async (bad) => {
    const server = await startPostgres();
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (const statement of bad.statements) await client.query(statement);
    await client.end();
    await expectCase(
      await postgres.open(postgres.settings.parse({ url: server.url }), context),
      bad,
    );
    await server.stop();
  });

  test('a login that may read nothing', async () => {
    const server = await startPostgres();
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (const statement of full) await client.query(statement);
    const { rows } = await client.query('select current_database() as name');
    const role = `${rows[0].name}_reader`;
    await client.query(`create role ${role} login password 'pass'`);
    const url = new URL(server.url);
    Object.assign(url, { username: role, password: 'pass' });
    const open = () => postgres.open(postgres.settings.parse({ url: url.href }), context);
    await expectCase(await open(), noRights);
    await client.query(`grant select on customer to ${role}`);
    await expectCase(await open(), fewRights);
    await client.query(`revoke select on customer from ${role}`);
    await client.query(`drop role ${role}`);
    await client.end();
    await server.stop();
  });
});

const unavailable = mariadbUnavailable();

describe('MariaDB', () => {
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

  /** A database of its own with the statements run in it; its address. */
  async function databaseWith(statements: readonly string[]): Promise<URL> {
    const url = new URL(server!.url);
    url.pathname = '/bad';
    await client.query('SET foreign_key_checks = 0');
    await client.query('CREATE OR REPLACE DATABASE bad');
    await client.query('USE bad');
    for (const statement of statements) await client.query(statement);
    return url;
  }

  test.for(badCases)('$name', async (bad, ctx) => {
    if (server === undefined) return ctx.skip(unavailable);
    const url = await databaseWith(bad.statements);
    await expectCase(await mysql.open(mysql.settings.parse({ url: url.href }), context), bad);
  });

  test('a login that may read nothing', async (ctx) => {
    if (server === undefined) return ctx.skip(unavailable);
    const url = await databaseWith([...full, 'CREATE TABLE other (a INT)']);
    await client.query(`CREATE OR REPLACE USER 'bad'@'%' IDENTIFIED BY 'pass'`);
    await client.query(`GRANT SELECT ON customer TO 'bad'@'%'`);
    Object.assign(url, { username: 'bad', password: 'pass' });
    const open = () => mysql.open(mysql.settings.parse({ url: url.href }), context);
    await expectCase(await open(), fewRights);
  });
});
