import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Place } from '../contacts/store.ts';

export interface Deadline {
  readonly provider: string;
  /** What is unknown since before this instant is not heard of any more. */
  readonly before: Date;
}

/** Messages of all tenants that are past their provider's deadline and hold money yet. */
export function unheardMessages(
  tx: Tx,
  deadlines: readonly Deadline[],
  limit: number,
): Promise<
  { readonly tenant_id: string; readonly environment: Environment; readonly id: string }[]
> {
  return tx.rows('select * from unheard_messages($1, $2, $3)', [
    deadlines.map(({ provider }) => provider),
    deadlines.map(({ before }) => before),
    limit,
  ]);
}

/** Notes that their price is given back; answers those of which nothing was heard meanwhile. */
export async function noteReleases(
  tx: Tx,
  { tenantId, environment }: Place,
  ids: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    `with still as (
       select id from message where tenant_id = $1 and environment = $2 and id = any($3)
         and status = 'unknown' and hold_released_at is null order by id for no key update
     )
     update message set hold_released_at = $4 where id = any(array(select id from still))
     returning id`,
    [tenantId, environment, ids, now],
  );
  return rows.map(({ id }) => id);
}

/** Their price was charged after all. */
export async function endReleases(
  tx: Tx,
  { tenantId, environment }: Place,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(
    `update message set hold_released_at = null
     where tenant_id = $1 and environment = $2 and id = any($3)`,
    [tenantId, environment, ids],
  );
}
