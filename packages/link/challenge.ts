import type { Challenge, Hello } from './frames.ts';
import { digestOf } from './signature.ts';

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
  return digestOf([
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
  ]);
}
