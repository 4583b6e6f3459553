import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erpSettings, goodRef } from '../erp.kit.ts';
import { type Answer, type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.stop());

const mask = '••••••••';
const sqlite = (over: object = {}) => ({
  pattern: 'database',
  kind: 'sqlite',
  name: 'ERP',
  settings: erpSettings(harness.erp.file),
  ...over,
});
const postgres = (settings: object) => ({
  pattern: 'database',
  kind: 'postgres',
  name: 'Server',
  settings: { database: 'erp', user: 'reader', ...settings },
});

async function make(body: object): Promise<Answer['body']> {
  const answer = await harness.call('POST /v1/connectors', body);
  expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
  return answer.body;
}

test('a connector is made, read, listed, changed and removed', async () => {
  const made = await make(sqlite({ default_profile: 'BIS-3.0', duplicates: 'reject' }));
  expect(made).toMatchObject({
    id: expect.stringMatching(/^cnx_[0-9a-z]{26}$/),
    pattern: 'database',
    kind: 'sqlite',
    name: 'ERP',
    default_profile: 'BIS-3.0',
    duplicates: 'reject',
  });
  expect(made.next.map(({ call }: { call: string }) => call)).toContain(
    `GET /v1/connectors/${made.id}/mapping?profile=BIS-3.0`,
  );
  const path = `/v1/connectors/${made.id}`;
  const { next: _, ...shown } = made;
  expect((await harness.call(`GET ${path}`)).body).toEqual(shown);
  expect((await harness.call('GET /v1/connectors?limit=1')).body.results).toEqual([shown]);
  const changed = await harness.call(`PATCH ${path}`, { name: 'Renamed', duplicates: 'warn' });
  expect(changed.body).toMatchObject({ name: 'Renamed', duplicates: 'warn' });
  expect(changed.body.settings).toEqual(shown.settings);
  const gone = await harness.call(`DELETE ${path}`);
  expect([gone.status, gone.text]).toEqual([204, '']);
  for (const line of [`GET ${path}`, `DELETE ${path}`, `POST ${path}/test`]) {
    expect((await harness.call(line)).status).toBe(404);
  }
  const { body } = await harness.call('GET /v1/connectors?limit=200');
  expect(JSON.stringify(body)).not.toContain(made.id);
  expect(await harness.sql('select settings from connector where id = $1', [made.id])).toEqual([
    { settings: '' },
  ]);
});

test('one connector serves both environments', async () => {
  const caller = { environment: 'live' } as const;
  const path = `/v1/connectors/${harness.acme.connector}`;
  expect((await harness.call(`GET ${path}`, undefined, caller)).status).toBe(200);
});

test('pages hold each connector once, also when one is made in between', async () => {
  const seen: string[] = [];
  let query = '?limit=2';
  for (let page = 0; page < 100; page += 1) {
    const { body } = await harness.call(`GET /v1/connectors${query}`);
    expect(body.results.length).toBeLessThanOrEqual(2);
    seen.push(...body.results.map(({ id }: { id: string }) => id));
    if (page === 0) await make(sqlite({ name: 'In between' }));
    if (body.next === null) break;
    query = `?limit=2&cursor=${body.next}`;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toContain(harness.acme.connector);
  expect(seen).not.toContain(harness.other.connector);
});

describe('a connector that cannot be made', () => {
  const faults: [name: string, over: object, field: string][] = [
    ['an unknown kind', { kind: 'oracle' }, 'kind'],
    ['a kind of the prototype', { kind: '__proto__' }, 'kind'],
    ['an unknown pattern', { pattern: 'ftp' }, 'pattern'],
    ['a kind of another pattern', { pattern: 'file' }, 'pattern'],
    ['no name', { name: ' ' }, 'name'],
    ['a field that is not known', { password: 'x' }, 'password'],
    ['a setting that is not known', { settings: { file: '/x', exec: 'rm' } }, 'settings'],
    ['a setting that is missing', { settings: {} }, 'settings.file'],
    ['an unknown profile', { default_profile: 'PINT-SG' }, 'default_profile'],
    ['an agent that would not be asked', { agent_id: `agt_${'0'.repeat(26)}` }, 'agent_id'],
    ['an agent without an agent', { pattern: 'agent', kind: 'agent' }, 'settings.connector'],
  ];
  test.each(faults)('%s', async (_, over, field) => {
    const before = await harness.sql('select count(*) from connector');
    const { status, body } = await harness.call('POST /v1/connectors', sqlite(over));
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(Object.keys(body.errors)).toContain(field);
    expect(body.detail).toMatch(/\w+ \w+/);
    expect(await harness.sql('select count(*) from connector')).toEqual(before);
  });

  test('with an agent of another tenant, or an unknown one', async () => {
    const settings = { connector: 'erp' };
    const body = { pattern: 'agent', kind: 'agent', name: 'x', settings };
    const missing = await harness.call('POST /v1/connectors', body);
    expect([missing.status, Object.keys(missing.body.errors)]).toEqual([400, ['agent_id']]);
    const agent_id = `agt_${'0'.repeat(26)}`;
    const unknown = await harness.call('POST /v1/connectors', { ...body, agent_id });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'agent_not_found']);
  });
});

describe('a secret', () => {
  const password = 'hunter2-aa41f0c9';
  const writer = 'writer9-bb52e1da';
  const settings = {
    host: 'db.customer.example',
    password,
    writeBack: { mode: 'side-table', user: 'writer', password: writer },
  };

  test('is sealed in the database, and is in no answer and no log line', async () => {
    const { id, settings: shown } = await make(postgres(settings));
    expect(shown).toMatchObject({ password: mask, writeBack: { user: 'writer', password: mask } });
    const answers = [
      await harness.call(`GET /v1/connectors/${id}`),
      await harness.call('GET /v1/connectors'),
      await harness.call(`PATCH /v1/connectors/${id}`, { name: 'x' }),
      await harness.call(`POST /v1/connectors/${id}/test`),
      await harness.call('POST /v1/connectors', postgres({ ...settings, port: 'x' })),
      await harness.call('POST /v1/connectors', { ...postgres(settings), kind: 'sqlite' }),
    ];
    const rows = JSON.stringify(await harness.sql('select * from connector'));
    const everything = [...answers.map(({ text }) => text), ...harness.logged, rows].join('\n');
    expect(everything).not.toContain(password);
    expect(everything).not.toContain(writer);
  });

  test('within an address is masked with it', async () => {
    const url = `postgres://reader:${password}@db.customer.example/erp`;
    const body = { pattern: 'database', kind: 'postgres', name: 'x', settings: { url } };
    expect((await make(body)).settings.url).toBe(mask);
  });

  test('is not replaced by its mask when a client sends back what it read', async () => {
    const { id, settings: shown } = await make(postgres(settings));
    const { status, body } = await harness.call(`PATCH /v1/connectors/${id}`, { settings: shown });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['settings.password']]);
  });

  test('opens for its own connector only', async () => {
    const { id } = await make(postgres(settings));
    const [row] = await harness.sql<{ settings: string }>(
      'select settings from connector where id = $1',
      [id],
    );
    const { secrets } = harness.app.platform;
    expect(JSON.parse(secrets.open(row!.settings, id))).toMatchObject({ password });
    expect(() => secrets.open(row!.settings, harness.acme.connector)).toThrow();
    expect(() => secrets.open(row!.settings)).toThrow();
  });
});

describe('a test', () => {
  test('shows what the source holds, and references that can be submitted', async () => {
    const { status, body } = await harness.call(
      `POST /v1/connectors/${harness.acme.connector}/test`,
    );
    expect([status, body.ok]).toEqual([200, true]);
    expect(body.sample_refs.length).toBeGreaterThan(0);
    const rows = harness.erp.rows('select DOC_NO from OSALES') as { DOC_NO: string }[];
    expect(rows.map(({ DOC_NO }) => DOC_NO)).toEqual(expect.arrayContaining(body.sample_refs));
  });

  test.each([
    ['a private address', { host: '10.0.0.1' }],
    ['this machine', { host: '127.0.0.1' }],
    ['this machine by name', { host: 'localhost' }],
    ['this machine in IPv6', { host: '::1' }],
    ['the address of cloud metadata', { host: '169.254.169.254', port: 80 }],
  ])('of a server at %s dials nobody', async (_, settings) => {
    for (const kind of ['postgres', 'mysql']) {
      const { id } = await make({ ...postgres(settings), kind });
      const { status, body } = await harness.call(`POST /v1/connectors/${id}/test`);
      expect([status, body.ok]).toEqual([200, false]);
      expect(body.detail).toMatch(/private address.*bridge agent/);
    }
  });

  test('of a path to a local socket opens no connection', async () => {
    const { id } = await make(postgres({ host: '/var/run/postgresql' }));
    const { body } = await harness.call(`POST /v1/connectors/${id}/test`);
    expect(body).toMatchObject({ ok: false, detail: expect.stringMatching(/private address/) });
  });

  test('of a file outside the folders that may be read opens nothing', async () => {
    for (const file of ['/etc/passwd', join(dirname(harness.erp.file), '../x.db'), '../erp.db']) {
      const { id } = await make(sqlite({ settings: { ...erpSettings(file) } }));
      const { body } = await harness.call(`POST /v1/connectors/${id}/test`);
      expect(body.ok).toBe(false);
      expect(body.detail).not.toMatch(/root:|ENOENT|at .*\.ts/);
    }
  });

  test('sees new settings at once', async () => {
    const other = join(dirname(harness.erp.file), 'empty.db');
    writeFileSync(other, '');
    const { id } = await make(sqlite());
    expect((await harness.call(`POST /v1/connectors/${id}/test`)).body.ok).toBe(true);
    const settings = erpSettings(other);
    expect((await harness.call(`PATCH /v1/connectors/${id}`, { settings })).status).toBe(200);
    expect((await harness.call(`POST /v1/connectors/${id}/test`)).body.ok).toBe(false);
    const answer = await harness.submit(
      goodRef('AE'),
      { connector_id: id, profile: 'PINT-AE' },
      { headers: { prefer: 'respond-async' } },
    );
    expect(answer.status).toBe(202);
    rmSync(other);
  });
});

test('only documents that an agent reads can be submitted automatically', async () => {
  const { id } = await make(sqlite({ default_profile: 'BIS-3.0' }));
  const over = { submit_from: '2026-11-21' };
  const { status, body } = await harness.call(`PATCH /v1/connectors/${id}`, over);
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  expect(body.errors.submit_from).toEqual([expect.stringContaining('"agent"')]);
  const year0 = await harness.call(`PATCH /v1/connectors/${id}`, { submit_from: '0000-01-01' });
  expect([year0.status, Object.keys(year0.body.errors)]).toEqual([400, ['submit_from']]);
  const wrong = await harness.call(`PATCH /v1/connectors/${id}`, { submit_from: 'today' });
  expect(wrong.status).toBe(400);
});
