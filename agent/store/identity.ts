import { z } from 'zod';
import { openVault, type Vault, type VaultPlace } from './vault.ts';

const identity = z.object({
  agentId: z.string(),
  /** Address of the control plane, and of its end of the link. */
  url: z.string(),
  linkUrl: z.string(),
  /** Ed25519, base64; the secret key was born on this host and never leaves it. */
  publicKey: z.string(),
  secretKey: z.string(),
  controlPlaneKey: z.string(),
  enrolledAt: z.string(),
});

/** Who this agent is to its control plane. */
export type Identity = z.infer<typeof identity>;

export function identityVault(place: VaultPlace): Vault<Identity> {
  return openVault(place, 'identity', identity);
}

const epoch = z.object({ agentId: z.string(), epoch: z.int().min(0) });

/**
 * The epoch last given to this copy of the agent; it lies apart because every session writes it.
 */
export function epochVault(place: VaultPlace): Vault<z.infer<typeof epoch>> {
  return openVault(place, 'epoch', epoch);
}
