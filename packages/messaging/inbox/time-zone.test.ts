import { expect, test } from 'vitest';
import { dayAt, daysOf } from './time-zone.ts';

test.each([
  ['UTC', '2026-11-22'],
  ['Asia/Dubai', '2026-11-23'],
  ['America/New_York', '2026-11-22'],
])('in %s it is %s', (zone, day) => {
  expect(dayAt(zone, new Date('2026-11-22T21:00:00Z'))).toBe(day);
});

test('days follow each other without a gap, also those of 23 and 25 hours', () => {
  const hours = (first: string, last: string) =>
    daysOf('Europe/Brussels', first, last).map(({ day, begins, ends }) => [
      day,
      begins.toISOString(),
      (ends.getTime() - begins.getTime()) / 3_600_000,
    ]);
  expect(hours('2026-03-28', '2026-03-30')).toEqual([
    ['2026-03-28', '2026-03-27T23:00:00.000Z', 24],
    ['2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['2026-03-30', '2026-03-29T22:00:00.000Z', 24],
  ]);
  expect(hours('2026-10-25', '2026-10-25')).toEqual([
    ['2026-10-25', '2026-10-24T22:00:00.000Z', 25],
  ]);
  expect(hours('2026-10-25', '2026-10-24')).toEqual([]);
});
