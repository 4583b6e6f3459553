import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { controlPlaneMain } from '../../../test/kit/programs.ts';
import { type Harness, startHarness } from '../../einvoice/harness.kit.ts';
import { makeMember } from '../members/new-member.ts';
import { addMember } from '../members/store.ts';
import type { MemberRoles } from '../roles/member-roles.ts';
import { type ForgingProvider, startForgingProvider } from './forging-provider.kit.ts';
import { openOpenid } from './openid.ts';
import { openUserAgent } from './user-agent.kit.ts';

let harness: Harness;
let provider: ForgingProvider;
let owner: Awaited<ReturnType<typeof memberInBrowser>>;
let last = 0;

beforeAll(async () => {
  harness = await startHarness({ IDENTITY_PROVIDER_ALLOW_PRIVATE: 'true' });
  provider = await startForgingProvider();
  owner = await memberInBrowser({ role: 'owner', einvoicing_role: null });
});
afterAll(async () => {
  await harness?.stop();
  await provider?.close();
});
beforeEach(async () => {
  await put({});
});

const path = '/v1/identity-provider';
const call = (line: string, body?: unknown, cookie?: string) =>
  harness.call(line, body, {
    key: null,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(cookie === undefined ? {} : { cookie }),
    },
  });

async function memberInBrowser(roles: MemberRoles, tenantId = harness.acme.id) {
  const email = `member${(last += 1)}@acme.example`;
  const made = await makeMember(harness.app.platform, tenantId, { email, name: 'M', ...roles });
  const typed = { email, password: made.password! };
  const { headers } = await call('POST /v1/session', typed);
  return { ...typed, id: made.userId, cookie: headers.getSetCookie()[0]!.split(';')[0]! };
}

const settings = (over: object) => ({
  name: 'Acme sign-on',
  sign_in_name: 'acme',
  issuer: provider.issuer,
  client_id: 'drawbridge',
  client_secret: 'a secret of theirs',
  group_roles: [{ group: 'audit', einvoicing_role: 'auditor' }],
  ...over,
});
const put = (over: object, cookie = owner.cookie) => call(`PUT ${path}`, settings(over), cookie);
const ofEinvoicing = (einvoicing_role: MemberRoles['einvoicing_role']) =>
  memberInBrowser({ role: null, einvoicing_role });

test('of two first settings at the same moment the last one counts, and its secret opens', async () => {
  await call(`DELETE ${path}`, undefined, owner.cookie);
  const own = new pg.Client(harness.databaseUrl);
  await own.connect();
  // Nothing can be inserted until both have looked, so neither sees the other's.
  await own.query('begin; lock table identity_provider in share row exclusive mode');
  const both = Promise.all(['one', 'two'].map((client_secret) => put({ client_secret })));
  const held = `select from pg_locks join pg_database d on d.oid = database
    where datname = current_database() and not granted`;
  await eventually(async () => expect((await own.query(held)).rows).toHaveLength(2));
  await own.end();
  expect((await both).map(({ status }) => status)).toEqual([200, 200]);
  const checked = await call(`POST ${path}/check`, undefined, owner.cookie);
  expect(checked.status, checked.text).toBe(200);
});

test('it is shown with what to register, and its secret never', async () => {
  const { body, text: shown } = await call(`GET ${path}`, undefined, owner.cookie);
  const { id } = harness.acme;
  expect(body).toMatchObject({
    provider: {
      issuer: provider.issuer,
      has_client_secret: true,
      scopes: ['openid', 'email', 'profile'],
      default_roles: null,
      is_required: false,
      is_enabled: true,
      last_trial: null,
    },
    redirect_uris: [
      `${harness.urls.live}/v1/sign-in/${id}/callback`,
      `${harness.urls.sandbox}/v1/sign-in/${id}/callback`,
    ],
    sign_out_uris: [
      `${harness.urls.live}/console/sign-in`,
      `${harness.urls.sandbox}/console/sign-in`,
    ],
    backchannel_logout_uri: `${harness.urls.live}/v1/sign-in/${id}/backchannel-logout`,
  });
  expect(shown).not.toContain('a secret of theirs');
  const { text: log } = await harness.call('GET /v1/audit-log?action=putIdentityProvider');
  expect(log).toContain(provider.issuer);
  expect(log).not.toContain('a secret of theirs');
  const [row] = await harness.sql<{ row: string }>(
    'select p::text as row from identity_provider p',
  );
  expect(row!.row).not.toContain('a secret of theirs');
});

test.each([
  ['an issuer that is no address', { issuer: 'acme' }, 'issuer'],
  ['an issuer with a query', { issuer: 'https://login.example.com/?a=b' }, 'issuer'],
  ['an issuer with a password', { issuer: 'https://a:b@login.example.com' }, 'issuer'],
  ['scopes without openid', { scopes: ['email'] }, 'scopes'],
  ['a sign-in name with a dot', { sign_in_name: 'acme.example' }, 'sign_in_name'],
  ['a group without a role', { group_roles: [{ group: 'x' }] }, 'group_roles.0.role'],
  [
    'a role that there is not',
    { group_roles: [{ group: 'x', role: 'king' }] },
    'group_roles.0.role',
  ],
  ['a domain that is none', { email_domains: ['@acme.example'] }, 'email_domains.0'],
])('%s is refused by name', async (_, over, field) => {
  const { status, body } = await put(over);
  expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]]);
});

test('an address that is not public is refused where the host has not allowed it', async () => {
  const openid = openOpenid({ clock: () => new Date(), allowPrivate: false });
  const asked = provider.discoveries();
  const issuers = [provider.issuer, 'https://10.0.0.1', 'https://localhost', 'http://a.example'];
  for (const issuer of issuers) {
    expect([issuer, openid.refusalOf(issuer)]).toEqual([issuer, expect.any(String)]);
    // Nor is one asked that was set when the host still allowed it.
    const found = await openid.discover({ issuer, clientId: 'x', clientSecret: undefined });
    expect(found).toMatchObject({ kind: 'fault' });
  }
  expect(provider.discoveries()).toBe(asked);
  expect(openid.refusalOf('https://login.example.com')).toBeUndefined();
  await openid.close();
});

describe('who may', () => {
  test('whoever manages members and could give the roles themselves', async () => {
    const admin = await ofEinvoicing('finance_admin');
    expect((await put({}, admin.cookie)).status).toBe(200);
    const groups = [{ group: 'x', role: 'agent' }];
    const given = await put({ group_roles: groups }, admin.cookie);
    expect([given.status, given.body.code]).toEqual([403, 'role_too_strong']);
    expect((await put({ default_roles: { role: 'owner' } }, admin.cookie)).status).toBe(403);
    const { body } = await call(`GET ${path}`, undefined, owner.cookie);
    expect(body.provider.group_roles).toMatchObject([{ group: 'audit' }]);
  });

  test('nobody points what an owner has set up elsewhere, or removes it, who could not have set it up', async () => {
    await put({ group_roles: [{ group: 'bosses', role: 'owner' }] });
    const admin = await ofEinvoicing('finance_admin');
    expect((await put({ issuer: 'https://evil.example' }, admin.cookie)).status).toBe(403);
    expect((await call(`DELETE ${path}`, undefined, admin.cookie)).status).toBe(403);
  });

  test.each(['auditor', 'developer', 'operator'] as const)('not: %s', async (role) => {
    const { cookie } = await ofEinvoicing(role);
    expect((await put({}, cookie)).body.code).toBe('not_permitted');
    expect((await call(`POST ${path}/check`, undefined, cookie)).status).toBe(403);
    expect((await call('POST /v1/sign-in/trial', undefined, cookie)).status).toBe(403);
  });

  test('not whoever left an open browser ten minutes ago', async () => {
    const admin = await ofEinvoicing('finance_admin');
    harness.advance(11 * 60_000);
    expect((await put({}, admin.cookie)).body.code).toBe('proof_needed');
    const { email, password } = owner;
    const again = await call('POST /v1/session', { email, password });
    owner = { ...owner, cookie: again.headers.getSetCookie()[0]!.split(';')[0]! };
  });
});

test('the secret stays when it is left out, goes with null, and never goes to another issuer', async () => {
  const secretOf = async (over: object) => {
    const { client_secret: _, ...request } = settings(over);
    const given = 'client_secret' in over ? over : {};
    const { status, body } = await call(`PUT ${path}`, { ...request, ...given }, owner.cookie);
    return status === 200 ? body.provider.has_client_secret : Object.keys(body.errors);
  };
  expect(await secretOf({})).toBe(true);
  expect(await secretOf({ issuer: 'https://login.evil.example' })).toEqual(['client_secret']);
  expect(await secretOf({ client_id: 'another' })).toEqual(['client_secret']);
  expect(await secretOf({ client_secret: null })).toBe(false);
  expect(await secretOf({})).toBe(false);
});

test('a sign-in name is of one workspace', async () => {
  const stranger = await memberInBrowser(
    { role: 'owner', einvoicing_role: null },
    harness.other.id,
  );
  const taken = await put({}, stranger.cookie);
  expect([taken.status, taken.body.code]).toEqual([409, 'sign_in_name_taken']);
  expect((await put({ sign_in_name: 'acme-gulf' })).status).toBe(200);
  expect((await put({}, stranger.cookie)).status).toBe(200);
  expect((await call(`DELETE ${path}`, undefined, stranger.cookie)).status).toBe(204);
  expect((await put({})).status).toBe(200);
});

describe('where it is required', () => {
  test('members sign in through the provider alone, an owner by password too, and there is a way back', async () => {
    const member = await ofEinvoicing('auditor');
    const tokens = (await call('POST /v1/token', member)).body;
    expect(tokens).toMatchObject({ code: 'invalid_request' }); // more than a request has
    const { email, password } = member;
    const { refresh } = (await call('POST /v1/token', { email, password })).body;
    expect((await put({ is_required: true })).status).toBe(200);
    harness.advance(1_001);
    expect((await call('GET /v1/session', undefined, member.cookie)).status).toBe(401);
    expect((await call('POST /v1/refresh', { refresh })).status).toBe(401);
    for (const line of ['POST /v1/session', 'POST /v1/token']) {
      const refused = await call(line, { email, password });
      expect([line, refused.status, refused.body.code]).toEqual([
        line,
        403,
        'password_not_allowed',
      ]);
    }
    // Who types a wrong password learns nothing of it.
    const wrong = await call('POST /v1/session', { email, password: 'not this one' });
    expect(wrong.body.code).toBe('wrong_password');
    // From another workspace of theirs there is no way in either.
    const { platform } = harness.app;
    await makeMember(platform, harness.other.id, { email, name: 'M', einvoicing_role: 'auditor' });
    const elsewhere = await call('POST /v1/session', { email, password });
    expect(elsewhere.body).toMatchObject({ tenant: { id: harness.other.id } });
    expect(elsewhere.body.tenants).toHaveLength(1);
    const cookie = elsewhere.headers.getSetCookie()[0]!.split(';')[0]!;
    const moved = await call('PATCH /v1/session', { tenant_id: harness.acme.id }, cookie);
    expect(moved.body.code).toBe('password_not_allowed');

    expect((await call('GET /v1/session', undefined, owner.cookie)).status).toBe(200);
    const back = await call('POST /v1/session', { email: owner.email, password: owner.password });
    expect(back.status).toBe(200);
    expect((await put({ is_required: false })).status).toBe(200);
    const tenant_id = harness.acme.id;
    expect((await call('POST /v1/session', { email, password, tenant_id })).status).toBe(200);
  });

  test('only an owner asks for it, and not while nobody could sign in', async () => {
    const admin = await ofEinvoicing('finance_admin');
    expect((await put({ is_required: true }, admin.cookie)).body.code).toBe('role_too_strong');
    const off = await put({ is_required: true, is_enabled: false });
    expect(Object.keys(off.body.errors)).toEqual(['is_required']);
  });

  test('the last owner who has a password stays one', async () => {
    const { platform } = harness.app;
    const { id } = harness.acme;
    const userId = `usr_provider${last}`;
    await platform.db.tenant(id, async (tx) => {
      const account = [userId, `provider${last}@acme.example`];
      await tx.rows(`select add_provider_account($1, $2, 'By the provider', now())`, account);
      const roles = { role: 'owner', einvoicing_role: null } as const;
      await addMember(tx, id, { userId, ...roles, now: new Date() });
    });
    const { body: session } = await call('GET /v1/session', undefined, owner.cookie);
    const line = `/v1/members/${session.user.id}`;
    expect((await put({ is_required: true })).status).toBe(200);
    for (const [method, body] of [['PATCH', { role: 'admin' }], ['DELETE']] as const) {
      const answer = await call(`${method} ${line}`, body, owner.cookie);
      expect([answer.status, answer.body.code]).toEqual([409, 'no_way_back']);
    }
    const another = { email: `second${last}@acme.example`, name: 'Second', role: 'owner' } as const;
    const second = await makeMember(platform, id, another);
    const demoted = await call(
      `PATCH /v1/members/${second.userId}`,
      { role: 'admin' },
      owner.cookie,
    );
    expect(demoted.status).toBe(200);
    expect((await call(`PATCH ${line}`, { role: 'admin' }, owner.cookie)).status).toBe(409);
    expect((await put({ is_required: false })).status).toBe(200);
  });

  test('a workspace without an owner who has a password keeps its passwords', async () => {
    const { platform } = harness.app;
    const { db } = platform;
    const made = { email: `alone${last}@other.example`, name: 'A', role: 'owner' } as const;
    await makeMember(platform, harness.other.id, made);
    await db.tenant(harness.other.id, (tx) =>
      tx.run(`update member set role = 'admin' where tenant_id = $1`, [harness.other.id]),
    );
    const set = await identityProvider(
      ['set', '--tenant', harness.other.id],
      JSON.stringify(settings({ sign_in_name: 'alone', is_required: true })),
    );
    expect(set).toMatchObject({ code: 1, err: expect.stringContaining('Nobody could sign in') });
  });
});

test('a trial tells which groups came and which roles they give, and signs nobody in', async () => {
  const agent = openUserAgent();
  const { origin } = new URL(harness.urls.sandbox);
  const [name = '', value = ''] = owner.cookie.split('=');
  agent.cookies.set(origin, new Map([[name, value]]));
  const attempt = async (claims: object) => {
    const response = await agent.send(`${origin}/v1/sign-in/trial`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    const { searchParams } = new URL(((await response.json()) as { url: string }).url);
    provider.next(searchParams.get('nonce'), { sub: 's-1', email: 'try@acme.example', ...claims });
    const answer = new URL(searchParams.get('redirect_uri')!);
    answer.search = String(
      new URLSearchParams({ code: 'c', state: searchParams.get('state')!, iss: provider.issuer }),
    );
    const end = await agent.visit(answer.href, ({ pathname }) => pathname.startsWith('/console'));
    expect(end.url.pathname).toBe('/console/identity-provider');
    return (await call(`GET ${path}`, undefined, owner.cookie)).body.provider.last_trial;
  };
  await put({ is_enabled: false });
  expect(await attempt({ groups: ['audit', 'others'] })).toMatchObject({
    problem: null,
    email: 'try@acme.example',
    subject: 's-1',
    groups: ['audit', 'others'],
    einvoicing_role: 'auditor',
    claims: expect.arrayContaining(['groups', 'email']),
  });
  expect(await attempt({ groups: ['others'] })).toMatchObject({ problem: 'no_role', role: null });
  expect(await attempt({ groups: ['audit'], email: undefined })).toMatchObject({
    problem: 'email_missing',
  });
  expect(await attempt({ iss: 'https://evil.example' })).toMatchObject({
    problem: 'provider_answer_refused',
    detail: expect.stringContaining('iss'),
  });
  const { body } = await harness.call('GET /v1/members?limit=200');
  expect(JSON.stringify(body)).not.toContain('try@acme.example');
});

/** A command of the host, with what it reads. */
async function identityProvider(args: readonly string[], input = '') {
  const child = spawn(process.execPath, [controlPlaneMain, 'identity-provider', ...args], {
    env: {
      ...process.env,
      DATABASE_URL: harness.databaseUrl,
      DRAWBRIDGE_HOME: harness.app.platform.settings.home,
      IDENTITY_PROVIDER_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'silent',
    },
  });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { out, err, code: child.exitCode };
}

test('the host sets it up, shows it, lets passwords in again and removes it', async () => {
  const tenant = ['--tenant', harness.acme.id];
  const set = await identityProvider(
    ['set', ...tenant],
    JSON.stringify(settings({ name: 'By host' })),
  );
  expect(set).toMatchObject({ code: 0, out: expect.stringContaining('"acme"') });
  await put({ name: 'By host', is_required: true });
  const shown = await identityProvider(['show', ...tenant, '--json']);
  expect(JSON.parse(shown.out)).toMatchObject({ name: 'By host', is_required: true });
  expect(shown.out).not.toContain('a secret of theirs');
  expect((await identityProvider(['allow-passwords', ...tenant])).code).toBe(0);
  const { body } = await call(`GET ${path}`, undefined, owner.cookie);
  expect(body.provider.is_required).toBe(false);
  expect((await identityProvider(['remove', ...tenant])).code).toBe(0);
  expect((await call(`GET ${path}`, undefined, owner.cookie)).body.provider).toBeNull();
  const again = await identityProvider(['remove', ...tenant]);
  expect(again).toMatchObject({ code: 1, err: 'error: the tenant has no identity provider\n' });
  const bad = await identityProvider(['set', ...tenant], '{"client_secret":"do not say it"');
  expect(bad).toMatchObject({ code: 1, err: 'error: standard input is not JSON\n' });
  const { text: log } = await harness.call('GET /v1/audit-log?action=identity-provider%20remove');
  expect(log).toContain('"kind":"host"');
}, 120_000);
