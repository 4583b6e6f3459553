import { fullPace, slowDown } from '@drawbridge/messaging/broadcast/pace.ts';
import { expect, test } from 'vitest';
import { gatesOf, perSecond } from './rates.ts';

const place = { tenantId: 't', environment: 'live' } as const;
const gates = (count: number, tenantRate: number, pace = fullPace, leavesRoom = false) =>
  gatesOf(place, { id: 'app_1', rate: { count, perMs: 1_000 } }, tenantRate, pace, at, leavesRoom);
const at = 1_000_000;
const keys = (pair: ReturnType<typeof gates>) => pair.map(({ key }) => key);

test('the narrower gate is asked first, for what the second refuses is lost', () => {
  expect(keys(gates(80, 500))).toEqual(['app app_1', 'broadcast t live']);
  expect(keys(gates(1_000, 500))).toEqual(['broadcast t live', 'app app_1']);
  expect(perSecond(gates(80, 500)[0])).toBe(80);
});

test('a network that complained, and messages that wait, narrow the app and not the tenant', () => {
  const slow = gates(1_000, 500, slowDown(fullPace, at, 0));
  expect(slow.map(({ limit }) => limit.max)).toEqual([500, 700]);
  expect(gates(80, 500, fullPace, true)[0].limit.max).toBe(72);
});

test('however slow, something goes', () => {
  expect(gates(1, 500, slowDown(fullPace, at, 0), true)[0].limit.max).toBe(1);
});
