import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMigratedPostgres, type TestPostgres } from '../test/kit/postgres.ts';
import { controlPlaneMain } from '../test/kit/programs.ts';
import { type App, createApp } from './app.ts';
import type { Module } from './modules/contract.ts';
import { makeKey } from './platform/auth/api-key.ts';
import { issueKey } from './platform/auth/issue.ts';
import { listTenants } from './platform/auth/store.ts';
import { route } from './platform/http/route.ts';
import { createLog } from './platform/log/log.ts';
import { readSettings } from './settings.ts';

let postgres: TestPostgres;
let home: string;
const closed: string[] = [];

beforeAll(async () => {
  postgres = await startMigratedPostgres();
  home = await mkdtemp(join(tmpdir(), 'app-'));
});
afterAll(async () => {
  await postgres.stop();
  await rm(home, { recursive: true });
});

const whoami = route({
  method: 'get',
  path: '/v1/whoami',
  operationId: 'whoami',
  summary: 'Who calls',
  auth: { scope: 'any' },
  limit: 'read',
  responses: { 200: { description: 'The caller' } },
  handler: async ({ principal }) => ({ status: 200, body: principal }),
});

function module(name: string, parts: Partial<Awaited<ReturnType<Module['open']>>>): Module {
  return {
    name,
    service: 'einvoice',
    describe: () => [],
    open: async () => ({
      routes: [],
      drain: async () => {},
      close: async () => void closed.push(name),
      ...parts,
    }),
  };
}

const modules = [
  module('first', {
    routes: [whoami],
    firstStart: async (_, tenantId) => ({ extra: { tenantId } }),
    simulators: () => ({ peppol: 'http://127.0.0.1:1' }),
  }),
  module('second', {
    upgrade: (incoming, socket, _, environment) => {
      if (incoming.url !== '/link') return false;
      socket.end(`HTTP/1.1 200 OK\r\nx-environment: ${environment}\r\n\r\n`);
      return true;
    },
  }),
];

function start(more: Record<string, string> = {}, parts = modules): Promise<App> {
  const settings = readSettings({
    DATABASE_URL: postgres.url,
    DRAWBRIDGE_HOME: home,
    HOST: '127.0.0.1',
    PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX_HOST: 'sandbox.test',
    READ_LIMIT: '3',
    ...more,
  });
  return createApp({
    settings,
    clock: () => new Date(),
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({ level: 'silent' }),
    modules: parts,
  });
}

interface Credentials {
  base_url: string;
  einvoicing: { live_key: string; sandbox_key: string };
}

const credentials = async () =>
  JSON.parse(await readFile(join(home, 'credentials.json'), 'utf8')) as Credentials;

async function who(base: string, key: string, host?: string) {
  const asking = request(`${base}/v1/whoami`, {
    headers: { authorization: `Bearer ${key}`, ...(host === undefined ? {} : { host }) },
  });
  asking.end();
  const [response] = await once(asking, 'response');
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode as number, body: JSON.parse(text) };
}

test('the first start makes a tenant, keys and a private file; later ones only update addresses', async () => {
  const app = await start();
  const { baseUrl, sandboxBaseUrl } = await app.listen();
  const first = await credentials();
  expect(first).toMatchObject({
    base_url: baseUrl,
    sandbox_base_url: sandboxBaseUrl,
    einvoicing: {
      sandbox_key: expect.stringMatching(/^sk_test_/),
      live_key: expect.stringMatching(/^sk_live_/),
    },
    extra: { tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    simulators: { peppol: 'http://127.0.0.1:1' },
  });
  expect((await stat(join(home, 'credentials.json'))).mode & 0o777).toBe(0o600);
  await app.close();
  expect(closed).toEqual(['second', 'first']);
  const again = await start();
  const { baseUrl: moved } = await again.listen();
  expect(await credentials()).toEqual({
    ...first,
    base_url: moved,
    sandbox_base_url: expect.anything(),
  });
  await again.close();
});

test.each([
  {
    point: 'before the tenant is there',
    parts: { firstStart: () => Promise.reject(new Error('ended')) },
  },
  {
    point: 'once the tenant is there',
    parts: {
      simulators: () => {
        throw new Error('ended');
      },
    },
  },
])('a first start that ends $point is made good by the next', async ({ parts }) => {
  const empty = await startMigratedPostgres();
  const ownHome = await mkdtemp(join(tmpdir(), 'app-'));
  const more = { DATABASE_URL: empty.url, DRAWBRIDGE_HOME: ownHome };
  const interrupted = await start(more, [module('ending', parts)]);
  await expect(interrupted.listen()).rejects.toThrow('ended');
  await interrupted.close();
  const app = await start(more);
  const { baseUrl } = await app.listen();
  try {
    const { einvoicing } = JSON.parse(await readFile(join(ownHome, 'credentials.json'), 'utf8'));
    expect(await who(baseUrl, einvoicing.live_key)).toMatchObject({ status: 200 });
    expect(await app.platform.db.system(listTenants)).toHaveLength(1);
    expect(await readdir(ownHome)).toEqual(['credentials.json', 'secret.key']);
  } finally {
    await app.close();
    await empty.stop();
    await rm(ownHome, { recursive: true });
  }
});

test('each address takes its own keys only, also when a host name selects the sandbox', async () => {
  const app = await start();
  const { baseUrl, sandboxBaseUrl } = await app.listen();
  const { live_key: live, sandbox_key: sandbox } = (await credentials()).einvoicing;
  try {
    expect(await who(baseUrl, live)).toMatchObject({ status: 200, body: { environment: 'live' } });
    expect(await who(sandboxBaseUrl, sandbox)).toMatchObject({ body: { environment: 'sandbox' } });
    expect(await who(baseUrl, sandbox, 'sandbox.test')).toMatchObject({ status: 200 });
    for (const [base, key] of [
      [baseUrl, sandbox],
      [sandboxBaseUrl, live],
    ] as const) {
      expect(await who(base, key)).toMatchObject({
        status: 401,
        body: { code: 'wrong_environment' },
      });
    }
  } finally {
    await app.close();
  }
});

test('the keys of a tenant together have a limit too', async () => {
  const app = await start({ TENANT_LIMIT_FACTOR: '2' });
  const { baseUrl } = await app.listen();
  const { body } = await who(baseUrl, (await credentials()).einvoicing.live_key);
  const { db } = app.platform;
  const issue = (name: string) =>
    issueKey(db, body.tenantId, { family: 'sk', environment: 'live', name }, randomBytes);
  try {
    const keys = await Promise.all(['a', 'b', 'c', 'd'].map(issue));
    const asked = keys.flatMap(({ text }) => [text, text, text]);
    const answers = await Promise.all(asked.map((key) => who(baseUrl, key)));
    // Each key has three a second, the tenant six: of them some were used above.
    const granted = answers.filter(({ status }) => status === 200).length;
    expect(granted).toBeGreaterThanOrEqual(3);
    expect(granted).toBeLessThanOrEqual(6);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(12 - granted);
  } finally {
    await app.close();
  }
});

test('keys that are refused again and again wait, and the tenant’s own keep working', async () => {
  const app = await start({ FAILED_KEY_LIMIT: '3', READ_LIMIT: '1000' });
  const { baseUrl } = await app.listen();
  const { live_key: key } = (await credentials()).einvoicing;
  const guess = () => who(baseUrl, makeKey('sk', 'live', randomBytes).text);
  try {
    expect((await who(baseUrl, key)).status).toBe(200);
    const statuses = [];
    for (let count = 1; count <= 5; count++) statuses.push((await guess()).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await who(baseUrl, key)).status).toBe(200);
  } finally {
    await app.close();
  }
});

test('a service serves its own OpenAPI file, without a key', async () => {
  const app = await start();
  const { baseUrl } = await app.listen();
  const response = await fetch(`${baseUrl}/v1/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.json()).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Drawbridge E-Invoicing' },
    servers: [{ url: '/' }],
    paths: { '/v1/invoices': { post: { operationId: 'submitInvoice' } } },
  });
  await app.close();
});

test("two nodes share a key's limit", async () => {
  const nodes = [await start(), await start()];
  const urls = await Promise.all(nodes.map(async (node) => (await node.listen()).baseUrl));
  const { db, random } = nodes[0]!.platform;
  const tenantId = (await db.system(listTenants))[0]!.id;
  const unused = { family: 'sk', environment: 'live', name: 'unused' } as const;
  const { text: key } = await issueKey(db, tenantId, unused, random);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => who(urls[n % 2]!, key)));
  await Promise.all(nodes.map((node) => node.close()));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
});

test('a websocket goes to the module whose path it asks for, and to no other', async () => {
  const app = await start();
  const { sandboxBaseUrl } = await app.listen();
  const upgrade = async (path: string) => {
    const asking = request(sandboxBaseUrl + path, {
      headers: { connection: 'upgrade', upgrade: 'websocket' },
    });
    asking.end();
    const [response] = await once(asking, 'response');
    response.resume();
    return [response.statusCode, response.headers['x-environment']];
  };
  expect(await upgrade('/link')).toEqual([200, 'sandbox']);
  expect(await upgrade('/other')).toEqual([404, undefined]);
  await app.close();
});

test('jobs are taken once the node listens and is ready, and do not keep it from answering', async () => {
  const seen = Promise.withResolvers<number>();
  const ends = Promise.withResolvers<void>();
  let baseUrl = '';
  const app = await start({}, [
    {
      ...module('working', {}),
      open: async ({ db, jobs }) => {
        const tenantId = '019a0000-0000-7000-8000-000000000009';
        await db.tenant(tenantId, (tx) =>
          jobs.enqueue(tx, tenantId, [{ queue: 'app-test', key: 'a' }]),
        );
        const worker = jobs.work({
          queue: 'app-test',
          batch: 1,
          concurrency: 1,
          handler: async (batch) => {
            seen.resolve(baseUrl === '' ? 0 : (await fetch(`${baseUrl}/readyz`)).status);
            await ends.promise;
            await db.tenant(tenantId, (tx) => jobs.complete(tx, tenantId, batch));
          },
        });
        return { routes: [], drain: worker.stop, close: async () => {} };
      },
    },
  ]);
  await app.platform.db.ping(); // a claim would have been sent before
  ({ baseUrl } = await app.listen());
  expect(await seen.promise).toBe(200);
  expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
  ends.resolve();
  await app.close();
});

const env = () => ({
  ...process.env,
  DATABASE_URL: postgres.url,
  DRAWBRIDGE_HOME: home,
  PORT: '0',
  SANDBOX_PORT: '0',
  HOST: '127.0.0.1',
});
const cli = async (...args: string[]) =>
  (
    await promisify(execFile)(process.execPath, [controlPlaneMain, ...args], { env: env() })
  ).stdout.trim();

async function served(child: ChildProcess): Promise<{ base_url: string }> {
  let stderr = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(stderr)));
  const [line] = (await Promise.race([once(child.stdout!, 'data'), ended])) as [Buffer];
  ended.catch(() => {}); // a test ends it later
  return JSON.parse(line.toString());
}

test('the command line serves, makes keys that work at once and revokes them, and stops on SIGTERM', {
  timeout: 120_000,
}, async () => {
  const child = spawn(process.execPath, [controlPlaneMain, 'serve', '--json'], { env: env() });
  const { base_url } = await served(child);
  const tenant = JSON.parse(await cli('tenant', 'create', 'Acme', '--json')).id;
  const at = ['--tenant', tenant];
  const made = JSON.parse(await cli('key', 'create', ...at, '--environment', 'live', '--json'));
  const ask = async () =>
    (await fetch(`${base_url}/v1/none`, { headers: { authorization: `Bearer ${made.key}` } }))
      .status;
  expect(await ask()).toBe(404);
  expect(await cli('key', 'list', ...at)).toContain('valid');
  expect(await cli('key', 'revoke', ...at, made.id)).toContain('revoked');
  expect(await cli('key', 'list', ...at)).toMatch(/revoked/);
  await expect(cli('key', 'create', '--tenant', 'x', '--environment', 'live')).rejects.toThrow();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a port that is taken ends the process, and is named', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const serving = promisify(execFile)(process.execPath, [controlPlaneMain, 'serve'], {
    env: { ...env(), PORT: String(port) },
  });
  await expect(serving).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`port ${port} is taken`),
  });
  taken.close();
});
