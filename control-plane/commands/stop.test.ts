import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAgent, startAgent } from '../../test/kit/agent-process.ts';
import {
  type ControlPlaneProcess,
  logged,
  spawnControlPlane,
  startControlPlane,
} from '../../test/kit/control-plane-process.ts';
import { startMigratedPostgres, type TestPostgres } from '../../test/kit/postgres.ts';
import { openMigratedDatabase } from '../installation/migrated-database.ts';
import { startEmbedded } from '../platform/db/embedded.ts';
import { readSettings } from '../settings.ts';

// Real processes, several to a test, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
const closing: (() => Promise<unknown>)[] = [];
const shutdownMs = 10_000;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stop-'));
  await chmod(folder, 0o711); // PostgreSQL runs as another user when we are root
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function start(env: Record<string, string>): Promise<ControlPlaneProcess> {
  const node = await startControlPlane(join(folder, 'home'), env);
  closing.push(() => node.stop('SIGKILL'));
  return node;
}

async function database(): Promise<TestPostgres> {
  const postgres = await startMigratedPostgres();
  closing.push(() => postgres.stop());
  return postgres;
}

async function send(node: ControlPlaneProcess, key: string, path: string, body: unknown) {
  const response = await fetch(node.sandboxUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function linkAgent(node: ControlPlaneProcess): Promise<void> {
  const { sandbox_key: key } = node.credentials.einvoicing;
  const { token } = (await send(node, key, '/v1/agents/enrolment-tokens', {})).body;
  const home = join(folder, 'agent');
  const enrolled = await runAgent(home, ['enroll', '--url', node.sandboxUrl], { input: token! });
  expect(enrolled).toMatchObject({ code: 0 });
  const agent = startAgent(home);
  closing.push(() => agent.stop('SIGKILL'));
  await agent.event('connected');
}

async function readEvents(node: ControlPlaneProcess): Promise<void> {
  const { email, password } = node.credentials.messaging;
  const { access } = (await send(node, '', '/token/', { email, password })).body;
  const stream = await fetch(`${node.sandboxUrl}/team-inbox/api/events/`, {
    headers: { authorization: `Bearer ${access}` },
  });
  expect(stream.status).toBe(200);
}

/** Sends a request whose body never ends. */
async function uploadSlowly(node: ControlPlaneProcess): Promise<void> {
  const { hostname, port } = new URL(node.sandboxUrl);
  const socket = connect(Number(port), hostname);
  closing.push(async () => socket.destroy());
  socket.on('error', () => {});
  const head = [
    'POST /contacts/ HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${node.credentials.messaging.sandbox_key}`,
    'Content-Type: application/json',
    'Content-Length: 1000',
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data'); // 100 Continue
  socket.write('{"name":');
}

/** Has an event sent to a receiver that never answers. */
async function holdDelivery(node: ControlPlaneProcess): Promise<void> {
  const receiver: Server = createServer();
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  closing.push(async () => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { sandbox_key: key } = node.credentials.messaging;
  expect((await send(node, key, '/webhook-endpoints/', { url })).status).toBe(201);
  const received = once(receiver, 'request');
  expect((await send(node, key, '/contacts/', { phone: '+971501119001' })).status).toBe(201);
  await received;
}

test('SIGTERM ends it in time, whoever holds on: an agent, a reader, an upload, a receiver', async () => {
  const postgres = await database();
  const node = await start({
    DATABASE_URL: postgres.url,
    SHUTDOWN_MS: String(shutdownMs),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  await linkAgent(node);
  await readEvents(node);
  await uploadSlowly(node);
  await holdDelivery(node);
  const { code, ms } = await node.stop('SIGTERM');
  expect({ code, log: code === 0 ? [] : node.log }).toEqual({ code: 0, log: [] });
  expect(ms).toBeLessThan(shutdownMs);
});

test('with an agent linked and nothing else it ends at once', async () => {
  const postgres = await database();
  const node = await start({ DATABASE_URL: postgres.url, SHUTDOWN_MS: '60000' });
  await linkAgent(node);
  const { code, ms } = await node.stop('SIGTERM');
  expect(code).toBe(0);
  expect(ms).toBeLessThan(10_000);
});

test('a start that fails half way ends the process and its database, and says why', async () => {
  const home = join(folder, 'home');
  await mkdir(home, { mode: 0o711 });
  await writeFile(join(home, 'secret.key'), 'no key');
  const { child, exited, log } = spawnControlPlane(home);
  closing.push(async () => child.kill('SIGKILL'));
  expect(await exited).toBe(1);
  expect(log.at(-1)).toContain('secret.key');
  const server = await startEmbedded({ home, volatile: true, alone: true, waitMs: 100 });
  closing.push(server.stop);
});

test.each(['AUTHORITIES_FILE', 'CHANNELS_FILE', 'VOICE_ENDPOINTS_FILE'])(
  'a start whose %s is missing says so, and has begun nothing',
  async (setting) => {
    const home = join(folder, 'home');
    const file = join(folder, 'missing.json');
    const { child, exited, log } = spawnControlPlane(home, { [setting]: file });
    closing.push(async () => child.kill('SIGKILL'));
    expect(await exited).toBe(1);
    expect(log).toEqual([`error: ${setting}: ${file} cannot be read (ENOENT)`]);
    expect(existsSync(home)).toBe(false);
  },
);

test('a database that does not answer is named by its setting', async () => {
  const settings = readSettings({
    DRAWBRIDGE_HOME: join(folder, 'home'),
    DATABASE_URL: 'postgres://owner:secret@127.0.0.1:1/drawbridge',
  });
  const opening = openMigratedDatabase(settings, pino({ level: 'silent' }));
  const told = /DATABASE_URL: the database at 127\.0\.0\.1:1 does not answer \(.*ECONNREFUSED/;
  await expect(opening).rejects.toThrow(told);
});

test('a second start on one home waits for the first to end, and has a database of its own', async () => {
  const first = await start({});
  const second = spawnControlPlane(join(folder, 'home'));
  closing.push(async () => second.child.kill('SIGKILL') && second.exited);
  await logged(second, 'waiting for it');
  expect(await first.stop('SIGTERM')).toMatchObject({ code: 0 });
  const { liveUrl, credentials } = await second.listening;
  expect(credentials.einvoicing).toEqual(first.credentials.einvoicing);
  expect((await fetch(`${liveUrl}/readyz`)).status).toBe(200);
});

test('a home that is not given up is named, with the process that has it', async () => {
  const home = join(folder, 'home');
  const server = await startEmbedded({ home, volatile: true });
  closing.push(server.stop);
  const second = startEmbedded({ home, volatile: true, alone: true, waitMs: 100 });
  await expect(second).rejects.toThrow(`process ${process.pid} runs on the home ${home}`);
});
