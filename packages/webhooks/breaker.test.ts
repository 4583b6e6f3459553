import { expect, test } from 'vitest';
import {
  type Breaker,
  breakerLimits,
  closedBreaker,
  gateOf,
  probing,
  recorded,
} from './breaker.ts';

const t0 = 1_700_000_000_000;
/** Records `f` and `s` one after another, `stepMs` apart. */
function after(results: string, stepMs = 1, from: Breaker = closedBreaker): Breaker {
  return [...results].reduce((breaker, result, at) => {
    return recorded(breaker, result === 's', t0 + at * stepMs);
  }, from);
}

test.each([
  ['f'.repeat(9), 1, 'closed'],
  ['f'.repeat(10), 1, 'open'],
  ['s'.repeat(4) + 'f'.repeat(9), 1, 'closed'], // 9 of 13: 69 %
  ['s'.repeat(3) + 'f'.repeat(7), 1, 'open'],
  ['f'.repeat(7) + 's'.repeat(3), 1, 'closed'], // a success never opens it
  ['f'.repeat(12), 60_000, 'closed'], // never ten within five minutes
  ['s'.repeat(100) + 'f'.repeat(10), 29_000, 'open'], // old successes are forgotten
])('%s, %i ms apart: %s', (results, stepMs, state) => {
  expect(after(results, stepMs).state).toBe(state);
});

test('open for 30 s, then one probe, which decides', () => {
  const open = after('f'.repeat(10), 0);
  const probeAtMs = t0 + breakerLimits.openMs;
  expect(gateOf(open, probeAtMs - 1)).toEqual({ kind: 'wait', untilMs: probeAtMs });
  expect(gateOf(open, probeAtMs)).toEqual({ kind: 'probe' });
  const half = probing(open);
  expect(gateOf(half, probeAtMs + 1)).toEqual({ kind: 'wait' });
  expect(recorded(half, true, probeAtMs + 5)).toEqual(closedBreaker);
  const again = recorded(half, false, probeAtMs + 5);
  expect(gateOf(again, probeAtMs + 5)).toMatchObject({ untilMs: probeAtMs + 5 + 30_000 });
});

test('the samples never outgrow the window', () => {
  const breaker = after('s'.repeat(2_000), 1_000);
  expect(breaker.samples.length).toBeLessThanOrEqual(11);
});
