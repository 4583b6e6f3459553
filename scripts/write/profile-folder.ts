import type { Profile } from '@drawbridge/profiles/contract.ts';

/** The folder of a profile, which has its name in lower case. */
export function profileFolder({ id }: Profile): string {
  return `packages/profiles/${id.toLowerCase()}`;
}
