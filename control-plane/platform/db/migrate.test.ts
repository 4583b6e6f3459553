import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sqlAt, startPostgres, type TestPostgres } from '../../../test/kit/postgres.ts';
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

test('a failing file leaves nothing behind and says its name', async () => {
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
