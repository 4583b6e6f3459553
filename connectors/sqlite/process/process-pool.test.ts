import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headerQuery } from '../../sql/source.suite.ts';
import { sqlite } from '../connector.ts';
import { ProcessPool } from './process-pool.ts';

const never = new AbortController().signal;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drawbridge-process-'));
  file = join(folder, 'a.db');
  new Database(file).exec('CREATE TABLE doc (k TEXT)').close();
});
afterAll(() => rm(folder, { recursive: true }));

/** The processes that `parent` started for SQLite files. */
async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = pids.map(async (pid) => {
    const [status, command] = await Promise.all(
      ['status', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    const isChild = new RegExp(`^PPid:\\s+${parent}$`, 'm').test(status!);
    return isChild && command!.includes('sqlite/process/') ? [Number(pid)] : [];
  });
  return (await Promise.all(found)).flat();
}

describe('processes', { skip: process.platform !== 'linux' }, () => {
  test('a query that takes too much memory ends alone', async () => {
    const query = headerQuery(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000) ' +
        'SELECT :ref AS k, hex(randomblob(100000)) AS h FROM n ORDER BY h',
    );
    const settings = sqlite.settings.parse({ file, ...query });
    const connector = await sqlite.open(settings, {
      clock: () => new Date(0),
      allowedRoots: [folder],
    });
    expect(await connector.read('x', never)).toMatchObject({
      kind: 'unreachable',
      fault: { code: 'too_large' },
    });
    expect(await connector.test(never)).toMatchObject({ kind: 'ok' });
  });

  test('one serves its owner again, and never another', async () => {
    const pool = new ProcessPool();
    const open = { kind: 'open', file, roots: [folder], isWriter: false } as const;
    const pidFor = async (owner: string) => {
      const before = await childrenOf(process.pid);
      await pool.run(
        owner,
        never,
        () => undefined,
        (one) => one.tell(open),
      );
      const started = (await childrenOf(process.pid)).filter((pid) => !before.includes(pid));
      return started.length;
    };
    expect([await pidFor('a'), await pidFor('a'), await pidFor('b')]).toEqual([1, 0, 1]);
  });

  test('one that is at work ends with a parent that is killed', async () => {
    const parent = spawn(process.execPath, [join(import.meta.dirname, 'orphan.fixture.ts'), file]);
    await expect.poll(() => childrenOf(parent.pid!)).toHaveLength(1);
    const [orphan] = await childrenOf(parent.pid!);
    parent.kill('SIGKILL');
    await expect.poll(() => existsSync(`/proc/${orphan}`)).toBe(false);
  });
});
