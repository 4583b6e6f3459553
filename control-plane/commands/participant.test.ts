import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { controlPlaneMain } from '../../test/kit/programs.ts';
import { findParticipantTenant } from '../einvoice/received/participants-store.ts';

// Every command is a process, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 });

const [tenant, other] = [
  '019a0000-0000-7000-8000-000000000001',
  '019a0000-0000-7000-8000-000000000002',
];
const address = '0235:1008765432';
let kit: TestDb;
let home: string;

beforeAll(async () => {
  kit = await startDb();
  home = await mkdtemp(join(tmpdir(), 'participant-'));
  await sqlAt(kit.url, `insert into tenant (id, name) values ($1, 'A'), ($2, 'B')`, [
    tenant,
    other,
  ]);
  for (const id of [tenant, other]) {
    await kit.db.tenant(id, (tx) =>
      tx.run(
        `insert into participant (tenant_id, environment, id, created_at)
         values ($1, 'live', $2, now())`,
        [id, address],
      ),
    );
  }
  await sqlAt(
    kit.url,
    `insert into seen_message (environment, network, id, unrouted_to)
     values ('live', 'peppol', 'm1', $1)`,
    [address],
  );
});
afterAll(async () => {
  await kit.stop();
  await rm(home, { recursive: true });
});

async function participant(...args: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: kit.url, DRAWBRIDGE_HOME: home };
  const run = promisify(execFile);
  return (await run(process.execPath, [controlPlaneMain, 'participant', ...args], { env })).stdout;
}

test('the host confirms an address for one tenant, and what came before comes again', async () => {
  const ownerOf = () => kit.db.system((tx) => findParticipantTenant(tx, 'live', address));
  expect(await ownerOf()).toBeUndefined();
  const confirmed = await participant('confirm', address, '--tenant', tenant, '--json');
  expect(JSON.parse(confirmed)).toMatchObject({ id: address });
  expect(await ownerOf()).toBe(tenant);
  expect(await sqlAt(kit.url, 'select id from seen_message')).toEqual([]);
  expect(await participant('list', '--tenant', tenant)).toBe(`${address}  confirmed\n`);
  await expect(participant('confirm', address, '--tenant', other)).rejects.toThrow(
    `is confirmed for another tenant, ${tenant}; where it has moved: participant remove ${address} --tenant ${tenant}`,
  );
  await expect(participant('confirm', '0235:9', '--tenant', tenant)).rejects.toThrow(
    'has not asked for 0235:9 in live',
  );
});

test('the host moves an address from one tenant to another', async () => {
  const ownerOf = () => kit.db.system((tx) => findParticipantTenant(tx, 'live', address));
  const of = ['--tenant', tenant];
  expect(await participant('remove', address.toUpperCase(), ...of)).toBe(`${address}  removed\n`);
  expect(await ownerOf()).toBeUndefined();
  await expect(participant('remove', address, ...of)).rejects.toThrow(`has no address ${address}`);
  await participant('confirm', address, '--tenant', other);
  expect(await ownerOf()).toBe(other);
});
