import { expect, test } from 'vitest';
import { draftOf, requestOf } from './draft.ts';

const settings = {
  time_zone: 'Asia/Dubai',
  weekly_hours: [
    { day: 'mon', from: '09:00', to: '12:00' },
    { day: 'mon', from: '13:00', to: '24:00' },
    { day: 'sun', from: '00:00', to: '24:00' },
  ],
  holidays: ['2026-12-02'],
  first_response_minutes: 30,
  next_response_minutes: null,
} as const;

test('what is saved unchanged stays as it was', () => {
  const read = { ...settings, weekly_hours: [...settings.weekly_hours], holidays: ['2026-12-02'] };
  expect(requestOf(draftOf({ ...read, updated_at: null }))).toEqual(settings);
});

test('the end of a day is shown as midnight, and a day without hours is there', () => {
  const read = { ...settings, weekly_hours: [...settings.weekly_hours], holidays: [] };
  const { week, nextMinutes } = draftOf({ ...read, updated_at: null });
  expect(week).toHaveLength(7);
  expect(week[1]).toEqual({ day: 'tue', spans: [] });
  expect(week.at(-1)).toEqual({ day: 'sun', spans: [{ from: '00:00', to: '00:00' }] });
  expect(nextMinutes).toBe('');
});
