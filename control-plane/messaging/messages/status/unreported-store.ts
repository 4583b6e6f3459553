import type { Environment } from '../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface Deadline {
  readonly provider: string;
  /** No report is expected for messages that are unknown since before this instant. */
  readonly before: Date;
}

/** Messages of all tenants that are past their provider's deadline and still hold money. */
export function listUnreported(
  tx: Tx,
  deadlines: readonly Deadline[],
  limit: number,
): Promise<
  { readonly tenant_id: string; readonly environment: Environment; readonly id: string }[]
> {
  return tx.rows('select * from unreported_messages($1, $2, $3)', [
    deadlines.map(({ provider }) => provider),
    deadlines.map(({ before }) => before),
    limit,
  ]);
}

/** Marks their holds as released; returns those for which no report came in the meantime. */
export async function markHoldsReleased(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    `with still as (
       select id from message where tenant_id = $1 and environment = $2 and id = any($3)
         and status = 'unknown' and hold_released_at is null order by id for no key update
     )
     update message set hold_released_at = $4
     where tenant_id = $1 and environment = $2 and id = any(array(select id from still))
     returning id`,
    [tenantId, environment, ids, now],
  );
  return rows.map(({ id }) => id);
}

/** Clears the mark: their price was charged after all. */
export async function clearReleasedHolds(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(
    `update message set hold_released_at = null
     where tenant_id = $1 and environment = $2 and id = any($3)`,
    [tenantId, environment, ids],
  );
}
