import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFinal, type Status, statusAfter, statuses } from './status.ts';

test.each<[Status, Status, Status]>([
  ['queued', 'sent', 'sent'],
  ['sent', 'queued', 'sent'],
  ['read', 'delivered', 'read'],
  ['delivered', 'failed', 'delivered'],
  ['sent', 'failed', 'failed'],
  ['failed', 'sent', 'failed'],
  ['failed', 'delivered', 'delivered'],
  ['unknown', 'sent', 'sent'],
  ['sent', 'expired', 'expired'],
])('%s, then a report of %s, is %s', (current, reported, after) => {
  expect(statusAfter(current, reported)).toBe(after);
});

describe('for any reports', () => {
  const reports = fc.array(fc.constantFrom(...statuses), { maxLength: 12 });
  const foldUp = (list: readonly Status[]) => list.reduce(statusAfter, 'queued');

  test('order and repetition do not change where a message ends up', () => {
    fc.assert(
      fc.property(reports, fc.infiniteStream(fc.nat()), (list, picks) => {
        const shuffled = [...list, ...list].sort(() => (picks.next().value % 3) - 1);
        expect(foldUp(shuffled)).toBe(foldUp(list));
      }),
    );
  });

  test('a status never goes down', () => {
    fc.assert(
      fc.property(reports, fc.constantFrom(...statuses), (list, next) => {
        const before = foldUp(list);
        const after = statusAfter(before, next);
        expect(statuses.indexOf(after)).toBeGreaterThanOrEqual(statuses.indexOf(before));
      }),
    );
  });
});

test.each<[Status, 'sent' | 'delivered' | 'read', boolean]>([
  ['sent', 'sent', true], // a channel without receipts
  ['sent', 'delivered', false],
  ['delivered', 'delivered', true],
  ['delivered', 'read', false],
  ['failed', 'read', true],
  ['expired', 'delivered', true],
  ['unknown', 'sent', false],
])('%s is final where %s is the furthest report: %s', (status, farthest, final) => {
  expect(isFinal(status, farthest)).toBe(final);
});
