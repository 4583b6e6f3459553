import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, oldestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { SegmentQuery } from './query.ts';

export interface SegmentRow {
  readonly id: string;
  readonly name: string;
  /** Null: a list. */
  readonly query: SegmentQuery | null;
  readonly created_at: Date;
}

const columns = 'id, name, query, created_at';

/** Oldest first. */
export function listSegments(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  page: KeysetRange,
): Promise<SegmentRow[]> {
  const { key, where, order, rowsMax } = oldestFirst(page);
  return tx.rows(
    `select ${columns} from segment where tenant_id = $1 and environment = $2
       and ${where('id', '$3')} order by id ${order} limit $4`,
    [tenantId, environment, key, rowsMax],
  );
}

export function findSegment(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<SegmentRow | undefined> {
  return tx.row(
    `select ${columns} from segment where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

export async function findSegmentId(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  name: string,
): Promise<string | undefined> {
  const row = await tx.row<{ id: string }>(
    'select id from segment where tenant_id = $1 and environment = $2 and name = $3',
    [tenantId, environment, name],
  );
  return row?.id;
}

/** Fails as a duplicate when another segment has the name. */
export async function insertSegment(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { id, name, query, created_at }: SegmentRow,
): Promise<void> {
  await tx.run(
    `insert into segment (tenant_id, environment, ${columns}) values ($1, $2, $3, $4, $5, $6)`,
    [tenantId, environment, id, name, query === null ? null : JSON.stringify(query), created_at],
  );
}

/** How many contacts the segment has now, as a list or a query. */
export async function countSegment(
  tx: Tx,
  { environment }: TenantScope,
  id: string,
): Promise<number> {
  const row = await tx.row<{ count: number }>('select count_segment($1, $2) as count', [
    environment,
    id,
  ]);
  return row!.count;
}

/** How many contacts fit a query that is not kept. */
export async function countQuery(
  tx: Tx,
  { environment }: TenantScope,
  query: SegmentQuery,
): Promise<number> {
  const row = await tx.row<{ count: number }>('select count_segment_query($1, $2) as count', [
    environment,
    JSON.stringify(query),
  ]);
  return row!.count;
}

/** The lists with these names or ids that are queries. */
export function findQueries(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  namesOrIds: readonly string[],
): Promise<SegmentRow[]> {
  return tx.rows(
    `select ${columns} from segment where tenant_id = $1 and environment = $2
       and (name = any($3) or id = any($3)) and query is not null`,
    [tenantId, environment, namesOrIds],
  );
}

/** The ids among these that are lists. */
export async function findLists(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(
    `select id from segment
     where tenant_id = $1 and environment = $2 and id = any($3) and query is null`,
    [tenantId, environment, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface SegmentUse {
  readonly hasContacts: boolean;
  /** A query refers to this list. */
  readonly isAskedFor: boolean;
}

/** What prevents a list from becoming a query or being deleted. */
export async function findSegmentUse(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<SegmentUse> {
  const row = await tx.row<SegmentUse>(
    `select exists (select from contact_segment
         where tenant_id = $1 and environment = $2 and segment_id = $3) as "hasContacts",
       exists (select from segment where tenant_id = $1 and environment = $2
         and jsonb_path_exists(query, '$.*[*].segment_id ? (@ == $id)',
           jsonb_build_object('id', $3::text))) as "isAskedFor"`,
    [tenantId, environment, id],
  );
  return row!;
}

/** Inserts the lists that do not exist yet; returns how many. */
export function ensureSegments(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  segments: readonly Omit<SegmentRow, 'query'>[],
): Promise<number> {
  return tx.run(
    `insert into segment (tenant_id, environment, id, name, created_at)
     select $1, $2, * from unnest($3::text[], $4::text[], $5::timestamptz[]) as s (id, name, at)
     order by s.name
     on conflict (tenant_id, environment, name) do nothing`,
    [
      tenantId,
      environment,
      segments.map(({ id }) => id),
      segments.map(({ name }) => name),
      segments.map(({ created_at }) => created_at),
    ],
  );
}

/** Undefined leaves a field unchanged. Fails as a duplicate when another segment has the name. */
export function updateSegment(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  { name, query }: { name?: string | undefined; query?: SegmentQuery | null | undefined },
): Promise<SegmentRow | undefined> {
  return tx.row(
    `update segment set name = coalesce($4, name), query = case when $5 then $6 else query end
     where tenant_id = $1 and environment = $2 and id = $3 returning ${columns}`,
    [
      tenantId,
      environment,
      id,
      name ?? null,
      query !== undefined,
      query == null ? null : JSON.stringify(query),
    ],
  );
}

/** Returns how many segments there were: none or one. The contacts stay. */
export function deleteSegment(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<number> {
  return tx.run('delete from segment where tenant_id = $1 and environment = $2 and id = $3', [
    tenantId,
    environment,
    id,
  ]);
}

/** Adds a contact to the existing lists of these names. */
export async function addToSegments(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactId: string,
  names: readonly string[],
): Promise<void> {
  await tx.run(
    `insert into contact_segment (tenant_id, environment, segment_id, contact_id)
     select $1, $2, id, $3 from segment
     where tenant_id = $1 and environment = $2 and name = any($4) and query is null
     on conflict do nothing`,
    [tenantId, environment, contactId, names],
  );
}

/** Removes a contact from the segments of these names. */
export async function removeFromSegments(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactId: string,
  names: readonly string[],
): Promise<void> {
  await tx.run(
    `delete from contact_segment where tenant_id = $1 and environment = $2 and contact_id = $3
       and segment_id in (select id from segment
         where tenant_id = $1 and environment = $2 and name = any($4))`,
    [tenantId, environment, contactId, names],
  );
}

/** Removes a contact from all segments except those of these names. */
export async function removeFromOtherSegments(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactId: string,
  names: readonly string[],
): Promise<void> {
  await tx.run(
    `delete from contact_segment where tenant_id = $1 and environment = $2 and contact_id = $3
       and segment_id not in (select id from segment
         where tenant_id = $1 and environment = $2 and name = any($4))`,
    [tenantId, environment, contactId, names],
  );
}
