import type { Principal } from '../../platform/auth/principal.ts';
import { fail } from '../errors.ts';
import type { Place } from './store.ts';

export const tag = 'Contacts';

/** Where a caller's contacts are. */
export function placeOf({ tenantId, environment }: Principal): Place {
  return { tenantId, environment };
}

/** The 404 of a contact, which may have become part of another; one of another tenant is as missing as one that never was. */
export function contactNotFound(id: string, mergedInto?: string) {
  if (mergedInto === undefined) return fail('contact_not_found', `There is no contact "${id}".`);
  return fail('contact_not_found', `The contact "${id}" was merged into "${mergedInto}".`, {
    body: { merged_into: mergedInto },
  });
}
