import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { type ServiceKit, startService } from '../../messaging/service.kit.ts';
import { makeMember } from '../members/new-member.ts';
import { graceSeconds } from './sessions.ts';

let kit: ServiceKit;

beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const signIn = (body: unknown, on: 'live' | 'sandbox' = 'sandbox') =>
  kit.ask('POST /token/', { as: '', body, on });
const refresh = (token: string, on: 'live' | 'sandbox' = 'sandbox') =>
  kit.ask('POST /refresh/', { as: '', body: { refresh: token }, on });
const roles = (as: string, on: 'live' | 'sandbox' = 'sandbox') =>
  kit.ask('GET /tenants/roles/', { as, on });
const newMember = async (email: string, tenantId = kit.tenantId) => {
  const member = { email, name: 'Someone', role: 'agent' } as const;
  return { email, ...(await makeMember(kit.app.platform, tenantId, member)) };
};

test('e-mail and password give a pair that is valid only in its environment', async () => {
  const { status, body } = await signIn({ ...kit.owner, email: kit.owner.email.toUpperCase() });
  expect(status).toBe(200);
  expect(body).toMatchObject({ tenant_id: kit.tenantId, role: 'owner' });
  expect(decodeProtectedHeader(body.access)).toMatchObject({
    alg: 'EdDSA',
    kid: expect.stringMatching(/^sgn_/),
    typ: 'at+jwt',
  });
  const { iat = 0, exp = 0 } = decodeJwt(body.access);
  expect(exp - iat).toBe(900);
  const life = decodeJwt(body.refresh);
  expect(life.exp! - life.iat!).toBe(14 * 86_400);
  expect((await roles(body.access)).status).toBe(200);
  expect(await roles(body.access, 'live')).toMatchObject({
    status: 401,
    body: { code: 'wrong_environment' },
  });
  expect((await refresh(body.refresh, 'live')).status).toBe(401);
  expect((await refresh(body.refresh)).status).toBe(200);
});

test('a refresh token cannot call endpoints, an access token cannot refresh', async () => {
  const { body } = await signIn(kit.owner);
  expect((await roles(body.refresh)).status).toBe(401);
  expect((await refresh(body.access)).status).toBe(401);
  expect((await roles(body.access)).status).toBe(200);
});

test('a refresh token whose use is over ends its session when it comes again', async () => {
  const { body: first } = await signIn(kit.owner);
  const { body: second } = await refresh(first.refresh);
  expect((await roles(second.access)).status).toBe(200);
  kit.later(graceSeconds * 1_000);
  expect(await refresh(first.refresh)).toMatchObject({
    status: 401,
    body: { code: 'refresh_refused' },
  });
  expect((await refresh(second.refresh)).status).toBe(401);
  kit.later(1_001);
  expect(await roles(second.access)).toMatchObject({
    status: 401,
    body: { code: 'revoked_credentials' },
  });
});

test('whoever lost the answer gets the same next tokens again for half a minute', async () => {
  const { body: first } = await signIn(kit.owner);
  const { body: lost } = await refresh(first.refresh);
  kit.later((graceSeconds - 5) * 1_000);
  const { status, body: again } = await refresh(first.refresh);
  expect(status).toBe(200);
  expect(again).toEqual(lost);
  expect((await roles(again.access)).status).toBe(200);
  expect((await refresh(again.refresh)).status).toBe(200);
  expect((await refresh(lost.refresh)).status, 'the same token, used a moment ago').toBe(200);
});

test('a refresh token two turns back ends its session at once', async () => {
  const { body: first } = await signIn(kit.owner);
  const { body: second } = await refresh(first.refresh);
  const { body: third } = await refresh(second.refresh);
  expect((await refresh(first.refresh)).status).toBe(401);
  expect((await refresh(third.refresh)).status).toBe(401);
});

test('concurrent uses of a refresh token all get the one next token', async () => {
  const { body } = await signIn(kit.owner);
  const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(body.refresh)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const next = answers.map((each) => decodeJwt(each.body.refresh).jti);
  expect(new Set(next).size).toBe(1);
});

test.each([
  ['access', 900],
  ['refresh', 14 * 86_400],
] as const)('the %s token expires', async (kind, seconds) => {
  const { body } = await signIn(kit.owner);
  kit.later((seconds + 31) * 1_000);
  const answer = kind === 'access' ? await roles(body.access) : await refresh(body.refresh);
  expect(answer.status).toBe(401);
});

test('changed or unsigned tokens are refused', async () => {
  const { body } = await signIn(kit.owner);
  const [head = '', claims = '', signature = ''] = body.access.split('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
  const forged = Buffer.from(
    JSON.stringify({ ...decodeJwt(body.access), tenant: kit.strangerId }),
  ).toString('base64url');
  for (const token of [
    `${head}.${forged}.${signature}`,
    `${none}.${claims}.`,
    `${none}.${claims}.${signature}`,
    `eyJ.${claims}.${signature}`,
  ]) {
    expect((await roles(token)).status, token).toBe(401);
  }
});

test('members of many tenants choose one; a tenant of others is refused', async () => {
  const email = 'agency@example.com';
  const { password } = await newMember(email);
  await newMember(email, kit.strangerId);
  const [first, second] = [
    await signIn({ email, password }),
    await signIn({ email, password, tenant_id: kit.strangerId }),
  ];
  expect(first.body).toMatchObject({ tenant_id: kit.tenantId, role: 'agent' });
  expect(first.body.tenants).toHaveLength(2);
  expect(second.body.tenant_id).toBe(kit.strangerId);
  expect(await signIn({ ...kit.owner, tenant_id: kit.strangerId })).toMatchObject({
    status: 403,
    body: { code: 'not_a_member' },
  });
});

test('another role is valid at once, and a removed member has no access', async () => {
  const { email, password, userId } = await newMember('changing@example.com');
  const { body } = await signIn({ email, password });
  const invite = () =>
    kit.ask('POST /tenants/members/invite/', {
      as: body.access,
      body: { email: 'new@example.com', role: 'agent' },
    });
  expect((await invite()).status).toBe(403);
  const path = `/tenants/users/${userId}/`;
  expect((await kit.ask(`PATCH ${path}`, { body: { role: 'admin' } })).status).toBe(200);
  kit.later(1_001);
  expect((await invite()).status).toBe(201);
  expect((await kit.ask(`DELETE ${path}`)).status).toBe(204);
  kit.later(1_001);
  expect((await invite()).status).toBe(401);
  expect((await refresh(body.refresh)).status).toBe(401);
  expect((await signIn({ email, password })).body.code).toBe('not_a_member');
});

test('no password and no signing key is readable in the database', async () => {
  const [account] = await sqlAt<{ password_hash: string }>(
    kit.ownerUrl,
    'select password_hash from user_account limit 1',
  );
  expect(account!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const keys = await sqlAt<{ sealed_private_jwk: string; public_jwk: object }>(
    kit.ownerUrl,
    'select * from signing_key',
  );
  expect(keys).toHaveLength(1);
  expect(keys[0]!.sealed_private_jwk).toMatch(/^v1\./);
  expect(Object.keys(keys[0]!.public_jwk)).not.toContain('d');
});
