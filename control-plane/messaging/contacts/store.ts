import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { byPhone, type ContactChannel } from './schema.ts';

export interface Identifier {
  readonly channel: ContactChannel;
  readonly external_id: string;
}

/** A number as an identifier on each channel that reaches people by it. */
export function identifiersOf(phone: string | null | undefined): Identifier[] {
  return phone == null ? [] : byPhone.map((channel) => ({ channel, external_id: phone }));
}

/** What leads to one contact and no other. */
export interface Addresses {
  readonly phone: string | null | undefined;
  readonly identifiers: readonly Identifier[];
}

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface ContactRow {
  readonly id: string;
  readonly name: string | null;
  readonly phone: string | null;
  readonly attributes: Attributes;
  readonly segments: readonly string[];
  readonly channel_identifiers: readonly Identifier[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

const shown = `c.id, c.name, c.phone, c.attributes, c.created_at, c.updated_at,
  array(select s.name from contact_segment cs join segment s
      on s.tenant_id = cs.tenant_id and s.environment = cs.environment and s.id = cs.segment_id
    where cs.tenant_id = c.tenant_id and cs.environment = c.environment and cs.contact_id = c.id
    order by s.name) as segments,
  array(select jsonb_build_object('channel', i.channel, 'external_id', i.external_id)
    from contact_identity i
    where i.tenant_id = c.tenant_id and i.environment = c.environment and i.contact_id = c.id
    order by i.channel, i.external_id) as channel_identifiers`;

export interface ContactFilter {
  readonly text?: string | undefined;
  /** An attribute has one of these values. */
  readonly attribute?: { readonly name: string; readonly values: readonly unknown[] } | undefined;
  readonly segmentId?: string | undefined;
  readonly phone?: string | undefined;
  readonly fromId?: string | undefined;
  readonly untilId?: string | undefined;
}

/** Newest first. */
export function listContacts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  filter: ContactFilter,
  page: KeysetRange,
): Promise<ContactRow[]> {
  const { key, isBackward, order, rowsMax } = newestFirst(page);
  const { attribute } = filter;
  const wanted = attribute?.values.map((value) => JSON.stringify({ [attribute.name]: value }));
  return tx.rows(
    `select ${shown}
     from find_contacts($2, $3, $4::jsonb[], $5, $6, $7, $8, $9, $10, $11) as found (id)
     join contact c on c.tenant_id = $1 and c.environment = $2 and c.id = found.id
     order by c.id ${order}`,
    [
      tenantId,
      environment,
      filter.text,
      wanted,
      filter.segmentId,
      filter.phone,
      filter.fromId,
      filter.untilId,
      key,
      isBackward,
      rowsMax,
    ],
  );
}

export function findContact(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<ContactRow | undefined> {
  return tx.row(
    `select ${shown} from contact c
     where c.tenant_id = $1 and c.environment = $2 and c.id = $3`,
    [tenantId, environment, id],
  );
}

/** Locks the contact until the transaction ends; false when there is none. */
export async function lockContact(tx: Tx, scope: TenantScope, id: string): Promise<boolean> {
  return (await lockContacts(tx, scope, [id])) > 0;
}

/** Locks contacts until the transaction ends; returns how many there are. */
export async function lockContacts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<number> {
  const rows = await tx.rows(
    `select from contact where tenant_id = $1 and environment = $2 and id = any($3)
     order by id for no key update`,
    [tenantId, environment, ids],
  );
  return rows.length;
}

export type NewContact = Pick<ContactRow, 'id' | 'name' | 'phone' | 'attributes' | 'created_at'>;

/** Fails as a duplicate when another contact has the phone. */
export async function insertContact(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: NewContact,
): Promise<void> {
  await tx.run(
    `insert into contact
       (id, tenant_id, environment, name, phone, attributes, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [
      row.id,
      tenantId,
      environment,
      row.name,
      row.phone,
      JSON.stringify(row.attributes),
      row.created_at,
    ],
  );
}

export type ContactChange = Pick<ContactRow, 'name' | 'phone' | 'attributes'>;

/** Fails as a duplicate when another contact has the phone. */
export async function updateContact(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  { name, phone, attributes }: ContactChange,
  now: Date,
): Promise<void> {
  await tx.run(
    `update contact set name = $4, phone = $5, attributes = $6, updated_at = $7
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id, name, phone, JSON.stringify(attributes), now],
  );
}

/** Returns how many contacts there were. */
export function deleteContacts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<number> {
  return tx.run('delete from contact where tenant_id = $1 and environment = $2 and id = any($3)', [
    tenantId,
    environment,
    ids,
  ]);
}

/** Those among the ids that are no contact any more, nor part of one by a merge. */
export async function deletedContacts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(
    `select a.id from unnest($3::text[]) a (id)
     where not exists (select from contact c where c.tenant_id = $1 and c.environment = $2
         and c.id = a.id)
       and not exists (select from merged_contact m where m.tenant_id = $1 and m.environment = $2
         and m.id = a.id)`,
    [tenantId, environment, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the identifiers; fails as a duplicate when another contact has one. */
export async function setIdentifiers(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  identifiers: readonly Identifier[],
): Promise<void> {
  await tx.run(
    `with given as (select * from unnest($4::text[], $5::text[]) as g (channel, external_id)),
     gone as (
       delete from contact_identity i where tenant_id = $1 and environment = $2
         and contact_id = $3
         and not exists (select from given g
           where g.channel = i.channel and g.external_id = i.external_id)
     )
     insert into contact_identity (tenant_id, environment, channel, external_id, contact_id)
     select distinct $1::uuid, $2, channel, external_id, $3 from given g
     where not exists (select from contact_identity i where i.tenant_id = $1
       and i.environment = $2 and i.contact_id = $3 and i.channel = g.channel
       and i.external_id = g.external_id)`,
    [
      tenantId,
      environment,
      id,
      identifiers.map(({ channel }) => channel),
      identifiers.map(({ external_id }) => external_id),
    ],
  );
}

/**
 * The contact that has the phone or one of the identifiers. After a merge a phone may be an
 * identifier of the contact that remained.
 */
export async function findContactByAddress(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  phone: string | null | undefined,
  identifiers: readonly Identifier[],
): Promise<string | undefined> {
  const row = await tx.row<{ id: string }>(
    `select id from contact where tenant_id = $1 and environment = $2 and phone = $3
     union all
     select contact_id from contact_identity where tenant_id = $1 and environment = $2
       and channel in ('wa', 'sms', 'rcs', 'voice') and external_id = $3
     union all
     select i.contact_id from contact_identity i
     join unnest($4::text[], $5::text[]) as g (channel, external_id) using (channel, external_id)
     where i.tenant_id = $1 and i.environment = $2 limit 1`,
    [
      tenantId,
      environment,
      phone,
      identifiers.map(({ channel }) => channel),
      identifiers.map(({ external_id }) => external_id),
    ],
  );
  return row?.id;
}

/**
 * Another contact than this one that has the phone or one of the identifiers: as its phone, or as an
 * identifier on the channel.
 */
export async function findAddressHolder(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  { phone, identifiers }: Addresses,
): Promise<string | undefined> {
  const all = [...identifiersOf(phone), ...identifiers];
  const row = await tx.row<{ id: string }>(
    `select h.id from unnest($4::text[], $5::text[]) as g (channel, external_id)
     cross join lateral (
       select id from contact c where c.tenant_id = $1 and c.environment = $2
         and c.phone = g.external_id and g.channel = any($6::text[])
       union all
       select contact_id from contact_identity i where i.tenant_id = $1 and i.environment = $2
         and i.channel = g.channel and i.external_id = g.external_id) h
     where h.id <> $3 limit 1`,
    [
      tenantId,
      environment,
      id,
      all.map(({ channel }) => channel),
      all.map(({ external_id }) => external_id),
      byPhone,
    ],
  );
  return row?.id;
}

/**
 * As `findContactByAddress`, and the contact is there until the transaction ends: waits for one that
 * is being deleted or merged, and looks again.
 */
export async function holdContactByAddress(
  tx: Tx,
  scope: TenantScope,
  phone: string | null | undefined,
  identifiers: readonly Identifier[],
): Promise<string | undefined> {
  for (;;) {
    const found = await findContactByAddress(tx, scope, phone, identifiers);
    if (found === undefined || (await holdContacts(tx, scope, [found])).has(found)) return found;
  }
}

/** Those of the contacts that there are, held until the transaction ends, as a foreign key does. */
export async function holdContacts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ id: string }>(
    `select id from contact where tenant_id = $1 and environment = $2 and id = any($3)
     order by id for key share`,
    [tenantId, environment, ids],
  );
  return new Set(rows.map(({ id }) => id));
}
