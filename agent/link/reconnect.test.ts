import type { CloseReason } from '@drawbridge/link/close-reasons.ts';
import { expect, test } from 'vitest';
import { stayLinked } from './reconnect.ts';
import type { SessionEnd } from './session.ts';

const ended = (close?: CloseReason, wasOpen = false): SessionEnd => ({
  close,
  detail: '',
  wasOpen,
});

/**
 * Runs the loop over sessions that end as scripted, then stops it; `random` returns its highest
 * value.
 */
async function run(script: readonly { ended: SessionEnd; lastedMs?: number }[]) {
  const stop = new AbortController();
  let now = 0;
  let dialled = 0;
  const delaysMs: number[] = [];
  const outcome = await stayLinked({
    async session() {
      const row = script[dialled];
      dialled += 1;
      if (row === undefined) stop.abort();
      now += row?.lastedMs ?? 0;
      return row?.ended ?? ended();
    },
    waiting: (_, delayMs) => void delaysMs.push(delayMs),
    backoff: { baseMs: 2, capMs: 10 },
    clock: () => new Date(now),
    random: () => 1 - Number.EPSILON,
    signal: stop.signal,
  });
  return { outcome, delaysMs, dialled };
}

test('the wait doubles up to the cap while nothing works', async () => {
  const { delaysMs } = await run(Array.from({ length: 5 }, () => ({ ended: ended() })));
  expect(delaysMs).toEqual([1, 3, 7, 9, 9]);
});

test('a session that lasted resets the wait; one that broke at once does not', async () => {
  const { delaysMs } = await run([
    { ended: ended() },
    { ended: ended() },
    { ended: ended('failed', true), lastedMs: 1 },
    { ended: ended(undefined, true), lastedMs: 11 },
  ]);
  expect(delaysMs).toEqual([1, 3, 7, 1]);
});

test('after a control plane stops, it is dialled again without a long wait', async () => {
  const { delaysMs } = await run([
    { ended: ended() },
    { ended: ended() },
    { ended: ended('draining', true) },
  ]);
  expect(delaysMs).toEqual([1, 3, 1]);
});

test.each(['superseded', 'revoked', 'unknown_agent', 'bad_proof'] as const)(
  'after %s it does not dial again',
  async (close) => {
    const { outcome, dialled } = await run([{ ended: ended(close, true) }, { ended: ended() }]);
    expect(outcome).toEqual({ kind: 'refused', close });
    expect(dialled).toBe(1);
  },
);
