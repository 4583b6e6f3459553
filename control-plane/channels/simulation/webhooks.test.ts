import { afterEach, describe, expect, test } from 'vitest';
import { type Reply, type RunningSimulator, serve } from '../../simulation/server.ts';
import * as retry from './retry-policy.ts';
import { type Batch, Webhooks } from './webhooks.ts';

let receiver: RunningSimulator | undefined;
afterEach(async () => {
  await receiver?.stop();
  receiver = undefined;
});

/** A customer that answers with these in turn, then 200. */
async function receive(replies: (number | Reply)[]) {
  const bodies: string[] = [];
  const handle = ({ body }: { body: Buffer }): Reply => {
    bodies.push(body.toString());
    const reply = replies.shift() ?? 200;
    return typeof reply === 'number' ? { status: reply } : reply;
  };
  receiver = await serve([{ method: 'post', path: '/', handle }], 0);
  return { url: receiver.url, bodies };
}

const webhook = (url: string, body: string) =>
  ({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body }) as const;

/** A clock that only moves when the test moves it. */
function standingClock() {
  let ms = 1_000;
  return {
    now: () => ms,
    advance: (by: number) => {
      ms += by;
    },
  };
}

test('a webhook is sent again after a failure, and given up in the end', async () => {
  const { url, bodies } = await receive([500, 500, 500]);
  const webhooks = new Webhooks(true);
  webhooks.queue(webhook(url, '1'));
  await webhooks.sent();
  expect(bodies).toEqual(['1', '1', '1']);
  expect(webhooks.counts()).toMatchObject({ queued: 1, attempts: 3, givenUp: 1, waiting: 0 });
});

test('every webhook arrives at least once, whatever fails on the way', async () => {
  const { url, bodies } = await receive(Array.from({ length: 40 }, () => 503));
  const clock = standingClock();
  const webhooks = new Webhooks(true, { now: clock.now, retry: retry.meta });
  const all = Array.from({ length: 200 }, (_, each) => String(each));
  for (const body of all) webhooks.queue(webhook(url, body));
  for (let round = 0; round < 8; round += 1) {
    await webhooks.sent();
    clock.advance(60_000);
    webhooks.settle();
  }
  await webhooks.sent();
  expect([...new Set(bodies)].sort()).toEqual([...all].sort());
  expect(webhooks.counts()).toMatchObject({ delivered: 200, attempts: 240, givenUp: 0 });
});

test('a customer that is down does not affect the others', async () => {
  const { url, bodies } = await receive([]);
  const webhooks = new Webhooks(true);
  webhooks.queue(webhook('http://127.0.0.1:1/', '1'));
  webhooks.queue(webhook(url, '2'));
  await webhooks.sent();
  expect(bodies).toEqual(['2']);
  expect(webhooks.take()).toEqual([]);
});

test('after a stop nothing is sent and nothing is retried', async () => {
  const { url, bodies } = await receive([503]);
  const clock = standingClock();
  const webhooks = new Webhooks(true, { now: clock.now, retry: retry.telegram });
  webhooks.queue(webhook(url, '1'));
  webhooks.queue(webhook(url, '2'), 60_000);
  await webhooks.sent();
  webhooks.stop();
  webhooks.queue(webhook(url, '3'));
  clock.advance(120_000);
  webhooks.settle();
  await webhooks.sent();
  expect(bodies).toEqual(['1']);
});

test('without sending, webhooks wait to be taken, once', () => {
  const webhooks = new Webhooks(false);
  webhooks.queue(webhook('http://127.0.0.1:1/', '1'));
  expect(webhooks.take().length).toBe(1);
  expect(webhooks.take()).toEqual([]);
});

test('a webhook that is due later is made and sent when the clock gets there', async () => {
  const { url, bodies } = await receive([]);
  const clock = standingClock();
  const webhooks = new Webhooks(true, { now: clock.now });
  webhooks.queue(() => webhook(url, `at ${clock.now()}`), 5_000);
  webhooks.queue(() => undefined, 5_000);
  await webhooks.sent();
  expect(bodies).toEqual([]);
  clock.advance(5_000);
  webhooks.settle();
  await webhooks.sent();
  expect(bodies).toEqual(['at 6000']);
});

test.each([1, 2, 3, 4, 5, 6])(
  'one that becomes due at reading %i of the clock is sent too',
  async (afterMs) => {
    const { url, bodies } = await receive([]);
    let ms = 1_000;
    const now = () => {
      ms += 1;
      return ms;
    };
    const webhooks = new Webhooks(true, { now });
    webhooks.queue(webhook(url, 'late'), afterMs);
    await expect.poll(() => bodies).toEqual(['late']);
  },
);

test('parts that are due together share a webhook, up to a maximum, and no others do', async () => {
  const batchOf = (name: string): Batch<number> => ({
    partsMax: 3,
    compose: (parts) => webhook('http://a.test/', `${name}${parts.join('')}`),
  });
  const webhooks = new Webhooks(false, { now: () => 0 });
  const [a, b] = [batchOf('a'), batchOf('b')];
  for (const part of [1, 2, 3, 4]) webhooks.queuePart(a, part);
  webhooks.queuePart(b, 5);
  webhooks.queuePart(a, 6, 1);
  expect(webhooks.take().map(({ body }) => body)).toEqual(['a123', 'a4', 'b5']);
});

describe('retry policies', () => {
  const minute = 60_000;
  const waits = (policy: retry.RetryPolicy, status?: number, url = 'https://a.test/', count = 6) =>
    Array.from({ length: count }, (_, each) =>
      policy({ url, number: each + 1, ageMs: 0, ...(status === undefined ? {} : { status }) }),
    );
  const no = undefined;

  test.each([
    ['Meta', waits(retry.meta, 500), [0, 2_000, 4_000, 8_000, 16_000, 32_000]],
    ['Telegram', waits(retry.telegram, 500), [1_000, 2_000, 4_000, 8_000, 16_000, 32_000]],
    ['Telegram, gone', waits(retry.telegram, 410), [no, no, no, no, no, no]],
    ['Plivo', waits(retry.plivo, 500), [minute, 2 * minute, 4 * minute, no, no, no]],
    ['Vonage', waits(retry.vonage, 500, '', 2), [minute, minute]],
    ['Twilio, answered', waits(retry.twilio, 500, undefined, 1), [no]],
    ['Twilio, nobody answers', waits(retry.twilio, undefined, undefined, 2), [0, no]],
    ['Twilio, with a rule', waits(retry.twilio, 503, 'https://a.test/#rc=2&rp=5xx', 3), [0, 0, no]],
    ['Twilio, other rule', waits(retry.twilio, 404, 'https://a.test/#rc=2&rp=5xx', 1), [no]],
  ])('%s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });

  test.each([
    ['Meta after seven days', retry.meta, 7 * 24 * 60 * minute],
    ['Telegram after one', retry.telegram, 24 * 60 * minute],
    ['Vonage after one', retry.vonage, 24 * 60 * minute],
    ['RCS after seven', retry.rcs, 7 * 24 * 60 * minute],
  ])('%s gives up', (_name, policy, ageMs) => {
    const attempt = { url: '', number: 20, status: 500 };
    expect(policy({ ...attempt, ageMs: ageMs - 1 })).toBeGreaterThan(0);
    expect(policy({ ...attempt, ageMs })).toBeUndefined();
  });

  test('Telegram heeds Retry-After', async () => {
    const { url, bodies } = await receive([{ status: 503, headers: { 'retry-after': '30' } }]);
    const clock = standingClock();
    const webhooks = new Webhooks(true, { now: clock.now, retry: retry.telegram });
    webhooks.queue(webhook(url, '1'));
    for (const [ms, count] of [
      [0, 1],
      [29_000, 1],
      [1_000, 2],
    ] as const) {
      clock.advance(ms);
      webhooks.settle();
      await webhooks.sent();
      expect(bodies.length).toBe(count);
    }
  });
});
