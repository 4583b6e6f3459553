import fc from 'fast-check';
import nacl from 'tweetnacl';
import { expect, test } from 'vitest';
import { fromBase64, toBase64 } from './bytes.ts';
import { privateKey, publicBytes, sharedKey } from './keys.ts';
import { sign, verifies } from './signature.ts';

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const few = { numRuns: 20 };

test('keys and signatures are those of NaCl', () => {
  fc.assert(
    fc.property(secret, fc.uint8Array(), (seed, text) => {
      const pair = nacl.sign.keyPair.fromSeed(seed);
      expect(publicBytes(privateKey('Ed25519', seed))).toEqual(pair.publicKey);
      const signature = sign(text, pair.secretKey);
      expect(fromBase64(signature)).toEqual(nacl.sign.detached(text, pair.secretKey));
      expect(verifies(text, signature, toBase64(pair.publicKey))).toBe(true);
    }),
    few,
  );
});

test('what two ends share is what NaCl’s box takes', () => {
  fc.assert(
    fc.property(secret, secret, (ours, theirs) => {
      const their = nacl.box.keyPair.fromSecretKey(theirs).publicKey;
      expect(sharedKey(privateKey('X25519', ours), their)).toEqual(nacl.box.before(their, ours));
    }),
    few,
  );
});

test.each([0, 1])('a point of small order (%i) gives what NaCl gives', (first) => {
  const theirs = new Uint8Array(32);
  theirs[0] = first;
  const ours = new Uint8Array(32).fill(7);
  expect(sharedKey(privateKey('X25519', ours), theirs)).toEqual(nacl.box.before(theirs, ours));
});

test('a text that is no signature, or a key that is none, does not verify', () => {
  fc.assert(
    fc.property(secret, fc.uint8Array({ minLength: 64, maxLength: 64 }), (key, signature) => {
      expect(verifies(Uint8Array.of(1), toBase64(signature), toBase64(key))).toBe(false);
    }),
    few,
  );
});
