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

test('a repeat with the same Idempotency-Key makes no other connector', async () => {
  const headers = { 'idempotency-key': 'connector-1' };
  const post = (over: object = {}) =>
    harness.call('POST /v1/connectors', sqlite({ name: 'Once', ...over }), { headers });
  const answers = await Promise.all([post(), post(), post()]);
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  const [{ id }] = answers.map(({ body }) => body);
  await harness.call(`PATCH /v1/connectors/${id}`, { name: 'Once more' });
  const again = await post();
  expect([again.status, again.body.id, again.body.name]).toEqual([201, id, 'Once more']);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const other = await post({ duplicates: 'warn' });
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_payload_mismatch']);
  await harness.call(`DELETE /v1/connectors/${id}`);
  expect((await post()).body.id).not.toBe(id);
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
    ['a setting that is not known', { settings: { file: 'x', exec: 'rm' } }, 'settings.exec'],
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

  test.each<[kind: string, pattern: string, settings: object, errors: object]>([
    [
      'http',
      'API',
      { base_url: 'https://erp.example/' },
      {
        'settings.url': ['is required'],
        'settings.base_url': [
          'is not a known field: there are url, auth, headers, ca, requestsPerMinute, list, read, children, writeBack',
        ],
      },
    ],
    [
      'http',
      'API',
      { url: 'https://erp.example/', list: { path: 7, page: 1 } },
      {
        'settings.list.path': ['must be a text'],
        'settings.list.page': [
          'is not a known field: there are path, query, records, ref, paging, changes',
        ],
      },
    ],
    [
      'files',
      'file',
      { folder: '', settleSeconds: -1 },
      {
        'settings.folder': ['must have at least 1 character'],
        'settings.settleSeconds': ['must be at least 0'],
      },
    ],
  ])(
    'settings of the kind %s are refused in plain words %#',
    async (kind, pattern, settings, errors) => {
      const { status, body } = await harness.call('POST /v1/connectors', {
        pattern,
        kind,
        name: 'x',
        settings,
      });
      expect(status).toBe(400);
      expect(body.errors).toMatchObject(errors);
      expect(body.detail).not.toMatch(/Invalid|Too small|Unrecognized|expected/);
    },
  );

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

describe('a source that is not read from here', () => {
  const server = (settings: object) => postgres(settings);
  const folder = (settings: object) => ({ pattern: 'file', kind: 'files', name: 'F', settings });
  const api = (settings: object) => ({
    pattern: 'API',
    kind: 'http',
    name: 'A',
    settings: { list: { path: '/i' }, read: { path: '/i/{ref}' }, ...settings },
  });
  const mailbox = (settings: object) => ({
    pattern: 'email',
    kind: 'imap',
    name: 'M',
    settings: { user: 'a', password: 'b', ...settings },
  });
  const privateWords = /private address.*bridge agent/;
  const outsideWords = /outside the folders that may be read/;
  const client = { clientId: 'a', tokenUrl: 'https://10.0.0.1/token' };

  const named: [name: string, body: () => object, field: string, words: RegExp][] = [
    ['a private address', () => server({ host: '10.0.0.1' }), 'host', privateWords],
    ['this machine', () => server({ host: '127.0.0.1' }), 'host', privateWords],
    ['this machine by name', () => server({ host: 'localhost' }), 'host', privateWords],
    ['this machine in IPv6', () => server({ host: '::1' }), 'host', privateWords],
    ['IPv4 within IPv6', () => server({ host: '::ffff:127.0.0.1' }), 'host', privateWords],
    ['cloud metadata', () => server({ host: '169.254.169.254', port: 80 }), 'host', privateWords],
    ['a local socket', () => server({ host: '/var/run/postgresql' }), 'host', privateWords],
    ['a URL', () => server({ url: 'postgres://a:b@[::1]:5432/erp' }), 'url', privateWords],
    ['a MariaDB', () => ({ ...server({ host: '127.1' }), kind: 'mysql' }), 'host', privateWords],
    ['a SQL Server', () => ({ ...server({ host: '::1' }), kind: 'mssql' }), 'host', privateWords],
    ['a web address', () => api({ url: 'http://127.1:8080/' }), 'url', privateWords],
    [
      'a server of tokens',
      () => api({ url: 'https://erp.example/', auth: { type: 'oauth2', client } }),
      'auth.client.tokenUrl',
      privateWords,
    ],
    ['a mail server', () => mailbox({ host: '192.168.1.1' }), 'host', privateWords],
    ['a folder above', () => folder({ folder: '../../..' }), 'folder', outsideWords],
    ['a folder elsewhere', () => folder({ folder: '/etc' }), 'folder', outsideWords],
    ['a file', () => sqlite({ settings: erpSettings('/etc/passwd') }), 'file', outsideWords],
    ['a file above', () => sqlite({ settings: erpSettings('../erp.db') }), 'file', outsideWords],
    [
      'a file for confirmations',
      () =>
        sqlite({
          settings: {
            ...erpSettings(harness.erp.file),
            writeBack: { mode: 'side-table', file: '/etc/x.db' },
          },
        }),
      'writeBack.file',
      outsideWords,
    ],
  ];
  test.each(named)('%s is refused by name when it is made', async (_, body, field, words) => {
    const { status, body: answer } = await harness.call('POST /v1/connectors', body());
    expect([status, answer.code]).toEqual([400, 'invalid_request']);
    expect(answer.errors).toEqual({ [`settings.${field}`]: [expect.stringMatching(words)] });
  });

  test('is refused when a connector is changed, and nothing is changed', async () => {
    const made = await make(sqlite());
    const path = `/v1/connectors/${made.id}`;
    const settings = erpSettings('/etc/passwd');
    const refused = await harness.call(`PATCH ${path}`, { settings });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['settings.file']]);
    expect((await harness.call(`GET ${path}`)).body.settings).toEqual(made.settings);
  });

  test('a folder that is not there yet is no mistake', async () => {
    await make(folder({ folder: 'not-mounted-yet' }));
  });

  /** What only a look or a name server tells, as settings that are stored already. */
  test.each([
    [
      'a server',
      () => server({ host: '127.0.0.1' }),
      () => server({ host: 'db.example' }),
      privateWords,
    ],
    [
      'a path to a socket',
      () => server({ host: '/run/pg' }),
      () => server({ host: 'db.example' }),
      privateWords,
    ],
    ['a folder', () => folder({ folder: '/etc' }), () => folder({ folder: 'x' }), outsideWords],
    [
      'a file',
      () => sqlite({ settings: erpSettings('/etc/passwd') }),
      () => sqlite(),
      outsideWords,
    ],
  ])(
    '%s that shows later is a mistake of the settings, and no outage',
    async (_, wrong, good, words) => {
      const { id } = await make(good());
      const { secrets } = harness.app.platform;
      const settings = { ...(await storedSettings(id)), ...(wrong().settings as object) };
      await harness.sql('update connector set settings = $2 where id = $1', [
        id,
        secrets.seal(JSON.stringify(settings), id),
      ]);
      const path = `/v1/connectors/${id}`;
      const test = await harness.call(`POST ${path}/test`);
      expect(test).toMatchObject({
        status: 200,
        body: { ok: false, detail: expect.stringMatching(words) },
      });
      for (const line of [`GET ${path}/mapping?profile=BIS-3.0`, `POST ${path}/discover`]) {
        const answer = await harness.call(line);
        expect([answer.status, answer.body.code]).toEqual([422, 'source_not_allowed']);
        expect(answer.body.detail).toMatch(words);
        expect(answer.body.detail).not.toMatch(/root:|ENOENT|did not answer|at .*\.ts/);
        expect(answer.headers.get('retry-after')).toBeNull();
      }
      const rejected = await harness.submit('A-1', { connector_id: id, profile: 'BIS-3.0' });
      expect(rejected.body.errors).toMatchObject([
        {
          rule: expect.stringMatching(/^BIS-3.0-SOURCE-(PATH|ADDRESS)_NOT_ALLOWED$/i),
          message: expect.stringMatching(words),
        },
      ]);
    },
  );

  async function storedSettings(id: string): Promise<object> {
    const text = 'select settings from connector where id = $1';
    const [row] = await harness.sql<{ settings: string }>(text, [id]);
    return JSON.parse(harness.app.platform.secrets.open(row!.settings, id));
  }
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
