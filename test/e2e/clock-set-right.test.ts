/** "A clock was ahead" of docs/runbook.md: a running node's clock jumps by a year, and is set right. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPeppolSimulator } from '@drawbridge/control-plane/authorities/peppol/simulator.ts';
import { openErp } from '@drawbridge/control-plane/einvoice/erp.kit.ts';
import { afterEach, expect, test } from 'vitest';
import { agentSections } from '../../scripts/demo/mappings.ts';
import { Api, expectStatus } from '../kit/api.ts';
import { startControlPlane } from '../kit/control-plane-process.ts';
import { fakeTime } from '../kit/faketime.ts';
import { sqlAt, startMigratedPostgres } from '../kit/postgres.ts';
import { addConnector } from './einvoice.kit.ts';

const runbook = join(import.meta.dirname, '../../docs/runbook.md');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The statements of that section. */
async function statements(): Promise<string[]> {
  const text = await readFile(runbook, 'utf8');
  const section = text.slice(text.indexOf('## A clock was ahead'));
  const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(section) ?? [];
  return sql
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

test('what was put off by a clock that was a year ahead goes on once that is set right', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-ahead-'));
  closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const time = fakeTime(join(folder, 'time'));
  if (time === undefined) return context.skip('libfaketime is not installed');
  const peppol = await startPeppolSimulator({ clock: () => new Date(), random: () => 0.5 });
  closing.push(() => peppol.stop());
  peppol.control.set({ mlsDelayMs: 3_600_000 });
  const taken = new Map<string, number>();
  let isDown = true;
  const receiver = createServer((request, response) => {
    request.resume();
    const id = String(request.headers['webhook-id']);
    if (!isDown) taken.set(id, (taken.get(id) ?? 0) + 1);
    response.writeHead(isDown ? 503 : 204).end();
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  closing.push(() => receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const authorities = join(folder, 'authorities.json');
  const credentials = { dialect: 'phoss-ap', token: 'sandbox-token' };
  const endpoint = { baseUrl: peppol.url, credentials };
  await writeFile(authorities, JSON.stringify({ sandbox: { peppol: endpoint } }));
  const postgres = await startMigratedPostgres();
  closing.push(() => postgres.stop());
  const env = {
    ...time.env,
    DATABASE_URL: postgres.url,
    AUTHORITIES_FILE: authorities,
    CONNECTOR_ROOTS: join(folder, 'roots'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
    JOB_LEASE_MS: '1500',
    SUBMIT_WAIT_MS: '0',
  };
  const home = join(folder, 'home');
  const before = await startControlPlane(home, env);
  closing.push(() => before.stop('SIGKILL'));
  const { connector_folder: erpFolder } = before.credentials as unknown as {
    connector_folder: string;
  };
  await mkdir(erpFolder, { recursive: true });
  const erp = openErp(join(erpFolder, 'erp.db'), new Date());
  closing.push(() => erp.close());
  let api = new Api(before.sandboxUrl, before.credentials.einvoicing.sandbox_key);
  const call = (method: 'get' | 'post' | 'put', path: string, body?: unknown) =>
    method === 'get' ? api.get(path) : api[method](path, body);
  const url = `http://127.0.0.1:${port}/`;
  expectStatus(await call('post', '/v1/webhook-endpoints', { url }), 201, 'an endpoint');
  const connector = await addConnector(call, 'PINT-AE', {
    pattern: 'database',
    kind: 'sqlite',
    settings: { file: erp.file, sections: agentSections },
  });
  const statusOf = async (id: string) => (await call('get', `/v1/invoices/${id}`)).body.status;
  const farOff = (table: string, column: string) =>
    sqlAt(postgres.url, `select 1 from ${table} where ${column} > now() + interval '300 days'`);

  time.jump(365 * 86_400);
  await expect
    .poll(
      async () => {
        const body = {
          connector_id: connector,
          source_ref: await erp.add('AE'),
          profile: 'PINT-AE',
        };
        expectStatus(await call('post', '/v1/invoices', body), 202, 'an invoice');
        return [await farOff('job', 'run_at'), await farOff('webhook_delivery', 'next_at')].map(
          (rows) => rows.length > 0,
        );
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toEqual([true, true]);
  await before.stop('SIGTERM');
  time.jump(0);

  for (const statement of await statements()) await sqlAt(postgres.url, statement);
  isDown = false;
  peppol.control.advance(3_600_000);
  const after = await startControlPlane(home, env);
  closing.push(() => after.stop('SIGKILL'));
  api = new Api(after.sandboxUrl, after.credentials.einvoicing.sandbox_key);
  const invoices = await sqlAt<{ id: string }>(postgres.url, 'select id from invoice');
  for (const { id } of invoices) {
    await expect.poll(() => statusOf(id), { timeout: 60_000 }).toBe('delivered');
  }
  await expect
    .poll(() => sqlAt(postgres.url, "select 1 from webhook_delivery where state <> 'delivered'"), {
      timeout: 60_000,
    })
    .toEqual([]);
  expect(taken.size).toBeGreaterThan(0);
  expect([...taken.values()].filter((times) => times > 1)).toEqual([]);
  expect(peppol.control.deliveries()).toHaveLength(invoices.length);
}, 300_000);
