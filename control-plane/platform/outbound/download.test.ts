import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anywhere, publicOnly } from './address.ts';
import { type OutboundClient, openOutboundClient } from './client.ts';
import { download } from './download.ts';

let server: Server;
let stranger: Server;
let folder: string;
let client: OutboundClient;
const addressOf = (of: Server) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;
const listening = (of: Server) => new Promise<void>((done) => of.listen(0, '127.0.0.1', done));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'download-'));
  stranger = createServer((_, response) => response.end('secret'));
  await listening(stranger);
  server = createServer(({ url, headers, socket }, response) => {
    if (url === '/away') response.writeHead(302, { location: `${addressOf(stranger)}/` }).end();
    else if (url === '/on') response.writeHead(307, { location: '/shown' }).end();
    else if (url === '/round') response.writeHead(307, { location: '/round' }).end();
    else if (url === '/gone') response.writeHead(410).end();
    else if (url === '/late') response.writeHead(404).end();
    else if (url === '/broken') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => socket.end());
    } else response.end(headers.authorization === undefined ? 'no credentials' : 'credentials');
  });
  await listening(server);
  client = openOutboundClient();
});
afterAll(async () => {
  await client.close();
  server.close();
  stranger.close();
  await rm(folder, { recursive: true });
});

const path = () => join(folder, 'file');
const downloadFrom = (at: string, bytesMax = 100) =>
  download(client, {
    url: addressOf(server) + at,
    headers: { authorization: 'Bearer token' },
    path: path(),
    bytesMax,
    totalMs: 10_000,
    policyOf: (url) => (url.startsWith(addressOf(server)) ? anywhere : publicOnly),
  });

test('a redirection is followed, without the credentials', async () => {
  expect(await downloadFrom('/')).toMatchObject({ kind: 'fetched' });
  expect(await readFile(path(), 'utf8')).toBe('credentials');
  expect(await downloadFrom('/on')).toMatchObject({ kind: 'fetched', bytes: 14 });
  expect(await readFile(path(), 'utf8')).toBe('no credentials');
});

test('one that leads to a private address is not', async () => {
  const reason = 'the address is not a public one';
  expect(await downloadFrom('/away')).toEqual({ kind: 'failed', reason, retry: 'never' });
});

test('a file that is too large is not read to its end, nor asked for again', async () => {
  const reason = 'the file is too large';
  expect(await downloadFrom('/', 10)).toEqual({ kind: 'failed', reason, retry: 'never' });
});

test.each([
  ['/gone', 'HTTP 410', 'never'],
  ['/late', 'HTTP 404', 'later'],
  ['/round', 'HTTP 307', 'later'],
  ['/broken', 'UND_ERR_SOCKET', 'later'],
])('%s: %s, asked for again: %s', async (at, reason, retry) => {
  expect(await downloadFrom(at)).toEqual({ kind: 'failed', reason, retry });
});
