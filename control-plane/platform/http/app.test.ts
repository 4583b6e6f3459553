import { once } from 'node:events';
import { connect } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { BytesUnderWay } from '../limits/bytes-under-way.ts';
import { createLog } from '../log/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { buildApp, type HttpContext } from './app.ts';
import { errorTable } from './errors.ts';
import { describe } from './openapi.ts';
import { route } from './route.ts';
import { type Listening, listen } from './server.ts';
import type { LimitVerdict, Service } from './service.ts';

const { fail, errors } = errorTable({
  thing_missing: { status: 404, title: 'No such thing', retry: 'never' },
});
const thing = z.strictObject({ name: z.string().max(5), tags: z.array(z.string()).optional() });
const lines: string[] = [];
let verdict: LimitVerdict;
let entered = () => {};
let release = () => {};

function untilReleased(): Promise<void> {
  entered();
  return new Promise((done) => {
    release = done;
  });
}

const routes = [
  route({
    method: 'post',
    path: '/things',
    operationId: 'makeThing',
    summary: 'Make a thing',
    auth: { scope: 'things:write' },
    limit: 'write',
    bodyBytesMax: 1_000,
    bodyValuesMax: 100,
    request: { body: thing, headers: z.object({ 'x-mode': z.enum(['a', 'b']).optional() }) },
    responses: { 201: { description: 'Made', schema: thing.meta({ id: 'Thing' }) } },
    handler: async ({ body }) => ({ status: 201, body }),
  }),
  route({
    method: 'post',
    path: '/large',
    operationId: 'makeLargeThing',
    summary: 'Make a large thing',
    auth: { scope: 'things:write' },
    bodyBytesMax: 120_000,
    request: { body: thing, query: z.strictObject({ note: z.string().max(3).default('') }) },
    responses: { 201: { description: 'Made' } },
    handler: async ({ body }) => ({ status: 201, body }),
    largeBody: async ({ query, principal }, body) => {
      if (query.note === 'own') await untilReleased();
      return { status: 201, body: { bytes: body.length, by: principal.id, ...query } };
    },
  }),
  route({
    method: 'get',
    path: '/things/{id}',
    operationId: 'getThing',
    summary: 'Read a thing',
    auth: { scope: 'things:read' },
    request: {
      params: z.strictObject({ id: z.string().regex(/^[a-z\0]+$/, 'must be in small letters') }),
      query: z.strictObject({ limit: z.coerce.number().int().max(10).default(3) }),
    },
    responses: {
      200: { description: 'It', schema: z.object({ id: z.string(), limit: z.number() }) },
    },
    errors: ['thing_missing'],
    handler: async ({ params, query, log }) => {
      if (params.id === 'none') return fail('thing_missing', 'There is no such thing.');
      if (params.id === 'bug') throw new TypeError('secret password=hunter2');
      if (params.id === 'busy') throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
      if (params.id === 'full') throw Object.assign(new Error('x'), { code: 'ENOSPC' });
      if (params.id === 'odd') return { status: 200, body: { id: 7 } };
      if (params.id === 'wait') await untilReleased();
      log.info('read');
      return { status: 200, body: { id: params.id, limit: query.limit } };
    },
  }),
];

/** A file that is refused in the middle: the stream that refuses it takes the socket from the request. */
const refusedFile = route({
  method: 'post',
  path: '/files',
  operationId: 'storeFile',
  summary: 'Store a file',
  auth: { scope: 'things:write' },
  upload: ['text/csv'],
  responses: { 201: { description: 'Stored' } },
  errors: ['thing_missing'],
  handler: async ({ raw }) => {
    const problem = fail('thing_missing', 'It is none.');
    await pipeline(raw, new Transform({ transform: (_, __, done) => done(problem) }));
    return { status: 201 };
  },
});

/** As the call-back of a provider, which a signature over its bytes proves. */
const signed = route({
  method: 'post',
  path: '/signed',
  operationId: 'takeSigned',
  summary: 'Take what somebody has signed',
  auth: { public: 'the signature is the credential' },
  responses: { 204: { description: 'Taken' } },
  handler: async ({ readRaw }) => {
    await readRaw(90_000);
    return { status: 204 };
  },
});

const service: Service = {
  name: 'things',
  title: 'Things',
  version: '1.0.0',
  description: 'For tests.',
  routes: [...routes, refusedFile, signed],
  errors,
  authenticate: async ({ authorization }) => {
    if (!authorization) {
      return { kind: 'refused', code: 'missing_credentials', detail: 'Send a key.' };
    }
    const scopes = authorization === 'Bearer reader' ? ['things:read'] : ['*'];
    return { kind: 'accepted', principal: { tenantId: 't', environment: 'live', id: 'k', scopes } };
  },
  count: async () => verdict,
};

let ready = true;
let fault: string | undefined;
let late = false;
const bodies = new BytesUnderWay({ tenantMax: 100_000, allMax: 150_000 });
const recorded: unknown[] = [];
const context: HttpContext = {
  environmentOf: () => 'live',
  newRequestId: () => 'req_new',
  stopwatch: () => performance.now(),
  clock: () => new Date(),
  log: createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
  metrics: createMetrics(),
  health: {
    checks: { database: async () => ready },
    fault: () => fault,
    metricsFrom: ['127.0.0.0/8'],
  },
  bodies,
  isLate: () => late,
  auditLog: {
    record: async () => {},
    recordForHost: async () => {},
    write: async (tenantId, actor, action) => void recorded.push({ tenantId, actor, action }),
  },
  checkReplies: true,
};

let server: Listening;
beforeAll(async () => {
  server = await listen(buildApp([service], context), { port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close(0));
beforeEach(() => {
  lines.length = 0;
  recorded.length = 0;
  verdict = { isGranted: true, max: 10, windowMs: 1_000, remaining: 9, retryAfterMs: 0 };
});

interface Call {
  method?: string;
  key?: string | null;
  type?: string;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

async function call(path: string, { method, key = 'all', type, body, headers }: Call = {}) {
  const response = await fetch(server.url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
      ...headers,
    },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string) {
  return text.startsWith('{') ? JSON.parse(text) : undefined;
}

test('a good request is answered as its row says, with the security headers', async () => {
  const made = await call('/things', { body: '{"name":"a"}' });
  expect(made).toMatchObject({ status: 201, json: { name: 'a' } });
  expect(made.headers.get('x-content-type-options')).toBe('nosniff');
  expect(made.headers.get('cache-control')).toBe('no-store');
  expect(made.headers.has('x-powered-by')).toBe(false);
  expect(await call('/things/x')).toMatchObject({ status: 200, json: { id: 'x', limit: 3 } });
});

const bad = { body: '{"name":"a"}' };
const refusals: readonly [string, string, Call, number, string, RegExp][] = [
  ['no key', '/things', { ...bad, key: null }, 401, 'missing_credentials', /Send a key/],
  ['no permission', '/things', { ...bad, key: 'reader' }, 403, 'not_permitted', /things:write/],
  ['broken JSON', '/things', { body: '{"name":\n  x}' }, 400, 'malformed_json', /line 2, column 3/],
  ['half a body', '/things', { body: '{"name":' }, 400, 'malformed_json', /column 9/],
  [
    'no UTF-8',
    '/things',
    { body: new Uint8Array([0x22, 0xff, 0x22]) },
    400,
    'malformed_json',
    /UTF-8/,
  ],
  ['a missing field', '/things', { body: '{}' }, 400, 'invalid_request', /^name: is required/],
  ['no body', '/things', { method: 'POST' }, 400, 'invalid_request', /^body: is required/],
  [
    'an unknown field',
    '/things',
    { body: '{"name":"a","x":1}' },
    400,
    'invalid_request',
    /^x: is not/,
  ],
  [
    'a wrong header',
    '/things',
    { ...bad, headers: { 'x-mode': 'c' } },
    400,
    'invalid_request',
    /x-mode/,
  ],
  ['a NUL', '/things', { body: '{"name":"\\u0000"}' }, 400, 'invalid_request', /U\+0000/],
  ['a NUL in the path', '/things/a%00b', {}, 400, 'invalid_request', /U\+0000/],
  ['a broken escape in the path', '/things/%E0%A4', {}, 400, 'invalid_request', /UTF-8/],
  [
    'half a surrogate',
    '/things',
    { body: '{"name":"\\ud800"}' },
    400,
    'invalid_request',
    /surrogate/,
  ],
  [
    'deep nesting',
    '/things',
    { body: '['.repeat(70) + ']'.repeat(70) },
    400,
    'invalid_request',
    /deep/,
  ],
  [
    'a prototype',
    '/things',
    { body: '{"name":"a","__proto__":{}}' },
    400,
    'invalid_request',
    /proto/,
  ],
  ['a repeated parameter', '/things/a?limit=1&limit=2', {}, 400, 'invalid_request', /^limit/],
  [
    'a byte order mark of UTF-16',
    '/things',
    { body: new Uint8Array([0xff, 0xfe, 0x22, 0x00]) },
    400,
    'malformed_json',
    /UTF-8/,
  ],
  [
    'a member that schemas leave out',
    '/things',
    { body: '{"name":"a","tags":[{"__proto__":{"x":1}}]}' },
    400,
    'invalid_request',
    /^tags\.0\.__proto__: is a name that cannot be used$/,
  ],
  [
    'the same, written otherwise',
    '/things',
    { body: '{"name":"a","\\u005f_\\u0070roto_\\u005F":1}' },
    400,
    'invalid_request',
    /^__proto__: /,
  ],
  [
    'many values',
    '/things',
    { body: `[${'[],'.repeat(100)}[]]` },
    413,
    'payload_too_large',
    /more than 100 values/,
  ],
  ['a large body', '/things', { body: `"${'x'.repeat(2_000)}"` }, 413, 'payload_too_large', /1000/],
  ['a form', '/things', { ...bad, type: 'text/plain' }, 415, 'unsupported_media_type', /JSON|json/],
  ['an unknown path', '/nothing', { key: null }, 404, 'not_found', /nothing/],
  ['a wrong method', '/things', { method: 'DELETE' }, 405, 'method_not_allowed', /POST/],
  ['what is missing', '/things/none', {}, 404, 'thing_missing', /no such/],
  ['what cannot be', '/things/A-1', {}, 404, 'not_found', /path: id must be in small letters/],
  ['a fault of ours', '/things/bug', {}, 500, 'internal_error', /logged/],
  ['an answer unlike the row', '/things/odd', {}, 500, 'internal_error', /logged/],
  ['a lost database', '/things/busy', {}, 503, 'unavailable', /again/],
  ['a full disk', '/things/full', {}, 503, 'unavailable', /room/],
];

test.each(refusals)('%s is refused', async (_, path, options, status, code, detail) => {
  const answer = await call(path, options);
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({ code, detail: expect.stringMatching(detail) });
  expect(answer.json.request_id).toBe(answer.headers.get('x-request-id'));
  expect(answer.text).not.toMatch(/hunter2|at .*\.ts/);
  expect(lines.join()).not.toContain('Bearer');
});

test.each(['busy', 'full'])('a 503 says when to try again: %s', async (id) => {
  const { headers } = await call(`/things/${id}`);
  expect([headers.get('retry-after'), headers.get('retry-after-ms')]).toEqual(['1', '1000']);
});

test('a 401 names the scheme, a 405 the methods, and a 400 every field', async () => {
  expect(
    (await call('/things', { key: null, body: '{}' })).headers.get('www-authenticate'),
  ).toMatch(/^Bearer realm=/);
  expect((await call('/things', { method: 'PUT' })).headers.get('allow')).toBe('POST');
  expect((await call('/things/x', { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD');
  const { json } = await call('/things', { body: '{"name":1,"tags":[1]}' });
  expect(Object.keys(json.errors)).toEqual(['name', 'tags.0']);
});

test('a body sent in chunks is refused as soon as it is over the limit', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    'POST /things HTTP/1.1\r\nhost: x\r\nauthorization: Bearer all\r\n' +
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n' +
      `800\r\n${'x'.repeat(0x800)}\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 413 .*connection: close/is);
  socket.destroy();
});

test('what is wrong at its beginning is refused before the rest has come, which is then dropped', async () => {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const head = 'POST /things HTTP/1.1\r\nhost: x\r\nauthorization: Bearer all\r\n';
  const next = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  socket.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"name":x`);
  const [refusal] = (await once(socket, 'data')) as [Buffer];
  expect(refusal.toString()).toMatch(/^HTTP\/1.1 400 .*line 1, column 9/s);
  socket.write(' '.repeat(1_000 - '{"name":x'.length) + next);
  const answer = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
});

test.each([
  ['an address too long', `GET /?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ['what is no HTTP', 'HELLO\r\n\r\n', 400],
])('%s is refused in JSON too', async (_, request, status) => {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(request);
  const chunks = (await socket.toArray()) as Buffer[];
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  expect(head.split(' ')[1]).toBe(String(status));
  expect(JSON.parse(body)).toEqual({ detail: expect.any(String), code: 'invalid_request' });
});

const padded = (bytes: number) => `{"name":"a"}${' '.repeat(bytes - 12)}`;

test('a large body goes to its row as it came, a small one parsed; both as far as they are JSON', async () => {
  const large = await call('/large?note=ok', { body: padded(90_000) });
  expect(large).toMatchObject({ status: 201, json: { bytes: 90_000, by: 'k', note: 'ok' } });
  expect(await call('/large', { body: padded(10_000) })).toMatchObject({ json: { name: 'a' } });
  expect((await call('/large', { body: `${padded(90_000)}x` })).status).toBe(400);
  expect((await call('/large?note=long', { body: padded(90_000) })).status).toBe(400);
  expect((await call('/things', { body: padded(2_000) })).status).toBe(413);
});

test('large bodies of a tenant, and of all, are under way up to a bound; small ones always', async () => {
  const inside = new Promise<void>((done) => {
    entered = done;
  });
  const first = call('/large?note=own', { body: padded(60_000) });
  await inside;
  const second = await call('/large', { body: padded(60_000) });
  expect(second).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  expect(second.headers.get('retry-after')).toBe('2');
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    'POST /large HTTP/1.1\r\nhost: x\r\nauthorization: Bearer all\r\n' +
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  socket.write(`${(50_000).toString(16)}\r\n${' '.repeat(50_000)}\r\n`);
  const [chunked] = (await once(socket, 'data')) as [Buffer];
  expect(chunked.toString()).toMatch(/^HTTP\/1.1 429 .*connection: close/is);
  socket.destroy();
  expect((await call('/metrics')).text).toContain('load_refusals_total{reason="tenant_bytes"} 2');
  expect(bodies.take('other', 95_000)).toBe('all');
  expect((await call('/large', { body: padded(10_000) })).status).toBe(201);
  release();
  expect((await first).status).toBe(201);
  expect((await call('/large', { body: padded(90_000) })).status).toBe(201);
  expect(bodies.take('other', 100_000)).toBe('taken');
  bodies.giveBack('other', 100_000);
});

test('large bodies of strangers count as those of tenants do, as far as they have arrived', async () => {
  const begin = () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('POST /signed HTTP/1.1\r\nhost: x\r\ncontent-length: 60001\r\n\r\n');
    return socket;
  };
  const [waiting, silent] = [begin(), begin()];
  waiting.write(' '.repeat(60_000));
  const hasRoom = () => {
    const verdict = bodies.take('', 60_000);
    if (verdict === 'taken') bodies.giveBack('', 60_000);
    return verdict === 'taken';
  };
  await expect.poll(hasRoom).toBe(false);
  const refused = await call('/signed', { key: null, body: padded(60_000) });
  expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  expect((await call('/signed', { key: null, body: padded(10_000) })).status).toBe(204);
  waiting.write(' ');
  const [answer] = (await once(waiting, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 204 /);
  expect((await call('/signed', { key: null, body: padded(60_000) })).status).toBe(204);
  expect((await call('/signed', { key: null, body: padded(95_000) })).status).toBe(413);
  for (const socket of [waiting, silent]) socket.destroy();
});

test('a safe request id is kept, any other replaced', async () => {
  const id = async (sent: string) =>
    (await call('/things/x', { headers: { 'x-request-id': sent } })).headers.get('x-request-id');
  expect(await id('trace-1.a')).toBe('trace-1.a');
  expect(await id('a b')).toBe('req_new');
  expect(await id('x'.repeat(129))).toBe('req_new');
});

test('every answer states the limit, and a refusal has Retry-After', async () => {
  const granted = await call('/things', { body: '{"name":"a"}' });
  expect(granted.headers.get('ratelimit-policy')).toBe('"write";q=10;w=1');
  expect(granted.headers.get('ratelimit')).toBe('"write";r=9;t=1');
  verdict = { ...verdict, isGranted: false, remaining: 0, retryAfterMs: 1_200 };
  const refused = await call('/things', { body: '{"name":"a"}' });
  expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(refused.headers.get('retry-after-ms')).toBe('1200');
});

test('a fault that only a restart mends is shown by /healthz', async () => {
  expect(await call('/healthz', { key: null })).toMatchObject({ status: 200 });
  fault = 'the database is gone';
  expect(await call('/healthz', { key: null })).toMatchObject({
    status: 503,
    json: { status: 'failing', detail: fault },
  });
  fault = undefined;
});

test('health, readiness and metrics', async () => {
  expect(await call('/healthz', { key: null })).toMatchObject({ status: 200 });
  expect(await call('/readyz')).toMatchObject({
    status: 200,
    json: { checks: { database: true } },
  });
  ready = false;
  expect(await call('/readyz')).toMatchObject({
    status: 503,
    json: { checks: { database: false } },
  });
  ready = true;
  expect((await call('/metrics')).text).toContain('route="/things/{id}"');
});

test('behind a proxy that is not trusted, /metrics is closed, and one line of the log says why', async () => {
  const own = await listen(buildApp([service], context), { port: 0, host: '127.0.0.1' });
  const statusOf = async (headers: Record<string, string>) =>
    (await fetch(`${own.url}/metrics`, { headers })).status;
  expect(await statusOf({ 'x-forwarded-for': '198.51.100.1' })).toBe(404);
  expect(await statusOf({ 'x-forwarded-for': '127.0.0.1' })).toBe(404);
  expect(await statusOf({})).toBe(200);
  expect(lines.filter((line) => line.includes('TRUST_PROXY is not set'))).toHaveLength(1);
  await own.close(0);
});

test('connections beyond the most allowed are closed at once', async () => {
  let refused = 0;
  const options = { port: 0, host: '127.0.0.1', connectionsMax: 2, onRefused: () => refused++ };
  const own = await listen(buildApp([service], context), options);
  const port = Number(new URL(own.url).port);
  const open = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await Promise.all(open.map((socket) => once(socket, 'connect')));
  const third = connect(port, '127.0.0.1').on('error', () => {});
  await once(third, 'close');
  expect(refused).toBe(1);
  for (const socket of open) socket.destroy();
  await own.close(0);
});

test('a process that is late refuses requests, and still tells how it is', async () => {
  late = true;
  const refused = await call('/things/x');
  late = false;
  expect(refused).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('2');
  late = true;
  const told = await Promise.all(['/healthz', '/readyz', '/metrics'].map((path) => call(path)));
  late = false;
  expect(told.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(told[2]?.text).toContain('drawbridge_load_refusals_total{reason="late"} 1');
});

test('shutting down lets a request finish, and takes no new one', async () => {
  const own = await listen(buildApp([service], context), { port: 0, host: '127.0.0.1' });
  const headers = { authorization: 'Bearer all' };
  const inside = new Promise<void>((done) => {
    entered = done;
  });
  const waiting = fetch(`${own.url}/things/wait`, { headers });
  await inside;
  const closing = own.close(10_000);
  await expect(fetch(`${own.url}/healthz`)).rejects.toThrow();
  release();
  expect((await waiting).status).toBe(200);
  await closing;
});

test('the OpenAPI file describes every route, its parameters, answers and errors', () => {
  const document = JSON.parse(JSON.stringify(describe(service, [])));
  const made = document.paths['/things'].post;
  expect(Object.keys(made.responses)).toEqual([
    '201',
    '400',
    '401',
    '403',
    '413',
    '415',
    '429',
    '500',
    '503',
  ]);
  expect(made.responses[201].content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/Thing',
  });
  expect(made.parameters).toMatchObject([{ name: 'X-Mode', in: 'header', required: false }]);
  const read = document.paths['/things/{id}'].get;
  expect(read.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
    { name: 'limit', in: 'query', required: false },
  ]);
  expect(read.responses[404].description).toContain('thing_missing');
  expect(document.components.schemas.Error.properties.code.enum).toContain('thing_missing');
  expect(JSON.stringify(document)).not.toContain('$defs');
});

test('a change is recorded with who made it; a read, and what was refused, is not', async () => {
  await call('/things/x');
  await call('/things', { body: '{"name":"far too long"}' });
  await call('/things', { key: 'reader', body: '{"name":"a"}' });
  expect(recorded).toEqual([]);
  await call('/things', { body: '{"name":"a"}', headers: { 'x-request-id': 'mine' } });
  expect(recorded).toEqual([
    {
      tenantId: 't',
      actor: {
        kind: 'key',
        id: 'k',
        service: 'things',
        environment: 'live',
        ip: '127.0.0.1',
        requestId: 'mine',
      },
      action: { action: 'makeThing', subject: null },
    },
  ]);
});

test('the line of a request says who called, and from where', async () => {
  await call('/things/none');
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: 'request', by: 'k', ip: '127.0.0.1', status: 404 }),
  );
});

test('a file that is refused in the middle is answered, and its line is written', async () => {
  const { status } = await call('/files', { type: 'text/csv', body: 'a'.repeat(300_000) });
  expect(status).toBe(404);
  await expect
    .poll(() => lines.map((line) => JSON.parse(line)))
    .toContainEqual(expect.objectContaining({ route: '/files', ip: '127.0.0.1', status: 404 }));
});
