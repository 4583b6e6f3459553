import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleDocument } from '../../../authorities/peppol/document.sample.ts';
import { AuthorityGateway } from './authority-gateway.ts';

let gateway: AuthorityGateway;
const server = createServer((request, response) => {
  const status = request.method === 'POST' ? 400 : 404;
  request.resume().on('end', () => response.writeHead(status).end('Failed to parse \0 the ID'));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const peppol = { baseUrl, credentials: { dialect: 'phoss-ap', token: 'x' } };
  gateway = new AuthorityGateway({ sandbox: { peppol }, live: {} }, () => new Date());
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('every answer of an authority can be stored', async () => {
  const outcomes = await gateway.submit('peppol', 'sandbox', [sampleDocument('1')]);
  expect(outcomes).toMatchObject([
    { kind: 'refused', errors: [{ message: expect.stringContaining('parse \ufffd the ID') }] },
  ]);
  expect(JSON.stringify(outcomes)).not.toContain('\\u0000');
});

test('an environment without an endpoint sends nothing', async () => {
  expect(await gateway.submit('peppol', 'live', [sampleDocument('1')])).toBeUndefined();
  expect(await gateway.submit('myinvois', 'sandbox', [sampleDocument('1')])).toBeUndefined();
});
