import { createHash, sign as signWith, verify } from 'node:crypto';
import { fromBase64, toBase64 } from './bytes.ts';
import { privateKey, publicKey } from './keys.ts';

/** What is signed of some values: SHA-512 of them as JSON. The first one says what they are for. */
export function digestOf(values: readonly unknown[]): Uint8Array {
  return new Uint8Array(createHash('sha512').update(JSON.stringify(values)).digest());
}

/** Ed25519 signature of a digest, base64; `secretKey` is 64 bytes: the seed and the public key. */
export function sign(digest: Uint8Array, secretKey: Uint8Array): string {
  const key = privateKey('Ed25519', secretKey.subarray(0, 32));
  return toBase64(signWith(null, digest, key));
}

/**
 * Whether the signature (base64, 64 bytes) of the digest is by the owner of the public key
 * `signer` (base64, 32 bytes).
 */
export function verifies(digest: Uint8Array, signature: string, signer: string): boolean {
  return verify(null, digest, publicKey('Ed25519', fromBase64(signer)), fromBase64(signature));
}
