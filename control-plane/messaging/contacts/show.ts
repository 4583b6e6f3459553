import type { ContactRow } from './store.ts';

/** A contact as the API shows it. */
export function showContact({ created_at, updated_at, ...row }: ContactRow) {
  return {
    ...row,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
