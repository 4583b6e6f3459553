import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { sqlAt, startPostgres, type TestPostgres } from '../../../test/kit/postgres.ts';
import { createLog, type Log } from '../log/log.ts';
import { appRoleOf } from './app-role.ts';
import { migrate } from './migrate.ts';

let postgres: TestPostgres;
let folder: string;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  await sqlAt(postgres.url, 'drop schema public cascade; create schema public');
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await file('001-first.sql', 'create table first (id int)');
  return () => rm(folder, { recursive: true });
});

const file = (name: string, sql: string) => writeFile(join(folder, name), sql);
const run = () => migrate({ url: postgres.url, folder });
const tables = async () =>
  (
    await sqlAt<{ name: string }>(
      postgres.url,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind = 'r' and relname <> 'migration' order by 1`,
    )
  ).map(({ name }) => name);

test('each file is applied once, in order, also a lower number that arrives later', async () => {
  await file('030-third.sql', 'create table third (id int)');
  expect((await run()).applied).toEqual(['001-first.sql', '030-third.sql']);
  await file('020-second.sql', 'create table second (id int)');
  expect((await run()).applied).toEqual(['020-second.sql']);
  expect((await run()).applied).toEqual([]);
  expect(await tables()).toEqual(['first', 'second', 'third']);
});

test('nodes that start together apply each file once', async () => {
  const all = await Promise.all([run(), run(), run(), run()]);
  expect(all.flatMap(({ applied }) => applied)).toEqual(['001-first.sql']);
});

test('a changed file is refused', async () => {
  await run();
  await file('001-first.sql', 'create table first (id bigint)');
  await expect(run()).rejects.toThrow('001-first.sql was applied and has changed');
});

test('a database with unknown older migrations is refused by a clear message and left as it was', async () => {
  await file('002-api-keys.sql', 'create table api_key (id int)');
  await file('250-inbox-reading.sql', 'create table inbox (id int)');
  await run();
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await file('001-platform.sql', 'create table platform (id int)');
  await file('002-tenants.sql', 'create table person (id int)');
  await expect(run()).rejects.toThrow(
    /older.* 001-first.sql.*Nothing in it was changed.*DRAWBRIDGE_HOME/,
  );
  expect(await tables()).toEqual(['api_key', 'first', 'inbox']);
  expect(await sqlAt(postgres.url, 'select name from migration order by name')).toEqual([
    { name: '001-first.sql' },
    { name: '002-api-keys.sql' },
    { name: '250-inbox-reading.sql' },
  ]);
});

test('a database that a newer version has migrated further is used as it is', async () => {
  await file('002-newer.sql', 'create table newer (id int)');
  await run();
  await rm(join(folder, '002-newer.sql'));
  expect((await run()).applied).toEqual([]);
});

test('a failing file is named and leaves nothing behind', async () => {
  await file('002-bad.sql', 'create table half (id int); select 1/0');
  await expect(run()).rejects.toThrow('migration 002-bad.sql: division by zero');
  expect(await tables()).toEqual(['first']);
});

test.each([
  ['2-short.sql', 'NNN-name'],
  ['001-other.sql', 'taken'],
])('%s is refused', async (name, why) => {
  await file(name, '');
  await expect(run()).rejects.toThrow(why);
});

// The owner of the tests' databases is no superuser, as at most hosts.
test('rows that the owner does not see are not passed over in silence', async () => {
  const isolated = `create table held (tenant_id int, n int);
    insert into held values (1, 1);
    alter table held enable row level security;
    alter table held force row level security;
    create policy own on held using (tenant_id = 2)`;
  await file('002-isolated.sql', isolated);
  await run();
  await file('101-changes.sql', 'update held set n = 2');
  await expect(run()).rejects.toThrow(/101-changes.*row-level security/);
  const [lifted, forced] = ['no force', 'force'].map(
    (how) => `alter table held ${how} row level security;`,
  );
  await file('101-changes.sql', `${lifted} update held set n = 2; ${forced}`);
  await run();
  await sqlAt(postgres.url, lifted!);
  expect(await sqlAt(postgres.url, 'select n from held')).toEqual([{ n: 2 }]);
});

test('the application logs in with a derived password that another node derives too', async () => {
  const { role } = await run();
  expect(await sqlAt(role.url, 'select current_user as name')).toEqual([{ name: role.name }]);
  expect(appRoleOf(postgres.url)).toEqual(role);
  expect(role.url).not.toContain(new URL(postgres.url).password);
});

test('an owner without a password must name the application role', () => {
  expect(() => appRoleOf('postgres://me@localhost/x')).toThrow('DATABASE_APP_URL');
  expect(appRoleOf('postgres://me@localhost/x', 'postgres://app@localhost/x').name).toBe('app');
});

/** A log whose lines are kept. */
function keptLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { log: createLog({ level: 'info', destination }), lines };
}

/** A session that has run a statement and stays. */
async function session(name: string, ...statements: string[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url, application_name: name });
  await client.connect();
  for (const sql of statements) await client.query(sql);
  return client;
}

const limits = { lockTimeoutMs: 200, retryMs: 50, watchMs: 20 };

test('a migration that needs a held lock names the holder, waits, and does not hold up others', async () => {
  await run();
  await file('002-more.sql', 'alter table first add column more text');
  const holder = await session('a report', 'begin', 'select from first');
  const { log, lines } = keptLog();
  const migrating = migrate({ url: postgres.url, folder, log, limits });
  await eventually(() => expect(lines.join()).toMatch(/migration 002-more.sql waits .*a report/));
  await eventually(() => expect(lines.join()).toMatch(/tried again: .*a report/));
  // It would wait for ever behind a migration that waited for ever.
  await sqlAt(postgres.url, 'select from first');
  await holder.query('commit');
  expect((await migrating).applied).toEqual(['002-more.sql']);
  await holder.end();
});

test('a lock that is never released ends the start, with the holder named', async () => {
  await run();
  await file('002-more.sql', 'alter table first add column more text');
  const holder = await session('a report', 'begin', 'select from first');
  const few = { ...limits, attemptsMax: 2 };
  const migrating = migrate({ url: postgres.url, folder, limits: few });
  await expect(migrating).rejects.toThrow(/002-more.sql: a lock .*"a report".*idle in transaction/);
  await holder.end();
});

test('a lock of migrations that another session holds is named, and waited for', async () => {
  const holder = await session('left behind', 'select pg_advisory_lock(7314159)');
  const impatient = { ...limits, migrationLockMs: 300 };
  await expect(migrate({ url: postgres.url, folder, limits: impatient })).rejects.toThrow(
    /lock of migrations was held for 300 ms by process \d+ .*"left behind"/,
  );
  const { log, lines } = keptLog();
  const migrating = migrate({ url: postgres.url, folder, log, limits });
  await eventually(() => expect(lines.join()).toMatch(/the start waits .*left behind/));
  await holder.end();
  expect((await migrating).applied).toEqual(['001-first.sql']);
});

test('the role gets time limits, and keeps those that an operator gave it', async () => {
  const { role } = await run();
  const limitsOf = () =>
    sqlAt(
      role.url,
      `select current_setting('statement_timeout') as statement,
         current_setting('idle_in_transaction_session_timeout') as idle`,
    );
  expect(await limitsOf()).toEqual([{ statement: '30s', idle: '1min' }]);
  const database = new URL(postgres.url).pathname.slice(1);
  await sqlAt(
    postgres.url,
    `alter role ${role.name} in database ${database} set statement_timeout = '90s'`,
  );
  await run();
  expect(await limitsOf()).toEqual([{ statement: '90s', idle: '1min' }]);
});
