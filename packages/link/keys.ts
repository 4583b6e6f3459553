/**
 * Ed25519 and X25519 by OpenSSL, which takes a hundredth of what they take in JavaScript. Keys are those of NaCl.
 */
import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import nacl from 'tweetnacl';

type Curve = 'Ed25519' | 'X25519';

/** What stands before the 32 bytes of a key (RFC 8410). */
const prefixes = {
  Ed25519: {
    private: Buffer.from('302e020100300506032b657004220420', 'hex'),
    public: Buffer.from('302a300506032b6570032100', 'hex'),
  },
  X25519: {
    private: Buffer.from('302e020100300506032b656e04220420', 'hex'),
    public: Buffer.from('302a300506032b656e032100', 'hex'),
  },
} as const;

const keyBytes = 32;

/** Of 32 secret bytes: a seed of Ed25519, a scalar of X25519. */
export function privateKey(curve: Curve, secret: Uint8Array): KeyObject {
  const key = Buffer.concat([prefixes[curve].private, secret]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** Of 32 bytes. */
export function publicKey(curve: Curve, bytes: Uint8Array): KeyObject {
  const key = Buffer.concat([prefixes[curve].public, bytes]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

/** The 32 bytes that are told to the other end. */
export function publicBytes(secret: KeyObject): Uint8Array {
  const der = createPublicKey(secret).export({ format: 'der', type: 'spki' });
  return new Uint8Array(der.subarray(-keyBytes));
}

/** Key of `crypto_box` between both ends: 32 bytes. */
export function sharedKey(secret: KeyObject, theirs: Uint8Array): Uint8Array {
  const key = new Uint8Array(keyBytes);
  hsalsa20(key, new Uint8Array(16), agreed(secret, theirs), sigma);
  return key;
}

function agreed(secret: KeyObject, theirs: Uint8Array): Uint8Array {
  try {
    return diffieHellman({ privateKey: secret, publicKey: publicKey('X25519', theirs) });
  } catch {
    // A point of small order, where X25519 gives zeros and OpenSSL refuses. Each end has signed its session key,
    // so an end that chooses such a one betrays itself only.
    return new Uint8Array(keyBytes);
  }
}

/** TweetNaCl has it, and its types do not. */
interface LowLevel {
  crypto_core_hsalsa20(out: Uint8Array, input: Uint8Array, key: Uint8Array, c: Uint8Array): void;
}

const { crypto_core_hsalsa20: hsalsa20 } = (nacl as unknown as { lowlevel: LowLevel }).lowlevel;
const sigma = new TextEncoder().encode('expand 32-byte k');
