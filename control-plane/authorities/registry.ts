import assert from 'node:assert/strict';
import type { Authority } from './contract.ts';
import { myinvois } from './myinvois/adapter.ts';
import { peppol } from './peppol/adapter.ts';
import type { AuthoritySimulator } from './simulation/contract.ts';

interface Entry {
  readonly authority: Authority;
  /** Loaded only where the simulator runs. */
  readonly simulator: () => Promise<{ readonly simulator: AuthoritySimulator }>;
}

const entries: readonly Entry[] = [
  // clearance: Malaysia
  { authority: myinvois, simulator: () => import('./myinvois/simulator.ts') },
  // exchange: the United Arab Emirates, Belgium, and Malaysia after clearance
  { authority: peppol, simulator: () => import('./peppol/simulator.ts') },
];

/** Every authority and network. */
export const authorities: readonly Authority[] = entries.map(({ authority }) => authority);

/** The authority of this id, as a profile names it; an unknown one is a bug. */
export function authorityById(id: string): Authority {
  return entryOf(id).authority;
}

/** The simulator of the authority of this id; an unknown one is a bug. */
export async function authoritySimulator(id: string): Promise<AuthoritySimulator> {
  return (await entryOf(id).simulator()).simulator;
}

function entryOf(id: string): Entry {
  const found = entries.find(({ authority }) => authority.id === id);
  assert(found, `no authority is registered as ${id}`);
  return found;
}
