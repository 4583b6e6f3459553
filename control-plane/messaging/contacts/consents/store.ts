import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { ContactChannel } from '../schema.ts';

export interface Address {
  readonly channel: ContactChannel;
  /** A phone, or the network's own id. */
  readonly address: string;
}

/** A yes or no to messages. */
export interface Consent extends Address {
  readonly id: string;
  readonly state: 'granted' | 'revoked';
  /** How it was given: `api`, `inbound`, `import`. */
  readonly source: string;
  readonly note: string | null;
  /** The key or user that recorded it; null: the person's own message. */
  readonly recorded_by: string | null;
  /** When it was given, by the network's clock where it came from one. */
  readonly created_at: Date;
}

export async function insertConsent(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: Consent,
): Promise<void> {
  await tx.run(
    `insert into consent_event (id, tenant_id, environment, channel, address, state, source, note,
       recorded_by, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      row.id,
      tenantId,
      environment,
      row.channel,
      row.address,
      row.state,
      row.source,
      row.note,
      row.recorded_by,
      row.created_at,
    ],
  );
}

export interface OptOutRow extends Address {
  readonly id: string;
  readonly source: string;
  readonly note: string | null;
  readonly created_at: Date;
}

const columns = 'id, channel, address, source, note, created_at';

/** The opt-out of the address, whether new or existing. */
export async function insertOptOut(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: OptOutRow,
): Promise<OptOutRow> {
  const kept = await tx.row<OptOutRow>(
    `insert into opt_out (tenant_id, environment, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (tenant_id, environment, channel, address) do update set channel = $4
     returning ${columns}`,
    [tenantId, environment, row.id, row.channel, row.address, row.source, row.note, row.created_at],
  );
  return kept!;
}

export async function deleteOptOut(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { channel, address }: Address,
): Promise<void> {
  await tx.run(
    `delete from opt_out
     where tenant_id = $1 and environment = $2 and channel = $3 and address = $4`,
    [tenantId, environment, channel, address],
  );
}

export function findOptOut(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<OptOutRow | undefined> {
  return tx.row(
    `select ${columns} from opt_out where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** Newest first; a null filter matches everything. */
export function listOptOuts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  filter: { channel: string | null; address: string | null },
  page: KeysetRange,
): Promise<OptOutRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${columns} from opt_out where tenant_id = $1 and environment = $2
       and ($3::text is null or channel = $3) and ($4::text is null or address = $4)
       and ${where('id', '$5')} order by id ${order} limit $6`,
    [tenantId, environment, filter.channel, filter.address, key, rowsMax],
  );
}

/** The addresses among these that have opted out of the channel; checked before every message. */
export async function optedOut(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  channel: ContactChannel,
  addresses: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ address: string }>(
    `select address from opt_out
     where tenant_id = $1 and environment = $2 and channel = $3 and address = any($4)`,
    [tenantId, environment, channel, addresses],
  );
  return new Set(rows.map(({ address }) => address));
}

/** The addresses among these that have opted out of their channel, and since when. */
export function findOptOuts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  addresses: readonly Address[],
): Promise<(Address & Pick<OptOutRow, 'created_at'>)[]> {
  return tx.rows(
    `select channel, address, created_at from opt_out
     join unnest($3::text[], $4::text[]) as a (channel, address) using (channel, address)
     where tenant_id = $1 and environment = $2`,
    [
      tenantId,
      environment,
      addresses.map(({ channel }) => channel),
      addresses.map(({ address }) => address),
    ],
  );
}

/** Every address that the contacts have on the channel beside them. */
export function addressesOfPeople(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  people: readonly { readonly contactId: string; readonly channel: ContactChannel }[],
): Promise<(Address & { readonly contact_id: string })[]> {
  return tx.rows(
    `select distinct p.contact_id, p.channel, a.address
     from unnest($3::text[], $4::text[]) as p (contact_id, channel)
     cross join lateral (
       select phone as address from contact where tenant_id = $1 and environment = $2
         and id = p.contact_id and phone is not null
         and p.channel in ('wa', 'sms', 'rcs', 'voice')
       union all
       select external_id from contact_identity where tenant_id = $1 and environment = $2
         and contact_id = p.contact_id and channel = p.channel) a`,
    [
      tenantId,
      environment,
      people.map(({ contactId }) => contactId),
      people.map(({ channel }) => channel),
    ],
  );
}

/**
 * The channels on which the former address has opted out; without those where the note says that the new
 * one did so for it, because networks tell of a change again and again.
 */
export async function optOutsBefore(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  channels: readonly ContactChannel[],
  { from, to, note }: { readonly from: string; readonly to: string; readonly note: string },
): Promise<ContactChannel[]> {
  const rows = await tx.rows<{ channel: ContactChannel }>(
    `select channel from opt_out o
     where tenant_id = $1 and environment = $2 and channel = any($3) and address = $4
       and not exists (select from consent_event c where c.tenant_id = $1 and c.environment = $2
         and c.channel = o.channel and c.address = $5 and c.note = $6
         and c.created_at >= o.created_at)`,
    [tenantId, environment, channels, from, to, note],
  );
  return rows.map(({ channel }) => channel);
}

/**
 * Whether the opposite was said of the address later than in the second of `at`: networks tell of no less. An
 * agreement that others recorded does not count, as the person may not know of it.
 */
export async function saidOtherwiseAfter(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { channel, address, state }: Address & Pick<Consent, 'state'>,
  at: Date,
): Promise<boolean> {
  const row = await tx.row(
    `select from consent_event where tenant_id = $1 and environment = $2 and channel = $3
       and address = $4 and state <> $6 and (state = 'revoked' or source in ('inbound', 'network'))
       and created_at >= $5::timestamptz + interval '1 second' limit 1`,
    [tenantId, environment, channel, address, at, state],
  );
  return row !== undefined;
}

/** The latest consent of each address that has one. */
export function latestConsents(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  addresses: readonly Address[],
): Promise<Consent[]> {
  return tx.rows(
    `select e.* from unnest($3::text[], $4::text[]) as a (channel, address)
     cross join lateral (
       select id, channel, address, state, source, note, recorded_by, created_at
       from consent_event c where c.tenant_id = $1 and c.environment = $2
         and c.channel = a.channel and c.address = a.address order by id desc limit 1) e`,
    [
      tenantId,
      environment,
      addresses.map(({ channel }) => channel),
      addresses.map(({ address }) => address),
    ],
  );
}
