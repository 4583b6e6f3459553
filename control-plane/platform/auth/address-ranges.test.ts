import { expect, test } from 'vitest';
import { addressRange, cidrOf, isAllowed, isWithin, plainAddress } from './address-ranges.ts';

test.each([
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
  ['2001:db8::1', ['10.0.0.0/8', '2001:db8::/32'], true],
  ['11.1.2.3', ['10.0.0.0/8'], false],
  ['127.0.0.1', ['::ffff:127.0.0.1/128'], true],
  ['127.0.0.2', ['::ffff:127.0.0.1/128'], false],
  ['127.0.0.1', ['::ffff:127.0.0.0/104'], true],
  ['203.0.113.9', ['::/0'], true],
  ['2001:db8::1', ['::/0'], true],
  ['2001:db8::1', ['0.0.0.0/0'], false],
  ['203.0.113.9', ['2000::/3'], false],
  ['', ['10.0.0.0/8'], false],
  ['', [], true],
])('%s within %j: %s', (ip, ranges, allowed) => {
  expect(isAllowed(ip, ranges)).toBe(allowed);
});

test.each([
  [['10.1.0.0/16'], ['10.0.0.0/8'], true],
  [['10.0.0.0/8'], ['10.1.0.0/16'], false],
  [['10.0.0.0/8'], ['::/0'], true],
  [['::/0'], ['0.0.0.0/0'], false],
  [['::ffff:10.0.0.0/104'], ['10.0.0.0/8'], true],
  [['2001:db8::7/128'], ['2001:db8::/32'], true],
  [[], ['::/0'], false],
])('every address of %j in %j: %s', (ranges, others, within) => {
  expect(isWithin(ranges, others)).toBe(within);
});

test.each([
  ['10.1.2.3', '10.1.2.3/32'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['::1', '::1/128'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['::ffff:127.0.0.1', '127.0.0.1/32'],
  ['::FFFF:7f00:1', '127.0.0.1/32'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['::ffff:0:0/96', '0.0.0.0/0'],
  ['::ffff:0:0/95', '::ffff:0:0/95'],
  ['::/0', '::/0'],
  ['x', undefined],
  ['10.0.0.0/33', undefined],
  ['::/129', undefined],
  ['::ffff:1.2.3', undefined],
  ['1.2.3', undefined],
  ['fe80::1%eth0', undefined],
  ['', undefined],
])('an allowlist entry %s is kept as %s, and the pattern says the same', (text, cidr) => {
  const parsed = addressRange.safeParse(text);
  expect(parsed.success).toBe(cidr !== undefined);
  if (parsed.success) expect(cidrOf(text)).toBe(cidr);
});

test.each([
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
  ['', ''],
])('%j is shown as %j', (text, plain) => {
  expect(plainAddress(text)).toBe(plain);
});
