import { randomUUID } from 'node:crypto';
import { closeReasons } from '@drawbridge/link/close-reasons.ts';
import { isAnswerOf } from '@drawbridge/link/enrolment.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { newTenant, startNode, type TestNode } from './node.fixture.ts';
import { enrolmentBody, newKeys } from './simulator.ts';

let kit: TestDb;
let node: TestNode;
let tenantId: string;
let stranger: string;

beforeAll(async () => {
  kit = await startDb();
  tenantId = await newTenant(kit, randomUUID());
  stranger = await newTenant(kit, randomUUID());
  node = await startNode(kit);
});
afterAll(async () => {
  await node.close();
  await kit.stop();
});

const issue = (body: object = {}) =>
  node.request('POST', '/v1/agents/enrolment-tokens', tenantId, body);
const applicant = (token: string, key = newKeys().publicKey, host = 'erp-01') =>
  enrolmentBody(token, key, host);
const ask = (body: object) => node.request('POST', '/v1/agents/enrol', undefined, body);
const enrol = (token: string) => ask(applicant(token));

test.each([
  { body: { expires_in_seconds: 3_601 }, field: 'expires_in_seconds' },
  { body: { expires_in_seconds: 0 }, field: 'expires_in_seconds' },
  { body: { hostname: '' }, field: 'hostname' },
  { body: { tenant: 'x' }, field: 'tenant' },
])('a token with $body is refused', async ({ body, field }) => {
  const answer = await issue(body);
  expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: expect.anything() } } });
});

test('a token is valid for an hour at most, and only its hash is stored', async () => {
  const { status, body } = await issue();
  expect(status).toBe(201);
  const lifeMs = Date.parse(body.expires_at) - Date.now();
  expect(lifeMs).toBeGreaterThan(3_500_000);
  expect(lifeMs).toBeLessThanOrEqual(3_600_000);
  const [row] = await sqlAt<{ text: string }>(
    kit.url,
    `select string_agg(enrolment_token::text, ' ') as text from enrolment_token`,
  );
  expect(row!.text).not.toContain(body.token.split('.')[0]);
});

test('of many enrolments with one token at once, one makes an agent', async () => {
  const { body } = await issue();
  const answers = await Promise.all(Array.from({ length: 8 }, () => enrol(body.token)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    201,
    ...Array.from({ length: 7 }, () => 401),
  ]);
  const enrolled = answers.find(({ status }) => status === 201)!.body;
  const listed = await node.request('GET', '/v1/agents', tenantId);
  const agent = listed.body.results.find(({ id }: { id: string }) => id === enrolled.agent_id);
  expect(agent).toMatchObject({ hostname: 'erp-01', online: false, last_seen_at: null });
});

test('a token that is unknown, expired or of another host is refused', async () => {
  const expired = (await issue()).body.token;
  await sqlAt(kit.url, `update enrolment_token set expires_at = now() where used_at is null`);
  const bound = (await issue({ hostname: 'erp-02' })).body.token;
  // Those that are over are not kept.
  const over = 'select from enrolment_token where expires_at < now()';
  expect(await sqlAt(kit.url, over)).toEqual([]);
  const [, key] = bound.split('.');
  const unknown = `enrol_x.${key}`;
  const answers = await Promise.all([unknown, expired, bound].map(enrol));
  const details = new Set(
    answers.map(({ status, body }) => `${status} ${body.code} ${body.detail}`),
  );
  expect([...details]).toEqual([expect.stringMatching(/^401 invalid_credentials /)]);
});

test('a token bound to a host serves that host', async () => {
  const { body } = await issue({ hostname: 'erp-01' });
  expect((await enrol(body.token)).status).toBe(201);
});

test.each([
  { what: 'no key', body: (token: string) => applicant(token, 'short') },
  {
    what: 'an endless host',
    body: (token: string) => applicant(token, undefined, 'x'.repeat(254)),
  },
  {
    what: 'a request sealed for another key',
    body: (token: string) => ({ ...applicant(token), control_plane_key: newKeys().publicKey }),
  },
  {
    what: 'a request that was changed on the way',
    body(token: string) {
      const asked = applicant(token);
      const bytes = Buffer.from(asked.sealed, 'base64');
      bytes[40]! ^= 1;
      return { ...asked, sealed: bytes.toString('base64') };
    },
  },
])('an applicant with $what is refused and its token stays good', async ({ body }) => {
  const { token } = (await issue()).body;
  expect(await ask(body(token))).toMatchObject({ status: 401 });
  expect((await enrol(token)).status).toBe(201);
});

test('an enrolment in clear text is refused', async () => {
  const clear = { token: 'x', public_key: newKeys().publicKey, hostname: 'x', version: 'x' };
  expect(await ask(clear)).toMatchObject({ status: 400 });
});

test('the answer is signed for the request, by the key that the token names', async () => {
  const asked = applicant((await issue()).body.token);
  const { body } = await ask(asked);
  const said = { agentId: body.agent_id, linkUrl: body.link_url };
  const { control_plane_key: key, sealed } = asked;
  expect(isAnswerOf(key, sealed, said, body.signature)).toBe(true);
  const changes = [{ agentId: 'agt_x' }, { linkUrl: 'wss://elsewhere.example' }];
  for (const change of changes) {
    expect(isAnswerOf(key, sealed, { ...said, ...change }, body.signature)).toBe(false);
  }
  const other = applicant((await issue()).body.token).sealed;
  expect(isAnswerOf(key, other, said, body.signature)).toBe(false);
});

test('a token from before a new key of the control plane is good until that is retired', async () => {
  const { token } = (await issue()).body;
  await node.rotate();
  expect((await enrol(token)).status).toBe(201);
});

test('only an agent’s own tenant can see and revoke it', async () => {
  const { agentId } = await node.enrol(tenantId);
  const path = `/v1/agents/${agentId}`;
  const listed = await node.request('GET', '/v1/agents', stranger);
  expect(listed.body).toEqual({ results: [], next: null, previous: null });
  for (const method of ['GET', 'DELETE']) {
    const answer = await node.request(method, path, stranger);
    expect(answer).toMatchObject({ status: 404, body: { code: 'agent_not_found' } });
  }
  expect((await node.request('GET', path, tenantId)).body.id).toBe(agentId);
  expect((await node.request('DELETE', path, tenantId)).status).toBe(204);
  expect((await node.request('DELETE', path, tenantId)).status).toBe(404);
  expect((await node.request('GET', path, tenantId)).status).toBe(404);
});

test('an agent that is linked is shown online, and offline once it has gone', async () => {
  const credentials = await node.enrol(tenantId);
  const path = `/v1/agents/${credentials.agentId}`;
  const agent = await node.link(credentials);
  const online = await node.request('GET', path, tenantId);
  expect(online.body).toMatchObject({ online: true, last_seen_at: expect.any(String) });
  agent.socket.terminate();
  await expect
    .poll(async () => (await node.request('GET', path, tenantId)).body.online)
    .toBe(false);
});

describe('how an agent is', () => {
  const at = '2026-11-24T08:00:00.000Z';
  const finding = { component: 'disk', target: '/home', status: 'fail', detail: '<b>3 MiB</b>' };
  const told = {
    queue: {
      state: 'room',
      detail: '',
      pending_commands: 2,
      oldest_pending_at: at,
      unsent_events: 0,
      unsent_documents: 0,
      unsent_bytes: 0,
      oldest_unsent_at: null,
    },
    disk: { state: 'full', detail: '3 MiB are free', free_bytes: 0 },
    waiting: [{ connector: 'erp', detail: 'locked', since: at }],
    findings: [
      { ...finding, code: 'disk_low' },
      { ...finding, code: 'of_a_newer_agent' },
      { ...finding, status: 'ok' },
    ],
    examined_at: at,
  };
  const statusOf = async (agentId: string) =>
    (await node.request('GET', `/v1/agents/${agentId}`, tenantId)).body.status;

  test('is shown as it told last, with what helps in the words of the doctor', async () => {
    const credentials = await node.enrol(tenantId);
    expect(await statusOf(credentials.agentId)).toBeNull();
    const agent = await node.link(credentials);
    for (const pending_commands of [7, 8, 2]) {
      agent.send({ kind: 'status', body: { ...told, queue: { ...told.queue, pending_commands } } });
    }
    await expect
      .poll(() => statusOf(credentials.agentId))
      .toEqual({
        ...told,
        received_at: expect.any(String),
        findings: [
          { ...finding, code: 'disk_low', action: 'Free some space, or move the home folder.' },
          { ...finding, code: 'of_a_newer_agent', action: null },
          { ...finding, status: 'ok', code: null, action: null },
        ],
      });
    const answer = await node.request('GET', `/v1/agents/${credentials.agentId}`, stranger);
    expect(answer.status).toBe(404);
    agent.socket.terminate();
  });

  test('one that does not read changes nothing, and the link goes on', async () => {
    const credentials = await node.enrol(tenantId);
    const agent = await node.link(credentials);
    const many = Array.from({ length: 101 }, () => finding);
    for (const body of [
      null,
      'well',
      { ...told, findings: many },
      { ...told, more: 'x'.repeat(200_000) },
    ]) {
      agent.send({ kind: 'status', body });
    }
    agent.send({ kind: 'ping' });
    await agent.next('pong');
    expect(await statusOf(credentials.agentId)).toBeNull();
    agent.socket.terminate();
  });

  test('is not taken from an agent that agreed to an older version', async () => {
    const credentials = await node.enrol(tenantId);
    const agent = await node.link(credentials, { versions: { min: 1, max: 7 } });
    agent.send({ kind: 'status', body: told });
    expect(await agent.closed).toBe(closeReasons.unexpected.code);
    expect(await statusOf(credentials.agentId)).toBeNull();
  });
});
