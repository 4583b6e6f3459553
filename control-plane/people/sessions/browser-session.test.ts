import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Harness, startHarness } from '../../einvoice/harness.kit.ts';
import { makeMember } from '../members/new-member.ts';

let harness: Harness;
let person: { email: string; password: string; userId: string };

beforeAll(async () => {
  harness = await startHarness({ BROWSER_IDLE_MINUTES: '30', BROWSER_LIFE_HOURS: '12' });
});
afterAll(() => harness?.stop());

let last = 0;
beforeEach(async () => {
  const email = `browser${(last += 1)}@acme.example`;
  const member = { email, name: 'Aisha', einvoicing_role: 'finance_admin' } as const;
  const made = await makeMember(harness.app.platform, harness.acme.id, member);
  person = { email, password: made.password!, userId: made.userId };
});

const minutes = (count: number) => count * 60_000;
const ofOurPage = { 'sec-fetch-site': 'same-origin' };
const ofPerson = { ...ofOurPage, 'person-acted': '?1' };

interface Sent {
  readonly cookie?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly environment?: 'live' | 'sandbox';
}

const call = (line: string, body?: unknown, { cookie, headers = ofOurPage, ...rest }: Sent = {}) =>
  harness.call(line, body, {
    key: null,
    headers: { ...headers, ...(cookie === undefined ? {} : { cookie }) },
    ...rest,
  });

/** The cookies of an answer, as a browser sends them back. */
const cookiesOf = ({ headers }: { headers: Headers }) =>
  headers
    .getSetCookie()
    .map((each) => each.split(';')[0]!)
    .join('; ');

async function signIn(sent: Sent = {}) {
  const { email, password } = person;
  const answer = await call('POST /v1/session', { email, password }, sent);
  expect(answer.status).toBe(200);
  return { ...answer, cookie: cookiesOf(answer) };
}

test('signing in sets a cookie that no script reads, and answers who it is', async () => {
  const { body, headers, cookie } = await signIn();
  expect(headers.getSetCookie()[0]).toMatch(
    /^drawbridge-sandbox-session=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  expect(body).toMatchObject({
    user: { name: 'Aisha', email: person.email, has_second_factor: false },
    tenant: { id: harness.acme.id },
    permissions: { einvoicing: expect.arrayContaining(['keys:write']) },
    environment: 'sandbox',
  });
  expect(JSON.stringify(body)).not.toContain('eyJ');
  expect((await call('GET /v1/invoices', undefined, { cookie })).status).toBe(200);
});

test('who is a member for messaging only sees and ends a session too', async () => {
  const agent = { email: 'agent@acme.example', name: 'Omar', role: 'agent' } as const;
  const { password } = await makeMember(harness.app.platform, harness.acme.id, agent);
  const answer = await call('POST /v1/session', { email: agent.email, password });
  const cookie = cookiesOf(answer);
  expect((await call('GET /v1/session', undefined, { cookie })).status).toBe(200);
  expect((await call('GET /v1/invoices', undefined, { cookie })).status).toBe(403);
  expect((await call('DELETE /v1/session', undefined, { cookie })).status).toBe(204);
});

test('a browser that speaks TLS through a trusted proxy gets a cookie bound to this host', async () => {
  const behind = await startHarness({ TRUST_PROXY: '1' });
  try {
    const member = { email: person.email, name: 'Aisha', einvoicing_role: 'auditor' } as const;
    const { password } = await makeMember(behind.app.platform, behind.acme.id, member);
    const headers = { ...ofOurPage, 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' };
    const typed = { email: person.email, password };
    const answer = await behind.call('POST /v1/session', typed, { key: null, headers });
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-drawbridge-sandbox-session=.*; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/,
    );
    const cookie = cookiesOf(answer);
    const shown = { key: null, headers: { ...headers, cookie } };
    expect((await behind.call('GET /v1/session', undefined, shown)).status).toBe(200);
  } finally {
    await behind.stop();
  }
});

describe('a cookie is taken from our own pages only', () => {
  const rows: [string, Readonly<Record<string, string>>, number, number][] = [
    ['our page', ofOurPage, 200, 204],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 401, 401],
    ['another host of the site', { 'sec-fetch-site': 'same-site' }, 401, 401],
    ['a typed address', { 'sec-fetch-site': 'none' }, 200, 401],
    ['an old browser, our page', { origin: 'OURS' }, 200, 204],
    ['an old browser, another page', { origin: 'https://evil.example' }, 401, 401],
    ['an old browser, a sandboxed frame', { origin: 'null' }, 401, 401],
    ['a browser that says nothing', {}, 200, 401],
  ];
  test.each(rows)('%s', async (_, given, reads, writes) => {
    const { cookie } = await signIn();
    const headers = given.origin === 'OURS' ? { origin: harness.urls.sandbox } : given;
    const read = await call('GET /v1/session', undefined, { cookie, headers });
    expect(read.status).toBe(reads);
    const write = await call('DELETE /v1/session', undefined, { cookie, headers });
    expect(write.status).toBe(writes);
  });

  test('and another page signs nobody in', async () => {
    const { email, password } = person;
    const headers = { 'sec-fetch-site': 'cross-site' };
    const answer = await call('POST /v1/session', { email, password }, { headers });
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

test('a session ends when nobody did anything for a while, and is prolonged by what they do', async () => {
  const { cookie } = await signIn();
  const isOpen = async (headers: Readonly<Record<string, string>> = ofPerson) =>
    (await call('GET /v1/session', undefined, { cookie, headers })).status === 200;
  harness.advance(minutes(29));
  expect(await isOpen()).toBe(true);
  harness.advance(minutes(29));
  expect(await isOpen()).toBe(true);
  harness.advance(minutes(31));
  expect(await isOpen()).toBe(false);
});

test.each([
  ['asks for by itself', 'GET /v1/invoices', ofOurPage],
  ['tells by itself', 'POST /v1/webhook-endpoints', ofOurPage],
  ['says nobody did', 'GET /v1/session', { ...ofOurPage, 'person-acted': '?0' }],
])('what a page %s prolongs no session', async (_, line, headers) => {
  const { cookie } = await signIn();
  for (let minute = 0; minute < 28; minute += 4) {
    harness.advance(minutes(4));
    const { status } = await call(line, line.startsWith('GET') ? undefined : {}, {
      cookie,
      headers,
    });
    expect(status).toBeLessThan(401);
  }
  harness.advance(minutes(4));
  const late = await call('GET /v1/session', undefined, { cookie, headers: ofPerson });
  expect(late.status).toBe(401);
});

test('another site prolongs no session by saying that a person did something', async () => {
  const { cookie } = await signIn();
  harness.advance(minutes(29));
  const headers = { 'sec-fetch-site': 'cross-site', 'person-acted': '?1' };
  expect((await call('GET /v1/session', undefined, { cookie, headers })).status).toBe(401);
  harness.advance(minutes(2));
  const late = await call('GET /v1/session', undefined, { cookie, headers: ofPerson });
  expect(late.status).toBe(401);
});

test('a session says how long it lasts without a request, and at most', async () => {
  const { body, cookie } = await signIn();
  const endsIn = (remaining: number) => ({
    idle_seconds: 29 * 60,
    remaining_seconds: expect.closeTo(remaining, -1), // the test takes time, too
  });
  expect(body.ends).toEqual(endsIn(12 * 3_600));
  harness.advance(minutes(20));
  const later = await call('GET /v1/session', undefined, { cookie, headers: ofPerson });
  expect(later.body.ends).toEqual(endsIn(12 * 3_600 - 20 * 60));
  harness.advance(minutes(29));
  expect((await call('GET /v1/session', undefined, { cookie })).status).toBe(200);
});

test('a session ends after its whole life, however it is used', async () => {
  const { cookie } = await signIn();
  for (let hour = 0; hour < 12 * 3; hour += 1) {
    harness.advance(minutes(20));
    await call('GET /v1/session', undefined, { cookie, headers: ofPerson });
  }
  harness.advance(minutes(1));
  expect((await call('GET /v1/session', undefined, { cookie })).body.code).toBe(
    'revoked_credentials',
  );
});

test('signing out ends the session on the server and in the browser', async () => {
  const { cookie } = await signIn();
  const out = await call('DELETE /v1/session', undefined, { cookie });
  expect(out.status).toBe(204);
  expect(out.headers.getSetCookie()[0]).toContain('drawbridge-sandbox-session=; Path=/; Max-Age=0');
  expect(out.headers.get('clear-site-data')).toBe('"cache"');
  harness.advance(1_001);
  expect((await call('GET /v1/session', undefined, { cookie })).status).toBe(401);
});

test('a cookie is good at the address that set it, and a changed one nowhere', async () => {
  const { cookie } = await signIn();
  const value = cookie.split(';')[0]!.split('=')[1]!;
  for (const [name, environment] of [
    ['drawbridge-live-session', 'live'],
    ['drawbridge-live-session', 'sandbox'],
    ['__Host-drawbridge-sandbox-session', 'sandbox'],
  ] as const) {
    const sent = { cookie: `${name}=${value}`, environment };
    expect((await call('GET /v1/session', undefined, sent)).status).toBe(401);
  }
  const changed = `drawbridge-sandbox-session=${value.slice(0, -3)}abc`;
  expect((await call('GET /v1/session', undefined, { cookie: changed })).status).toBe(401);
});

test('the token of a cookie opens nothing as a bearer token', async () => {
  const { cookie } = await signIn();
  const token = cookie.split(';')[0]!.split('=')[1]!;
  expect((await harness.call('GET /v1/invoices', undefined, { key: token })).status).toBe(401);
  const refreshed = await call('POST /v1/refresh', { refresh: token });
  expect(refreshed.status).toBe(401);
});

test('after ten minutes keys need the password again; invoices do not', async () => {
  const { cookie } = await signIn();
  const issue = () =>
    call('POST /v1/api-keys', { name: 'ERP', scopes: ['invoices:read'] }, { cookie });
  expect((await issue()).status).toBe(201);
  harness.advance(minutes(11));
  expect((await issue()).body.code).toBe('proof_needed');
  expect((await call('GET /v1/invoices', undefined, { cookie })).status).toBe(200);
  const wrong = await call('POST /v1/session/proof', { password: 'not this one' }, { cookie });
  expect(wrong.body.code).toBe('wrong_password');
  expect((await issue()).body.code).toBe('proof_needed');
  const { password } = person;
  expect((await call('POST /v1/session/proof', { password }, { cookie })).status).toBe(204);
  expect((await issue()).status).toBe(201);
});

test.each([
  [
    'inviting',
    'POST /v1/invitations',
    { email: 'mallory@example.com', einvoicing_role: 'auditor' },
  ],
  ['giving another role', 'PATCH /v1/members/{id}', { einvoicing_role: 'auditor' }],
])('after ten minutes %s needs the password again', async (_, line, body) => {
  const { cookie } = await signIn();
  harness.advance(minutes(11));
  const answer = await call(line.replace('{id}', person.userId), body, { cookie });
  expect(answer).toMatchObject({ status: 403, body: { code: 'proof_needed' } });
});

test('after ten minutes a mapping is not approved by being sent so', async () => {
  const { cookie } = await signIn();
  harness.advance(minutes(11));
  const path = `/v1/connectors/${harness.acme.connector}/mapping`;
  const put = (status: string) => {
    const mapping = { fields: [{ target: 'number', value: status, status }] };
    return call(`PUT ${path}`, { mapping }, { cookie });
  };
  expect(await put('approved')).toMatchObject({ status: 403, body: { code: 'proof_needed' } });
  expect(await put('proposed')).toMatchObject({ status: 200 });
});

test('going to another workspace takes the session along, and the password’s age with it', async () => {
  const member = { email: person.email, name: 'Aisha', einvoicing_role: 'auditor' } as const;
  await makeMember(harness.app.platform, harness.other.id, member);
  const { cookie } = await signIn();
  harness.advance(minutes(11));
  const moved = await call('PATCH /v1/session', { tenant_id: harness.other.id }, { cookie });
  expect(moved.body).toMatchObject({
    tenant: { id: harness.other.id },
    einvoicing_role: 'auditor',
  });
  harness.advance(1_001);
  expect((await call('GET /v1/session', undefined, { cookie })).status).toBe(401);
  const there = cookiesOf(moved);
  const back = await call('PATCH /v1/session', { tenant_id: harness.acme.id }, { cookie: there });
  const issued = await call(
    'POST /v1/api-keys',
    { name: 'ERP', scopes: ['invoices:read'] },
    { cookie: cookiesOf(back) },
  );
  expect(issued.body.code).toBe('proof_needed');
  const stranger = { tenant_id: '0190a0a0-0000-7000-8000-000000000000' };
  const refused = await call('PATCH /v1/session', stranger, { cookie: cookiesOf(back) });
  expect(refused.body.code).toBe('not_a_member');
});
