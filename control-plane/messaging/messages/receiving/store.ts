import { crc32 } from 'node:zlib';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Merge } from '../../contacts/hooks.ts';
import { byPhone } from '../../contacts/schema.ts';

/**
 * Prevents others from creating a contact with the same address until the transaction ends. Addresses share
 * locks: one for each would, of many messages, take all the room that the database has for locks of all tenants.
 */
export async function lockAddress(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  address: string,
): Promise<void> {
  const lock = `address ${tenantId} ${environment} ${lockOfAddress(address)}`;
  await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
}

/** Who locks several addresses does so in the order of these numbers. */
export function lockOfAddress(address: string): number {
  return crc32(address) % locksOfAddresses;
}

const locksOfAddresses = 256;

/** Adds an identifier to a contact, unless it, or another contact, has it already. */
export async function addIdentifier(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactId: string,
  channel: string,
  externalId: string,
): Promise<void> {
  await tx.run(
    `insert into contact_identity (tenant_id, environment, channel, external_id, contact_id)
     select $1, $2, $3, $4, $5
     where not exists (select from contact where tenant_id = $1 and environment = $2
       and phone = $4 and $3 = any($6::text[]))
     on conflict do nothing`,
    [tenantId, environment, channel, externalId, contactId, byPhone],
  );
}

/** Gives the phone to a contact without one; false when another contact has it. */
export async function addPhone(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactId: string,
  phone: string,
): Promise<boolean> {
  const added = await tx.run(
    `update contact c set phone = $4, updated_at = now()
     where tenant_id = $1 and environment = $2 and id = $3 and phone is null
       and ${isFree('$3', '$4', '$5')}`,
    [tenantId, environment, contactId, phone, byPhone],
  );
  return added === 1;
}

/** Whether no other contact than this one has the phone, as its phone or as an identifier. */
function isFree(contactId: string, phone: string, channels: string): string {
  return `not exists (select from contact o where o.tenant_id = $1 and o.environment = $2
      and o.phone = ${phone} and o.id <> ${contactId})
    and not exists (select from contact_identity o where o.tenant_id = $1 and o.environment = $2
      and o.channel = any(${channels}::text[]) and o.external_id = ${phone}
      and o.contact_id <> ${contactId})`;
}

/**
 * A person has a new address: moves what the app knows of it, and the contact where the former one was its phone.
 * A former number may become another person's, so the contact keeps it as no identifier either.
 */
export async function changeAddress(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  change: {
    readonly appId: string;
    /** None: nobody whom we have as a contact. */
    readonly contactId: string | undefined;
    readonly from: string;
    readonly to: string;
  },
): Promise<void> {
  const { appId, contactId, from, to } = change;
  const arePhones = from.startsWith('+') && to.startsWith('+');
  await tx.run(
    `with moved as (
       update correspondent set address = $6
       where tenant_id = $1 and environment = $2 and app_id = $3 and address = $5
         and not exists (select from correspondent o where o.tenant_id = $1
           and o.environment = $2 and o.app_id = $3 and o.address = $6)
     ), former as (
       delete from contact_identity where $7 and tenant_id = $1 and environment = $2
         and contact_id = $4 and channel = any($8::text[]) and external_id = $5
     )
     update contact c set phone = $6, updated_at = now()
     where $7 and tenant_id = $1 and environment = $2 and id = $4 and phone = $5
       and ${isFree('$4', '$6', '$8')}`,
    [tenantId, environment, appId, contactId, from, to, arePhones, byPhone],
  );
}

/** Moves the messages of one contact to the other. */
export async function moveMessages(
  tx: Tx,
  { tenantId, environment }: TenantScope,
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
  readonly number: number;
  readonly total: number;
  readonly provider_id: string;
  readonly text: string;
}

/**
 * Stores a part of a long text; once all parts have come, deletes them and returns them in order. Networks repeat
 * parts, also after they were joined, and count their references from 0 again: a part of a text that was joined is
 * forgotten, and one of another text takes the place of what an unfinished one left. Needs the lock of the address.
 */
export async function joinParts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  part: Part,
  now: Date,
): Promise<{ provider_id: string; text: string }[] | undefined> {
  await tx.run(
    `insert into text_part (tenant_id, environment, app_id, address, reference, number, total,
       provider_id, text, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (tenant_id, app_id, address, reference, number) do update set
       total = excluded.total, provider_id = excluded.provider_id, text = excluded.text,
       created_at = excluded.created_at
     where text_part.provider_id <> excluded.provider_id`,
    [
      tenantId,
      environment,
      part.app_id,
      part.address,
      part.reference,
      part.number,
      part.total,
      part.provider_id,
      part.text,
      now,
    ],
  );
  const whole = await tx.rows<{ number: number; provider_id: string; text: string }>(
    `with kept as (
       select t.*, 'part ' || number || ' ' || left(provider_id, 150) as proof from text_part t
       where tenant_id = $1 and app_id = $2 and address = $3 and reference = $4
     ), here as (
       select number, provider_id, text, proof from kept k where total = $5
         and not exists (select from webhook_proof p
           where p.tenant_id = $1 and p.app_id = $2 and p.proof = k.proof)
     ), gone as (
       delete from text_part where tenant_id = $1 and app_id = $2 and address = $3
         and reference = $4 and ((select count(*) from here) >= $5
           or total = $5 and number not in (select number from here))
     ), used as (
       insert into webhook_proof (tenant_id, app_id, proof, created_at)
       select $1, $2, proof, $6 from here where (select count(*) from here) >= $5
       on conflict do nothing
     )
     select number, provider_id, text from here where (select count(*) from here) >= $5
     order by number`,
    [tenantId, part.app_id, part.address, part.reference, part.total, now],
  );
  return whole.length === 0 ? undefined : whole;
}

export interface Proof {
  readonly app_id: string;
  readonly proof: string;
}

/**
 * Uses up proofs; returns those that were not used before. In a fixed order, to avoid deadlocks.
 */
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
