import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../test/kit/eventually.ts';
import { sqlAt } from '../../test/kit/postgres.ts';
import { controlPlaneMain } from '../../test/kit/programs.ts';
import { type ServiceKit, startService } from '../messaging/service.kit.ts';

// Every command is a process, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 });

let service: ServiceKit;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const environment = () => {
  return { ...process.env, DATABASE_URL: service.ownerUrl, DRAWBRIDGE_HOME: service.home };
};

const tenant = async (...args: string[]) => {
  const options = { env: environment() };
  return (
    await promisify(execFile)(process.execPath, [controlPlaneMain, 'tenant', ...args], options)
  ).stdout;
};

test('a suspended tenant is refused, its work waits, what providers report is kept, and resuming lets all go on', async () => {
  const made = await service.ask('POST /sms/v1/apps/', {
    body: { provider: 'twilio-sms', name: 'one' },
  });
  const { id: appId, settings } = made.body;
  const { access } = (await service.ask('POST /token/', { as: '', body: service.owner })).body;
  expect((await service.ask('GET /contacts/', { as: access })).status).toBe(200);

  expect(JSON.parse(await tenant('suspend', service.tenantId, '--json'))).toEqual({
    id: service.tenantId,
    suspended: true,
  });
  await eventually(async () => {
    const { status, body } = await service.ask('GET /contacts/');
    expect([status, body.code]).toEqual([403, 'tenant_suspended']);
  });
  expect((await service.ask('GET /contacts/', { as: access })).body.code).toBe('tenant_suspended');
  const stranger = await service.keyOf('*', service.strangerId);
  expect((await service.ask('GET /contacts/', { as: stranger })).status).toBe(200);
  const listed = JSON.parse(await tenant('list', '--json'));
  expect(listed).toContainEqual(
    expect.objectContaining({ id: service.tenantId, suspended_at: expect.any(String) }),
  );

  // The provider gets its 200, and what it told of is there after the tenant is resumed.
  const { simulators } = JSON.parse(await readFile(join(service.home, 'credentials.json'), 'utf8'));
  const inbound = await fetch(`${simulators['twilio-sms']}/_control/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from: '60123456789', text: 'hello', to: settings.from }),
  });
  expect(inbound.ok).toBe(true);
  const insert = `insert into job (tenant_id, queue, key, payload) values ($1, 'import', 'imp_x', '{}')`;
  await sqlAt(service.ownerUrl, insert, [service.tenantId]);
  const waiting = () =>
    sqlAt(service.ownerUrl, `select attempts from job where key = 'imp_x' and tenant_id = $1`, [
      service.tenantId,
    ]);
  const { db } = service.app.platform;
  const [due] = await db.system((tx) =>
    tx.rows<{ due_in_ms: number }>(`select * from job_tenants('import', $1, 1)`, [
      '00000000-0000-0000-0000-000000000000',
    ]),
  );
  expect(due).toEqual({ tenant_id: service.tenantId, due_in_ms: Number.POSITIVE_INFINITY });
  expect(await waiting()).toEqual([{ attempts: 0 }]);

  await tenant('resume', service.tenantId);
  await eventually(async () => {
    const { body } = await service.ask(`GET /sms/v1/messages/?direction=in&app_id=${appId}`);
    expect(body.results.map(({ preview }: { preview: string }) => preview)).toEqual(['hello']);
  });
});

test('the host sets how long what is settled is kept, and both audit logs say so', async () => {
  const of = [service.tenantId, '--environment', 'live', '--json'];
  expect(JSON.parse(await tenant('retention', ...of))).toMatchObject({ invoice_days: null });
  const set = JSON.parse(await tenant('retention', ...of, '--invoices', '3650'));
  expect(set).toMatchObject({ environment: 'live', invoice_days: 3_650 });
  await expect(tenant('retention', ...of, '--invoices', '3')).rejects.toThrow('30 to 36500');
  const columns = `select before, after from`;
  const where = `where action = 'tenant retention'`;
  const host = await sqlAt(service.ownerUrl, `${columns} host_audit_event ${where}`);
  const own = await service.app.platform.db.tenant(service.tenantId, (tx) =>
    tx.rows(`${columns} audit_event ${where} and tenant_id = $1`, [service.tenantId]),
  );
  const none = { invoice_days: null, message_days: null, contact_days: null };
  const change = { before: { invoice_days: null }, after: { invoice_days: 3_650 } };
  expect([host, own]).toEqual([[change], [change]]);
  const others = ['--messages', '90', '--contacts', '365'];
  const all = JSON.parse(await tenant('retention', ...of, '--invoices', 'never', ...others));
  expect(all).toMatchObject({ ...none, message_days: 90, contact_days: 365 });
  const text = await tenant('retention', ...of.slice(0, -1), '--contacts', 'never');
  expect(text.trim().split('\n')).toEqual([
    'invoices: never deleted',
    'messages: 90 days',
    'contacts: never deleted',
  ]);
});

test('a tenant is exported into a new folder', async () => {
  const folder = join(service.home, 'export');
  const written = JSON.parse(await tenant('export', service.tenantId, '--to', folder, '--json'));
  expect(written).toMatchObject({ id: service.tenantId, folder });
  expect(await readFile(join(folder, 'tables/member.jsonl'), 'utf8')).toContain(service.tenantId);
  const again = (to: string) => tenant('export', service.tenantId, '--to', to);
  await expect(again(folder)).rejects.toThrow(/export is there already: name a new folder/);
  await expect(again(join(folder, 'none', 'x'))).rejects.toThrow(/there is no folder .*none/);
});

async function typed(answer: string, id: string) {
  const child = spawn(process.execPath, [controlPlaneMain, 'tenant', 'delete', id], {
    env: environment(),
  });
  child.stdin.end(answer);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, said };
}

test('only a suspended tenant is deleted, and only when its name is typed', async () => {
  const { strangerId: id } = service;
  expect(await typed('Stranger\n', id)).toMatchObject({
    code: 1,
    said: expect.stringContaining('suspend it first'),
  });
  await tenant('suspend', id);
  for (const answer of ['stranger\n', '']) {
    expect(await typed(answer, id)).toMatchObject({
      code: 1,
      said: expect.stringContaining('nothing was deleted'),
    });
  }
  const key = await service.keyOf('*', id);
  expect(await typed('Stranger\n', id)).toMatchObject({ code: 0 });
  expect(await tenant('list')).not.toContain(id);
  expect((await service.ask('GET /contacts/', { as: key })).body.code).toBe('invalid_credentials');
  await expect(tenant('resume', id)).rejects.toThrow('there is no tenant');
});
