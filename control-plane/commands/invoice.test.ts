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
const [one, two] = ['inv_1', 'inv_2'];
let kit: TestDb;
let home: string;

beforeAll(async () => {
  kit = await startDb();
  home = await mkdtemp(join(tmpdir(), 'invoice-'));
  await sqlAt(kit.url, `insert into tenant (id, name) values ($1, 'A')`, [tenant]);
  await kit.db.tenant(tenant, async (tx) => {
    await tx.run(
      `insert into connector (id, tenant_id, pattern, kind, name, settings)
       values ('cnx_1', $1, 'database', 'sqlite', 'x', '')`,
      [tenant],
    );
    for (const [id, kind] of [
      [one, 'release'],
      [two, 'approval'],
    ]) {
      await tx.run(
        `insert into invoice (id, tenant_id, environment, connector_id, profile, source_ref, state,
           checks, submission_key, hold, waits_for, created_at, updated_at)
         values ($2, $1, 'live', 'cnx_1', 'PINT-AE', 'D-' || $2, 'validated', '{}', 'sub_' || $2,
           jsonb_build_object('since', '2027-03-01T00:00:00.000Z', 'content', '', 'for', $3::text),
           'release', now(), now())`,
        [tenant, id, kind],
      );
    }
  });
});
afterAll(async () => {
  await kit.stop();
  await rm(home, { recursive: true });
});

async function invoice(...args: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: kit.url, DRAWBRIDGE_HOME: home };
  const run = promisify(execFile);
  return (await run(process.execPath, [controlPlaneMain, 'invoice', ...args], { env })).stdout;
}

test('the host lists what waits and releases it, unless two people of the tenant must', async () => {
  expect(await invoice('held', '--tenant', tenant)).toContain(`${one}  D-inv_1  since 2027-03-01`);
  await expect(invoice('release', one, two, '--tenant', tenant)).rejects.toThrow(
    `${two} needs two people of the tenant`,
  );
  expect(await sqlAt(kit.url, 'select key from job')).toEqual([]);
  expect(await invoice('release', one, '--tenant', tenant)).toBe(`${one}  released\n`);
  expect(await sqlAt(kit.url, 'select queue, key from job')).toEqual([
    { queue: 'invoice', key: one },
  ]);
  const listed = JSON.parse(await invoice('held', '--tenant', tenant, '--json'));
  expect(listed).toMatchObject([{ id: two, waits_for: 'release' }]);
  await expect(invoice('release', one, '--tenant', tenant)).rejects.toThrow('does not wait');
});
