import { z } from 'zod';
import { openVault, type Vault, type VaultLocation } from './vault.ts';

export const connectorNamePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The name by which the control plane asks for a connector. */
export const connectorName = z
  .string()
  .regex(connectorNamePattern, 'use lower-case letters, digits and hyphens, at most 63');

const connectors = z.array(
  z.object({
    name: connectorName,
    kind: z.string(),
    settings: z.unknown(),
    /** Whether the agent reports new and changed documents without being asked. */
    watch: z.boolean(),
    /** Whether it may be used; a disabled one is not offered to the control plane. */
    enabled: z.boolean().default(true),
    /** Folders that it may read besides those of the settings: a person at this host named them. */
    roots: z.array(z.string()).optional(),
  }),
);

/** A source of this network; its settings never leave the host. */
export type ConfiguredConnector = z.infer<typeof connectors>[number];

export function connectorsVault(location: VaultLocation): Vault<ConfiguredConnector[]> {
  return openVault(location, 'connectors', connectors);
}
