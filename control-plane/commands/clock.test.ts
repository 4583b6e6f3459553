import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { spawnControlPlane, startControlPlane } from '../../test/kit/control-plane-process.ts';
import { fakeTime } from '../../test/kit/faketime.ts';
import { sqlAt, startMigratedPostgres, type TestPostgres } from '../../test/kit/postgres.ts';

vi.setConfig({ testTimeout: 120_000 });

const yearSeconds = 365 * 86_400;
let folder: string;
let postgres: TestPostgres;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clock-'));
  await chmod(folder, 0o711); // PostgreSQL runs as another user when we are root
  postgres = await startMigratedPostgres();
});
afterEach(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('a node whose clock is a year off does nothing and says so; set right, it starts', async (context) => {
  const time = fakeTime(join(folder, 'time'));
  if (time === undefined) return context.skip('libfaketime is not installed');
  const env = { DATABASE_URL: postgres.url, ...time.env };
  for (const [seconds, says] of [
    [yearSeconds, /is 8760 hours ahead of the one of the database .*set the wrong one right/],
    [-yearSeconds, /is 8760 hours behind the one of the database .*set the wrong one right/],
  ] as const) {
    time.jump(seconds);
    const node = spawnControlPlane(join(folder, 'home'), env);
    expect(await node.exited).toBe(1);
    expect(node.log.join('\n')).toMatch(says);
    expect(await sqlAt(postgres.url, 'select 1 from tenant')).toEqual([]);
  }
  time.jump(4 * 3_600);
  const node = await startControlPlane(join(folder, 'home'), env);
  await node.stop('SIGTERM');
});
