import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type Fault,
  type FaultServers,
  faults,
  largeBodyBytes,
  startFaultServers,
} from '../../../test/kit/fault-servers.ts';
import { anywhere, publicOnly } from './address.ts';
import { type OutboundClient, openOutboundClient } from './client.ts';

const limits = { connectMs: 300, headMs: 300, bodyIdleMs: 300, bodyBytesMax: 1_000 };

let servers: FaultServers;
let client: OutboundClient;
const others: Server[] = [];

beforeAll(async () => {
  servers = await startFaultServers();
  client = openOutboundClient(limits);
});
afterAll(async () => {
  await client.close();
  await servers.close();
});
afterEach(() => {
  for (const server of others.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function start(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  others.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, body: string | Uint8Array | Readable = 'body') =>
  ({ method: 'POST', url, headers: {}, body, policy: anywhere }) as const;

test.each(faults)('a server that $name: $certainty', async ({ name, ...expected }: Fault) => {
  const body = name === 'resets in the request' ? Buffer.alloc(largeBodyBytes) : 'body';
  const outcome = await client.send(post(servers.urlOf(name), body));
  expect(outcome.kind).toBe(expected.certainty);
  if (outcome.kind !== 'answered') {
    const { failure } = outcome;
    expect(failure).toEqual({
      phase: expected.phase,
      code: expect.stringMatching(expected.code),
    });
    if (outcome.kind === 'unsent') expect(servers.requests(name)).toBe(0);
  } else if (name === 'redirects') {
    expect(outcome.answer).toMatchObject({ status: 307, headers: { location: '/elsewhere' } });
  } else if (name === 'answers without end') {
    expect(outcome.answer.bodyFault).toMatchObject({ kind: 'too-long' });
    expect(outcome.answer.body.length).toBe(limits.bodyBytesMax);
  } else {
    const { body: read, bodyFault } = outcome.answer;
    expect(String(read)).toBe('{"');
    expect(bodyFault).toEqual({
      kind: 'broken-off',
      reason: expect.stringMatching(expected.code),
    });
  }
});

test('a connection that is kept and closed meanwhile is not used again', async () => {
  const sockets = new Set<Socket>();
  const url = await start(({ socket }, response) => {
    sockets.add(socket);
    response.end();
  });
  expect(await client.send(post(url))).toMatchObject({ kind: 'answered' });
  for (const socket of sockets) socket.end();
  expect(await client.send(post(url))).toMatchObject({ kind: 'answered' });
  expect(sockets.size).toBe(2);
});

test('one that is closed under a request may have carried it', async () => {
  let requests = 0;
  const url = await start(({ socket }, response) => {
    requests += 1;
    if (requests === 1) response.end();
    else socket.resetAndDestroy();
  });
  expect(await client.send(post(url))).toMatchObject({ kind: 'answered' });
  const outcome = await client.send(post(url));
  expect(outcome).toMatchObject({ kind: 'maybe-sent', failure: { code: 'ECONNRESET' } });
  expect(requests).toBe(2);
});

test('a request that waits too long for a connection was not sent', async () => {
  const url = await start(() => {});
  const narrow = openOutboundClient({ totalMs: 300, connectionsMax: 1 });
  const signal = AbortSignal.timeout(100);
  const outcomes = await Promise.all([
    narrow.send(post(url)),
    narrow.send({ ...post(url), signal }),
  ]);
  expect(outcomes).toMatchObject([
    { kind: 'maybe-sent', failure: { phase: 'request', code: 'TimeoutError' } },
    { kind: 'unsent', failure: { phase: 'connect', code: 'TimeoutError' } },
  ]);
  await narrow.close();
});

test('what is sent to a closed client, or aborted before it is sent, is unsent', async () => {
  const closed = openOutboundClient();
  await closed.close();
  expect(await closed.send(post('http://127.0.0.1:9'))).toMatchObject({ kind: 'unsent' });
  const signal = AbortSignal.abort();
  const url = await start((_, response) => response.end());
  expect(await client.send({ ...post(url), signal })).toMatchObject({ kind: 'unsent' });
});

test('closing cuts what is under way, which may have been sent', async () => {
  const closing = openOutboundClient();
  const url = await start(() => void closing.close());
  expect(await closing.send(post(url))).toMatchObject({ kind: 'maybe-sent' });
});

test('only addresses that the policy allows are called', async () => {
  const refused = { kind: 'unsent', failure: { phase: 'address', code: 'ERR_ADDRESS_REFUSED' } };
  const to = (url: string) => client.send({ ...post(url), policy: publicOnly });
  expect(await to('https://127.0.0.1/')).toMatchObject(refused);
  expect(await to('http://93.184.216.34/')).toMatchObject({
    ...refused,
    reason: 'the address must be https',
  });
  const resolve = async () => [{ address: '10.0.0.1', family: 4 }];
  const deceived = openOutboundClient({ resolve });
  const outcome = await deceived.send({ ...post('https://ap.example/'), policy: publicOnly });
  expect(outcome).toMatchObject({
    kind: 'unsent',
    failure: { phase: 'resolve', code: 'ERR_ADDRESS_REFUSED' },
    reason: 'the address is not a public one',
  });
  await deceived.close();
});

test.each<[string, () => string | Uint8Array | Readable]>([
  ['a text', () => 'ü'],
  ['bytes', () => Buffer.from('ü')],
  ['a stream', () => Readable.from([Buffer.from([0xc3]), Buffer.from([0xbc])])],
])('%s goes out byte for byte, with the headers as they are given', async (_, body) => {
  let heard: { request: IncomingMessage; bytes: Buffer } | undefined;
  const url = await start(async (request, response) => {
    heard = { request, bytes: Buffer.concat(await request.toArray()) };
    response.setHeader('x-several', ['a', 'b']);
    response.writeHead(422, { 'Retry-After': '7' }).end('no');
  });
  let phaseAtWrite = 'not written';
  const outcome = await client.send({
    ...post(`${url}/a%20b?c=%2F&d`, body()),
    headers: { 'X-Signature': 'v1,abc=', 'content-length': '2' },
    onWritten: () => {
      phaseAtWrite = heard === undefined ? 'before it was heard' : 'after';
    },
  });
  expect(heard!.bytes).toEqual(Buffer.from('ü'));
  expect(heard!.request.url).toBe('/a%20b?c=%2F&d');
  expect(heard!.request.headers).toMatchObject({ 'x-signature': 'v1,abc=', 'content-length': '2' });
  expect(phaseAtWrite).toBe('before it was heard');
  expect(outcome).toMatchObject({
    kind: 'answered',
    answer: {
      status: 422,
      headers: { 'retry-after': '7', 'x-several': 'a, b' },
      bodyFault: undefined,
    },
  });
});
