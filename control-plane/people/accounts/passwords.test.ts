import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { type ServiceKit, startService } from '../../messaging/service.kit.ts';
import { makeMember } from '../members/new-member.ts';
import { roles, roleTable } from '../roles/messaging-roles.ts';
import { everyMember } from '../sessions/own-session.ts';
import { beginPasswordReset } from './password-reset.ts';

let kit: ServiceKit;

beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());
beforeEach(() => sqlAt(kit.ownerUrl, 'delete from sign_in_window'));

const signIn = (body: object) => kit.ask('POST /token/', { as: '', body });
const ask = (line: string, as: string, body?: object) =>
  kit.ask(line, { as, ...(body === undefined ? {} : { body }) });
const isOpen = async (access: string) => (await ask('GET /tenants/roles/', access)).status === 200;
const canRefresh = async (refresh: string) =>
  (await ask('POST /refresh/', '', { refresh })).status === 200;

let last = 0;
async function newPerson() {
  const email = `person${(last += 1)}@example.com`;
  const member = { email, name: 'Someone', role: 'agent' } as const;
  const { password, userId } = await makeMember(kit.app.platform, kit.tenantId, member);
  return { email, password: password!, userId };
}

const fresh = 'a new long password';

test('a changed password ends all other sessions, and makes other devices unknown', async () => {
  const { email, password } = await newPerson();
  const [mine, other] = [await signIn({ email, password }), await signIn({ email, password })];
  const change = { password, new_password: fresh };
  const changed = await ask('POST /password/', mine.body.access, change);
  expect(changed.status).toBe(200);
  kit.later(1_001);
  expect(await isOpen(mine.body.access)).toBe(true);
  expect(await isOpen(other.body.access)).toBe(false);
  expect(await canRefresh(other.body.refresh)).toBe(false);
  expect((await signIn({ email, password })).status).toBe(401);
  for (let n = 0; n < 6; n += 1) await signIn({ email, password: 'wrong' });
  const now = { email, password: fresh };
  expect((await signIn({ ...now, device: other.body.device })).status).toBe(429);
  expect((await signIn({ ...now, device: changed.body.device })).status).toBe(200);
});

test('who found an open session cannot guess the password in it', async () => {
  const { email, password } = await newPerson();
  const { body } = await signIn({ email, password });
  const change = (guess: string) =>
    ask('POST /password/', body.access, { password: guess, new_password: fresh });
  for (let n = 0; n < 5; n += 1) expect((await change('wrong')).status).toBe(401);
  expect((await change(password)).status).toBe(429);
  expect((await signIn({ email, password })).status, 'elsewhere').toBe(200);
});

test('an API key has no password and no sessions', async () => {
  const key = await kit.keyOf('owner');
  const change = { password: 'x', new_password: fresh };
  for (const [line, body] of [
    ['POST /password/', change],
    ['POST /logout/', undefined],
    ['GET /sessions/', undefined],
    ['DELETE /sessions/', undefined],
  ] as const) {
    expect((await ask(line, key, body)).body.code, line).toBe('session_needed');
  }
});

test('every role may do what is of the own account', () => {
  for (const role of roles) expect(roleTable[role].permissions, role).toContain(everyMember);
});

/** The mails that were sent to an address, once there are so many. */
async function mailsTo(address: string, count: number): Promise<string[]> {
  const folder = join(kit.home, 'mail');
  return eventually(async () => {
    const files = await readdir(folder).catch(() => []);
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const found = texts.filter((text) => text.includes(`To: ${address}`));
    expect(found).toHaveLength(count);
    return found;
  });
}

const forgot = (email: string) => ask('POST /password/forgot/', '', { email });
const reset = (token: string, new_password = fresh) =>
  ask('POST /password/reset/', '', { token, new_password });
const tokenOf = (mail: string) => /^([\w-]{43})\r?$/m.exec(mail)![1]!;

test('a mailed token sets a password once, ends all sessions and lets its reader sign in', async () => {
  const { email, password } = await newPerson();
  const { body: before } = await signIn({ email, password });
  expect((await forgot(email)).status).toBe(202);
  const [mail] = await mailsTo(email, 1);
  expect(mail).toContain('POST http://127.0.0.1:');
  const token = tokenOf(mail!);
  for (let n = 0; n < 7; n += 1) await signIn({ email, password: 'wrong' });
  const done = await reset(token);
  expect(done.status).toBe(200);
  kit.later(1_001);
  expect(await isOpen(before.access)).toBe(false);
  expect(await canRefresh(before.refresh)).toBe(false);
  expect((await signIn({ email, password })).status).toBe(401);
  expect((await signIn({ email, password: fresh })).status).toBe(200);
  expect((await reset(token, 'yet another password')).body.code).toBe('reset_not_found');
  expect((await signIn({ email, password: fresh, device: done.body.device })).status).toBe(200);
});

test('a token ends after an hour, with a later change, and with the use of another', async () => {
  const { email, password } = await newPerson();
  const begin = async () => (await beginPasswordReset(kit.app.platform, email, 'host'))!;
  const late = await begin();
  kit.later(3_600_001);
  expect((await reset(late)).status).toBe(404);
  const [first, second] = [await begin(), await begin()];
  const answers = await Promise.all([reset(first), reset(second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  const third = await begin();
  const { body } = await signIn({ email, password: fresh });
  expect(password).not.toBe(fresh);
  const change = { password: fresh, new_password: 'yet another password' };
  expect((await ask('POST /password/', body.access, change)).status).toBe(200);
  expect((await reset(third)).status).toBe(404);
  expect((await reset('A'.repeat(43))).status).toBe(404);
});

test('who has no account is answered alike, and nobody gets more than three mails', async () => {
  const { email } = await newPerson();
  for (let n = 0; n < 5; n += 1) expect((await forgot(email)).status).toBe(202);
  const unknown = await forgot('nobody@example.com');
  expect([unknown.status, unknown.body]).toEqual([202, '']);
  const [again] = [await newPerson()];
  await forgot(again.email);
  await mailsTo(again.email, 1);
  await mailsTo(email, 3);
  await mailsTo('nobody@example.com', 0);
});

test('one address asks for 50 mails in 15 minutes, and can sign in all the same', async () => {
  await sqlAt(
    kit.ownerUrl,
    `insert into sign_in_window
     values ('ip 127.0.0.1 forgot', array_fill($1::timestamptz, array[50]))`,
    [kit.app.platform.clock()],
  );
  expect((await forgot('somebody@example.com')).status).toBe(429);
  expect((await signIn(kit.owner)).status).toBe(200);
});

test('no token stands in the database', async () => {
  const { email } = await newPerson();
  const token = (await beginPasswordReset(kit.app.platform, email, 'host'))!;
  const rows = await sqlAt<{ row: string }>(
    kit.ownerUrl,
    `select r::text || encode(r.token_hash, 'base64') as row from password_reset r`,
  );
  expect(JSON.stringify(rows)).not.toContain(token);
});
