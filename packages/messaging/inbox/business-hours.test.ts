import { describe, expect, test } from 'vitest';
import {
  alwaysOpen,
  type BusinessHours,
  businessCalendar,
  isTimeZone,
  weekdays,
} from './business-hours.ts';

const office: BusinessHours = {
  timeZone: 'Asia/Dubai',
  weekly: (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) => {
    return { day, from: '09:00', to: '18:00' };
  }),
  holidays: ['2026-12-02'],
};
const berlin: BusinessHours = { ...alwaysOpen, timeZone: 'Europe/Berlin' };
const night: BusinessHours = {
  timeZone: 'Europe/Berlin',
  weekly: [
    { day: 'sat', from: '22:00', to: '24:00' },
    { day: 'sun', from: '00:00', to: '06:00' },
    { day: 'sun', from: '05:00', to: '07:00' },
  ],
  holidays: [],
};
const hour = 3_600;

describe('secondsBetween', () => {
  test.each([
    // 2026-11-23 is a Monday; Dubai is four hours ahead, always.
    ['inside one day', office, '2026-11-23T06:00:00Z', '2026-11-23T07:30:00Z', 1.5 * hour],
    ['before opening', office, '2026-11-23T01:00:00Z', '2026-11-23T05:30:00Z', 0.5 * hour],
    ['over a night', office, '2026-11-23T13:00:00Z', '2026-11-24T06:00:00Z', 2 * hour],
    ['over a weekend', office, '2026-11-27T13:00:00Z', '2026-11-30T06:00:00Z', 2 * hour],
    ['over a holiday', office, '2026-12-01T13:00:00Z', '2026-12-03T06:00:00Z', 2 * hour],
    ['on a holiday', office, '2026-12-02T06:00:00Z', '2026-12-02T12:00:00Z', 0],
    ['a whole week', office, '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z', 45 * hour],
    ['backwards', office, '2026-11-23T08:00:00Z', '2026-11-23T07:00:00Z', 0],
    ['every hour', alwaysOpen, '2026-11-21T00:00:00Z', '2026-11-23T00:00:00Z', 48 * hour],
    // Clocks go back on 2026-10-25 and forward on 2026-03-29.
    ['a day of 25 hours', berlin, '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 25 * hour],
    ['a day of 23 hours', berlin, '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 23 * hour],
    ['a night that is longer', night, '2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z', 10 * hour],
    ['a night that is shorter', night, '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z', 8 * hour],
  ] as const)('%s', (_, hours, from, to, seconds) => {
    expect(businessCalendar(hours).secondsBetween(new Date(from), new Date(to))).toBe(seconds);
  });

  test('without business hours nothing counts, and nothing is ever due', () => {
    const calendar = businessCalendar({ ...office, weekly: [] });
    expect(calendar.secondsBetween(new Date(0), new Date(1e12))).toBe(0);
    expect(calendar.after(new Date(0), 60)).toBeUndefined();
  });
});

describe('after', () => {
  test.each([
    ['the same day', office, '2026-11-23T06:00:00Z', 2 * hour, '2026-11-23T08:00:00Z'],
    ['asked at night', office, '2026-11-23T20:00:00Z', hour, '2026-11-24T06:00:00Z'],
    ['over the weekend', office, '2026-11-27T13:30:00Z', hour, '2026-11-30T05:30:00Z'],
    ['to the very end', office, '2026-11-23T05:00:00Z', 9 * hour, '2026-11-23T14:00:00Z'],
    ['over a holiday', office, '2026-12-01T13:30:00Z', hour, '2026-12-03T05:30:00Z'],
  ] as const)('%s', (_, hours, from, seconds, due) => {
    expect(businessCalendar(hours).after(new Date(from), seconds)).toEqual(new Date(due));
  });

  test('is the inverse of secondsBetween, over every change of the clocks', () => {
    for (const timeZone of ['Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe']) {
      const weekly = weekdays.map((day) => ({ day, from: '01:30', to: '23:00' }));
      const calendar = businessCalendar({ timeZone, weekly, holidays: [] });
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 50_000_000) {
        const due = calendar.after(new Date(at), 100_000)!;
        expect(calendar.secondsBetween(new Date(at), due)).toBe(100_000);
      }
    }
  });
});

test.each([
  ['Asia/Kolkata', true],
  ['UTC', true],
  ['+05:30', false],
  ['Mars/Olympus', false],
  ['', false],
] as const)('%j is a time zone: %s', (name, known) => {
  expect(isTimeZone(name)).toBe(known);
});
