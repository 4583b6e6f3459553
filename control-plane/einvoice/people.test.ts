import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../test/kit/eventually.ts';
import { makeMember } from '../people/members/new-member.ts';
import type { MemberRoles } from '../people/roles/member-roles.ts';
import { type Harness, startHarness } from './harness.kit.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.stop());

const call = (line: string, body?: unknown, key: string | null = null) =>
  harness.call(line, body, { key });
const signIn = (person: object) => call('POST /v1/token', person);

let last = 0;
/** A member of acme in e-invoicing alone, unless told otherwise; signed in. */
async function newMember(roles: MemberRoles = { role: null, einvoicing_role: 'operator' }) {
  const { platform } = harness.app;
  const email = `person${(last += 1)}@acme.example`;
  const made = await makeMember(platform, harness.acme.id, { email, name: 'Someone', ...roles });
  const person = { email, password: made.password! };
  const { status, body } = await signIn(person);
  expect(status).toBe(200);
  return { person, id: made.userId, access: body.access as string, refresh: body.refresh };
}

const roleOf = (einvoicing_role: MemberRoles['einvoicing_role']) =>
  newMember({ role: null, einvoicing_role });

/** The newest mail, once it holds a token. */
async function newestMail(): Promise<{ token: string; text: string }> {
  const folder = join(harness.app.platform.settings.home, 'mail');
  return eventually(async () => {
    const file = (await readdir(folder)).toSorted().at(-1)!;
    const text = (await readFile(join(folder, file), 'utf8')).replaceAll('=\r\n', '');
    const [token] = /^[\w-]{40,}\r?$/m.exec(text)!;
    return { token: token.trim(), text };
  });
}

test('a member of e-invoicing alone signs in, refreshes, sees the sessions and leaves', async () => {
  const { access, refresh, person } = await newMember();
  expect((await call('GET /v1/invoices', undefined, access)).status).toBe(200);
  const next = await call('POST /v1/refresh', { refresh });
  expect(next.status).toBe(200);
  await signIn(person);
  const { body } = await call('GET /v1/sessions', undefined, next.body.access);
  expect(body.results.map((each: { is_current: boolean }) => each.is_current)).toEqual([
    false,
    true,
  ]);
  const other = body.results[0].id;
  expect((await call(`DELETE /v1/sessions/${other}`, undefined, next.body.access)).status).toBe(
    204,
  );
  expect((await call('POST /v1/logout', undefined, next.body.access)).status).toBe(204);
  harness.advance(1_001);
  expect((await call('GET /v1/sessions', undefined, next.body.access)).body).toMatchObject({
    code: 'revoked_credentials',
  });
});

test('a password is changed, and chosen anew by a mail that names the routes of this service', async () => {
  const { access, person } = await newMember();
  const changed = { password: person.password, new_password: 'a second long password' };
  expect((await call('POST /v1/password', changed, access)).status).toBe(200);
  expect((await signIn(person)).body.code).toBe('wrong_password');
  expect((await call('POST /v1/password/forgot', { email: person.email })).status).toBe(202);
  const { token, text } = await newestMail();
  expect(text).toContain(`${harness.urls.sandbox}/v1/password/reset`);
  const new_password = 'a third long password';
  expect((await call('POST /v1/password/reset', { token, new_password })).status).toBe(200);
  expect((await signIn({ email: person.email, password: new_password })).status).toBe(200);
});

test('a second factor is enabled, asked for, and its recovery codes are made anew', async () => {
  const { access, person, id } = await newMember();
  const { password } = person;
  const { secret } = (await call('POST /v1/second-factor', { password }, access)).body;
  const confirmed = await call(
    'POST /v1/second-factor/confirm',
    { code: codeOf(secret, harness.app.platform.clock()) },
    access,
  );
  expect(confirmed.status).toBe(200);
  expect((await signIn(person)).body.code).toBe('second_factor_required');
  const [first, second] = confirmed.body.recovery_codes;
  const path = 'POST /v1/second-factor/recovery-codes';
  const renewed = await call(path, { password, code: first }, access);
  expect(renewed.body.recovery_codes).toHaveLength(10);
  expect((await signIn({ ...person, code: second })).body.code).toBe('wrong_code');
  const code = renewed.body.recovery_codes[0];
  expect((await signIn({ ...person, code })).status).toBe(200);
  const { body: log } = await harness.call('GET /v1/audit-log?action=renewRecoveryCodes');
  expect(log.results).toMatchObject([{ actor: { kind: 'user', id }, outcome: 'done' }]);
  expect(JSON.stringify(log)).not.toContain(code);
});

/** RFC 6238. */
function codeOf(secret: string, now: Date): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((c) => alphabet.indexOf(c).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / 30_000)));
  const mac = createHmac('sha1', key).update(message).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

test('a finance admin invites an approver, who accepts and signs in; changes and removes him', async () => {
  const admin = await roleOf('finance_admin');
  const asked = { email: 'new@acme.example', einvoicing_role: 'approver' };
  const invited = await call('POST /v1/invitations', asked, admin.access);
  expect([invited.status, invited.body.role]).toEqual([201, null]);
  const open = await call('GET /v1/invitations', undefined, admin.access);
  expect(open.body.results.map((each: { id: string }) => each.id)).toEqual([invited.body.id]);
  const { token, text } = await newestMail();
  expect(text).toContain('/v1/invitations/accept');
  const password = 'a long enough password';
  const accepted = await call('POST /v1/invitations/accept', { token, name: 'New', password });
  expect(accepted.status).toBe(201);
  const { body: session } = await signIn({ email: asked.email, password });
  expect((await call('GET /v1/members', undefined, session.access)).body.code).toBe(
    'not_permitted',
  );
  const path = `/v1/members/${accepted.body.user_id}`;
  const patch = { einvoicing_role: 'auditor' };
  expect((await call(`PATCH ${path}`, patch, admin.access)).body).toMatchObject(patch);
  const list = async () => (await call('GET /v1/members', undefined, session.access)).status;
  await expect.poll(list).toBe(200);
  expect((await call(`DELETE ${path}`, undefined, admin.access)).status).toBe(204);
  await expect.poll(list).toBe(401);
});

const owner: MemberRoles = { role: 'owner', einvoicing_role: null };
const admin: MemberRoles = { role: null, einvoicing_role: 'finance_admin' };
const both: MemberRoles = { role: 'admin', einvoicing_role: 'finance_admin' };

test.each<[string, MemberRoles | 'key', object, 201 | 403]>([
  ['a key with every permission makes a finance admin', 'key', admin, 201],
  ['a key with every permission makes nobody of messaging', 'key', { role: 'agent' }, 403],
  ['nor an owner', 'key', { role: 'owner' }, 403],
  ['a finance admin makes nobody of messaging', admin, { role: 'agent' }, 403],
  ['an owner makes an owner', owner, { role: 'owner' }, 201],
  ['an owner makes a finance admin', owner, { einvoicing_role: 'finance_admin' }, 201],
  ['an admin of both makes an agent', both, { role: 'agent' }, 201],
  ['an admin of both makes no owner', both, { role: 'owner' }, 403],
])('%s', async (_, caller, roles, status) => {
  const key = caller === 'key' ? harness.acme.keys.sandbox : (await newMember(caller)).access;
  const email = `invited${(last += 1)}@acme.example`;
  const answer = await call('POST /v1/invitations', { email, ...roles }, key);
  expect([answer.status, answer.body.code]).toEqual([
    status,
    status === 403 ? 'role_too_strong' : undefined,
  ]);
});

test('who is removed does not come back by an invitation of theirs', async () => {
  const [admin, leaving] = [await roleOf('finance_admin'), await roleOf('finance_admin')];
  const request = { name: 'of theirs', scopes: ['*'] };
  const made = await call('POST /v1/api-keys', request, leaving.access);
  const invited = async (email: string, by: string) => {
    const body = { email, einvoicing_role: 'finance_admin' };
    expect(await call('POST /v1/invitations', body, by)).toMatchObject({ status: 201 });
  };
  await invited('again@example.com', leaving.access);
  await invited('once-more@example.com', made.body.key);
  await invited('wanted@example.com', admin.access);
  const removed = await call(`DELETE /v1/members/${leaving.id}`, undefined, admin.access);
  expect(removed.status).toBe(204);
  const { results } = (await call('GET /v1/invitations', undefined, admin.access)).body;
  const emails = results.map(({ email }: { email: string }) => email);
  expect(emails.filter((email: string) => email.endsWith('@example.com'))).toEqual([
    'wanted@example.com',
  ]);
});

test('nobody of e-invoicing alone removes an owner', async () => {
  const { id } = await newMember(owner);
  const { access } = await newMember(admin);
  for (const key of [access, harness.acme.keys.sandbox]) {
    const { status, body } = await call(`DELETE /v1/members/${id}`, undefined, key);
    expect([status, body.code]).toEqual([403, 'role_too_strong']);
  }
});

test('what a person does is in the audit log of both services', async () => {
  const { access, id } = await roleOf('finance_admin');
  await call('POST /v1/logout', undefined, access);
  const { body } = await harness.call(`GET /v1/audit-log?subject=${id}`);
  expect(body.results.map((each: { action: string }) => each.action)).toContain('signIn');
});
