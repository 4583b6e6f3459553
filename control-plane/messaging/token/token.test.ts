import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { type ServiceKit, startService } from '../service.kit.ts';
import { makeMember } from './accounts.ts';
import { triesMax } from './sign-in.ts';

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
const forgetTries = () => sqlAt(kit.ownerUrl, 'delete from sign_in_window');

test('e-mail and password give a pair that opens the address it was issued at, and no other', async () => {
  const { status, body } = await signIn({ ...kit.owner, email: kit.owner.email.toUpperCase() });
  expect(status).toBe(200);
  expect(body).toMatchObject({ tenant_id: kit.tenantId, role: 'owner' });
  expect(decodeProtectedHeader(body.access)).toMatchObject({
    ...{ alg: 'EdDSA', kid: expect.stringMatching(/^sgn_/), typ: 'at+jwt' },
  });
  const { iat = 0, exp = 0 } = decodeJwt(body.access);
  expect(exp - iat).toBe(900);
  const life = decodeJwt(body.refresh);
  expect(life.exp! - life.iat!).toBe(14 * 86_400);
  expect((await roles(body.access)).status).toBe(200);
  expect(await roles(body.access, 'live')).toMatchObject({
    ...{ status: 401, body: { code: 'wrong_environment' } },
  });
  expect((await refresh(body.refresh, 'live')).status).toBe(401);
  expect((await refresh(body.refresh)).status).toBe(200);
});

test('a refresh token does not open endpoints, an access token does not refresh', async () => {
  const { body } = await signIn(kit.owner);
  expect((await roles(body.refresh)).status).toBe(401);
  expect((await refresh(body.access)).status).toBe(401);
  expect((await roles(body.access)).status).toBe(200);
});

test('a refresh token is good once; used again it ends the session, its newest tokens too', async () => {
  const { body: first } = await signIn(kit.owner);
  const { body: second } = await refresh(first.refresh);
  expect((await roles(second.access)).status).toBe(200);
  expect(await refresh(first.refresh)).toMatchObject({
    ...{ status: 401, body: { code: 'refresh_refused' } },
  });
  expect((await refresh(second.refresh)).status).toBe(401);
  kit.later(1_001);
  expect(await roles(second.access)).toMatchObject({
    ...{ status: 401, body: { code: 'revoked_credentials' } },
  });
});

test('of two uses of one refresh token at once, at most one gives a pair', async () => {
  const { body } = await signIn(kit.owner);
  const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(body.refresh)));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(5);
});

test.each([
  ['access', 900],
  ['refresh', 14 * 86_400],
] as const)('the %s token ends when its time is over', async (kind, seconds) => {
  const { body } = await signIn(kit.owner);
  kit.later((seconds + 31) * 1_000);
  const answer = kind === 'access' ? await roles(body.access) : await refresh(body.refresh);
  expect(answer.status).toBe(401);
});

test('tokens that were changed, or signed by nobody, are refused', async () => {
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

test('after so many wrong passwords the account waits, exactly, also when they come at once', async () => {
  const { email, password } = await newMember('locked@example.com');
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => signIn({ email, password: 'wrong' })),
  );
  const codes = answers.map(({ body }) => body.code as string);
  expect(codes.filter((code) => code === 'wrong_password')).toHaveLength(triesMax.account);
  expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(7);
  const { status, headers } = await signIn({ email, password });
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
  expect((await signIn(kit.owner)).status).toBe(200);
  await sqlAt(
    kit.ownerUrl,
    `update sign_in_window set tried_at =
       array(select t - interval '15 min' from unnest(tried_at) t)`,
  );
  expect((await signIn({ email, password })).status).toBe(200);
});

test('an address of the network that tries many accounts waits; signing in well does not count', async () => {
  await forgetTries();
  for (let n = 0; n < 3; n += 1) expect((await signIn(kit.owner)).status).toBe(200);
  await sqlAt(
    kit.ownerUrl,
    `insert into sign_in_window values ('ip 127.0.0.1',
       array_fill(clock_timestamp() - interval '1 min', array[${triesMax.ip - 1}]))
     on conflict (key) do update set tried_at = excluded.tried_at`,
  );
  const nobody = { email: 'nobody@example.com', password: 'wrong' };
  expect((await signIn(nobody)).body.code).toBe('wrong_password');
  expect((await signIn({ ...nobody, email: 'x@example.com' })).body.code).toBe('too_many_attempts');
  await forgetTries();
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
    ...{ status: 403, body: { code: 'not_a_member' } },
  });
});

test('another role holds at once, and a removed member is out', async () => {
  const { email, password, userId } = await newMember('changing@example.com');
  const { body } = await signIn({ email, password });
  const invite = () =>
    kit.ask('POST /tenants/members/invite/', {
      ...{ as: body.access, body: { email: 'new@example.com', role: 'agent' } },
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

test('nothing readable of passwords and signing keys is in the database', async () => {
  const [account] = await sqlAt<{ password_hash: string }>(
    ...([kit.ownerUrl, 'select password_hash from user_account limit 1'] as const),
  );
  expect(account!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const keys = await sqlAt<{ sealed_private_jwk: string; public_jwk: object }>(
    ...([kit.ownerUrl, 'select * from signing_key'] as const),
  );
  expect(keys).toHaveLength(1);
  expect(keys[0]!.sealed_private_jwk).toMatch(/^v1\./);
  expect(Object.keys(keys[0]!.public_jwk)).not.toContain('d');
});
