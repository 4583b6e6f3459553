/** A proxy that opens TLS with a CA that the host trusts: it may look, and gains nothing. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBase64 } from '@drawbridge/link/bytes.ts';
import { signAnswer } from '@drawbridge/link/enrolment.ts';
import nacl from 'tweetnacl';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newTenant, startNode, type TestNode } from '../../control-plane/agents/node.fixture.ts';
import { type RunningAgent, runAgent, startAgent } from '../../test/kit/agent-process.ts';
import { createCertificate } from '../../test/kit/certificates.ts';
import { type OpeningProxy, startOpeningProxy } from '../../test/kit/opening-proxy.ts';
import { startDb, type TestDb } from '../../test/kit/postgres.ts';
import { startTlsFront, type TlsFront } from '../../test/kit/tls-front.ts';

const host = 'control-plane.example';
const ca = createCertificate({ name: 'Public CA', isAuthority: true });
const proxyCa = createCertificate({ name: 'Works Inspection', isAuthority: true });

let kit: TestDb;
let node: TestNode;
let front: TlsFront;
let proxy: OpeningProxy;
let folder: string;
let home: string;
let url: string;
let tenantId: string;
let token: string;
let agent: RunningAgent | undefined;

beforeAll(async () => {
  kit = await startDb();
  node = await startNode(kit);
  tenantId = await newTenant(kit, randomUUID());
  const shown = createCertificate({ name: host, issuer: ca });
  front = await startTlsFront({ ...shown, host: '127.0.0.1', to: node.url });
  url = `https://${host}:${new URL(front.url).port}`;
});
afterAll(async () => {
  await front.close();
  await node.close();
  await kit.stop();
});
beforeEach(async () => {
  proxy = await startOpeningProxy({ ca: proxyCa, trusted: ca.cert });
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-opening-'));
  home = join(folder, 'home');
  writeFileSync(join(folder, 'ca.pem'), proxyCa.cert);
  const issued = await node.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
  token = issued.body.token;
  agent = undefined;
});
afterEach(async () => {
  await agent?.stop('SIGKILL');
  await proxy.close();
  rmSync(folder, { recursive: true });
});

const env = () => ({ HTTPS_PROXY: proxy.url, DRAWBRIDGE_CA_FILE: join(folder, 'ca.pem') });
const enrol = () =>
  runAgent(home, ['enroll', '--url', url, '--json'], { input: token, env: env() });
const agents = async () => (await node.request('GET', '/v1/agents', tenantId)).body.results.length;
const bodyOf = (request: string) => JSON.parse(request.split('\r\n\r\n')[1]!);

function answered(body: object): string {
  const text = JSON.stringify(body);
  return `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

test('a proxy that only looks sees neither token nor messages', async () => {
  expect(await enrol()).toMatchObject({ code: 0, stderr: '' });
  agent = startAgent(home, env());
  await agent.event('connected');
  const { results } = (await node.request('GET', '/v1/agents', tenantId)).body;
  const params = { connector: 'not-to-be-seen', ref: 'INV-1' };
  const called = await node.hub.call(
    { tenantId, agentId: results.at(-1).id },
    'connector.read',
    params,
    { deadlineMs: 25_000 },
  );
  expect(called.kind).toBe('fault');
  expect(proxy.seen).toContain('POST /v1/agents/enrol');
  expect(proxy.seen).toContain('GET /v1/agents/link');
  for (const secret of [token.split('.')[0]!, 'not-to-be-seen', 'connector_unknown']) {
    expect(proxy.seen).not.toContain(secret);
  }
});

test('a proxy that answers as the control plane is refused, and the token stays good', async () => {
  const before = await agents();
  const its = nacl.sign.keyPair();
  proxy.answer = (request) => {
    const answer = { agentId: 'agt_forged', linkUrl: '/v1/agents/link' };
    const signature = signAnswer(its.secretKey, bodyOf(request).sealed, answer);
    return answered({ agent_id: answer.agentId, link_url: answer.linkUrl, signature });
  };
  const refused = await enrol();
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('BRIDGE_2007') });
  expect((await runAgent(home, ['status'], { env: env() })).code).toBe(2);
  expect(await agents()).toBe(before);
  proxy.answer = undefined;
  expect((await enrol()).code).toBe(0);
});

test('a proxy that enrols a host of its own with what it read is refused', async () => {
  const before = await agents();
  const its = toBase64(nacl.sign.keyPair().publicKey);
  // All that it could change: the key for which the request claims to be sealed, and the sealed bytes.
  proxy.change = (bytes, from) =>
    from === 'client' && bytes.includes('POST /v1/agents/enrol')
      ? Buffer.from(
          bytes.toString().replace(/"control_plane_key":"[^"]+"/, `"control_plane_key":"${its}"`),
        )
      : bytes;
  expect(await enrol()).toMatchObject({ code: 2, stderr: expect.stringContaining('BRIDGE_2002') });
  expect(await agents()).toBe(before);
  proxy.change = undefined;
  expect((await enrol()).code).toBe(0);
});

test('a proxy that changes the answer is refused', async () => {
  proxy.change = (bytes, from) =>
    from === 'server'
      ? Buffer.from(
          bytes.toString('latin1').replace('/v1/agents/link', '/v1/agents/lure'),
          'latin1',
        )
      : bytes;
  expect(await enrol()).toMatchObject({ code: 2, stderr: expect.stringContaining('BRIDGE_2007') });
});

test('a proxy that changes a frame of the link ends the session, and the agent links again', async () => {
  expect((await enrol()).code).toBe(0);
  agent = startAgent(home, env());
  await agent.event('connected');
  let changed = 0;
  proxy.change = (bytes, from) => {
    if (from === 'client' || changed > 0) return bytes;
    changed += 1;
    bytes[bytes.length - 1]! ^= 1;
    return bytes;
  };
  const { results } = (await node.request('GET', '/v1/agents', tenantId)).body;
  const address = { tenantId, agentId: results.at(-1).id };
  const params = { connector: 'none', ref: 'INV-1' };
  void node.hub.call(address, 'connector.read', params, { deadlineMs: 25_000 });
  expect((await agent.event('redialling')).detail).toContain('not sealed');
  await agent.event('connected');
  expect(changed).toBe(1);
});

test('the doctor says that no public CA vouches for what it was shown', async () => {
  expect((await enrol()).code).toBe(0);
  const named = await runAgent(home, ['doctor', '--json'], { env: env() });
  expect(named.stdout).toContain('Works Inspection, which you named');
  // The host's own store, in which an administrator has put the CA of the proxy.
  const { DRAWBRIDGE_CA_FILE: file, ...rest } = env();
  const moved = join(folder, 'host.pem');
  writeFileSync(moved, proxyCa.cert);
  rmSync(file);
  writeFileSync(file, ca.cert);
  const trusted = { ...rest, DRAWBRIDGE_CA_FILE: file, SSL_CERT_FILE: moved };
  const found = await runAgent(home, ['doctor', '--json'], { env: trusted });
  const rows = JSON.parse(found.stdout).findings as Record<string, string>[];
  expect(rows.find(({ component }) => component === 'tls')).toMatchObject({
    status: 'warn',
    detail: expect.stringMatching(/Works Inspection, no public CA: .*a proxy that opens TLS/),
  });
});
