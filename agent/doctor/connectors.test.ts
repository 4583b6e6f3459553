import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findingActions } from '@drawbridge/link/findings.ts';
import Database from 'better-sqlite3';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { startPostgres } from '../../test/kit/postgres.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drawbridge-doctor-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const sections = { header: { table: 'invoice', key: 'number', match: 'number' } };

async function actionOf(kind: string, settings: object): Promise<string> {
  const env = { DRAWBRIDGE_FILE_ROOTS: home };
  const file = join(home, 'settings.json');
  writeFileSync(file, JSON.stringify({ ...settings, sections }));
  const add = ['connector', 'add', kind, '--name', 'erp', '--settings-file', file, '--no-test'];
  const added = await runCommand(home, add, { env });
  expect([added.code, added.stderr]).toEqual([0, '']);
  const { stdout } = await runCommand(home, ['doctor', '--offline', '--json'], { env });
  const { findings } = JSON.parse(stdout);
  return findings.find((one: { component: string }) => one.component === 'connector').action;
}

test('a column that is gone is corrected in the settings', async () => {
  const file = join(home, 'erp.db');
  const database = new Database(file);
  database.exec('create table invoice (renamed text primary key)');
  database.close();
  expect(await actionOf('sqlite', { file })).toBe(findingActions.source_fault);
});

test('a server that does not answer is tried again', async () => {
  const url = 'postgres://reader:secret@127.0.0.1:1/erp';
  expect(await actionOf('postgres', { url, tls: 'off' })).toBe(findingActions.source_away);
});

test('a right that was taken away is granted by an administrator', async () => {
  const server = await startPostgres();
  const owner = new pg.Client({ connectionString: server.url });
  await owner.connect();
  const reader = `reader_${owner.database}`;
  await owner.query('create table invoice (number text primary key)');
  await owner.query(`create role ${reader} login password 'secret'`);
  await owner.query(`grant select (number) on invoice to ${reader}`);
  await owner.query(`revoke select (number) on invoice from ${reader}`);
  const url = new URL(server.url);
  url.username = reader;
  url.password = 'secret';
  const action = await actionOf('postgres', { url: String(url), tls: 'off' });
  await owner.query(`drop role ${reader}`);
  await owner.end();
  await server.stop();
  expect(action).toBe(findingActions.source_denied);
});
