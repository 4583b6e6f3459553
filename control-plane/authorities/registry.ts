import assert from 'node:assert/strict';
import type { Authority } from './contract.ts';
import { myinvois } from './myinvois/adapter.ts';
import { peppol } from './peppol/adapter.ts';

/** Every authority and network. */
export const authorities: readonly Authority[] = [
  myinvois, // clearance: Malaysia
  peppol, // exchange: the United Arab Emirates, Belgium, and Malaysia after clearance
];

/** The authority of this id, as a profile names it. */
export function authorityById(id: string): Authority {
  const found = authorities.find((authority) => authority.id === id);
  assert(found, `no authority is registered as ${id}`);
  return found;
}
