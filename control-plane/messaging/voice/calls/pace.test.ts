import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pace } from './pace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const limit = { max: 5, windowMs: 1_000 };

/** Sends as many as may go; `answers` gives the milliseconds until each is answered. */
function sender(count: number, answers: (at: number) => number) {
  const begun = Date.now();
  const pace = new Pace(() => Date.now());
  const sent: { at: number; answeredAt: number }[] = [];
  for (let at = 0; at < count; at += 1) {
    void pace.run('provider', limit, async () => {
      const now = Date.now() - begun;
      sent.push({ at: now, answeredAt: now + answers(at) });
      await new Promise((done) => setTimeout(done, answers(at)));
    });
  }
  return sent;
}

test('no more than the limit go in its window, and not much fewer', async () => {
  const sent = sender(100, () => 40);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sent).toHaveLength(100);
  for (const [index, { at }] of sent.entries()) {
    const next = sent[index + limit.max];
    if (next === undefined) continue;
    expect(next.at - at).toBeGreaterThanOrEqual(1_000);
    expect(next.at - at).toBeLessThan(1_010);
  }
});

test('what may have arrived late counts from then on', async () => {
  const sent = sender(60, (at) => (at % 7 === 3 ? 140 : 40));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sent).toHaveLength(60);
  // At the latest it arrived when the way back alone took the least that there and back take.
  const latest = sent.map(({ answeredAt }) => answeredAt - 40).sort((a, b) => a - b);
  for (const { at } of sent) {
    const within = latest.filter((arrival) => arrival > at - 1_000 && arrival < at);
    expect(within.length).toBeLessThan(limit.max);
  }
});

test('a provider that does not answer is not waited for', async () => {
  const sent = sender(10, () => 60_000);
  await vi.advanceTimersByTimeAsync(2_600);
  expect(sent).toHaveLength(10);
});

test('they go evenly, and a wider limit holds for those who ask by it', async () => {
  const pace = new Pace(() => Date.now());
  let sent = 0;
  const send = (max: number) =>
    pace.run('p', { max, windowMs: 1_000 }, async () => void (sent += 1));
  void send(1);
  void send(1);
  for (let at = 0; at < 9; at += 1) void send(10);
  await vi.advanceTimersByTimeAsync(900);
  expect(sent).toBe(1);
  await vi.advanceTimersByTimeAsync(1_150);
  expect(sent).toBeLessThan(7);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toBe(11);
});
