import { expect, test } from 'vitest';
import { priceOf } from './price.ts';

const prices = new Map([
  ['', '0.10'],
  ['+60', '0.05'],
  ['+6011', '0.07'],
]);

test.each([
  ['+60111234567', '0.07'],
  ['+60121234567', '0.05'],
  ['+971501234567', '0.10'],
  ['771234', '0.10'],
])('the longest prefix of %s decides', (address, price) => {
  expect(priceOf(prices, address)).toBe(price);
});

test('an address that no prefix fits has no price', () => {
  expect(priceOf(new Map([['+60', '1']]), '+971501234567')).toBeUndefined();
});
