import type { ControlPlaneFrame } from '@drawbridge/link/frames.ts';
import { identityChange } from '@drawbridge/link/identity-change.ts';
import { sign } from '@drawbridge/link/signature.ts';
import { identityChangeVersion } from '@drawbridge/link/version.ts';
import type { LinkIdentities, LinkIdentity } from './identities.ts';

/** Which identity a linked agent trusts, and how it is led to the newest. */
export interface TrustedKey {
  /** The public key that the agent trusts, as it has said last. */
  current(): string;
  /**
   * The frame to send now; undefined when the agent trusts the newest, has not answered the last
   * frame, or speaks a version without it.
   */
  change(): Extract<ControlPlaneFrame, { kind: 'identity' }> | undefined;
  /** Takes the agent's answer; false when it is not about the key last sent. */
  accept(publicKey: string): boolean;
}

/** `trusted` is the identity that has answered the agent's handshake; `version` is the one agreed. */
export function createTrustedKey(
  identities: Pick<LinkIdentities, 'newest'>,
  trusted: LinkIdentity,
  version: number,
): TrustedKey {
  let current = trusted;
  let sent: LinkIdentity | undefined;
  return {
    current: () => current.publicKey,
    change() {
      const { publicKey } = current;
      const newest = identities.newest();
      const isDue = newest.publicKey !== publicKey && sent === undefined;
      if (!isDue || version < identityChangeVersion) return undefined;
      sent = newest;
      const digest = identityChange(publicKey, newest.publicKey);
      const signature = sign(digest, current.secretKey);
      return { kind: 'identity', publicKey: newest.publicKey, signature };
    },
    accept(publicKey) {
      if (sent?.publicKey !== publicKey) return false;
      current = sent;
      sent = undefined;
      return true;
    },
  };
}
