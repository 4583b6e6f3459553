import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWire, type Wire } from './wire.ts';

let server: Server;
let stranger: Server;
let folder: string;
let wire: Wire;
const addressOf = (of: Server) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;
const listening = (of: Server) => new Promise<void>((done) => of.listen(0, '127.0.0.1', done));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wire-'));
  stranger = createServer((_, response) => response.end('secret'));
  await listening(stranger);
  server = createServer(({ url, headers }, response) => {
    if (url === '/away') response.writeHead(302, { location: `${addressOf(stranger)}/` }).end();
    else if (url === '/on') response.writeHead(307, { location: '/shown' }).end();
    else response.end(headers.authorization === undefined ? 'no credentials' : 'credentials');
  });
  await listening(server);
  const own = addressOf(server);
  wire = openWire({ isTrusted: (origin) => origin === own, allowPrivate: false });
});
afterAll(async () => {
  await wire.close();
  server.close();
  stranger.close();
  await rm(folder, { recursive: true });
});

const path = () => join(folder, 'file');
const fetchFrom = (at: string, bytesMax = 100) => {
  const headers = { authorization: 'Bearer token' };
  return wire.fetchTo(path(), { method: 'GET', url: addressOf(server) + at, headers }, bytesMax);
};

test('a redirection is followed, without the credentials', async () => {
  expect(await fetchFrom('/')).toMatchObject({ kind: 'fetched' });
  expect(await readFile(path(), 'utf8')).toBe('credentials');
  expect(await fetchFrom('/on')).toMatchObject({ kind: 'fetched', bytes: 14 });
  expect(await readFile(path(), 'utf8')).toBe('no credentials');
});

test('one that leads to a private address is not', async () => {
  const reason = 'the address is not a public one';
  expect(await fetchFrom('/away')).toEqual({ kind: 'failed', reason, retry: 'never' });
});

test('a file that is too large is not read to its end, nor asked for again', async () => {
  const reason = 'the file is too large';
  expect(await fetchFrom('/', 10)).toEqual({ kind: 'failed', reason, retry: 'never' });
});
