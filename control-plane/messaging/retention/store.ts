import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { firstIdAt } from '../../platform/ids.ts';

/** Messages are small: so many go for each thing of a batch. */
const messagesPerThing = 10;

/**
 * Deletes settled messages that nothing has happened to since an instant, with their files and what was
 * done with them; returns how many. What is of an open conversation or an unfinished broadcast stays.
 */
export async function pruneMessages(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  before: Date,
  max: number,
): Promise<number> {
  const row = await tx.row<{ count: number }>(
    'select prune_messages($1, $2, $3, $4, $5) as count',
    [tenantId, environment, before, firstIdAt('msg', before), max * messagesPerThing],
  );
  return row!.count;
}

/**
 * Deletes up to `max` contacts with whom nothing has happened since an instant and of whom no message is
 * kept, with their conversations; returns their ids. Opt-outs and consents stay.
 */
export async function deleteOldContacts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  before: Date,
  max: number,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    'select id from delete_old_contacts($1, $2, $3, $4, $5) as id',
    [tenantId, environment, before, firstIdAt('con', before), max],
  );
  return rows.map(({ id }) => id);
}
