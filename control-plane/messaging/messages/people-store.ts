import type { Tx } from '../../platform/db/tx.ts';
import type { Merge } from '../contacts/hooks.ts';
import type { Place } from '../contacts/store.ts';

/** Keeps others from making a contact of the same address until the transaction ends. */
export async function lockAddress(
  tx: Tx,
  { tenantId, environment }: Place,
  channel: string,
  address: string,
): Promise<void> {
  await tx.run(
    `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2 || ' ' || $3 || ' ' || $4, 0))`,
    [tenantId, environment, channel, address],
  );
}

/** Gives a contact one more identifier, unless somebody has it. */
export async function addIdentifier(
  tx: Tx,
  { tenantId, environment }: Place,
  contactId: string,
  channel: string,
  externalId: string,
): Promise<void> {
  await tx.run(
    `insert into contact_identity (tenant_id, environment, channel, external_id, contact_id)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [tenantId, environment, channel, externalId, contactId],
  );
}

/** One person has another address now: the contact and what the app knows of them go with it. */
export async function changeAddress(
  tx: Tx,
  { tenantId, environment }: Place,
  change: {
    readonly appId: string;
    readonly contactId: string;
    readonly from: string;
    readonly to: string;
  },
): Promise<void> {
  const { appId, contactId, from, to } = change;
  const isPhone = to.startsWith('+');
  await tx.run(
    `with moved as (
       update correspondent set address = $6
       where tenant_id = $1 and environment = $2 and app_id = $3 and address = $5
         and not exists (select from correspondent o where o.tenant_id = $1
           and o.environment = $2 and o.app_id = $3 and o.address = $6)
     )
     update contact c set phone = $6, updated_at = now()
     where $7 and tenant_id = $1 and environment = $2 and id = $4
       and not exists (select from contact o where o.tenant_id = $1 and o.environment = $2
         and o.phone = $6)`,
    [tenantId, environment, appId, contactId, from, to, isPhone],
  );
}

/** What was said with one contact was said with the other. */
export async function moveMessages(
  tx: Tx,
  { tenantId, environment }: Place,
  { from, into }: Merge,
): Promise<void> {
  await tx.run(
    `update message set contact_id = $4
     where tenant_id = $1 and environment = $2 and contact_id = $3`,
    [tenantId, environment, from, into],
  );
}

export interface Part {
  readonly app_id: string;
  readonly address: string;
  readonly reference: string;
  readonly place: number;
  readonly total: number;
  readonly provider_id: string;
  readonly text: string;
}

/** Keeps a part of a long text; answers all parts in order once they are there, and forgets them. */
export async function joinParts(
  tx: Tx,
  { tenantId, environment }: Place,
  part: Part,
  now: Date,
): Promise<{ provider_id: string; text: string }[] | undefined> {
  await tx.run(
    `insert into text_part (tenant_id, environment, app_id, address, reference, place, total,
       provider_id, text, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    [
      ...[tenantId, environment, part.app_id, part.address, part.reference, part.place, part.total],
      ...[part.provider_id, part.text, now],
    ],
  );
  const whole = await tx.rows<{ place: number; provider_id: string; text: string }>(
    `with here as (
       select place, provider_id, text from text_part
       where tenant_id = $1 and app_id = $2 and address = $3 and reference = $4
     ), gone as (
       delete from text_part where tenant_id = $1 and app_id = $2 and address = $3
         and reference = $4 and (select count(*) from here) >= $5
     )
     select * from here where (select count(*) from here) >= $5 order by place`,
    [tenantId, part.app_id, part.address, part.reference, part.total],
  );
  return whole.length === 0 ? undefined : whole;
}

export interface Proof {
  readonly app_id: string;
  readonly proof: string;
}

/** Uses up proofs; answers those that were not used before. In one order for all, against deadlocks. */
export async function useProofs(
  tx: Tx,
  tenantId: string,
  proofs: readonly Proof[],
  now: Date,
): Promise<Proof[]> {
  if (proofs.length === 0) return [];
  return tx.rows(
    `insert into webhook_proof (tenant_id, app_id, proof, created_at)
     select $3::uuid, app_id, proof, $4 from unnest($1::text[], $2::text[]) as p (app_id, proof)
     order by app_id, proof
     on conflict do nothing returning app_id, proof`,
    [proofs.map(({ app_id }) => app_id), proofs.map(({ proof }) => proof), tenantId, now],
  );
}
