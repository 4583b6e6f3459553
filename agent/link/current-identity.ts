import { verifies } from '@drawbridge/link/challenge.ts';
import { identityChange } from '@drawbridge/link/identity-change.ts';
import type { Identity } from '../store/identity.ts';
import type { Vault } from '../store/vault.ts';

/** Who this agent is, and which key of the control plane it trusts now. */
export interface CurrentIdentity {
  value(): Identity;
  /**
   * Trusts the control plane's new key (base64) and no other; on disk when this returns true. False
   * when the key trusted so far did not sign the change. Throws when it cannot be stored.
   */
  follow(publicKey: string, signature: string): boolean;
}

export function createCurrentIdentity(
  vault: Pick<Vault<Identity>, 'write'>,
  identity: Identity,
): CurrentIdentity {
  let current = identity;
  return {
    value: () => current,
    follow(publicKey, signature) {
      const { controlPlaneKey } = current;
      const digest = identityChange(controlPlaneKey, publicKey);
      if (!verifies(digest, signature, controlPlaneKey)) return false;
      const next = { ...current, controlPlaneKey: publicKey };
      vault.write(next);
      current = next;
      return true;
    },
  };
}
