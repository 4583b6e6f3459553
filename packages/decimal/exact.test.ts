import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDecimal } from './decimal.ts';

const digits = fc.oneof(
  fc.integer({ min: -100_000, max: 100_000 }).map(String),
  fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map(String),
  fc.constantFrom('9007199254740991', '-9007199254740992', '999999999999999', '0', '-0', '1'),
);
const written = fc
  .tuple(
    digits,
    fc.oneof(fc.constant(''), fc.stringMatching(/^\d{1,4}$/), fc.stringMatching(/^\d{1,18}$/)),
  )
  .map(([whole, fraction]) => (fraction === '' ? whole : `${whole}.${fraction}`));

test('all results are those of big.js', () => {
  fc.assert(
    fc.property(written, written, fc.nat(18), (a, b, places) => {
      const [x, y] = [parseDecimal(a)!, parseDecimal(b)!];
      const [left, right] = [new Big(a), new Big(b)];
      expect(x.toFixed()).toBe(left.toFixed());
      expect(x.toFixed(places)).toBe(left.toFixed(places));
      expect(x.plus(y).toFixed()).toBe(left.plus(right).toFixed());
      expect(x.minus(y).toFixed()).toBe(left.minus(right).toFixed());
      expect(x.times(y).toFixed()).toBe(left.times(right).toFixed());
      expect(x.times(y).round(2).toFixed()).toBe(left.times(right).round(2).toFixed());
      expect(x.abs().toFixed()).toBe(left.abs().toFixed());
      expect(x.round(places).toFixed()).toBe(left.round(places).toFixed());
      expect(x.round(places, 'down').toFixed()).toBe(left.round(places, 0).toFixed());
      // Halves towards positive infinity: add a half, then round down.
      const raised = left.plus(new Big('0.5').times(new Big(10).pow(-places)));
      const below = raised.round(places, 0);
      const ceiled = below.gt(raised) ? below.minus(new Big(10).pow(-places)) : below;
      expect(x.round(places, 'half-ceiling').toFixed()).toBe(ceiled.toFixed());
      expect(Math.sign(x.cmp(y))).toBe(left.cmp(right));
      expect([x.eq(x), x.lt(y), x.lte(y)]).toEqual([true, left.lt(right), left.lte(right)]);
      expect([x.gt(y), x.gte(y), x.eq(y)]).toEqual([
        left.gt(right),
        left.gte(right),
        left.eq(right),
      ]);
      if (!right.eq(0)) {
        expect(x.div(y).toFixed()).toBe(left.div(right).toFixed());
        expect(x.times(y).div(y).toFixed()).toBe(left.times(right).div(right).toFixed());
      }
      for (const dozens of [3, 12, 16, 144, -7]) {
        expect(x.div(dozens).toFixed()).toBe(left.div(dozens).toFixed());
      }
      for (const power of [1, 10, 100, 0.5]) {
        expect(x.div(power).toFixed()).toBe(left.div(power).toFixed());
        expect(x.times(power).toFixed()).toBe(left.times(power).toFixed());
      }
    }),
    { numRuns: 1_000, seed: 20_261_121 },
  );
});

test('division by zero throws', () => {
  expect(() => parseDecimal('1')!.div(parseDecimal('0')!)).toThrow();
  expect(() => parseDecimal('0')!.div(0)).toThrow();
});
