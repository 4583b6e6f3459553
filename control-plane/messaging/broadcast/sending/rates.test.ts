import { fullPace, slowDown } from '@drawbridge/messaging/broadcast/pace.ts';
import { expect, test } from 'vitest';
import { limitsOf, perSecond } from './rates.ts';

const scope = { tenantId: 't', environment: 'live' } as const;
const nowMs = 1_000_000;
const limits = (count: number, tenantRate: number, pace = fullPace, leavesRoom = false) => {
  const app = { id: 'app_1', rate: { count, perMs: 1_000 } };
  return limitsOf({ scope, app, tenantRate, pace, nowMs, leavesRoom });
};
const keys = (pair: ReturnType<typeof limits>) => pair.map(({ key }) => key);

test('the narrower limit is asked first: what the second refuses is lost', () => {
  expect(keys(limits(80, 500))).toEqual(['app app_1', 'broadcast t live']);
  expect(keys(limits(1_000, 500))).toEqual(['broadcast t live', 'app app_1']);
  expect(perSecond(limits(80, 500)[0])).toBe(80);
});

test('a complaint and waiting messages lower the app’s limit, not the tenant’s', () => {
  const slow = limits(1_000, 500, slowDown(fullPace, nowMs, 0));
  expect(slow.map(({ limit }) => limit.max)).toEqual([500, 700]);
  expect(limits(80, 500, fullPace, true)[0].limit.max).toBe(72);
});

test('even the slowest rate sends something', () => {
  expect(limits(1, 500, slowDown(fullPace, nowMs, 0), true)[0].limit.max).toBe(1);
});
