import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { analyzeGrown } from './statistics.ts';

let kit: TestDb;
beforeAll(async () => {
  kit = await startDb();
});
beforeEach(async () => {
  await sqlAt(kit.url, 'drop table if exists grown');
  await sqlAt(kit.url, 'create table grown (text text) with (autovacuum_enabled = false)');
});
afterAll(() => kit.stop());

const growth = (rows: number) =>
  `insert into grown select repeat('x', 50) from generate_series(1, ${rows})`;
const grow = (rows: number) => sqlAt(kit.url, growth(rows));
const known = async () => {
  const [row] = await sqlAt<{ rows: number }>(
    kit.url,
    `select reltuples::int as rows from pg_class where relname = 'grown'`,
  );
  return row!.rows;
};

test('a table that has grown is analyzed, and one that has not is left', async () => {
  await grow(10_000);
  expect(await kit.db.system(analyzeGrown)).toBeGreaterThanOrEqual(1);
  expect(await known()).toBeGreaterThan(5_000);
  expect(await kit.db.system(analyzeGrown)).toBe(0);
  await grow(100);
  expect(await kit.db.system(analyzeGrown)).toBe(0);
  await grow(60_000);
  expect(await kit.db.system(analyzeGrown)).toBe(1);
  expect(await known()).toBeGreaterThan(30_000);
});

test('a table that was analyzed while a transaction filled it is analyzed again after', async () => {
  const filling = new pg.Client(kit.url);
  await filling.connect();
  await filling.query('begin');
  await filling.query(growth(10_000));
  await kit.db.system(analyzeGrown);
  await filling.query('commit');
  await filling.end();
  await kit.db.system(analyzeGrown);
  expect(await known()).toBeGreaterThan(5_000);
});
