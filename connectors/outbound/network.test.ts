import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createSecureContext, type SecureVersion, TLSSocket } from 'node:tls';
import { readExceptions, readProxy } from '@drawbridge/outbound/proxy.ts';
import { afterEach, expect, test } from 'vitest';
import { createCertificate } from '../../test/kit/certificates.ts';
import { openHttpClient } from './client.ts';
import { type Network, openConnection } from './network.ts';

const works = createCertificate({ name: 'Works CA', isAuthority: true });
const hosts = ['localhost', '127.0.0.1', '::1'];
const shown = createCertificate({ name: 'server', hosts, issuer: works });

const running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, host);
  await once(server, 'listening');
  running.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A proxy; `answer` may refuse in place of connecting. It connects to this host, whatever is asked. */
async function startProxy({
  isTls = false,
  answer,
}: {
  isTls?: boolean;
  answer?: (socket: Socket) => void;
} = {}) {
  const server = isTls ? createHttps(shown) : createHttp();
  const asked: IncomingMessage[] = [];
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(request);
    if (answer) return answer(socket);
    const behind = connect(Number(request.url!.split(':').at(-1)), '127.0.0.1');
    behind.on('error', () => socket.destroy());
    socket.on('error', () => behind.destroy());
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(behind).pipe(socket);
  });
  const port = await listen(server);
  return { asked, address: `http${isTls ? 's' : ''}://user:hush@127.0.0.1:${port}` };
}

function networkOf(proxy: string | undefined, minVersion: SecureVersion = 'TLSv1.2'): Network {
  const read = proxy === undefined ? undefined : readProxy(proxy)!;
  const secureContext = createSecureContext({ ca: works.cert, minVersion });
  return { proxies: { https: read, http: read, exceptions: readExceptions('')! }, secureContext };
}

async function get(network: Network, url: string) {
  const client = openHttpClient({ connectMs: 2_000, totalMs: 5_000, bodyBytesMax: 100 }, network);
  try {
    return await client.send({ method: 'GET', url, headers: {} });
  } finally {
    await client.close();
  }
}

test.each([
  { isTls: false, toTls: false },
  { isTls: false, toTls: true },
  { isTls: true, toTls: false },
  { isTls: true, toTls: true },
])('through a proxy (TLS: $isTls) to a server (TLS: $toTls)', async ({ isTls, toTls }) => {
  const greet = (_: IncomingMessage, response: { end(text: string): void }) =>
    response.end('hello');
  const port = await listen(toTls ? createHttps(shown, greet) : createHttp(greet));
  const proxy = await startProxy({ isTls });
  // A name that only the proxy knows: this host asks no name server for it.
  const url = `http${toTls ? 's' : ''}://server:${port}/`;
  const outcome = await get(networkOf(proxy.address), url);
  expect(outcome).toMatchObject({ kind: 'answered', answer: { status: 200 } });
  expect(proxy.asked).toMatchObject([
    {
      url: `server:${port}`,
      headers: { 'proxy-authorization': `Basic ${Buffer.from('user:hush').toString('base64')}` },
    },
  ]);
});

test.each([
  {
    said: 'HTTP/1.1 407 No\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\n\r\n',
    detail: /asks for Negotiate or NTLM, and the agent knows only the basic way \(HTTP 407\)/,
  },
  {
    said: 'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="works"\r\n\r\n',
    detail: /does not take the user name and the password/,
  },
  { said: 'HTTP/1.1 403 Forbidden\r\n\r\n', detail: /does not connect to server:443 \(HTTP 403\)/ },
  { said: 'SSH-2.0-OpenSSH\r\n', detail: /does not answer \(HPE_/ },
])('of a proxy that answers $said a person is told why', async ({ said, detail }) => {
  const proxy = await startProxy({ answer: (socket) => void socket.end(said) });
  const outcome = await get(networkOf(proxy.address), 'https://server/');
  const failure = { phase: 'connect', detail: expect.stringMatching(detail) };
  expect(outcome).toMatchObject({ kind: 'unsent', failure });
  expect(JSON.stringify(outcome)).not.toContain('hush');
});

test('a proxy that says nothing is not waited for longer than a connection may take', async () => {
  const proxy = await startProxy({ answer: () => {} });
  const outcome = await get(networkOf(proxy.address), 'https://server/');
  expect(outcome).toMatchObject({ kind: 'unsent', failure: { code: 'ETIMEDOUT' } });
});

test('a certificate that the tunnel’s end shows is held to the name that was asked for', async () => {
  const port = await listen(createHttps(shown));
  const proxy = await startProxy();
  const outcome = await get(networkOf(proxy.address), `https://other:${port}/`);
  expect(outcome).toMatchObject({
    kind: 'unsent',
    failure: { phase: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  });
});

const hasIpv6 = networkInterfaces().lo?.some(({ address }) => address === '::1') ?? false;

test.for([
  { bound: '::1', host: '::1' },
  { bound: '127.0.0.1', host: 'localhost' },
])('a server on $bound is reached as $host', async ({ bound, host }, context) => {
  if (bound === '::1' && !hasIpv6) context.skip('this host has no IPv6');
  const port = await listen(createHttps(shown), bound);
  const socket = await openConnection(networkOf(undefined), { host, port, isTls: true }, 2_000);
  await once(socket, 'secureConnect');
  expect((socket as TLSSocket).authorized).toBe(true);
  socket.destroy();
});

test.each([
  { least: 'TLSv1.2', offered: 'TLSv1.2', spoken: 'TLSv1.2' },
  { least: 'TLSv1.2', offered: 'TLSv1.3', spoken: 'TLSv1.3' },
  { least: 'TLSv1.3', offered: 'TLSv1.3', spoken: 'TLSv1.3' },
  { least: 'TLSv1.3', offered: 'TLSv1.2', spoken: undefined },
] as const)('at least $least with a server up to $offered', async ({ least, offered, spoken }) => {
  const port = await listen(createHttps({ ...shown, maxVersion: offered }));
  const network = networkOf(undefined, least);
  const socket = await openConnection(network, { host: 'localhost', port, isTls: true }, 2_000);
  const shaken = once(socket, 'secureConnect');
  if (spoken === undefined) {
    await expect(shaken).rejects.toMatchObject({ code: expect.stringContaining('PROTOCOL') });
  } else {
    await shaken;
    expect(socket instanceof TLSSocket && socket.getProtocol()).toBe(spoken);
  }
  socket.destroy();
});
