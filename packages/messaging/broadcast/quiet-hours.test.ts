import { expect, test } from 'vitest';
import { isTimeZone, quietUntil } from './quiet-hours.ts';

const night = { from: '21:00', to: '08:00' };
const noon = { from: '12:00', to: '14:00' };

test.each([
  [
    'in the evening, until the next morning',
    '2026-03-10T18:30:00Z',
    'Asia/Dubai',
    night,
    '2026-03-11T04:00:00Z',
  ],
  [
    'in the morning, until the same morning',
    '2026-03-10T02:00:00Z',
    'Asia/Dubai',
    night,
    '2026-03-10T04:00:00Z',
  ],
  ['at the first minute', '2026-03-10T17:00:00Z', 'Asia/Dubai', night, '2026-03-11T04:00:00Z'],
  ['at the end they are over', '2026-03-10T04:00:00Z', 'Asia/Dubai', night, undefined],
  ['by day', '2026-03-10T09:00:00Z', 'Asia/Dubai', night, undefined],
  [
    'the same instant is at night elsewhere',
    '2026-03-10T09:00:00Z',
    'America/New_York',
    night,
    '2026-03-10T12:00:00Z',
  ],
  [
    'hours within one day',
    '2026-03-10T04:30:00Z',
    'Asia/Kuala_Lumpur',
    noon,
    '2026-03-10T06:00:00Z',
  ],
  ['outside of hours within one day', '2026-03-10T06:30:00Z', 'Asia/Kuala_Lumpur', noon, undefined],
  [
    'a night of seven hours',
    '2026-03-29T00:30:00Z',
    'Europe/Berlin',
    night,
    '2026-03-29T06:00:00Z',
  ],
  ['a night of nine hours', '2026-10-24T20:00:00Z', 'Europe/Berlin', night, '2026-10-25T07:00:00Z'],
  [
    'an end that the clocks skip',
    '2026-03-29T00:30:00Z',
    'Europe/Berlin',
    { from: '21:00', to: '02:30' },
    '2026-03-29T01:30:00Z',
  ],
  [
    'an end that comes twice counts the first time',
    '2026-10-25T01:10:00Z',
    'Europe/Berlin',
    { from: '21:00', to: '02:30' },
    '2026-10-25T01:30:00Z',
  ],
] as const)('%s', (_, at, zone, quiet, until) => {
  expect(quietUntil(new Date(at), zone, quiet)).toEqual(
    until === undefined ? undefined : new Date(until),
  );
});

test.each([
  ['Asia/Dubai', true],
  ['UTC', true],
  ['Asia/Nowhere', false],
  ['+08:00', false],
  ['', false],
])('the time zone %j', (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});
