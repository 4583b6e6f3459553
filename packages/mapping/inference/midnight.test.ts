import { expect, test } from 'vitest';
import { midnightOffset } from './midnight.ts';

test.each([
  ['Kuala Lumpur', ['2026-11-29T16:00:00Z', '2026-10-31T16:00:00Z'], '+08:00'],
  [
    'Dubai, as PostgreSQL prints it',
    ['2026-11-29 20:00:00+00', '2026-11-30 20:00:00+00'],
    '+04:00',
  ],
  ['Mumbai', ['2026-11-29T18:30:00.000Z', '2026-11-28T18:30:00.000Z'], '+05:30'],
  ['Brussels in summer and winter', ['2026-07-01T22:00:00Z', '2026-12-01T23:00:00Z'], '+02:00'],
  ['London in summer and winter', ['2026-07-01T23:00:00Z', '2026-12-01T00:00:00Z'], '+01:00'],
  ['New York in summer and winter', ['2026-07-01T04:00:00Z', '2026-12-01T05:00:00Z'], '-04:00'],
  ['UTC', ['2026-07-01T00:00:00Z', '2026-12-01T00:00:00Z'], undefined],
  ['any time', ['2026-07-01T16:00:00Z', '2026-12-01T09:41:07Z'], undefined],
  ['any hour', ['2026-07-01T16:00:00Z', '2026-12-01T09:00:00Z'], undefined],
  ['one only', ['2026-07-01T16:00:00Z'], undefined],
  ['no zone', ['2026-07-01T16:00:00', '2026-12-01T16:00:00'], undefined],
  ['days', ['2026-07-01', '2026-12-01'], undefined],
])('midnights of %s', (_, times, offset) => {
  expect(midnightOffset(times)).toBe(offset);
});
