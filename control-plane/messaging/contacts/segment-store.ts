import type { Tx } from '../../platform/db/tx.ts';
import type { SegmentQuery } from './segment-query.ts';
import type { Place } from './store.ts';

export interface SegmentRow {
  readonly id: string;
  readonly name: string;
  /** Null: a list. */
  readonly query: SegmentQuery | null;
  readonly created_at: Date;
}

const columns = 'id, name, query, created_at';

export function listSegments(
  tx: Tx,
  { tenantId, environment }: Place,
  after: string | undefined,
  limit: number,
): Promise<SegmentRow[]> {
  return tx.rows(
    `select ${columns} from segment where tenant_id = $1 and environment = $2
       and ($3::text is null or id > $3) order by id limit $4`,
    [tenantId, environment, after, limit],
  );
}

export function findSegment(
  tx: Tx,
  { tenantId, environment }: Place,
  id: string,
): Promise<SegmentRow | undefined> {
  return tx.row(
    `select ${columns} from segment where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

export async function findSegmentId(
  tx: Tx,
  { tenantId, environment }: Place,
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
  { tenantId, environment }: Place,
  { id, name, query, created_at }: SegmentRow,
): Promise<void> {
  await tx.run(
    `insert into segment (tenant_id, environment, ${columns}) values ($1, $2, $3, $4, $5, $6)`,
    [tenantId, environment, id, name, query === null ? null : JSON.stringify(query), created_at],
  );
}

/** How many contacts it has now, whether list or query. */
export async function countSegment(tx: Tx, { environment }: Place, id: string): Promise<number> {
  const row = await tx.row<{ count: number }>('select count_segment($1, $2) as count', [
    ...[environment, id],
  ]);
  return row!.count;
}

/** Those of the lists with these names or ids that are queries. */
export function findQueries(
  tx: Tx,
  { tenantId, environment }: Place,
  namesOrIds: readonly string[],
): Promise<SegmentRow[]> {
  return tx.rows(
    `select ${columns} from segment where tenant_id = $1 and environment = $2
       and (name = any($3) or id = any($3)) and query is not null`,
    [tenantId, environment, namesOrIds],
  );
}

/** Those of the ids that are lists. */
export async function findLists(
  tx: Tx,
  { tenantId, environment }: Place,
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
  /** A query asks for its contacts. */
  readonly isAskedFor: boolean;
}

/** What stands against making a query of a list, or deleting it. */
export async function findSegmentUse(
  tx: Tx,
  { tenantId, environment }: Place,
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

/** Makes the lists that are not there; answers how many were made. */
export function ensureSegments(
  tx: Tx,
  { tenantId, environment }: Place,
  segments: readonly Omit<SegmentRow, 'query'>[],
): Promise<number> {
  return tx.run(
    `insert into segment (tenant_id, environment, id, name, created_at)
     select $1, $2, * from unnest($3::text[], $4::text[], $5::timestamptz[]) as s (id, name, at)
     order by s.name
     on conflict (tenant_id, environment, name) do nothing`,
    [
      ...[tenantId, environment],
      segments.map(({ id }) => id),
      segments.map(({ name }) => name),
      segments.map(({ created_at }) => created_at),
    ],
  );
}

/** Undefined leaves a field. Fails as a duplicate when another segment has the name. */
export function updateSegment(
  tx: Tx,
  { tenantId, environment }: Place,
  id: string,
  { name, query }: { name?: string | undefined; query?: SegmentQuery | null | undefined },
): Promise<SegmentRow | undefined> {
  return tx.row(
    `update segment set name = coalesce($4, name), query = case when $5 then $6 else query end
     where tenant_id = $1 and environment = $2 and id = $3 returning ${columns}`,
    [
      ...[tenantId, environment, id, name ?? null, query !== undefined],
      query == null ? null : JSON.stringify(query),
    ],
  );
}

/** Answers how many there were: none or one. Its contacts stay. */
export function deleteSegment(
  tx: Tx,
  { tenantId, environment }: Place,
  id: string,
): Promise<number> {
  return tx.run('delete from segment where tenant_id = $1 and environment = $2 and id = $3', [
    ...[tenantId, environment, id],
  ]);
}

/** Puts a contact into the lists of these names, which are there. */
export async function enterSegments(
  tx: Tx,
  { tenantId, environment }: Place,
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

/** Takes a contact out of the segments of these names. */
export async function leaveSegments(
  tx: Tx,
  { tenantId, environment }: Place,
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

/** Takes a contact out of all segments but those of these names. */
export async function leaveOtherSegments(
  tx: Tx,
  { tenantId, environment }: Place,
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
