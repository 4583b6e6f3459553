import { z } from 'zod';
import { openVault, type Vault, type VaultLocation } from './vault.ts';

const identity = z.object({
  agentId: z.string(),
  /** Address of the control plane, and of its end of the link. */
  url: z.string(),
  linkUrl: z.string(),
  /** Ed25519, base64; the secret key is made on this host and never leaves it. */
  publicKey: z.string(),
  secretKey: z.string(),
  controlPlaneKey: z.string(),
  /** Those trusted before it, the oldest first, with which bundles that are on their way may have been made. */
  earlierControlPlaneKeys: z.array(z.string()).optional(),
  /** File of the CAs that were named when enrolling. */
  caFile: z.string().optional(),
  enrolledAt: z.string(),
  /** When the key was made, if that was after the enrolment. */
  keyMadeAt: z.string().optional(),
  /** The key that is to take its place: on the disk before the control plane hears of it. */
  nextKey: z
    .object({ publicKey: z.string(), secretKey: z.string(), madeAt: z.string() })
    .optional(),
  /** The key before the present one: a control plane that was restored from a backup may know no newer one. */
  formerKey: z.object({ publicKey: z.string(), secretKey: z.string() }).optional(),
  /** The agents that this home folder was before, the latest last: connectors of the control plane may name them still. */
  formerAgents: z.array(z.string()).optional(),
});

/** Who this agent is to its control plane. */
export type Identity = z.infer<typeof identity>;

export function identityVault(location: VaultLocation): Vault<Identity> {
  return openVault(location, 'identity', identity);
}

const enrolment = identity
  .omit({ agentId: true, linkUrl: true, enrolledAt: true, formerAgents: true })
  .extend({ sealed: z.string() });

/** An identity that the control plane has not confirmed yet, and the request for it. */
export type OpenEnrolment = z.infer<typeof enrolment>;

/** The enrolment whose request was written to a file. */
export function enrolmentVault(location: VaultLocation): Vault<OpenEnrolment> {
  return openVault(location, 'enrolment', enrolment);
}

const epoch = z.object({ agentId: z.string(), epoch: z.int().min(0) });

/**
 * The epoch last given to this copy of the agent. It has its own file because every session
 * writes it.
 */
export function epochVault(location: VaultLocation): Vault<z.infer<typeof epoch>> {
  return openVault(location, 'epoch', epoch);
}
