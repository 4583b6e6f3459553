import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeSecret, stepOf, uriOf } from './totp.ts';

/** `12345678901234567890`, the secret of RFC 6238, appendix B. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

// The last six of the eight digits that the appendix prints.
test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
])('at %i s the code of RFC 6238 is %s', (seconds, code, step) => {
  expect(stepOf(secret, code, new Date(seconds * 1_000))).toBe(step);
});

test.each([
  ['one step later', 30, 1],
  ['one step earlier', -30, 1],
  ['two steps later', 60, undefined],
])('a code that is typed %s is of its own step, or no more', (_, seconds, step) => {
  expect(stepOf(secret, '287082', new Date((59 + seconds) * 1_000))).toBe(step);
});

test('a code that is none is not good', () => {
  for (const code of ['', '28708', '2870820', 'abcdef', '28708２']) {
    expect(stepOf(secret, code, new Date(59_000)), code).toBeUndefined();
  }
});

test('the address of a secret names whose it is', () => {
  const made = makeSecret(randomBytes);
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(makeSecret(randomBytes)).not.toBe(made);
  const uri = new URL(uriOf(made, 'ann@acme.example'));
  expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp']);
  expect(decodeURIComponent(uri.pathname)).toBe('/Drawbridge:ann@acme.example');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: made, period: '30' });
});
