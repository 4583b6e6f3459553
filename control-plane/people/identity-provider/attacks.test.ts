/** What is sent by somebody who is not the provider, or by a provider that is not what it should be. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Harness, startHarness } from '../../einvoice/harness.kit.ts';
import { makeMember } from '../members/new-member.ts';
import {
  type Claims,
  clientSecret,
  type Forgery,
  type ForgingProvider,
  startForgingProvider,
} from './forging-provider.kit.ts';
import { openUserAgent, type UserAgent } from './user-agent.kit.ts';

let harness: Harness;
let provider: ForgingProvider;
let owner: { email: string; password: string };

beforeAll(async () => {
  harness = await startHarness({ IDENTITY_PROVIDER_ALLOW_PRIVATE: 'true' });
  provider = await startForgingProvider();
  const email = 'owner@acme.example';
  const member = { email, name: 'Owner', role: 'owner' } as const;
  const { password } = await makeMember(harness.app.platform, harness.acme.id, member);
  owner = { email, password: password! };
  await configure();
});
afterAll(async () => {
  await harness?.stop();
  await provider?.close();
});

const ofOurPage = { 'sec-fetch-site': 'same-origin' };
const sandbox = () => harness.urls.sandbox;
const call = (line: string, body?: unknown, cookie?: string) =>
  harness.call(line, body, {
    key: null,
    headers: { ...ofOurPage, ...(cookie === undefined ? {} : { cookie }) },
  });

async function configure(over: object = {}) {
  const { headers } = await call('POST /v1/session', owner);
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
  const body = {
    name: 'Acme sign-on',
    sign_in_name: 'acme',
    issuer: provider.issuer,
    client_id: 'drawbridge',
    client_secret: clientSecret,
    group_roles: [{ group: 'audit', einvoicing_role: 'auditor' }],
    proof_amr_values: ['mfa'],
    ...over,
  };
  const answer = await call('PUT /v1/identity-provider', body, cookie);
  expect(answer.status).toBe(200);
  return { ...answer, cookie };
}

const amal: Claims = {
  sub: 'amal',
  email: 'amal@acme.example',
  email_verified: true,
  groups: ['audit'],
};

async function begin(agent: UserAgent, body: object = { workspace: 'acme' }, line = '/v1/sign-in') {
  const response = await agent.send(`${sandbox()}${line}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ofOurPage },
    body: JSON.stringify(body),
  });
  const { url, code } = (await response.json()) as { url: string; code?: string };
  expect([response.status, code]).toEqual([200, undefined]);
  return new URL(url).searchParams;
}

/** The provider's answer to what was asked, and what in it is other than it should be. */
function answerTo(asked: URLSearchParams, over: Readonly<Record<string, string | null>> = {}) {
  const url = new URL(asked.get('redirect_uri')!);
  const good = { code: 'good', state: asked.get('state'), iss: provider.issuer };
  for (const [name, value] of Object.entries({ ...good, ...over })) {
    if (value !== null) url.searchParams.set(name, value);
  }
  return url.href;
}

const atConsole = ({ pathname }: URL) => pathname.startsWith('/console');

async function signIn(claims: Claims = amal, forgery: Forgery = {}, agent = openUserAgent()) {
  const asked = await begin(agent);
  provider.next(asked.get('nonce'), claims, forgery);
  const answer = answerTo(asked);
  const { url } = await agent.visit(answer, atConsole);
  return { agent, answer, asked, problem: url.searchParams.get('problem') };
}

const statusOf = async (agent: UserAgent) =>
  (await call('GET /v1/session', undefined, agent.cookieOf(sandbox()))).status;

test('what is good is taken, with PKCE, a nonce and a state that nobody could guess', async () => {
  const { agent, asked, problem } = await signIn();
  expect(problem).toBeNull();
  expect(await statusOf(agent)).toBe(200);
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: 'code',
    client_id: 'drawbridge',
    scope: 'openid email profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    redirect_uri: `${sandbox()}/v1/sign-in/${harness.acme.id}/callback`,
  });
  // Browsers keep no cookie of more than 4 KiB.
  const longest = openUserAgent();
  await begin(longest, { workspace: 'acme', return_to: `/${'x'.repeat(999)}` });
  expect(longest.cookieOf(sandbox()).length).toBeLessThan(4_000);
  expect(new URLSearchParams(provider.redeemed.at(-1)).get('code_verifier')).toMatch(/^[\w-]{43}$/);
});

const now = () => Math.floor(Date.now() / 1_000);

describe('a token is refused', () => {
  const rows: readonly (readonly [string, Forgery])[] = [
    ['with another nonce', { claims: { nonce: 'of another sign-in' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['of another issuer', { claims: { iss: 'https://login.evil.example' } }],
    ['for another client', { claims: { aud: 'somebody else' } }],
    [
      'for several clients, authorised for another',
      { claims: { aud: ['drawbridge', 'x'], azp: 'x' } },
    ],
    ['that is over', { claims: { exp: now() - 3_600, iat: now() - 7_200 } }],
    ['that begins later', { claims: { nbf: now() + 3_600 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an endless subject', { claims: { sub: 'x'.repeat(256) } }],
    ['with a subject that cannot be stored', { claims: { sub: 'a\0b' } }],
    ['without a signature (alg none)', { signed: 'none' }],
    ['signed by a key that is not the provider’s', { signed: 'foreign' }],
    ['signed with the provider’s public key as a secret (HS256)', { signed: 'public key' }],
    ['signed with the secret of the client (HS256)', { signed: 'client secret' }],
    ['whose times are texts', { claims: { auth_time: 'now' } }],
  ];
  test.each(rows)('%s', async (_, forgery) => {
    const { agent, problem } = await signIn(amal, forgery);
    expect(problem).toBe('provider_answer_refused');
    expect(await statusOf(agent)).toBe(401);
  });
});

test('clocks that are off by less than a minute do no harm', async () => {
  const late = { exp: now() - 30, iat: now() - 300 };
  expect((await signIn(amal, { claims: late })).problem).toBeNull();
});

test('a key that was changed is known at once', async () => {
  expect((await signIn()).problem).toBeNull();
  await provider.rotateKey();
  expect((await signIn()).problem).toBeNull();
});

describe('an answer is refused', () => {
  const rows: readonly (readonly [string, Readonly<Record<string, string | null>>, string])[] = [
    ['with another state', { state: 'A'.repeat(43) }, 'sign_in_expired'],
    ['without a state', { state: null }, 'sign_in_expired'],
    [
      'of another issuer (mix-up)',
      { iss: 'https://login.evil.example' },
      'provider_answer_refused',
    ],
    [
      'without its issuer, where the provider says that it names it',
      { iss: null },
      'provider_answer_refused',
    ],
    ['without a code', { code: null }, 'provider_answer_refused'],
    ['that is a refusal', { code: null, error: 'access_denied' }, 'provider_denied'],
    ['that is another error', { code: null, error: 'server_error' }, 'provider_error'],
  ];
  test.each(rows)('%s', async (_, over, code) => {
    const agent = openUserAgent();
    const asked = await begin(agent);
    provider.next(asked.get('nonce'), amal);
    const { url } = await agent.visit(answerTo(asked, over), atConsole);
    expect(url.searchParams.get('problem')).toBe(code);
    expect(await statusOf(agent)).toBe(401);
  });

  test('what a provider says in words is shown to nobody', async () => {
    const agent = openUserAgent();
    const asked = await begin(agent);
    const error = { code: null, error: 'server_error', error_description: 'Call 0900-EVIL' };
    const { url } = await agent.visit(answerTo(asked, error), atConsole);
    expect(url.href).not.toContain('EVIL');
  });

  test('that came already', async () => {
    const agent = openUserAgent();
    const asked = await begin(agent);
    const stolen = new Map(agent.cookies.get(sandbox()));
    provider.next(asked.get('nonce'), amal);
    const answer = answerTo(asked);
    expect((await agent.visit(answer, atConsole)).url.searchParams.get('problem')).toBeNull();
    const redeemed = provider.redeemed.length;
    // In the same browser the cookie is spent; whoever has copied it comes too late.
    for (const thief of [agent, openUserAgent()]) {
      if (thief !== agent) thief.cookies.set(sandbox(), new Map(stolen));
      const { url } = await thief.visit(answer, atConsole);
      expect(url.searchParams.get('problem')).toBe('sign_in_expired');
    }
    expect(provider.redeemed.length).toBe(redeemed);
  });

  test('that comes to another browser', async () => {
    const [attacker, victim] = [openUserAgent(), openUserAgent()];
    const asked = await begin(attacker);
    provider.next(asked.get('nonce'), amal);
    await begin(victim);
    const { url } = await victim.visit(answerTo(asked), atConsole);
    expect(url.searchParams.get('problem')).toBe('sign_in_expired');
    expect(await statusOf(victim)).toBe(401);
  });

  test('that comes too late', async () => {
    const agent = openUserAgent();
    const asked = await begin(agent);
    harness.advance(601_000);
    provider.next(asked.get('nonce'), amal);
    const { url } = await agent.visit(answerTo(asked), atConsole);
    expect(url.searchParams.get('problem')).toBe('sign_in_expired');
  });

  test('when the settings are others meanwhile', async () => {
    const agent = openUserAgent();
    const asked = await begin(agent);
    provider.next(asked.get('nonce'), amal);
    await configure({ client_id: 'another', client_secret: 'another too' });
    const { url } = await agent.visit(answerTo(asked), atConsole);
    expect(url.searchParams.get('problem')).toBe('provider_changed');
    await configure();
  });

  test('with a cookie that was changed, or is of the other environment', async () => {
    const agent = openUserAgent();
    const asked = await begin(agent);
    provider.next(asked.get('nonce'), amal);
    const jar = agent.cookies.get(sandbox())!;
    const name = 'drawbridge-sandbox-sign-in';
    const value = jar.get(name)!;
    jar.set(name, `${value.slice(0, -4)}AAAA`);
    const { url } = await agent.visit(answerTo(asked), atConsole);
    expect(url.searchParams.get('problem')).toBe('sign_in_expired');
    const live = answerTo(asked).replace(sandbox(), harness.urls.live);
    agent.cookies.set(harness.urls.live, new Map([['drawbridge-live-sign-in', value]]));
    const elsewhere = await agent.visit(live, atConsole);
    expect(elsewhere.url.searchParams.get('problem')).toBe('sign_in_expired');
  });
});

test('a proof counts only with what the provider says of how and when', async () => {
  const { agent } = await signIn();
  const prove = async (claims: Claims) => {
    const asked = await begin(agent, {}, '/v1/sign-in/proof');
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
    provider.next(asked.get('nonce'), { ...amal, ...claims });
    const { url } = await agent.visit(answerTo(asked), atConsole);
    return url.searchParams.get('problem');
  };
  expect(await prove({ amr: ['mfa'] }), 'it does not say when').toBe('proof_too_weak');
  expect(await prove({ auth_time: now() - 300, amr: ['mfa'] }), 'long ago').toBe('proof_too_weak');
  expect(await prove({ auth_time: now(), amr: ['pwd'] }), 'by password').toBe('proof_too_weak');
  expect(await prove({ auth_time: now(), amr: ['pwd', 'mfa'] })).toBeNull();
});

test('whoever has signed in long ago at the provider shows it again before keys', async () => {
  await configure({ group_roles: [{ group: 'audit', einvoicing_role: 'developer' }] });
  const issue = async (claims: Claims) => {
    const { agent } = await signIn({ ...amal, sub: 'dev', email: 'dev@acme.example', ...claims });
    const request = { name: 'ERP', scopes: ['invoices:read'] };
    return (await call('POST /v1/api-keys', request, agent.cookieOf(sandbox()))).body.code;
  };
  expect(await issue({ auth_time: now() - 3_600 })).toBe('proof_needed');
  expect(await issue({})).toBe('proof_needed');
  // Longer ago than any date can say.
  expect(await issue({ iat: 1e12, auth_time: 0 })).toBe('proof_needed');
  expect(await issue({ iat: 1e300, auth_time: 0 })).toBe('proof_needed');
  expect(await issue({ auth_time: now() })).toBeUndefined();
  await configure();
});

describe('a provider that says of itself what is not so', () => {
  const rows: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['another issuer', { issuer: 'https://login.evil.example' }],
    ['a script as its page', { authorization_endpoint: 'javascript:alert(1)' }],
    ['no page', { authorization_endpoint: undefined }],
    ['a script as the page to sign out', { end_session_endpoint: 'javascript:alert(1)' }],
  ];
  test.each(rows)('%s', async (_, metadata) => {
    const { cookie } = await configure();
    const checked = async () =>
      (await call('POST /v1/identity-provider/check', undefined, cookie)).body;
    expect(await checked()).toMatchObject({ ok: true, ends_sessions: true });
    Object.assign(provider.metadata, metadata);
    try {
      expect(await checked()).toMatchObject({ ok: false, authorization_endpoint: null });
      const begun = await call('POST /v1/sign-in', { workspace: 'acme' });
      expect([begun.status, begun.body.code]).toEqual([502, 'provider_unreachable']);
    } finally {
      for (const name of Object.keys(metadata)) delete provider.metadata[name];
    }
  });

  const keys: readonly (readonly [string, unknown])[] = [
    ['none', { keys: [] }],
    ['no list', { keys: { '0': {} } }],
    ['nothing', null],
    ['no objects', { keys: [null, 'key', 7] }],
    [
      'a number without end',
      { keys: [{ kty: 'RSA', kid: 'first', n: 'x'.repeat(100_000), e: 'AQAB' }] },
    ],
    ['no number', { keys: [{ kty: 'RSA', kid: 'first', n: '', e: '' }] }],
    ['a number that is a list', { keys: [{ kty: 'RSA', kid: 'first', n: [], e: {} }] }],
    ['a point that is on no curve', { keys: [{ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }] }],
    ['a secret', { keys: [{ kty: 'oct', kid: 'first', k: 'AAAA' }] }],
    [
      'several of one name',
      { keys: Array(500).fill({ kty: 'RSA', kid: 'first', n: 'AQAB', e: 'AQAB' }) },
    ],
    ['prototypes', JSON.parse('{"keys":[{"__proto__":{"kty":"RSA"},"constructor":1}]}')],
  ];
  test.each(keys)('keys that are %s', async (_, said) => {
    await signIn();
    const { agent } = await signIn();
    provider.instead.set('/keys', (response) => response.end(JSON.stringify(said)));
    try {
      expect((await signIn()).problem).toBe('provider_answer_refused');
      const body = new URLSearchParams({
        logout_token: await provider.logoutToken({ sub: 'amal' }),
      });
      const path = `${sandbox()}/v1/sign-in/${harness.acme.id}/backchannel-logout`;
      expect((await fetch(path, { method: 'POST', body })).status).toBe(400);
      harness.advance(1_001);
      expect(await statusOf(agent)).toBe(200);
    } finally {
      provider.instead.clear();
    }
  });

  /** Ways to answer, by which a client waits, fills its memory or calls somebody else. */
  const answers: readonly (readonly [string, (response: ServerResponse) => void])[] = [
    ['says nothing', () => {}],
    ['says one byte a second', (response) => trickle(response, ' ', 1_000)],
    ['talks without end', (response) => trickle(response, ' '.repeat(65_536), 1)],
    ['sends headers without end', (response) => sendHeaders(response)],
    ['nests without end', (response) => response.end('['.repeat(120_000))],
    ['sends somebody else’s way', (response) => redirect(response, 'http://127.0.0.1:1/')],
    ['sends it to itself', (response) => redirect(response, `${provider.issuer}/authorize`)],
    ['hangs up', (response) => response.destroy()],
    ['speaks no JSON', (response) => response.end('<html>')],
  ];
  const places = ['/.well-known/openid-configuration', '/token', '/keys'];
  test.each(answers)(
    'one that %s holds nobody up',
    async (_, answer) => {
      for (const place of places) {
        const { cookie } = await configure();
        const agent = openUserAgent();
        const asked = await begin(agent);
        provider.next(asked.get('nonce'), amal);
        provider.instead.set(place, answer);
        try {
          const begun = performance.now();
          const waiting =
            place === places[0]
              ? call('POST /v1/identity-provider/check', undefined, cookie).then(
                  ({ body }) => body.ok,
                )
              : agent
                  .visit(answerTo(asked), atConsole)
                  .then(({ url }) => url.searchParams.has('problem') === false);
          // Others are served meanwhile, through connections to the database that nobody keeps.
          const served = await call('GET /healthz');
          expect([served.status, await waiting]).toEqual([200, false]);
          expect(performance.now() - begun).toBeLessThan(limitMs);
        } finally {
          provider.instead.clear();
        }
        expect(await statusOf(agent)).toBe(401);
      }
    },
    90_000,
  );

  test('keys at an address of its own choice are asked for by the same rules', async () => {
    provider.metadata.jwks_uri = 'http://127.0.0.1:1/keys';
    try {
      await configure();
      await call('POST /v1/identity-provider/check', undefined, (await configure()).cookie);
      expect((await signIn()).problem).toBe('provider_unreachable');
    } finally {
      delete provider.metadata.jwks_uri;
      await call('POST /v1/identity-provider/check', undefined, (await configure()).cookie);
    }
  });
});

describe('a logout token', () => {
  const path = () => `${sandbox()}/v1/sign-in/${harness.acme.id}/backchannel-logout`;
  const post = async (token: string, url = path()) => {
    const body = new URLSearchParams({ logout_token: token });
    const response = await fetch(url, { method: 'POST', body });
    return response.status;
  };

  test('ends all sessions of the person in the workspace, once', async () => {
    const agents = [(await signIn()).agent, (await signIn()).agent];
    const token = await provider.logoutToken({ sub: 'amal' });
    expect(await post(token)).toBe(200);
    harness.advance(1_001);
    for (const agent of agents) expect(await statusOf(agent)).toBe(401);
    const { agent } = await signIn();
    expect(await post(token), 'the same again').toBe(400);
    harness.advance(1_001);
    expect(await statusOf(agent)).toBe(200);
  });

  test('may name the provider’s session alone', async () => {
    const { agent } = await signIn({ ...amal, sid: 'session 1' });
    const other = await signIn({
      ...amal,
      sub: 'badr',
      email: 'badr@acme.example',
      sid: 'session 2',
    });
    expect(await post(await provider.logoutToken({ sid: 'session 1' }))).toBe(200);
    harness.advance(1_001);
    expect(await statusOf(agent)).toBe(401);
    expect(await statusOf(other.agent)).toBe(200);
  });

  const event = 'http://schemas.openid.net/event/backchannel-logout';
  const rows: readonly (readonly [string, Claims, Forgery])[] = [
    ['of another issuer', { iss: 'https://login.evil.example' }, {}],
    ['for another client', { aud: 'x' }, {}],
    ['that is over', { exp: now() - 600 }, {}],
    ['that is old', { iat: now() - 3_600 }, {}],
    ['without an id', { jti: undefined }, {}],
    ['that tells of something else', { events: { 'https://x.example/event': {} } }, {}],
    ['that tells of nothing', { events: undefined }, {}],
    ['with a nonce, as an ID token', { nonce: 'n' }, {}],
    ['that tells of it in another form', { events: { [event]: 'yes' } }, {}],
    ['that tells of it with nothing', { events: { [event]: null } }, {}],
    ['without a signature', {}, { signed: 'none' }],
    ['signed by another key', {}, { signed: 'foreign' }],
    ['signed with the public key as a secret', {}, { signed: 'public key' }],
    ['signed with the secret of the client', {}, { signed: 'client secret' }],
  ];
  test.each(rows)('is refused %s', async (_, claims, forgery) => {
    const { agent } = await signIn();
    expect(await post(await provider.logoutToken({ sub: 'amal', ...claims }, forgery))).toBe(400);
    harness.advance(1_001);
    expect(await statusOf(agent)).toBe(200);
  });

  test.each(['', 'not a token', 'a.b.c', `${'x'.repeat(20_000)}`])(
    'that is none is refused: %#',
    async (token) => {
      expect([400, 413]).toContain(await post(token));
    },
  );

  test('about somebody who is not signed in asks the provider for nothing', async () => {
    const asked = provider.keysAsked();
    expect(await post(await provider.logoutToken({ sub: 'nobody' }))).toBe(200);
    expect(provider.keysAsked()).toBe(asked);
  });

  test('of one workspace ends nothing in another', async () => {
    const { agent } = await signIn();
    const elsewhere = path().replace(harness.acme.id, harness.other.id);
    expect(await post(await provider.logoutToken({ sub: 'amal' }), elsewhere)).toBe(400);
    expect(await statusOf(agent)).toBe(200);
  });
});

test('whoever goes on being refused fills no audit log', async () => {
  const refused = async () => {
    const path = '/v1/audit-log?action=signIn&outcome=refused&limit=200';
    return (await harness.call(`GET ${path}`)).body.results.length as number;
  };
  harness.advance(16 * 60_000);
  const before = await refused();
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const agent = openUserAgent();
    const error = { code: null, error: 'server_error' };
    await agent.visit(answerTo(await begin(agent), error), atConsole);
  }
  expect((await refused()) - before).toBe(50);
});

test('nothing of a sign-in that opens something is in the log', async () => {
  const { agent, asked } = await signIn();
  const { body } = await call('DELETE /v1/session', undefined, agent.cookieOf(sandbox()));
  const idToken = new URL(body.provider_sign_out_url).searchParams.get('id_token_hint')!;
  const written = harness.logged.join('');
  for (const secret of [idToken, asked.get('state')!, asked.get('nonce')!, 'of the client']) {
    expect(written).not.toContain(secret);
  }
  const rows = await harness.sql<{ row: string }>(
    'select p::text as row from provider_session p union all select i::text from identity_provider i',
  );
  const stored = JSON.stringify(rows);
  expect(stored).not.toContain(idToken.slice(0, 40));
  expect(stored).not.toContain('of the client');
});

/** Ten seconds, and what a busy machine adds. */
const limitMs = 14_000;

function trickle(response: ServerResponse, text: string, everyMs: number): void {
  response.write('{');
  const timer = setInterval(() => response.write(text), everyMs);
  response.on('close', () => clearInterval(timer));
  response.on('error', () => {});
}

function sendHeaders(response: ServerResponse): void {
  const { socket } = response;
  socket!.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket!.write(`x-more: ${'x'.repeat(8_000)}\r\n`), 1);
  socket!.on('close', () => clearInterval(timer));
  socket!.on('error', () => {});
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

test('thousands of groups, and groups that are none, give the roles of those that are', async () => {
  const groups = [
    ...Array.from({ length: 3_000 }, (_, at) => at),
    {},
    null,
    ['audit'],
    '__proto__',
    'constructor',
  ];
  expect((await signIn({ ...amal, groups })).problem).toBe('no_role');
  expect((await signIn({ ...amal, groups: [...groups, 'audit'] })).problem).toBeNull();
  const many = Array.from({ length: 10_000 }, (_, at) => `g${at}`);
  expect((await signIn({ ...amal, groups: many })).problem).toBe('no_role');
});
