import { z } from 'zod';
import { fail } from '../../errors.ts';
import type { ImportRow } from './store.ts';

export const path = '/contacts/bulk-import/';
export const params = z.strictObject({ id: z.string().max(100) });

export function importNotFound(id: string) {
  return fail('import_not_found', `There is no import "${id}".`);
}

export function showImport({ created_at, finished_at, ...row }: ImportRow) {
  return {
    ...row,
    errors_url: `${path}${row.id}/errors/`,
    problems_url: `${path}${row.id}/problems/`,
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
}
