import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { type ServiceKit, startService } from '../../messaging/service.kit.ts';
import { beginPasswordReset } from '../accounts/password-reset.ts';
import { makeMember } from '../members/new-member.ts';
import { totpAt } from './totp.kit.ts';

let kit: ServiceKit;

beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());
beforeEach(() => sqlAt(kit.ownerUrl, 'delete from sign_in_window'));

const codeOf = (secret: string, offsetSteps = 0) =>
  totpAt(secret, kit.app.platform.clock().getTime() + offsetSteps * 30_000);

const signIn = (body: object) => kit.ask('POST /token/', { as: '', body });
const post = (path: string, as: string, body: object) => kit.ask(`POST ${path}`, { as, body });

let last = 0;
async function newPerson() {
  const email = `person${(last += 1)}@example.com`;
  const member = { email, name: 'Someone', role: 'analyst' } as const;
  const { password } = await makeMember(kit.app.platform, kit.tenantId, member);
  return { email, password: password! };
}

/** A person with a second factor, whose next code is not used yet. */
async function newGuarded() {
  const person = await newPerson();
  const { access } = (await signIn(person)).body;
  const begun = await post('/second-factor/', access, { password: person.password });
  expect(begun.status).toBe(200);
  const { secret } = begun.body;
  const confirmed = await post('/second-factor/confirm/', access, { code: codeOf(secret) });
  expect(confirmed.status).toBe(200);
  kit.later(30_000);
  const codes = confirmed.body.recovery_codes as string[];
  return { person, access: access as string, secret: secret as string, codes };
}

test('with a second factor the password alone signs nobody in', async () => {
  const { person, secret } = await newGuarded();
  for (let n = 0; n < 7; n += 1) {
    expect(await signIn(person)).toMatchObject({
      status: 401,
      body: { code: 'second_factor_required' },
    });
  }
  expect((await signIn({ ...person, password: 'wrong' })).body.code).toBe('wrong_password');
  const code = codeOf(secret);
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
  expect((await signIn({ ...person, code: spaced })).status).toBe(200);
});

test('a code is good once, and none of an earlier step is good after it', async () => {
  const { person, secret } = await newGuarded();
  const [now, before] = [codeOf(secret), codeOf(secret, -1)];
  const answers = await Promise.all([now, now, now].map((code) => signIn({ ...person, code })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  expect((await signIn({ ...person, code: now })).body.code).toBe('wrong_code');
  expect((await signIn({ ...person, code: before })).body.code).toBe('wrong_code');
  kit.later(30_000);
  expect((await signIn({ ...person, code: codeOf(secret) })).status).toBe(200);
});

test('the code that confirmed it signs nobody in', async () => {
  const person = await newPerson();
  const { access } = (await signIn(person)).body;
  const { secret } = (await post('/second-factor/', access, { password: person.password })).body;
  const code = codeOf(secret);
  expect((await post('/second-factor/confirm/', access, { code })).status).toBe(200);
  expect((await signIn({ ...person, code })).body.code).toBe('wrong_code');
});

test.each([
  [-1, 200],
  [1, 200],
  [-3, 401],
  [2, 401],
])('a code %i steps from now gives %i', async (offset, status) => {
  const { person, secret } = await newGuarded();
  kit.later(60_000);
  expect((await signIn({ ...person, code: codeOf(secret, offset) })).status).toBe(status);
});

test('wrong codes are tries to sign in like wrong passwords', async () => {
  const { person, secret } = await newGuarded();
  const code = codeOf(secret) === '000000' ? '111111' : '000000';
  for (let n = 0; n < 5; n += 1) {
    expect((await signIn({ ...person, code })).body.code).toBe('wrong_code');
  }
  expect((await signIn({ ...person, code: codeOf(secret) })).status).toBe(429);
});

test('each recovery code signs in once, and only hashes of them are stored', async () => {
  const { person, access, codes } = await newGuarded();
  expect(new Set(codes).size).toBe(10);
  const typed = codes[0]!.toUpperCase().replaceAll('-', ' ');
  expect((await signIn({ ...person, code: typed })).status).toBe(200);
  expect((await signIn({ ...person, code: codes[0]! })).body.code).toBe('wrong_code');
  expect((await signIn({ ...person, code: codes[9]! })).status).toBe(200);
  const { body } = await kit.ask('GET /second-factor/', { as: access });
  expect(body).toMatchObject({ is_enabled: true, recovery_codes_left: 8 });
  const other = await newGuarded();
  expect((await signIn({ ...other.person, code: codes[1]! })).body.code).toBe('wrong_code');
});

test('the list of members says who has a second factor', async () => {
  const guarded = (await newGuarded()).person;
  const { email } = await newPerson();
  const { body } = await kit.ask('GET /tenants/users/?limit=200');
  const rowOf = (wanted: string) =>
    body.results.find((row: { email: string }) => row.email === wanted);
  expect(rowOf(guarded.email)).toMatchObject({ signs_in_by: 'password', has_second_factor: true });
  expect(rowOf(email)).toMatchObject({ signs_in_by: 'password', has_second_factor: false });
});

test('neither secret nor recovery code is readable in the database', async () => {
  const { secret, codes } = await newGuarded();
  const rows = await sqlAt<{ row: string }>(
    kit.ownerUrl,
    "select f::text || array_to_string(recovery_hashes, ',') as row from second_factor f",
  );
  const dump = JSON.stringify(rows);
  expect(dump).toContain('v1.');
  expect(dump).not.toContain(secret);
  expect(dump).not.toContain(codes[0]!.replaceAll('-', ''));
});

test('until it is confirmed nothing changes, and a wrong code confirms nothing', async () => {
  const person = await newPerson();
  const { access } = (await signIn(person)).body;
  const begin = (password = person.password) => post('/second-factor/', access, { password });
  const confirm = (code: string) => post('/second-factor/confirm/', access, { code });
  expect((await confirm('000000')).body.code).toBe('second_factor_not_begun');
  expect((await begin('wrong')).body.code).toBe('wrong_password');
  const { secret: earlier } = (await begin()).body;
  const { secret } = (await begin()).body;
  expect((await signIn(person)).status).toBe(200);
  expect((await confirm(codeOf(earlier))).body.code).toBe('wrong_code');
  expect((await confirm(codeOf(secret))).status).toBe(200);
  expect((await begin()).body.code).toBe('second_factor_enabled');
  expect((await confirm(codeOf(secret, 1))).body.code).toBe('second_factor_not_begun');
});

test('confirming it ends the other sessions, which began without', async () => {
  const person = await newPerson();
  const { access: other } = (await signIn(person)).body;
  const { access } = (await signIn(person)).body;
  const { secret } = (await post('/second-factor/', access, { password: person.password })).body;
  await post('/second-factor/confirm/', access, { code: codeOf(secret) });
  kit.later(1_001);
  const roles = async (as: string) => (await kit.ask('GET /tenants/roles/', { as })).status;
  expect([await roles(other), await roles(access)]).toEqual([401, 200]);
});

test('it is disabled by password and code, and by neither alone', async () => {
  const { person, access, secret, codes } = await newGuarded();
  const disable = (password: string, code: string) =>
    post('/second-factor/disable/', access, { password, code });
  expect((await disable('wrong', codes[0]!)).body.code).toBe('wrong_password');
  expect((await disable(person.password, 'no-code-of-mine')).body.code).toBe('wrong_code');
  expect((await signIn(person)).body.code).toBe('second_factor_required');
  expect((await disable(person.password, codeOf(secret))).status).toBe(204);
  expect((await signIn(person)).status).toBe(200);
  const { body } = await kit.ask('GET /second-factor/', { as: access });
  expect(body).toEqual({ is_enabled: false, confirmed_at: null, recovery_codes_left: 0 });
});

test('whoever reads the mail has the password, and still not the second factor', async () => {
  const { person } = await newGuarded();
  const token = await beginPasswordReset(kit.app.platform, person.email, 'host');
  const new_password = 'a new long password';
  expect((await post('/password/reset/', '', { token, new_password })).status).toBe(200);
  const { body } = await signIn({ ...person, password: new_password });
  expect(body.code).toBe('second_factor_required');
});
