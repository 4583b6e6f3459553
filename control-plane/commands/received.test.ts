import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { controlPlaneMain } from '../../test/kit/programs.ts';

// Every command is a process, and the machine may be busy.
vi.setConfig({ hookTimeout: 120_000, testTimeout: 120_000 });

const tenant = '019a0000-0000-7000-8000-000000000001';
const document = 'rcv_01k9zq3v7m2n4p6r8t0w2y4a6c';
let kit: TestDb;
let home: string;

beforeAll(async () => {
  kit = await startDb();
  home = await mkdtemp(join(tmpdir(), 'received-'));
  await sqlAt(kit.url, `insert into tenant (id, name) values ($1, 'A')`, [tenant]);
  await kit.db.tenant(tenant, (tx) =>
    tx.run(
      `insert into received_document (tenant_id, id, environment, source, network_id, participant,
         status, checks, number, issue_date, supplier_name, answer_to, received_at, updated_at)
       values ($1, $2, 'live', 'peppol', 'n-1', '0208:0884000001', 'received', '{}', 'A-1',
         '2027-03-01', 'Brewery', $3, now(), now())`,
      [
        tenant,
        document,
        JSON.stringify({
          supplier: { scheme: '0208', id: '0403019261', name: 'Brewery' },
          country: 'BE',
        }),
      ],
    ),
  );
});
afterAll(async () => {
  await kit.stop();
  await rm(home, { recursive: true });
});

async function received(...args: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: kit.url, DRAWBRIDGE_HOME: home };
  const run = promisify(execFile);
  const command = [controlPlaneMain, 'received', ...args, '--tenant', tenant];
  return (await run(process.execPath, command, { env })).stdout;
}

test('the host answers a supplier once, with a reason where one is needed', async () => {
  expect(await received('list')).toBe(`${document}  received  A-1  Brewery\n`);
  const reject = ['respond', document, '--status', 'rejected'];
  await expect(received(...reject)).rejects.toThrow('reasons needs at least one with "rejected"');
  const reason = ['--reason', 'PRI=twice the agreed price'];
  for (let time = 1; time <= 2; time += 1) {
    expect(await received(...reject, ...reason)).toContain('told rejected (waiting)');
  }
  const jobs = await sqlAt<{ queue: string }>(kit.url, 'select queue from job');
  expect(jobs).toEqual([{ queue: 'supplier-response' }]);
  await expect(received('respond', document, '--status', 'accepted')).rejects.toThrow('final');
});
