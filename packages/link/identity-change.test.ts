import nacl from 'tweetnacl';
import { expect, test } from 'vitest';
import { toBase64 } from './bytes.ts';
import { identityChange } from './identity-change.ts';
import { sign, verifies } from './signature.ts';

const trusted = nacl.sign.keyPair();
const [from, to, other] = [trusted, nacl.sign.keyPair(), nacl.sign.keyPair()].map((pair) =>
  toBase64(pair.publicKey),
) as [string, string, string];
const signature = sign(identityChange(from, to), trusted.secretKey);

test('a signature of the same change verifies', () => {
  expect(verifies(identityChange(from, to), signature, from)).toBe(true);
});

test.each([
  { what: 'another next key', digest: identityChange(from, other) },
  { what: 'another trusted key', digest: identityChange(other, to) },
  { what: 'the way back', digest: identityChange(to, from) },
])('a signature does not verify for $what', ({ digest }) => {
  expect(verifies(digest, signature, from)).toBe(false);
});
