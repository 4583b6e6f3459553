import { expect, test } from 'vitest';
import { endOf, isNear } from './session-limits.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 8, minute));
const told = { idle_seconds: 29 * 60, remaining_seconds: 45 * 60 };

test.each([
  ['in the middle', 10, 0, { kind: 'idle', seconds: 19 * 60 }, false],
  ['before the idle end', 27, 0, { kind: 'idle', seconds: 120 }, true],
  ['after another answer', 27, 20, { kind: 'life', seconds: 18 * 60 }, false],
  ['before the last end', 43, 40, { kind: 'life', seconds: 120 }, true],
  ['after it', 46, 45, { kind: 'life', seconds: -60 }, false],
] as const)('%s', (_, now, answered, end, near) => {
  const found = endOf(told, { now: at(now), answeredAt: at(answered), toldAtMs: +at(0) });
  expect(found).toEqual(end);
  expect(isNear(found)).toBe(near);
});
