import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { type Harness, startHarness } from '../../einvoice/harness.kit.ts';
import { deleteTenantRecords } from '../../platform/tenant-records/deletion.ts';
import { makeMember } from '../members/new-member.ts';
import type { MemberRoles } from '../roles/member-roles.ts';
import { type IdentityProvider, startProvider } from './provider.kit.ts';
import { openUserAgent, type UserAgent } from './user-agent.kit.ts';

let harness: Harness;
let provider: IdentityProvider;
let owner: Awaited<ReturnType<typeof memberInBrowser>>;
let last = 0;

beforeAll(async () => {
  harness = await startHarness({ IDENTITY_PROVIDER_ALLOW_PRIVATE: 'true' });
  const { body } = await harness.call('GET /v1/identity-provider');
  provider = await startProvider({
    redirect_uris: body.redirect_uris,
    post_logout_redirect_uris: body.sign_out_uris,
    backchannel_logout_uri: body.backchannel_logout_uri,
    backchannel_logout_session_required: true,
  });
  owner = await memberInBrowser('owner', { role: 'owner', einvoicing_role: null });
});
afterAll(async () => {
  await harness?.stop();
  await provider?.close();
});
beforeEach(async () => {
  last += 1;
  expect((await configure()).status).toBe(200);
});

const ofOurPage = { 'sec-fetch-site': 'same-origin' };
const sandbox = () => harness.urls.sandbox;
const call = (line: string, body?: unknown, cookie?: string) =>
  harness.call(line, body, {
    key: null,
    headers: { ...ofOurPage, ...(cookie === undefined ? {} : { cookie }) },
  });

async function memberInBrowser(name: string, roles: MemberRoles) {
  const email = `${name}@acme.example`;
  const { platform } = harness.app;
  const made = await makeMember(platform, harness.acme.id, { email, name, ...roles });
  const password = made.password!;
  return { cookie: await signInByPassword({ email, password }), email, password };
}

async function signInByPassword(typed: { email: string; password: string }): Promise<string> {
  const { headers, status } = await call('POST /v1/session', typed);
  expect(status).toBe(200);
  return headers.getSetCookie()[0]!.split(';')[0]!;
}

const settings = (over: object = {}) => ({
  name: 'Acme sign-on',
  sign_in_name: 'acme',
  issuer: provider.issuer,
  client_id: provider.clientId,
  client_secret: provider.clientSecret,
  scopes: ['openid', 'email', 'profile', 'groups'],
  group_roles: [
    { group: 'finance', einvoicing_role: 'finance_admin' },
    { group: 'audit', einvoicing_role: 'auditor' },
    { group: 'support', role: 'agent' },
  ],
  email_domains: ['acme.example'],
  ...over,
});

/** As the owner, whose session may have ended while the clock was moved. */
async function configure(over: object = {}) {
  const put = () => call('PUT /v1/identity-provider', settings(over), owner.cookie);
  const answer = await put();
  if (!['proof_needed', 'revoked_credentials'].includes(answer.body.code)) return answer;
  const { email, password } = owner;
  owner = { ...owner, cookie: await signInByPassword({ email, password }) };
  return put();
}

/** Somebody of the provider, whom no other test knows. */
function person(groups: readonly string[] = ['audit'], more: object = {}) {
  const login = `person${last}-${provider.people.size}`;
  const email = `${login}@acme.example`;
  provider.people.set(login, { email, email_verified: true, name: 'Amal', groups, ...more });
  return { login, email };
}

const atConsole = ({ pathname }: URL) => pathname.startsWith('/console');

/** From the sign-in page through the provider to the page of the console where it ends. */
async function signIn(
  login: string | undefined,
  agent: UserAgent = openUserAgent(),
  body: object = { workspace: 'acme' },
) {
  const begun = await begin(agent, body);
  const page = await agent.visit(begun.url, atConsole);
  const end =
    login === undefined || atConsole(page.url)
      ? page
      : await agent.submit(page, { login }, atConsole);
  return { agent, url: end.url, problem: end.url.searchParams.get('problem') };
}

async function begin(agent: UserAgent, body: object, line = '/v1/sign-in') {
  const response = await agent.send(`${sandbox()}${line}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ofOurPage },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { url: string; code?: string };
  expect([response.status, answer.code]).toEqual([200, undefined]);
  return answer;
}

const sessionOf = (agent: UserAgent) =>
  call('GET /v1/session', undefined, agent.cookieOf(sandbox()));

/** The newest events of the audit log. */
async function audited(action: string) {
  const { body } = await harness.call(`GET /v1/audit-log?action=${action}`);
  return body.results;
}

describe('signing in', () => {
  test('the first one makes the member, with the roles of the groups, and leads to where it led', async () => {
    const { login, email } = person(['support', 'finance', 'nobody knows']);
    const body = { workspace: 'ACME', return_to: '/invoices?status=rejected' };
    const { agent, url } = await signIn(login, undefined, body);
    expect(url.href).toBe(`${sandbox()}/console/invoices?status=rejected`);
    const { body: session } = await sessionOf(agent);
    expect(session).toMatchObject({
      user: { email, name: 'Amal', has_second_factor: false },
      tenant: { id: harness.acme.id },
      role: 'agent',
      einvoicing_role: 'finance_admin',
      signed_in_by: 'provider',
      tenants: [{ id: harness.acme.id }],
    });
    expect(await audited('joinByProvider')).toMatchObject([
      { subject: session.user.id, after: { role: 'agent', einvoicing_role: 'finance_admin' } },
    ]);
    expect((await audited('signIn'))[0]).toMatchObject({
      actor: { kind: 'user', id: session.user.id },
      after: { by: 'provider', subject: login },
    });
    // The cookie of the sign-in is spent, and what is left is the session's.
    expect([...agent.cookies.get(sandbox())!.keys()]).toEqual(['drawbridge-sandbox-session']);
  });

  test('a later one is the same person, with other roles when the groups are others', async () => {
    const { login } = person(['finance']);
    const { body: first } = await sessionOf((await signIn(login)).agent);
    provider.people.set(login, {
      ...provider.people.get(login),
      groups: ['audit'],
      name: 'Amal H.',
    });
    const { body: second } = await sessionOf((await signIn(login)).agent);
    expect(second.user).toMatchObject({ id: first.user.id, name: 'Amal H.' });
    expect(second.einvoicing_role).toBe('auditor');
    expect((await audited('changeRolesByProvider'))[0]).toMatchObject({
      before: { einvoicing_role: 'finance_admin' },
      after: { einvoicing_role: 'auditor' },
    });
  });

  test('whoever is in no group any more is refused, is no member, and their sessions end', async () => {
    const { login } = person(['audit']);
    const { agent } = await signIn(login);
    const { body } = await sessionOf(agent);
    provider.people.set(login, { ...provider.people.get(login), groups: [] });
    const { problem, url } = await signIn(login);
    expect(problem).toBe('no_role');
    expect(url.searchParams.get('request_id')).toMatch(/^req_/);
    harness.advance(1_001);
    expect((await sessionOf(agent)).status).toBe(401);
    const { body: members } = await harness.call('GET /v1/members?limit=200');
    expect(members.results.map(({ id }: { id: string }) => id)).not.toContain(body.user.id);
    expect((await audited('removeByProvider'))[0]).toMatchObject({ subject: body.user.id });
    // Back in a group it is the same person.
    provider.people.set(login, { ...provider.people.get(login), groups: ['audit'] });
    const { body: back } = await sessionOf((await signIn(login)).agent);
    expect(back.user.id).toBe(body.user.id);
    const listed = await harness.call('GET /v1/members?limit=200');
    const row = listed.body.results.find(({ id }: { id: string }) => id === body.user.id);
    expect(row).toMatchObject({ signs_in_by: 'provider', has_second_factor: false });
  });

  test('whoever is in no group gets the default roles where there are some', async () => {
    await configure({ default_roles: { einvoicing_role: 'auditor' } });
    const { body } = await sessionOf((await signIn(person([]).login)).agent);
    expect(body).toMatchObject({ role: null, einvoicing_role: 'auditor' });
  });

  test.each([
    ['no address', { email: undefined }, 'email_missing'],
    ['an address that is not verified', { email_verified: false }, 'email_unverified'],
    ['an address of another domain', { email: 'x@other.example' }, 'email_domain'],
    ['an address of a domain within', { email: 'x@sub.acme.example' }, 'email_domain'],
    ['no group of ours', { groups: ['strangers'] }, 'no_role'],
  ])('%s is told in a word, with the id of the request', async (_, claims, code) => {
    const { login } = person(['audit'], claims);
    const { url, problem, agent } = await signIn(login);
    expect(problem).toBe(code);
    expect(url.pathname).toBe('/console/sign-in');
    expect((await sessionOf(agent)).status).toBe(401);
    expect((await audited('signIn'))[0]).toMatchObject({
      outcome: 'refused',
      after: { by: 'provider', code, subject: login },
      request_id: url.searchParams.get('request_id'),
    });
  });

  test('a person who refuses at the provider comes back, and is told', async () => {
    const agent = openUserAgent();
    const { url } = await begin(agent, { workspace: 'acme' });
    const page = await agent.visit(url);
    const { url: end } = await agent.submit(page, { refuse: 'yes' }, atConsole);
    expect(end.searchParams.get('problem')).toBe('provider_denied');
  });

  test('nobody signs in by a name that there is not, or through a provider that is not enabled', async () => {
    const unknown = await call('POST /v1/sign-in', { workspace: 'nobody-here' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'sign_in_name_unknown']);
    await configure({ is_enabled: false });
    const off = await call('POST /v1/sign-in', { workspace: 'acme' });
    expect(off.body.code).toBe('sign_in_name_unknown');
  });

  test.each(['//evil.example/', '/\\evil.example', 'https://evil.example', '/a b', ''])(
    'it leads to no other address: %j',
    async (return_to) => {
      const refused = await call('POST /v1/sign-in', { workspace: 'acme', return_to });
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    },
  );

  test('another page begins none', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const answer = await harness.call(
      'POST /v1/sign-in',
      { workspace: 'acme' },
      { key: null, headers },
    );
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('a session ends when it was not used, as every session in a browser', async () => {
    const { agent } = await signIn(person().login);
    harness.advance(31 * 60_000);
    expect((await sessionOf(agent)).status).toBe(401);
  });
});

describe('a member who is there already', () => {
  test('is the same person when address, domain and roles fit, and stays so when the address changes', async () => {
    const local = await memberInBrowser(`local${last}`, { role: null, einvoicing_role: 'auditor' });
    const { login } = person(['audit'], { email: local.email });
    const { body: before } = await call('GET /v1/session', undefined, local.cookie);
    const { body } = await sessionOf((await signIn(login)).agent);
    expect(body.user).toEqual({ ...before.user, has_second_factor: false });
    provider.people.set(login, { ...provider.people.get(login), email: 'new@acme.example' });
    const { body: later } = await sessionOf((await signIn(login)).agent);
    expect(later.user).toEqual(body.user);
    // The password goes on to work.
    expect((await call('GET /v1/session', undefined, local.cookie)).status).toBe(200);
  });

  test.each([
    ['the address is not said to be verified', {}, { email_verified: undefined }, 'auditor', null],
    ['the workspace names no domain', { email_domains: [] }, {}, 'auditor', null],
    ['they are more than the provider could make them', {}, {}, null, 'owner'],
  ] as const)('is refused when %s', async (_, over, claims, einvoicing_role, role) => {
    await configure(over);
    const local = await memberInBrowser(`member${last}`, { role, einvoicing_role });
    const { login } = person(['audit'], { email: local.email, ...claims });
    expect((await signIn(login)).problem).toBe('member_exists');
    const { body } = await call('GET /v1/session', undefined, local.cookie);
    expect(body).toMatchObject({ role, einvoicing_role });
  });

  test('an address that is given to somebody else is not the person before', async () => {
    const first = person(['audit']);
    await signIn(first.login);
    const second = person(['audit'], { email: first.email });
    expect((await signIn(second.login)).problem).toBe('member_exists');
  });

  test('an open invitation is withdrawn by the first sign-in', async () => {
    const { login, email } = person(['audit']);
    const invited = await harness.call('POST /v1/invitations', {
      email,
      einvoicing_role: 'auditor',
    });
    expect(invited.status).toBe(201);
    await signIn(login);
    const { body } = await harness.call('GET /v1/invitations');
    expect(body.results).toEqual([]);
  });
});

describe('what a session by a provider may not', () => {
  test.each([
    ['POST /v1/password', { password: 'x', new_password: 'a new one that is long' }],
    ['POST /v1/second-factor', { password: 'x' }],
    ['GET /v1/second-factor', undefined],
    ['POST /v1/second-factor/confirm', { code: '123456' }],
    ['POST /v1/second-factor/disable', { password: 'x', code: '123456' }],
    ['POST /v1/session/proof', { password: 'x' }],
    ['PATCH /v1/session', { tenant_id: '0190a0a0-0000-7000-8000-000000000000' }],
  ])('%s', async (line, body) => {
    const { agent } = await signIn(person().login);
    const answer = await call(line, body, agent.cookieOf(sandbox()));
    expect([answer.status, answer.body.code]).toEqual([403, 'signed_in_by_provider']);
  });
});

/** A workspace whose administrator points it at a provider that says whatever they like. */
describe('a provider of another workspace', () => {
  test('vouches for nobody outside of it, whatever address it says', async () => {
    const { platform } = harness.app;
    const { acme, other } = harness;
    // The victim has an account, a role in acme, and a session there.
    const victim = await memberInBrowser(`victim${last}`, {
      role: null,
      einvoicing_role: 'auditor',
    });
    const { body: known } = await call('GET /v1/session', undefined, victim.cookie);
    const evil = { email: `evil${last}@other.example`, name: 'Evil', role: 'owner' } as const;
    const { password } = await makeMember(platform, other.id, evil);
    const cookie = await signInByPassword({ email: evil.email, password: password! });
    const { body: theirs } = await call('GET /v1/identity-provider', undefined, cookie);
    const forged = await startProvider({ redirect_uris: theirs.redirect_uris });
    try {
      forged.people.set('x', { email: victim.email, email_verified: true, groups: ['finance'] });
      const over = { sign_in_name: `evil${last}`, issuer: forged.issuer };
      const put = await call('PUT /v1/identity-provider', settings(over), cookie);
      expect(put.status).toBe(200);
      const { agent } = await signIn('x', undefined, { workspace: `evil${last}` });
      const { body: session } = await sessionOf(agent);
      // Somebody is signed in, to their own workspace, who has nothing to do with the victim.
      expect(session).toMatchObject({ tenant: { id: other.id }, tenants: [{ id: other.id }] });
      expect(session.user.id).not.toBe(known.user.id);
      const own = agent.cookieOf(sandbox());
      const moved = await call('PATCH /v1/session', { tenant_id: acme.id }, own);
      expect(moved.body.code).toBe('signed_in_by_provider');
      const { body: sessions } = await call('GET /v1/sessions', undefined, own);
      expect(sessions.results.map((each: { tenant_id: string }) => each.tenant_id)).toEqual([
        other.id,
      ]);
      await call('DELETE /v1/sessions', undefined, own);
      expect((await call('GET /v1/session', undefined, victim.cookie)).status).toBe(200);
      // Nor does the address lead to the account that was made: the password is still the victim's own.
      const again = { email: victim.email, password: victim.password };
      const { body: signedIn } = await call('POST /v1/session', again);
      expect(signedIn.user.id).toBe(known.user.id);
      expect(signedIn.tenants).toEqual([expect.objectContaining({ id: acme.id })]);
      // What the victim does is in no log of theirs.
      await call('POST /v1/session', { ...again, password: 'a wrong one' });
      const key = other.keys.sandbox;
      const { text } = await harness.call('GET /v1/audit-log?limit=200', undefined, { key });
      expect(text).not.toContain(known.user.id);
    } finally {
      await forged.close();
    }
  });

  test('opens nothing of ours of somebody who is a member of both', async () => {
    const { platform } = harness.app;
    const { acme, other } = harness;
    const roles = { role: null, einvoicing_role: 'auditor' } as const;
    const both = await memberInBrowser(`both${last}`, roles);
    await makeMember(platform, other.id, { email: both.email, name: 'B', ...roles });
    const { body: known } = await call('GET /v1/session', undefined, both.cookie);
    const { body: mine } = await call('GET /v1/sessions', undefined, both.cookie);
    const boss = { email: `boss${last}@other.example`, name: 'Boss', role: 'owner' } as const;
    const { password } = await makeMember(platform, other.id, boss);
    const cookie = await signInByPassword({ email: boss.email, password: password! });
    const { body: theirs } = await call('GET /v1/identity-provider', undefined, cookie);
    const forged = await startProvider({ redirect_uris: theirs.redirect_uris });
    try {
      forged.people.set('x', { email: both.email, email_verified: true, groups: ['audit'] });
      const over = { sign_in_name: `both${last}`, issuer: forged.issuer };
      expect((await call('PUT /v1/identity-provider', settings(over), cookie)).status).toBe(200);
      const { agent } = await signIn('x', undefined, { workspace: `both${last}` });
      const own = agent.cookieOf(sandbox());
      const { body: session } = await call('GET /v1/session', undefined, own);
      // It is the same account: they are a member of that workspace, and it vouches for its members.
      expect(session.user.id).toBe(known.user.id);
      expect(session.tenant.id).toBe(other.id);
      expect(session.tenants).toEqual([expect.objectContaining({ id: other.id })]);
      const { body: sessions, text } = await call('GET /v1/sessions', undefined, own);
      expect(sessions.results).toHaveLength(1);
      expect(text).not.toContain(acme.id);
      const move = await call('PATCH /v1/session', { tenant_id: acme.id }, own);
      expect(move.body.code).toBe('signed_in_by_provider');
      const ofAcme = mine.results.find((each: { is_current: boolean }) => each.is_current).id;
      expect((await call(`DELETE /v1/sessions/${ofAcme}`, undefined, own)).status).toBe(404);
      expect((await call('DELETE /v1/sessions', undefined, own)).status).toBe(204);
      const { password: right } = both;
      for (const [line, body] of [
        ['POST /v1/password', { password: right, new_password: 'one that the boss knows' }],
        ['POST /v1/second-factor', { password: right }],
        ['POST /v1/session/proof', { password: right }],
      ] as const) {
        expect((await call(line, body, own)).body.code).toBe('signed_in_by_provider');
      }
      // Whoever leaves their groups there is still a member here, with the session that they have here.
      forged.people.set('x', { email: both.email, email_verified: true, groups: [] });
      expect((await signIn('x', undefined, { workspace: `both${last}` })).problem).toBe('no_role');
      harness.advance(1_001);
      const still = await call('GET /v1/session', undefined, both.cookie);
      expect(still.body).toMatchObject({ tenant: { id: acme.id }, einvoicing_role: 'auditor' });
    } finally {
      await call('DELETE /v1/identity-provider', undefined, cookie);
      await forged.close();
    }
  });

  test('is not signed in to through ours, and ours not through it', async () => {
    const agent = openUserAgent();
    const { url } = await begin(agent, { workspace: 'acme' });
    const page = await agent.visit(url);
    const { login } = person();
    const isAnswer = ({ pathname }: URL) => pathname.endsWith('/callback');
    const { url: answer } = await agent.submit(page, { login }, isAnswer);
    const elsewhere = answer.href.replace(harness.acme.id, harness.other.id);
    const end = await agent.visit(elsewhere, atConsole);
    expect(end.url.searchParams.get('problem')).toBe('sign_in_expired');
    expect((await sessionOf(agent)).status).toBe(401);
    // In its own place the same answer is good.
    expect((await agent.visit(answer.href, atConsole)).url.searchParams.get('problem')).toBeNull();
  });
});

describe('showing again who one is', () => {
  const issue = (agent: UserAgent) =>
    call(
      'POST /v1/api-keys',
      { name: 'ERP', scopes: ['invoices:read'] },
      agent.cookieOf(sandbox()),
    );

  async function prove(agent: UserAgent, login: string) {
    const { url } = await begin(agent, { return_to: '/prove?done=1' }, '/v1/sign-in/proof');
    const page = await agent.visit(url, atConsole);
    expect(page.text, 'the provider asks, although it knows the person').toContain('name="login"');
    return agent.submit(page, { login }, atConsole);
  }

  test('keys need it after ten minutes: the provider asks again, and then it is enough', async () => {
    const { login } = person(['finance']);
    const { agent } = await signIn(login);
    harness.advance(11 * 60_000);
    expect((await issue(agent)).body.code).toBe('proof_needed');
    const { url } = await prove(agent, login);
    expect(url.pathname + url.search).toBe('/console/prove?done=1');
    expect((await issue(agent)).status).toBe(201);
    expect((await audited('proveByProvider'))[0]).toMatchObject({ outcome: 'done' });
  });

  test('somebody else proves nothing', async () => {
    const { agent } = await signIn(person(['finance']).login);
    harness.advance(11 * 60_000);
    agent.cookies.delete(provider.issuer);
    const { url } = await prove(agent, person(['finance']).login);
    expect(url.searchParams.get('problem')).toBe('other_person');
    harness.advance(1_001);
    expect((await issue(agent)).body.code).toBe('proof_needed');
  });

  test('where the workspace asks for a second factor, a password is not enough', async () => {
    await configure({ proof_acr_values: ['urn:mfa'] });
    const { login } = person(['finance'], { acr: 'urn:password' });
    const { agent } = await signIn(login);
    harness.advance(11 * 60_000);
    const { url } = await prove(agent, login);
    expect(url.searchParams.get('problem')).toBe('proof_too_weak');
    provider.people.set(login, { ...provider.people.get(login), acr: 'urn:mfa' });
    expect((await prove(agent, login)).url.searchParams.get('problem')).toBeNull();
    harness.advance(1_001);
    expect((await issue(agent)).status).toBe(201);
  });
});

describe('signing out', () => {
  test('ends the session here and at the provider, everywhere', async () => {
    const { login } = person();
    const { agent } = await signIn(login);
    const elsewhere = await signIn(login);
    const cookie = agent.cookieOf(sandbox());
    const { status, body, headers } = await call('DELETE /v1/session', undefined, cookie);
    expect(status).toBe(200);
    expect(headers.getSetCookie()[0]).toContain('Max-Age=0');
    const page = await agent.visit(body.provider_sign_out_url);
    const { url } = await agent.submit(page, { logout: 'yes' }, atConsole);
    expect(url.href).toBe(`${sandbox()}/console/sign-in`);
    harness.advance(1_001);
    expect((await call('GET /v1/session', undefined, cookie)).status).toBe(401);
    // The provider told us by its back channel: the session in another browser has ended too.
    expect((await sessionOf(elsewhere.agent)).status).toBe(401);
    expect((await audited('logOutByProvider'))[0]).toMatchObject({ outcome: 'done' });
    // And it asks again who it is.
    const again = await begin(agent, { workspace: 'acme' });
    expect((await agent.visit(again.url, atConsole)).text).toContain('name="login"');
  });

  test('a session by password ends as before', async () => {
    const { cookie } = await memberInBrowser(`leaving${last}`, {
      role: null,
      einvoicing_role: 'auditor',
    });
    expect((await call('DELETE /v1/session', undefined, cookie)).status).toBe(204);
  });
});

test('a workspace that is deleted takes the accounts along that its provider made', async () => {
  const { db, objects } = harness.app.platform;
  const { id } = harness.other;
  await db.tenant(id, (tx) =>
    tx.rows(`select add_provider_account('usr_gone', 'gone@other.example', 'Gone', now())`),
  );
  await db.tenant(id, (tx) =>
    tx.run(
      `insert into provider_identity (tenant_id, issuer, subject, user_id, created_at, signed_in_at)
       values ($1, 'https://login.example.com', 'gone', 'usr_gone', now(), now())`,
      [id],
    ),
  );
  await db.system(async (tx) => {
    await tx.rows('select set_tenant_suspended($1, true)', [id]);
    await tx.rows('select begin_tenant_deletion($1)', [id]);
  });
  await deleteTenantRecords({ db, objects, onProgress: () => {} }, id);
  const left = await sqlAt(harness.databaseUrl, `select from user_account where id = 'usr_gone'`);
  expect(left).toEqual([]);
});
