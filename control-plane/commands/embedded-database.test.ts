import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type ControlPlaneProcess,
  startControlPlane,
} from '../../test/kit/control-plane-process.ts';
import { eventually } from '../../test/kit/eventually.ts';

// A real process with the database it brings, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

let home: string;
let node: ControlPlaneProcess;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'embedded-database-'));
  await chmod(home, 0o711); // PostgreSQL runs as another user when we are root
  node = await startControlPlane(home);
});
afterAll(async () => {
  await node?.stop('SIGKILL');
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

const data = (file: string) => join(home, 'postgres', file);

async function killPostgres(): Promise<void> {
  const [pid] = (await readFile(data('postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

async function get(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(node.sandboxUrl + path, {
    headers: { authorization: `Bearer ${node.credentials.messaging.sandbox_key}` },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const addContact = async (phone: string) => {
  const response = await fetch(`${node.sandboxUrl}/contacts/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${node.credentials.messaging.sandbox_key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ phone }),
  });
  return response.status;
};

test('a PostgreSQL that is killed is started again, with all that was committed', async () => {
  expect(await addContact('+971501119001')).toBe(201);
  for (let kills = 1; kills <= 2; kills += 1) {
    await killPostgres();
    await eventually(() => {
      const restarts = node.log.filter((line) => line.includes('it is started again'));
      expect(restarts).toHaveLength(kills);
    });
    await eventually(async () => expect(await get('/readyz')).toMatchObject({ status: 200 }));
    expect((await get('/healthz')).status).toBe(200);
    await eventually(async () =>
      expect((await get('/contacts/')).body.results).toHaveLength(kills),
    );
    await eventually(async () => expect(await addContact(`+97150111900${kills + 1}`)).toBe(201));
  }
});

test('/healthz fails while it cannot be started, and no longer when it can', async () => {
  await rename(data('global/pg_control'), data('global/pg_control.away'));
  await killPostgres();
  await vi.waitFor(async () => expect((await get('/healthz')).status).toBe(503), 60_000);
  expect((await get('/healthz')).body).toEqual({
    status: 'failing',
    detail: expect.stringContaining('could not be started again'),
  });
  await rename(data('global/pg_control.away'), data('global/pg_control'));
  await vi.waitFor(async () => expect((await get('/healthz')).status).toBe(200), 60_000);
  expect(await node.stop('SIGTERM')).toMatchObject({ code: 0 });
});
