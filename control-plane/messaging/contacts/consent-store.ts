import type { Tx } from '../../platform/db/tx.ts';
import type { ContactChannel } from './schema.ts';
import type { Place } from './store.ts';

export interface Address {
  readonly channel: ContactChannel;
  /** A phone, or the network's own id. */
  readonly address: string;
}

/** A yes or no to being written to. */
export interface Consent extends Address {
  readonly id: string;
  readonly state: 'granted' | 'revoked';
  /** Where it was said: `api`, `inbound`, `import`. */
  readonly source: string;
  readonly note: string | null;
  /** The key or user that wrote it down; null: the person itself said it. */
  readonly recorded_by: string | null;
  readonly created_at: Date;
}

export async function insertConsent(
  tx: Tx,
  { tenantId, environment }: Place,
  row: Consent,
): Promise<void> {
  await tx.run(
    `insert into consent_event (id, tenant_id, environment, channel, address, state, source, note,
       recorded_by, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[row.id, tenantId, environment, row.channel, row.address, row.state, row.source],
      ...[row.note, row.recorded_by, row.created_at],
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

/** The opt-out of the address: this one, or the one that was there. */
export async function insertOptOut(
  tx: Tx,
  { tenantId, environment }: Place,
  row: OptOutRow,
): Promise<OptOutRow> {
  const kept = await tx.row<OptOutRow>(
    `insert into opt_out (tenant_id, environment, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (tenant_id, environment, channel, address) do update set channel = $4
     returning ${columns}`,
    [
      ...[tenantId, environment, row.id, row.channel, row.address, row.source, row.note],
      row.created_at,
    ],
  );
  return kept!;
}

export async function deleteOptOut(
  tx: Tx,
  { tenantId, environment }: Place,
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
  { tenantId, environment }: Place,
  id: string,
): Promise<OptOutRow | undefined> {
  return tx.row(
    `select ${columns} from opt_out where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** Newest first; null filters let everything through. */
export function listOptOuts(
  tx: Tx,
  { tenantId, environment }: Place,
  filter: { channel: string | null; address: string | null; before: string | null },
  limit: number,
): Promise<OptOutRow[]> {
  return tx.rows(
    `select ${columns} from opt_out where tenant_id = $1 and environment = $2
       and ($3::text is null or channel = $3) and ($4::text is null or address = $4)
       and ($5::text is null or id < $5) order by id desc limit $6`,
    [tenantId, environment, filter.channel, filter.address, filter.before, limit],
  );
}

/** Those of the addresses that must not be used; asked before every send. */
export async function optedOut(
  tx: Tx,
  { tenantId, environment }: Place,
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

/** Those of the addresses that must not be used on their channel. */
export function findOptOuts(
  tx: Tx,
  { tenantId, environment }: Place,
  addresses: readonly Address[],
): Promise<Address[]> {
  return tx.rows(
    `select channel, address from opt_out
     join unnest($3::text[], $4::text[]) as a (channel, address) using (channel, address)
     where tenant_id = $1 and environment = $2`,
    [
      ...[tenantId, environment],
      addresses.map(({ channel }) => channel),
      addresses.map(({ address }) => address),
    ],
  );
}

/** What was said last for each of the addresses, where anything was. */
export function latestConsents(
  tx: Tx,
  { tenantId, environment }: Place,
  addresses: readonly Address[],
): Promise<Consent[]> {
  return tx.rows(
    `select e.* from unnest($3::text[], $4::text[]) as a (channel, address)
     cross join lateral (
       select id, channel, address, state, source, note, recorded_by, created_at
       from consent_event c where c.tenant_id = $1 and c.environment = $2
         and c.channel = a.channel and c.address = a.address order by id desc limit 1) e`,
    [
      ...[tenantId, environment],
      addresses.map(({ channel }) => channel),
      addresses.map(({ address }) => address),
    ],
  );
}
