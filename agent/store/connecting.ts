import { z } from 'zod';
import { openVault, type Vault, type VaultLocation } from './vault.ts';

/** What was answered or found, in the order in which it was. */
const entry = z.strictObject({
  id: z.string(),
  value: z.unknown(),
  /** A person answers; a command line gives; work finds. */
  by: z.enum(['person', 'command line', 'work']),
});
export type Entry = z.infer<typeof entry>;

const state = z.strictObject({
  /** Another version of the questions does not go on from this state. */
  version: z.literal(2),
  entries: z.array(entry),
  /** Answers that were taken back, which are proposed again; never a secret. */
  before: z.record(z.string(), z.string()),
});
/** How far somebody has come with `connect`: it is kept after each answer. */
export type State = z.infer<typeof state>;

/** The state of `connect`; a password may be in it. */
export function connectingVault(location: VaultLocation): Vault<State> {
  return openVault(location, 'connecting', state);
}
