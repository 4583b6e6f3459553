import type { Environment } from '../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { insertMany } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** NOTIFY channel: the payload is the tenant and environment in which something changed. */
export const changeChannel = 'inbox_change';

export interface NewChange {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
}

export interface ChangeRow extends NewChange {
  /** Its number in the stream of its tenant and environment, from which a subscriber continues. */
  readonly number: number;
}

export async function insertChanges(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  rows: readonly NewChange[],
): Promise<void> {
  const columns = { type: 'text', data: 'jsonb', created_at: 'timestamptz' } as const;
  await insertMany(
    tx,
    'inbox_change',
    { tenant_id: 'uuid', environment: 'text', ...columns },
    rows.map((row) => ({ tenant_id: tenantId, environment, ...row })),
  );
}

/** The most changes that one statement numbers. */
const numberedMax = 10_000;

/**
 * Numbers the changes committed since the last call, in the order in which they were written;
 * returns whether there may be more. The stream's row is locked, so a change that is numbered later
 * has a higher number and is seen later, whatever the order of the transactions that wrote the
 * changes.
 */
export async function numberChanges(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<boolean> {
  const isWaiting = await tx.row(
    'select from inbox_change where tenant_id = $1 and environment = $2 limit 1',
    [tenantId, environment],
  );
  if (isWaiting === undefined) return false;
  await tx.run(
    `insert into inbox_stream (tenant_id, environment) values ($1, $2)
     on conflict (tenant_id, environment) do nothing`,
    [tenantId, environment],
  );
  await tx.row(
    'select from inbox_stream where tenant_id = $1 and environment = $2 for no key update',
    [tenantId, environment],
  );
  const row = await tx.row<{ count: number }>(
    `with taken as (
       delete from inbox_change where tenant_id = $1 and environment = $2
         and id <= (select max(id) from (select id from inbox_change
           where tenant_id = $1 and environment = $2 order by id limit $3) oldest)
       returning id, type, data, created_at
     ), stream as (
       update inbox_stream set last_number = last_number + (select count(*) from taken)
       where tenant_id = $1 and environment = $2
       returning last_number - (select count(*) from taken) as from_number
     ), numbered as (
       insert into inbox_event (tenant_id, environment, number, type, data, created_at)
       select $1, $2, stream.from_number + row_number() over (order by taken.id), taken.type,
         taken.data, taken.created_at
       from taken cross join stream
     )
     select count(*) from taken`,
    [tenantId, environment, numberedMax],
  );
  return row!.count === numberedMax;
}

/** The highest number of a change; 0 when there is none. */
export async function findLastNumber(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<number> {
  const row = await tx.row<{ last_number: number }>(
    'select last_number from inbox_stream where tenant_id = $1 and environment = $2',
    [tenantId, environment],
  );
  return row?.last_number ?? 0;
}

/** The changes with a number above `after`, oldest first. */
export function listChanges(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  after: number,
  limit: number,
): Promise<ChangeRow[]> {
  return tx.rows(
    `select number, type, data, created_at from inbox_event
     where tenant_id = $1 and environment = $2 and number > $3 order by number limit $4`,
    [tenantId, environment, after, limit],
  );
}

export async function sweepChanges(tx: Tx, before: Date): Promise<void> {
  await tx.rows('select sweep_inbox_changes($1)', [before]);
}

/** A scope as text, for NOTIFY. */
export function scopeKey(tenantId: string, environment: Environment): string {
  return `${tenantId} ${environment}`;
}
