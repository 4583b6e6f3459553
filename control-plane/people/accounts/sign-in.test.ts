import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { type Answer, type ServiceKit, startService } from '../../messaging/service.kit.ts';
import { makeMember } from '../members/new-member.ts';

let kit: ServiceKit;

beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());
beforeEach(() => sqlAt(kit.ownerUrl, 'delete from sign_in_window'));

const signIn = (body: object) => kit.ask('POST /token/', { as: '', body });
const code = ({ status, body }: Answer) => (status === 200 ? 'signed in' : (body.code as string));
const tries = (body: object, length: number) =>
  Promise.all(Array.from({ length }, async () => code(await signIn(body))));
const counted = (codes: readonly string[]) => codes.filter((each) => each === 'wrong_password');

let last = 0;
async function newPerson(): Promise<{ readonly email: string; readonly password: string }> {
  const email = `person${(last += 1)}@example.com`;
  const member = { email, name: 'Someone', role: 'agent' } as const;
  const { password } = await makeMember(kit.app.platform, kit.tenantId, member);
  return { email, password: password! };
}

test('strangers have five tries at once, then wait 15 seconds, and twice as long each time', async () => {
  const { email, password } = await newPerson();
  const wrong = { email, password: 'wrong' };
  const codes = await tries(wrong, 12);
  expect(counted(codes)).toHaveLength(5);
  expect(codes.filter((each) => each === 'too_many_attempts')).toHaveLength(7);
  for (const seconds of [15, 30, 60, 120, 240, 480, 900, 900]) {
    kit.later((seconds - 5) * 1_000);
    const { status, headers } = await signIn({ email, password });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(5);
    kit.later(5_000);
    expect(counted(await tries(wrong, 3)), `after ${seconds} s`).toHaveLength(1);
  }
  expect(code(await signIn(kit.owner)), 'another account').toBe('signed in');
  kit.later(86_400_000);
  expect(counted(await tries(wrong, 6)), 'a day later').toHaveLength(5);
});

test('a try that succeeds is not counted', async () => {
  const person = await newPerson();
  for (let n = 0; n < 7; n += 1) expect(code(await signIn(person))).toBe('signed in');
});

test('a known device signs in while strangers have used up the tries of all others', async () => {
  const person = await newPerson();
  const { device } = (await signIn(person)).body;
  await tries({ ...person, password: 'wrong' }, 8);
  expect(code(await signIn(person))).toBe('too_many_attempts');
  const known = await signIn({ ...person, device });
  expect(code(known)).toBe('signed in');
  expect(code(await signIn({ ...person, device: known.body.device }))).toBe('signed in');
});

test('a known device has five tries in 15 minutes, however often it renews its token', async () => {
  const person = await newPerson();
  const { device } = (await signIn(person)).body;
  const { device: renewed } = (await signIn({ ...person, device })).body;
  const wrong = { ...person, password: 'wrong' };
  const codes = [
    ...(await tries({ ...wrong, device }, 3)),
    ...(await tries({ ...wrong, device: renewed }, 5)),
  ];
  expect(counted(codes)).toHaveLength(5);
  expect(code(await signIn({ ...person, device }))).toBe('too_many_attempts');
  expect(code(await signIn(person)), 'as a stranger').toBe('signed in');
  kit.later(900_001);
  expect(code(await signIn({ ...person, device }))).toBe('signed in');
});

test.each([
  ['of another account', async () => (await signIn(await newPerson())).body.device as string],
  [
    'that was changed',
    async () => `${(await signIn(kit.owner)).body.device.slice(0, -9)}AAAAAAAAA`,
  ],
  ['that is a session', async () => (await signIn(kit.owner)).body.refresh as string],
  ['that is nothing', async () => 'eyJ'],
])('a device token %s makes no device known', async (_, token) => {
  const person = await newPerson();
  const device = await token();
  await tries({ ...person, password: 'wrong' }, 6);
  expect(code(await signIn({ ...person, device }))).toBe('too_many_attempts');
});

test('a device is known for 180 days', async () => {
  const person = await newPerson();
  const { device } = (await signIn(person)).body;
  kit.later(181 * 86_400_000);
  await tries({ ...person, password: 'wrong' }, 6);
  expect(code(await signIn({ ...person, device }))).toBe('too_many_attempts');
});

test('a device token opens nothing', async () => {
  const { device } = (await signIn(kit.owner)).body;
  expect((await kit.ask('GET /tenants/roles/', { as: device })).status).toBe(401);
  const refreshed = await kit.ask('POST /refresh/', { as: '', body: { refresh: device } });
  expect(refreshed.status).toBe(401);
});

/** As if an address had used up all of its tries but some. */
async function exhaust(address: string, left: number): Promise<void> {
  await sqlAt(
    kit.ownerUrl,
    `insert into sign_in_window values ($1, array_fill($2::timestamptz, array[$3::int]))`,
    [`ip ${address}`, kit.app.platform.clock(), 50 - left],
  );
}

test('an address that tries many accounts waits; tries that succeed do not count', async () => {
  await exhaust('127.0.0.1', 1);
  for (let n = 0; n < 3; n += 1) expect(code(await signIn(kit.owner))).toBe('signed in');
  const nobody = { email: 'nobody@example.com', password: 'wrong' };
  expect(code(await signIn(nobody))).toBe('wrong_password');
  expect(code(await signIn({ ...nobody, email: 'x@example.com' }))).toBe('too_many_attempts');
  kit.later(900_001);
  expect(code(await signIn({ ...nobody, email: 'x@example.com' }))).toBe('wrong_password');
});

test('behind a proxy that is not trusted no address waits, since all callers have one', async () => {
  await exhaust('127.0.0.1', 0);
  const signInBehind = (headers: Record<string, string>) =>
    fetch(`${kit.url}/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(kit.owner),
    });
  expect((await signInBehind({})).status).toBe(429);
  expect((await signInBehind({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
});
