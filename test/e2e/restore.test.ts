/** The restore of docs/runbook.md, with real tools: a dump, another server, the same key, a start. */
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPeppolSimulator } from '@drawbridge/control-plane/authorities/peppol/simulator.ts';
import { openErp } from '@drawbridge/control-plane/einvoice/erp.kit.ts';
import { afterEach, expect, test } from 'vitest';
import { agentSections } from '../../scripts/demo/mappings.ts';
import { Api, expectStatus } from '../kit/api.ts';
import { spawnControlPlane, startControlPlane } from '../kit/control-plane-process.ts';
import {
  type InstalledPostgres,
  installedPostgresUnavailable,
  startInstalledPostgres,
} from '../kit/installed-postgres.ts';
import { sqlAt } from '../kit/postgres.ts';
import { addConnector } from './einvoice.kit.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server with the owner and an empty database of the product. */
async function server(folder: string): Promise<InstalledPostgres> {
  const postgres = await startInstalledPostgres(folder);
  closing.push(() => postgres.stop());
  const superuser = postgres.url('postgres', 'postgres');
  await sqlAt(superuser, "create role drawbridge login createrole password 'password'");
  await sqlAt(superuser, 'create database drawbridge owner drawbridge');
  return postgres;
}

/** A client's receiver that can be down; counts what it took, by id. */
async function startReceiver() {
  const taken = new Map<string, number>();
  const state = { isDown: false };
  const receiver = createServer((request, response) => {
    request.resume();
    const id = String(request.headers['webhook-id']);
    if (!state.isDown) taken.set(id, (taken.get(id) ?? 0) + 1);
    response.writeHead(state.isDown ? 503 : 204).end();
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  closing.push(() => receiver.close());
  const { port } = receiver.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, taken, state };
}

test('a dump restored on a new server goes on, and nothing is submitted or sent twice', async (context) => {
  const missing = installedPostgresUnavailable();
  if (missing !== undefined) return context.skip(missing);
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-restore-'));
  closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o711); // PostgreSQL runs as another user when we are root
  const peppol = await startPeppolSimulator({ clock: () => new Date(), random: () => 0.5 });
  closing.push(() => peppol.stop());
  peppol.control.set({ mlsDelayMs: 0 });
  const receiver = await startReceiver();
  const authorities = join(folder, 'authorities.json');
  const credentials = { dialect: 'phoss-ap', token: 'sandbox-token' };
  await writeFile(
    authorities,
    JSON.stringify({ sandbox: { peppol: { baseUrl: peppol.url, credentials } } }),
  );
  const [before, after] = [await server(join(folder, 'one')), await server(join(folder, 'two'))];
  const env = (postgres: InstalledPostgres) => ({
    DATABASE_URL: postgres.url('drawbridge', 'drawbridge'),
    DRAWBRIDGE_SECRET_KEY: secretKey,
    AUTHORITIES_FILE: authorities,
    CONNECTOR_ROOTS: join(folder, 'roots'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
    JOB_LEASE_MS: '1500',
    SUBMIT_WAIT_MS: '0',
  });
  const secretKey = randomBytes(32).toString('base64');

  const old = await startControlPlane(join(folder, 'old'), env(before));
  closing.push(() => old.stop('SIGKILL'));
  const { sandbox_key: key } = old.credentials.einvoicing;
  const { connector_folder: erpFolder } = old.credentials as unknown as {
    connector_folder: string;
  };
  await mkdir(erpFolder, { recursive: true });
  const erp = openErp(join(erpFolder, 'erp.db'), new Date());
  closing.push(() => erp.close());
  let api = new Api(old.sandboxUrl, key);
  const call = (method: 'get' | 'post' | 'put', path: string, body?: unknown) =>
    method === 'get' ? api.get(path) : api[method](path, body);
  expectStatus(
    await call('post', '/v1/webhook-endpoints', { url: receiver.url }),
    201,
    'an endpoint',
  );
  const connector = await addConnector(call, 'PINT-AE', {
    pattern: 'database',
    kind: 'sqlite',
    settings: { file: erp.file, sections: agentSections },
  });
  const submit = async () => {
    const body = { connector_id: connector, source_ref: await erp.add('AE'), profile: 'PINT-AE' };
    return expectStatus(await call('post', '/v1/invoices', body), 202, 'an invoice').id as string;
  };
  const until = async (ids: readonly string[], status: string) => {
    for (const id of ids) {
      await expect
        .poll(async () => (await call('get', `/v1/invoices/${id}`)).body.status, {
          timeout: 60_000,
        })
        .toBe(status);
    }
  };
  const dumped = before.url('postgres', 'drawbridge');
  const settled = [await submit(), await submit()];
  await until(settled, 'delivered');
  await expect
    .poll(() => sqlAt(dumped, "select event_id from webhook_delivery where state = 'pending'"), {
      timeout: 60_000,
    })
    .toEqual([]);

  // From here on the authority has taken the documents and said nothing, and the receiver is down.
  peppol.control.set({ mlsDelayMs: 3_600_000 });
  receiver.state.isDown = true;
  const underWay = [await submit(), await submit(), await submit()];
  await until(underWay, 'submitted');
  const dump = join(folder, 'drawbridge.dump');
  await before.tool('pg_dump', '--format=custom', `--file=${dump}`, dumped);
  await old.stop('SIGKILL');
  const takenBefore = receiver.taken.size;
  expect(takenBefore).toBeGreaterThan(0);

  const restored = after.url('postgres', 'drawbridge');
  await after.tool(
    'pg_restore',
    '--no-privileges',
    '--exit-on-error',
    `--dbname=${restored}`,
    dump,
  );
  await mkdir(join(folder, 'new'), { mode: 0o711 });
  await copyFile(join(folder, 'old/credentials.json'), join(folder, 'new/credentials.json'));
  const wrong = { ...env(after), DRAWBRIDGE_SECRET_KEY: randomBytes(32).toString('base64') };
  const refused = spawnControlPlane(join(folder, 'new'), wrong);
  expect(await refused.exited).toBe(1);
  expect(refused.log.join('\n')).toContain('DRAWBRIDGE_SECRET_KEY is not the key');

  // As if the time until the next attempts were over.
  receiver.state.isDown = false;
  await sqlAt(restored, "update webhook_delivery set next_at = now() where state = 'pending'");
  await sqlAt(restored, 'update webhook_endpoint set breaker = default');
  const node = await startControlPlane(join(folder, 'new'), env(after));
  closing.push(() => node.stop('SIGKILL'));
  api = new Api(node.sandboxUrl, key);
  peppol.control.advance(3_600_000);
  await sqlAt(
    restored,
    "update job set run_at = now() where claim_id is null and queue = 'invoice'",
  );
  await until(underWay, 'delivered');

  const events = await sqlAt<{ id: string }>(restored, 'select id from webhook_event');
  expect(events).toHaveLength(5 * (settled.length + underWay.length));
  await expect
    .poll(() => events.filter(({ id }) => !receiver.taken.has(id)).length, { timeout: 90_000 })
    .toBe(0);
  expect([...receiver.taken.values()].filter((times) => times > 1)).toEqual([]);
  const invoices = await sqlAt<{ submission_key: string }>(
    restored,
    'select submission_key from invoice',
  );
  for (const { submission_key } of invoices) {
    expect(peppol.control.deliveries(submission_key)).toHaveLength(1);
  }
  expect(peppol.control.deliveries()).toHaveLength(invoices.length);
}, 300_000);
