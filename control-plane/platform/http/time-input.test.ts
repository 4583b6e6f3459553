import { expect, test } from 'vitest';
import { day, utcInstant, zonedInstant } from './time-input.ts';

test.each([
  ['1900-01-01T00:00:00Z', true],
  ['2026-01-31T00:00:00.123Z', true],
  ['9999-12-31T23:59:59.999Z', true],
  ['1899-12-31T23:59:59Z', false],
  ['0000-01-01T00:00:00Z', false],
  ['2026-02-30T00:00:00Z', false],
  ['+012026-01-01T00:00:00Z', false],
])('%s is an instant: %s', (text, isInstant) => {
  expect(utcInstant().safeParse(text).success).toBe(isInstant);
  expect(zonedInstant().safeParse(text).success).toBe(isInstant);
});

test.each([
  ['2026-01-31T04:00:00+04:00', true],
  ['1900-01-01T00:00:00+00:01', false], // in UTC it is in the year before
  ['9999-12-31T23:59:59-00:01', false],
])('%s is an instant of some zone: %s', (text, isInstant) => {
  expect(zonedInstant().safeParse(text).success).toBe(isInstant);
  expect(utcInstant().safeParse(text).success).toBe(false);
});

test('a + that an address has made a blank is told', () => {
  const { error } = zonedInstant().safeParse('2026-01-31T04:00:00 04:00');
  expect(error!.issues[0]!.message).toContain('%2B');
});

test.each([
  ['2026-01-31T04:00:00 04:00', zonedInstant()],
  ['tomorrow', zonedInstant('must be an instant')],
  ['tomorrow', utcInstant('must be an instant')],
  ['tomorrow', day()],
])('%s is told to have the wrong form, and not to be of a wrong year too', (text, schema) => {
  const { issues } = schema.safeParse(text).error!;
  expect(issues).toHaveLength(1);
  expect(issues[0]!.message).not.toContain('year');
});

test('what is no text and makes none is no instant', () => {
  expect(zonedInstant().safeParse(JSON.parse('{"toString":1}')).success).toBe(false);
});

test.each([
  ['0001-01-01', true],
  ['2024-02-29', true],
  ['9999-12-31', true],
  ['0000-12-31', false],
  ['2026-02-29', false],
])('%s is a day: %s', (text, isDay) => {
  expect(day().safeParse(text).success).toBe(isDay);
});
