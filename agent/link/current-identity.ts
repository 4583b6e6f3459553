import { fromBase64 } from '@drawbridge/link/bytes.ts';
import { agentKeyChange, identityChange } from '@drawbridge/link/identity-change.ts';
import { sign, verifies } from '@drawbridge/link/signature.ts';
import type { Identity } from '../store/identity.ts';
import type { Vault } from '../store/vault.ts';

/** Ed25519, base64. */
export type NewKey = Pick<Identity, 'publicKey' | 'secretKey'>;

/** Who this agent is, and which key of the control plane it trusts now. What changes is on disk when a function returns. */
export interface CurrentIdentity {
  value(): Identity;
  /**
   * Trusts the control plane's new key (base64) and no other. False when the key trusted so far did not
   * sign the change. Throws when it cannot be stored.
   */
  follow(publicKey: string, signature: string): boolean;
  /**
   * As `follow`, told by a bundle that was made with `key`: also one that this agent has followed from may lead
   * on, as bundles are made long before they arrive.
   */
  followCarried(key: string, publicKey: string, signature: string): boolean;
  /** Bundles come with that key of the control plane by now: none will come with an earlier one. */
  carriedWith(key: string): void;
  /** Makes the next key of this agent, unless there is one that the control plane does not know yet. */
  makeNextKey(newKey: () => NewKey, at: Date): void;
  /** The next key, signed with itself; undefined when there is none. */
  keyChange(): { readonly publicKey: string; readonly signature: string } | undefined;
  /**
   * The control plane knows this agent by that key; of the former one, the present one becomes the next again.
   * False when it is none of these.
   */
  knownBy(publicKey: string): boolean;
}

export function createCurrentIdentity(
  vault: Pick<Vault<Identity>, 'write'>,
  identity: Identity,
): CurrentIdentity {
  let current = identity;
  const write = (next: Identity) => {
    vault.write(next);
    current = next;
  };
  return {
    value: () => current,
    follow(publicKey, signature) {
      const { controlPlaneKey } = current;
      const digest = identityChange(controlPlaneKey, publicKey);
      if (!verifies(digest, signature, controlPlaneKey)) return false;
      write({ ...current, controlPlaneKey: publicKey });
      return true;
    },
    followCarried(key, publicKey, signature) {
      if (!verifies(identityChange(key, publicKey), signature, key)) return false;
      const { controlPlaneKey, earlierControlPlaneKeys: earlier = [] } = current;
      if (publicKey === controlPlaneKey || earlier.includes(publicKey)) return true;
      const earlierControlPlaneKeys = [...earlier, controlPlaneKey];
      write({ ...current, controlPlaneKey: publicKey, earlierControlPlaneKeys });
      return true;
    },
    carriedWith(key) {
      const { earlierControlPlaneKeys: earlier = [] } = current;
      const at = earlier.indexOf(key);
      const left = at === -1 ? [] : earlier.slice(at);
      if (left.length < earlier.length) write({ ...current, earlierControlPlaneKeys: left });
    },
    makeNextKey(newKey, at) {
      if (current.nextKey !== undefined) return;
      write({ ...current, nextKey: { ...newKey(), madeAt: at.toISOString() } });
    },
    keyChange() {
      const { agentId, publicKey: present, nextKey } = current;
      if (nextKey === undefined) return undefined;
      const { publicKey, secretKey } = nextKey;
      const digest = agentKeyChange(agentId, present, publicKey);
      return { publicKey, signature: sign(digest, fromBase64(secretKey)) };
    },
    knownBy(publicKey) {
      if (publicKey === current.publicKey) return true;
      const { nextKey, formerKey, keyMadeAt, ...others } = current;
      const presentKey = { publicKey: current.publicKey, secretKey: current.secretKey };
      if (publicKey === nextKey?.publicKey) {
        const { madeAt, ...taken } = nextKey;
        write({ ...others, ...taken, keyMadeAt: madeAt, formerKey: presentKey });
        return true;
      }
      if (publicKey === formerKey?.publicKey) {
        const madeAt = keyMadeAt ?? current.enrolledAt;
        write({ ...others, ...formerKey, nextKey: nextKey ?? { ...presentKey, madeAt } });
        return true;
      }
      return false;
    },
  };
}
