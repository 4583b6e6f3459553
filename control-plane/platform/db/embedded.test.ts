import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { startEmbedded } from './embedded.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'embedded-'));
  await chmod(home, 0o711); // as the product's home folder is
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** A process that starts the server of `home` and then waits to be killed. */
async function startElsewhere(): Promise<{ child: ChildProcess; url: string }> {
  const file = join(import.meta.dirname, 'embedded.ts');
  const script = `const { startEmbedded } = await import('${file}');
    console.log((await startEmbedded({ home: '${home}', volatile: true })).url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: line.toString().trim() };
}

test('data survive a restart, files are private, and the owner is not a superuser', async () => {
  const first = await startEmbedded({ home, volatile: true });
  await sqlAt(first.url, 'create table kept as select 1 as one');
  expect(await sqlAt(first.url, `select current_setting('is_superuser') as su`)).toEqual([
    { su: 'off' },
  ]);
  await first.stop();
  await expect(sqlAt(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  const second = await startEmbedded({ home, volatile: true });
  expect(await sqlAt(second.url, 'table kept')).toEqual([{ one: 1 }]);
  await second.stop();
  for (const name of ['postgres.password', 'postgres.log']) {
    expect((await stat(join(home, name))).mode & 0o077).toBe(0);
  }
});

test('a second process joins the running server and does not stop it', async () => {
  const first = await startEmbedded({ home, volatile: true });
  const second = await startEmbedded({ home, volatile: true });
  expect(second.url).toBe(first.url);
  await second.stop();
  expect(await sqlAt(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await first.stop();
});

test('two processes that start at the same moment use one server', async () => {
  const [first, second] = await Promise.all([
    startEmbedded({ home, volatile: true }),
    startEmbedded({ home, volatile: true }),
  ]);
  expect(first.url).toBe(second.url);
  await Promise.all([first.stop(), second.stop()]);
});

test('after kill -9 of the parent the next start works, on the same data', async () => {
  const { child, url } = await startElsewhere();
  await sqlAt(url, 'create table before_kill as select 2 as two');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const next = await startEmbedded({ home, volatile: true });
  expect(await sqlAt(next.url, 'table before_kill')).toEqual([{ two: 2 }]);
  await next.stop();
});

test('a start that finds the data in use leaves that server alone', async () => {
  const first = await startEmbedded({ home, volatile: true });
  const file = (name: string) => join(import.meta.dirname, name);
  // Starts without looking for a running server, as when both start at the same moment.
  const script = `const { prepareInstallation } = await import('${file('embedded-installation.ts')}');
    const { startPostmaster } = await import('${file('postmaster.ts')}');
    const installation = await prepareInstallation('${home}', true);
    if (await startPostmaster(installation)) process.exit(1);`;
  const late = spawn(process.execPath, ['--input-type=module', '-e', script]);
  expect(await once(late, 'exit')).toEqual([0, null]);
  const next = await startEmbedded({ home, volatile: true });
  expect(next.url).toBe(first.url);
  expect(await sqlAt(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await first.stop();
});

test('the buffer cache is loaded again after a restart', { timeout: 60_000 }, async () => {
  const durable = join(home, 'durable');
  const first = await startEmbedded({ home: durable });
  await sqlAt(first.url, 'create table known as select n from generate_series(1, 10000) n');
  await first.stop();
  const second = await startEmbedded({ home: durable });
  const log = () => readFile(join(durable, 'postgres.log'), 'utf8');
  await vi.waitFor(async () => expect(await log()).toMatch(/prewarmed \d+ of/), 20_000);
  const [plan] = await sqlAt<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    second.url,
    'explain (analyze, buffers, format json) select count(*) from known',
  );
  expect(plan!['QUERY PLAN'][0].Plan).toMatchObject({ 'Shared Read Blocks': 0 });
  await second.stop();
});
