import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Merge } from '../hooks.ts';

/**
 * Locks both contacts until the transaction ends, and keeps new references away from the one that
 * is removed. Returns the ids that exist.
 */
// `no key update` lets others refer to the contact that remains, which its conversations need.
export async function lockForMerge(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { from, into }: Merge,
): Promise<ReadonlySet<string>> {
  const here = new Set<string>();
  for (const id of [from, into].toSorted()) {
    const row = await tx.row(
      `select 1 from contact where tenant_id = $1 and environment = $2 and id = $3
       for ${id === from ? 'update' : 'no key update'}`,
      [tenantId, environment, id],
    );
    if (row !== undefined) here.add(id);
  }
  return here;
}

/** Moves identifiers, segments and earlier merges to the contact that remains. */
export async function moveIdentifiersAndSegments(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { from, into }: Merge,
): Promise<void> {
  await tx.run(
    `with identities as (
       update contact_identity set contact_id = $4
       where tenant_id = $1 and environment = $2 and contact_id = $3
     ), earlier as (
       update merged_contact set contact_id = $4
       where tenant_id = $1 and environment = $2 and contact_id = $3
     )
     insert into contact_segment (tenant_id, environment, segment_id, contact_id)
     select tenant_id, environment, segment_id, $4 from contact_segment
     where tenant_id = $1 and environment = $2 and contact_id = $3 on conflict do nothing`,
    [tenantId, environment, from, into],
  );
}

/** A third contact that has the phone of one of the two as an identifier. */
export async function findOtherHolder(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { from, into }: Merge,
): Promise<string | undefined> {
  const row = await tx.row<{ contact_id: string }>(
    `select i.contact_id from contact c
     join contact_identity i using (tenant_id, environment)
     where c.tenant_id = $1 and c.environment = $2 and c.id in ($3, $4)
       and i.external_id = c.phone and i.contact_id not in ($3, $4) limit 1`,
    [tenantId, environment, from, into],
  );
  return row?.contact_id;
}

export async function insertMerged(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { from, into }: Merge,
  now: Date,
): Promise<void> {
  await tx.run(
    `insert into merged_contact (tenant_id, environment, id, contact_id, merged_at)
     values ($1, $2, $3, $4, $5)`,
    [tenantId, environment, from, into, now],
  );
}

/** The contact into which this one was merged. */
export async function findMergedInto(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<string | undefined> {
  const row = await tx.row<{ contact_id: string }>(
    `select contact_id from merged_contact
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
  return row?.contact_id;
}
