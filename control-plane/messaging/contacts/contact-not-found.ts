import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { fail } from '../errors.ts';
import { findMergedInto } from './merge/store.ts';

/** The 404 of a contact, also for one of another tenant; it names the contact this one was merged into. */
export async function contactNotFound(tx: Tx, scope: TenantScope, id: string) {
  const into = await findMergedInto(tx, scope, id);
  if (into === undefined) return fail('contact_not_found', `There is no contact "${id}".`);
  return fail('contact_not_found', `The contact "${id}" was merged into "${into}".`, {
    body: { merged_into: into },
  });
}
