import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loopbackToo, publicOnly, refusedCode } from './address.ts';
import { GuardedSocket } from './guarded-socket.ts';

let server: Server;
let port: number;
let taken = 0;
beforeAll(async () => {
  server = createServer((socket) => {
    taken += 1;
    socket.on('error', () => {}).end('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

const says =
  (address: string, family = 4) =>
  async () => [{ address, family }];

async function dial(socket: GuardedSocket, ...to: unknown[]): Promise<string> {
  socket.connect(...to);
  return new Promise((done) => {
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    socket.on('data', (data: Buffer) => {
      socket.destroy();
      done(data.toString());
    });
  });
}

test.each([
  ['a loopback address', '127.0.0.1'],
  ['another loopback address', '127.9.9.9'],
  ['loopback in IPv6', '::1'],
  ['IPv4 within IPv6', '::ffff:127.0.0.1'],
  ['a private address', '10.0.0.1'],
  ['the address of cloud metadata', '169.254.169.254'],
  ['a unique local address', 'fd00::1'],
  ['a link-local address with its zone', 'fe80::1%lo'],
])('%s is refused', async (_, host) => {
  expect(await dial(new GuardedSocket(publicOnly), port, host)).toBe(refusedCode);
});

test.each([
  ['localhost', '127.0.0.1'],
  ['db.customer.example', '192.168.1.5'],
  ['2130706433', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
])('the name %s is refused by the address it leads to', async (host, address) => {
  expect(await dial(new GuardedSocket(publicOnly, says(address)), port, host)).toBe(refusedCode);
});

test('a name with one private address among public ones is refused', async () => {
  const both = async () => [...(await says('93.184.216.34')()), ...(await says('127.0.0.1')())];
  expect(await dial(new GuardedSocket(publicOnly, both), port, 'db.example')).toBe(refusedCode);
});

test('a path of a local socket is refused whatever the policy', async () => {
  const path = join(tmpdir(), '.s.PGSQL.5432');
  for (const policy of [publicOnly, loopbackToo]) {
    expect(await dial(new GuardedSocket(policy), path, undefined)).toBe(refusedCode);
    expect(await dial(new GuardedSocket(policy), { path })).toBe(refusedCode);
  }
});

test('what is allowed connects to the address that was judged', async () => {
  expect(taken).toBe(0);
  expect(await dial(new GuardedSocket(loopbackToo), port, '127.0.0.1')).toBe('hello');
  const named = new GuardedSocket(loopbackToo, says('127.0.0.1'));
  expect(await dial(named, port, 'db.customer.example')).toBe('hello');
});
