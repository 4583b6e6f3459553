import type { Profile } from '@drawbridge/profiles/contract.ts';

/** Where a profile lives: a folder is named as the profile, in lower case. */
export function profileFolder({ id }: Profile): string {
  return `packages/profiles/${id.toLowerCase()}`;
}
