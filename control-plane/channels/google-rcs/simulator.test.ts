import { afterEach, beforeEach, expect, test } from 'vitest';
import { standingClock } from '../../../test/kit/clock.ts';
import { exchange } from '../contract.suite.ts';
import type { App } from '../contract.ts';
import { googleRcs } from './adapter.ts';
import type { Settings } from './settings.ts';
import { type RcsSimulator, startRcsSimulator } from './simulator.ts';

const time = standingClock('2026-11-21T08:00:00Z');
const webhookUrl = 'https://api.example.test/rcs/';
let simulator: RcsSimulator;
let token: string;
beforeEach(async () => {
  simulator = await startRcsSimulator({ clock: time.clock, webhookUrl });
  const settings = googleRcs.settings.parse(simulator.settings);
  const app: App<Settings> = { id: 'a', endpoint: simulator.url, callbackUrl: '', settings };
  const { request, read } = googleRcs.authorization!;
  const given = read(await exchange(request(app, time.clock())), time.clock());
  if (given.kind !== 'token') throw new Error(given.kind);
  token = given.token;
});
afterEach(() => simulator.stop());

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  readonly body: any;
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${simulator.url}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const agent = 'agentId=sandbox-agent';
const messages = (phone: string) => `phones/%2B${phone}/agentMessages`;
const send = (phone: string, id: string, content: object = { text: 'hi' }, more: object = {}) =>
  call('POST', `${messages(phone)}?messageId=${id}&${agent}`, { contentMessage: content, ...more });
const events = () =>
  simulator.control.takeWebhooks().map(({ body }) => {
    const { eventType } = JSON.parse(
      Buffer.from(JSON.parse(body).message.data, 'base64').toString(),
    );
    return eventType as string;
  });

test('reach is reported for one number, and for many', async () => {
  const one = (phone: string) =>
    call('GET', `phones/%2B${phone}/capabilities?requestId=r&${agent}`);
  expect((await one('919820000001')).body.features).toContain('RICHCARD_CAROUSEL');
  expect((await one('919820009404')).status).toBe(404);
  const users = ['+919820000001', '+919820009404', '+919820000002'];
  const many = await call('POST', 'users:batchGet', { users, agentId: 'sandbox-agent' });
  expect(many.body.reachableUsers).toEqual(['+919820000001', '+919820000002']);
  const none = await call('POST', 'users:batchGet', { users: [], agentId: 'sandbox-agent' });
  expect(none.status).toBe(400);
});

test('the same id again is a conflict, and no message is delivered twice', async () => {
  expect((await send('919820000001', 'm-1')).status).toBe(200);
  expect((await send('919820000001', 'm-1')).body.error.status).toBe('ALREADY_EXISTS');
  expect(simulator.control.messages().length).toBe(1);
  expect(events()).toEqual(['DELIVERED', 'READ']);
});

test('a message that was revoked in time has no further reports', async () => {
  await send('919820009410', 'm-1', { text: 'hi' }, { ttl: '60s' });
  const revoked = await call('DELETE', `${messages('919820009410')}/m-1?${agent}`);
  expect(revoked).toEqual({ status: 200, body: {} });
  simulator.control.advance(60_000);
  expect(events()).toEqual([]);
  const unknown = await call('DELETE', `${messages('919820009410')}/m-2?${agent}`);
  expect(unknown.status).toBe(404);
});

test.each([
  ['919820009410', 'TTL_EXPIRATION_REVOKED'],
  ['919820009411', 'TTL_EXPIRATION_REVOKE_FAILED'],
])('%s is offline: %s when its time is up, and not before', async (phone, event) => {
  await send(phone, 'm-1', { text: 'hi' }, { ttl: '60s' });
  simulator.control.advance(59_999);
  expect(events()).toEqual([]);
  simulator.control.advance(1);
  expect(events()).toEqual([event]);
});

const reply = { reply: { text: 'Yes', postbackData: 'y' } };
const card = { title: 'Shoes' };
test.each([
  ['two kinds of content', { text: 'a', fileName: 'b' }],
  ['12 suggestions', { text: 'a', suggestions: Array.from({ length: 12 }, () => reply) }],
  [
    'a suggestion of 26 characters',
    { text: 'a', suggestions: [{ reply: { text: 'a'.repeat(26) } }] },
  ],
  ['a carousel of one', { richCard: { carouselCard: { cardContents: [card] } } }],
  ['a title of 201', { richCard: { standaloneCard: { cardContent: { title: 'a'.repeat(201) } } } }],
  [
    'five suggestions on a card',
    {
      richCard: {
        standaloneCard: {
          cardContent: { ...card, suggestions: Array.from({ length: 5 }, () => reply) },
        },
      },
    },
  ],
])('%s is refused', async (_name, content) => {
  expect((await send('919820000001', 'm-1', content)).body.error.status).toBe('INVALID_ARGUMENT');
});

test('a person who replies taps the first suggestion', async () => {
  await send('919820007002', 'm-1', { text: 'Come?', suggestions: [reply] });
  const [last] = simulator.control.takeWebhooks().slice(-1);
  const data = JSON.parse(Buffer.from(JSON.parse(last!.body).message.data, 'base64').toString());
  expect(data.suggestionResponse).toEqual({ text: 'Yes', postbackData: 'y', type: 'REPLY' });
});
