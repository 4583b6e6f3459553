import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import { openOutboundClient } from '../../../platform/outbound/client.ts';
import { exchangeLimits, exchangeWith } from './exchange.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function authority(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const submission = {
  method: 'POST',
  path: '/documents?key=1',
  headers: { 'content-type': 'application/xml' },
  body: '<Invoice>ü</Invoice>',
} as const;

const client = openOutboundClient(exchangeLimits);
afterAll(() => client.close());

const send = (baseUrl: string) => exchangeWith({ baseUrl, credentials: {} }, client)(submission);

test('an exchange sends method, path, headers and bytes, and returns the answer', async () => {
  const baseUrl = await authority(async (request, response) => {
    const chunks = await request.toArray();
    const { method, url, headers } = request;
    response.setHeader('x-several', ['a', 'b']);
    response.writeHead(422, { 'Retry-After': '7' });
    const told = {
      method,
      url,
      type: headers['content-type'],
      body: String(Buffer.concat(chunks)),
    };
    response.end(JSON.stringify(told));
  });
  const { status, headers, body } = await send(baseUrl);
  expect(status).toBe(422);
  expect(headers).toMatchObject({ 'retry-after': '7', 'x-several': 'a, b' });
  expect(JSON.parse(body)).toEqual({
    method: 'POST',
    url: '/documents?key=1',
    type: 'application/xml',
    body: '<Invoice>ü</Invoice>',
  });
});

test('where nobody listens nothing was sent', async () => {
  const baseUrl = await authority(() => {});
  servers[0]!.close();
  await once(servers[0]!, 'close');
  await expect(send(baseUrl)).rejects.toMatchObject({ sent: false, message: 'ECONNREFUSED' });
});

test.each<[string, RequestListener]>([
  ['cuts the connection', (request) => request.socket.destroy()],
  [
    'breaks off its answer',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    },
  ],
  [
    'answers without end',
    (_, response) => {
      const more = (): void => void response.write(Buffer.alloc(1_000_000), more);
      more();
    },
  ],
  ['redirects', (_, response) => response.writeHead(307, { location: '/elsewhere' }).end()],
])('an authority that %s may have taken the document', async (_, answer) => {
  const baseUrl = await authority(answer);
  await expect(send(baseUrl)).rejects.toMatchObject({ name: 'WireFault', sent: true });
});
