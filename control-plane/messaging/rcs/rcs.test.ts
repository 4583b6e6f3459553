import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../service.kit.ts';

let kit: ServiceKit;
let simulator: string;

beforeAll(async () => {
  kit = await startService();
  const credentials = await readFile(join(kit.home, 'credentials.json'), 'utf8');
  simulator = JSON.parse(credentials).simulators['google-rcs'];
  expect((await kit.ask('POST /rcs/v1/apps/', { body: { name: 'first' } })).status).toBe(201);
});
afterAll(() => kit.stop());

const path = '/rcs/v1/capabilities/';
const ask = (phone: string) => kit.ask(`GET ${path}?${new URLSearchParams({ phone })}`);
const check = (phones: readonly string[]) => kit.ask(`POST ${path}`, { body: { phones } });
const revoke = (id: string) => kit.ask(`POST /rcs/v1/messages/${id}/revoke/`);
const statusOf = async (id: string) =>
  (await kit.ask(`GET /rcs/v1/messages/${id}/`)).body.status as string;

async function sent(to: string, more: object = {}): Promise<string> {
  const { status, body } = await kit.ask('POST /rcs/v1/messages/', {
    body: { to, text: 'hello', ...more },
  });
  expect(status, JSON.stringify(body)).toBe(202);
  return body.message_id;
}

describe('asking whom RCS reaches', () => {
  test('one number, and what it can show', async () => {
    expect(await ask('+60 12-345 0001')).toMatchObject({
      status: 200,
      body: {
        phone: '+60123450001',
        reachable: true,
        features: expect.arrayContaining(['RICHCARD_CAROUSEL']),
      },
    });
  });

  test.each([
    ['has no RCS', '+60123459404'],
    ['is on a network where the agent is not launched', '+60123459403'],
  ])('a number that %s is not reachable', async (_, phone) => {
    expect((await ask(phone)).body).toEqual({ phone, reachable: false, features: [] });
  });

  test('many at once, in their order, also with repeats', async () => {
    const phones = ['+60123459404', '+60123450001', '+60123459403', '+60123450001'];
    const { status, body } = await check(phones);
    expect(status).toBe(200);
    expect(body).toEqual({
      results: phones.map((phone) => ({ phone, reachable: phone.endsWith('0001') })),
      reachable: 2,
    });
  });

  test('at most ten thousand at once', async () => {
    const numbers = Array.from({ length: 10_001 }, (_, n) => `+6012${String(3_000_000 + n)}`);
    expect((await check(numbers.slice(1))).body.results).toHaveLength(10_000);
    expect((await check(numbers)).status).toBe(400);
    expect((await check(['050'])).status).toBe(400);
  });

  test('the live address has no app yet', async () => {
    const answer = await kit.ask(`POST ${path}`, {
      body: { phones: ['+60123450001'] },
      on: 'live',
    });
    expect(answer).toMatchObject({ status: 404, body: { code: 'app_not_found' } });
  });
});

describe('canceling a message', () => {
  // Offline: the message waits at the network until its time to live ends.
  const offline = (n: number) => `+6012345${n}9410`;

  test('a message that waits at the network is canceled, and again without effect', async () => {
    const id = await sent(offline(1));
    await expect.poll(() => statusOf(id)).toBe('sent');
    for (const _ of [1, 2]) {
      expect(await revoke(id)).toMatchObject({ status: 200, body: { id, status: 'canceled' } });
    }
    expect(await statusOf(id)).toBe('canceled');
  });

  test('a message that has arrived is too late', async () => {
    const id = await sent('+60123450002');
    await expect.poll(() => statusOf(id)).toMatch(/delivered|read/);
    expect(await revoke(id)).toMatchObject({ status: 409, body: { code: 'too_late' } });
    expect(await statusOf(id)).toMatch(/delivered|read/);
  });

  test('a message unknown to the network, and one that does not exist', async () => {
    expect(await revoke(`msg_${'0'.repeat(26)}`)).toMatchObject({ status: 404 });
    await kit.ask('POST /sms/v1/apps/', { body: { name: 'sms' } });
    const body = { to: '+60123450003', text: 'hello' };
    const sms = await kit.ask('POST /sms/v1/messages/', { body });
    expect(await revoke(sms.body.message_id)).toMatchObject({
      status: 404,
      body: { code: 'message_not_found' },
    });
  });

  test('a message that cannot be withdrawn when its time ends stays sent, and says so', async () => {
    const id = await sent('+919820009411', { ttl_seconds: 60 });
    await expect.poll(() => statusOf(id)).toBe('sent');
    await fetch(`${simulator}/_control/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_ms: 61_000 }),
    });
    const shown = async () => (await kit.ask(`GET /rcs/v1/messages/${id}/`)).body;
    await expect
      .poll(shown)
      .toMatchObject({ status: 'sent', error: { code: 'TTL_EXPIRATION_REVOKE_FAILED' } });
  });

  test('a message whose time to live ends is expired, with the reason', async () => {
    const id = await sent(offline(2), { ttl_seconds: 60 });
    await expect.poll(() => statusOf(id)).toBe('sent');
    await fetch(`${simulator}/_control/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_ms: 61_000 }),
    });
    await expect.poll(() => statusOf(id)).toBe('expired');
    const { body } = await kit.ask(`GET /rcs/v1/messages/${id}/`);
    expect(body.error.code).toBe('TTL_EXPIRATION_REVOKED');
    expect((await revoke(id)).status).toBe(409);
  });
});
