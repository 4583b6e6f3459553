import type { CallRate } from '@drawbridge/messaging/call-rate.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { columnArrays, unnest } from '../../../platform/db/insert.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface RateRow {
  readonly id: string;
  readonly prefix: string;
  readonly currency: string;
  readonly per_minute: string;
  readonly connection_fee: string;
  readonly first_seconds: number;
  readonly step_seconds: number;
  readonly valid_from: Date;
  readonly valid_until: Date | null;
  readonly created_at: Date;
}

const columns = {
  id: 'text',
  prefix: 'text',
  currency: 'text',
  per_minute: 'numeric',
  connection_fee: 'numeric',
  first_seconds: 'int',
  step_seconds: 'int',
  valid_from: 'timestamptz',
  valid_until: 'timestamptz',
  created_at: 'timestamptz',
} as const;

const shown = `id, prefix, currency, trim_scale(per_minute)::text as per_minute,
  trim_scale(connection_fee)::text as connection_fee, first_seconds, step_seconds, valid_from,
  valid_until, created_at`;

/**
 * Inserts any number of rates; returns the prefixes written. A rate that begins at the same instant
 * for the same prefix and currency stays unchanged.
 */
export async function insertRates(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  rows: readonly RateRow[],
): Promise<number> {
  const names = Object.keys(columns);
  const tenant = `$${names.length + 1}`;
  return tx.run(
    `insert into voice_rate (tenant_id, environment, ${names})
     select ${tenant}::uuid, $${names.length + 2}, n.* from ${unnest(Object.values(columns))} as n
     on conflict do nothing`,
    [...columnArrays<RateRow>(columns, rows), tenantId, environment],
  );
}

const terms = (of: string) =>
  ['per_minute', 'connection_fee', 'first_seconds', 'step_seconds', 'valid_until'].map(
    (name) => `${of}.${name}`,
  );

/** The ids of the rates that equal the one in force for the same prefix and currency. */
export async function findIdenticalRates(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  rows: readonly RateRow[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const names = Object.keys(columns);
  const last = names.length;
  const found = await tx.rows<{ id: string }>(
    `select n.id from ${unnest(Object.values(columns))} as n (${names})
     cross join lateral (
       select * from voice_rate where tenant_id = $${last + 1}::uuid and environment = $${last + 2}
         and currency = n.currency and prefix = n.prefix and valid_from <= $${last + 3}
         and (valid_until is null or valid_until > $${last + 3})
       order by valid_from desc limit 1
     ) r where (${terms('r')}) is not distinct from (${terms('n')})`,
    [...columnArrays<RateRow>(columns, rows), tenantId, environment, at],
  );
  return new Set(found.map(({ id }) => id));
}

/**
 * Of the given rates those at whose instant a stored one of their prefix and currency begins, by id;
 * whether it is the same.
 */
export async function findTakenBegins(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  rows: readonly RateRow[],
): Promise<ReadonlyMap<string, { readonly isSame: boolean }>> {
  const names = Object.keys(columns);
  const tenant = `$${names.length + 1}`;
  const found = await tx.rows<{ id: string; isSame: boolean }>(
    `select n.id, (${terms('r')}) is not distinct from (${terms('n')}) as "isSame"
     from voice_rate r join ${unnest(Object.values(columns))} as n (${names})
       on r.prefix = n.prefix and r.currency = n.currency and r.valid_from = n.valid_from
     where r.tenant_id = ${tenant}::uuid and r.environment = $${names.length + 2}`,
    [...columnArrays<RateRow>(columns, rows), tenantId, environment],
  );
  return new Map(found.map(({ id, isSame }) => [id, { isSame }]));
}

/** Newest first; a null filter matches everything. */
export function listRates(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  filter: { prefix: string | null; number: readonly string[] | null },
  page: KeysetRange,
): Promise<RateRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${shown} from voice_rate where tenant_id = $1 and environment = $2
       and ($3::text is null or prefix = $3) and ($4::text[] is null or prefix = any($4))
       and ${where('id', '$5')} order by id ${order} limit $6`,
    [tenantId, environment, filter.prefix, filter.number, key, rowsMax],
  );
}

export function findRateById(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<RateRow | undefined> {
  return tx.row(
    `select ${shown} from voice_rate where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** Removes a rate that has not begun; false when there is none. */
export async function deleteRate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  now: Date,
): Promise<boolean> {
  const deleted = await tx.run(
    `delete from voice_rate
     where tenant_id = $1 and environment = $2 and id = $3 and valid_from >= $4`,
    [tenantId, environment, id, now],
  );
  return deleted === 1;
}

/** Ends a rate that is in force; undefined when there is none. */
export function endRate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  now: Date,
): Promise<RateRow | undefined> {
  return tx.row(
    `update voice_rate set valid_until = $4
     where tenant_id = $1 and environment = $2 and id = $3 and valid_from < $4
       and (valid_until is null or valid_until > $4) returning ${shown}`,
    [tenantId, environment, id, now],
  );
}

/** The rates of these prefixes that are in force. */
export async function findRates(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  prefixes: readonly string[],
  currency: string,
  at: Date,
): Promise<CallRate[]> {
  const rows = await tx.rows<RateRow>(
    `select ${shown} from voice_rate where tenant_id = $1 and environment = $2
       and currency = $3 and prefix = any($4) and valid_from <= $5
       and (valid_until is null or valid_until > $5)`,
    [tenantId, environment, currency, prefixes, at],
  );
  return rows.map(asRate);
}

function asRate(row: RateRow): CallRate {
  return {
    prefix: row.prefix,
    perMinute: row.per_minute,
    connectionFee: row.connection_fee,
    firstSeconds: row.first_seconds,
    stepSeconds: row.step_seconds,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
  };
}
