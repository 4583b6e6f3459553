import { createHash, sign as signWith, verify } from 'node:crypto';
import { fromBase64, toBase64 } from './bytes.ts';
import type { Challenge, Hello } from './frames.ts';
import { privateKey, publicKey } from './keys.ts';

/** One of the two ends of a link. */
export type Role = 'agent' | 'control-plane';

/**
 * Long-term Ed25519 public keys of both ends, base64; each end has the other's from enrolment.
 */
export interface Identities {
  readonly agent: string;
  readonly controlPlane: string;
}

/**
 * What both ends sign: a hash of both hellos and of the role of the signer. It covers the version
 * ranges, so that an attacker between the ends cannot force an older version, and the new session
 * keys, so that an old signature cannot be used again.
 */
export function transcript(
  role: Role,
  identities: Identities,
  hello: Hello,
  challenge: Omit<Challenge, 'signature'>,
): Uint8Array {
  const said = [
    'drawbridge-link',
    role,
    identities.agent,
    identities.controlPlane,
    hello.agentId,
    hello.epoch,
    hello.software,
    hello.versions.min,
    hello.versions.max,
    hello.sessionKey,
    challenge.version,
    challenge.sessionKey,
  ];
  return new Uint8Array(createHash('sha512').update(JSON.stringify(said)).digest());
}

/** Ed25519 signature of a transcript, base64; `secretKey` is 64 bytes: the seed and the public key. */
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
