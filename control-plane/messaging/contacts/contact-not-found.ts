import { fail } from '../errors.ts';

/** The 404 of a contact, also for one of another tenant; it names the contact this one was merged into. */
export function contactNotFound(id: string, mergedInto?: string) {
  if (mergedInto === undefined) return fail('contact_not_found', `There is no contact "${id}".`);
  return fail('contact_not_found', `The contact "${id}" was merged into "${mergedInto}".`, {
    body: { merged_into: mergedInto },
  });
}
