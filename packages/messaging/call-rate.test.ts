import { describe, expect, test } from 'vitest';
import {
  atMost,
  billedSeconds,
  type CallRate,
  callCost,
  largestOf,
  prefixesOf,
  rateFor,
  remainderOf,
  totalOf,
} from './call-rate.ts';

const rate = (prefix: string, more: Partial<CallRate> = {}): CallRate => ({
  prefix,
  perMinute: '0.05',
  connectionFee: '0',
  firstSeconds: 60,
  stepSeconds: 60,
  validFrom: new Date('2026-01-01T00:00:00Z'),
  validUntil: null,
  ...more,
});
const at = (day: string) => new Date(`${day}T00:00:00Z`);

describe('the rate of a number', () => {
  const rates = [
    rate('+'),
    rate('+60'),
    rate('+6012', { validFrom: at('2026-03-01') }),
    rate('+6012', { validFrom: at('2026-06-01'), perMinute: '0.09' }),
    rate('+60123', { validUntil: at('2026-02-01') }),
  ];
  test.each([
    ['+971501234567', '2026-04-01', '+', '0.05'],
    ['+60199999999', '2026-04-01', '+60', '0.05'],
    ['+60123456789', '2026-01-15', '+60123', '0.05'],
    ['+60123456789', '2026-02-01', '+60', '0.05'],
    ['+60123456789', '2026-03-01', '+6012', '0.05'],
    ['+60123456789', '2026-06-01', '+6012', '0.09'],
  ])('%s on %s has the prefix %s and the price %s', (number, day, prefix, perMinute) => {
    expect(rateFor(number, at(day), rates)).toMatchObject({ prefix, perMinute });
  });

  test('before any rate is in force there is no price', () => {
    expect(rateFor('+60123456789', at('2025-12-31'), rates)).toBeUndefined();
    expect(rateFor('+60123456789', at('2026-04-01'), [])).toBeUndefined();
  });

  test('the prefixes of a number, longest first', () => {
    expect(prefixesOf('+601')).toEqual(['+601', '+60', '+6', '+']);
  });
});

describe('what a conversation costs', () => {
  test.each([
    [0, 60, 60, 0],
    [-3, 60, 60, 0],
    [1, 60, 60, 60],
    [60, 60, 60, 60],
    [61, 60, 60, 120],
    [61, 1, 1, 61],
    [60.2, 1, 1, 61],
    [7, 6, 6, 12],
    [31, 30, 6, 36],
    [5, 30, 6, 30],
  ])('%d seconds at %d/%d are billed as %d', (seconds, firstSeconds, stepSeconds, billed) => {
    expect(billedSeconds(seconds, { firstSeconds, stepSeconds })).toBe(billed);
  });

  test.each([
    [61, '0.05', '0', 60, 60, '0.1'],
    [61, '0.05', '0', 1, 1, '0.050833'],
    [1, '0.01', '0', 1, 1, '0.000167'],
    [30, '0.0333', '0.005', 6, 6, '0.02165'],
    [0, '0.05', '0.01', 60, 60, '0'],
    [600, '0.1', '0', 60, 60, '1'],
    [3_600, '1000000.000001', '0', 1, 1, '60000000.00006'],
  ])(
    '%d s at %s a minute and %s a call, %d/%d: %s',
    (seconds, perMinute, connectionFee, firstSeconds, stepSeconds, cost) => {
      const by = { perMinute, connectionFee, firstSeconds, stepSeconds };
      expect(callCost(seconds, by)).toBe(cost);
    },
  );
});

describe('amounts', () => {
  test('add up exactly', () => {
    expect(totalOf(['0.1', '0.2', '10.000001'])).toBe('10.300001');
    expect(totalOf([])).toBe('0');
  });

  test.each([
    ['5', '0.000001', '4.999999'],
    ['5', '5.00', '0'],
    ['5', '7', '0'],
  ])('%s less %s leaves %s', (amount, taken, rest) => {
    expect(remainderOf(amount, taken)).toBe(rest);
  });

  test('are cut to a limit, and compared by value', () => {
    expect([atMost('10', '9.5'), atMost('9', '9.5')]).toEqual(['9.5', '9']);
    expect([largestOf(['9', '10', '1.5']), largestOf([])]).toEqual(['10', '0']);
  });
});
