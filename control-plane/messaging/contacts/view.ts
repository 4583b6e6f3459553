import type { ContactRow } from './store.ts';

/** A contact in the form of the API. */
export function showContact({ created_at, updated_at, ...row }: ContactRow) {
  return {
    ...row,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
