import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { controlPlaneMain } from '../../test/kit/programs.ts';

// Every command is a process, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 });

const tenant = '019a0000-0000-7000-8000-000000000001';
let kit: TestDb;
let home: string;

beforeAll(async () => {
  kit = await startDb();
  home = await mkdtemp(join(tmpdir(), 'jobs-'));
  await sqlAt(
    kit.url,
    `insert into job (tenant_id, queue, key, payload, losses, last_error, parked_at) values
       ('${tenant}', 'invoice', 'inv_1', '{"environment":"live"}', 5, null, now() - interval '1 h'),
       ('${tenant}', 'outbox', 'msg_1', '{}', 0, 'Error: bad', now()),
       ('${tenant}', 'invoice', 'inv_2', '{}', 0, null, null)`,
  );
});
afterAll(async () => {
  await kit.stop();
  await rm(home, { recursive: true });
});

async function jobs(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, DATABASE_URL: kit.url, DRAWBRIDGE_HOME: home };
  return promisify(execFile)(process.execPath, [controlPlaneMain, 'jobs', ...args], { env });
}

const answer = async (...args: string[]) => JSON.parse((await jobs(...args, '--json')).stdout);

test('parked jobs are listed over all tenants, the last parked first', async () => {
  expect(await answer('list')).toMatchObject([
    { tenant, queue: 'outbox', key: 'msg_1', state: 'parked', last_error: 'Error: bad' },
    { tenant, queue: 'invoice', key: 'inv_1', state: 'parked', losses: 5 },
  ]);
  const { stdout } = await jobs('list', '--queue', 'invoice', '--tenant', tenant);
  expect(stdout).toMatch(/^\d+ {2}\S+ {2}\S+ {2}invoice {2}inv_1 {2}lost 5 times\n$/);
});

test('a job is shown, retried and discarded by its id, and only a parked one', async () => {
  const [message, invoice] = await answer('list');
  expect(await answer('show', String(invoice.id))).toMatchObject({
    key: 'inv_1',
    payload: { environment: 'live' },
  });
  const withWrong = ['retry', String(invoice.id), '999999999'];
  await expect(jobs(...withWrong)).rejects.toThrow('there is no job 999999999');
  expect(await answer('show', String(invoice.id))).toMatchObject({ state: 'parked' });
  expect(await answer('retry', String(invoice.id))).toEqual({ retried: [invoice.id] });
  expect(await answer('show', String(invoice.id))).toMatchObject({ state: 'waiting', losses: 0 });
  await expect(jobs('discard', String(invoice.id))).rejects.toThrow('is not parked');
  expect(await answer('discard', String(message.id))).toEqual({ discarded: [message.id] });
  await expect(jobs('show', String(message.id))).rejects.toThrow('there is no job');
  expect(await answer('list')).toEqual([]);
});
