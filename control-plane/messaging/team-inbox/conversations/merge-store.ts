import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Merge } from '../../contacts/hooks.ts';

/** Moves the calls of one contact to the other. */
export async function moveCalls(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { from, into }: Merge,
): Promise<void> {
  await tx.run(
    `update inbox_call set contact_id = $4
     where tenant_id = $1 and environment = $2 and contact_id = $3`,
    [tenantId, environment, from, into],
  );
}

/** A conversation and the one into which it is merged, by conversation id. */
export type ConversationMerge = Merge;

/** Moves history, notes, files, exports, tags and readers from one conversation to the other. */
export async function moveAnnotations(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { from, into }: ConversationMerge,
): Promise<void> {
  const move = (table: string) =>
    `update ${table} set conversation_id = $4
     where tenant_id = $1 and environment = $2 and conversation_id = $3`;
  await tx.run(
    `with events as (${move('conversation_event')}), notes as (${move('conversation_note')}),
     files as (${move('conversation_attachment')}), exports as (${move('inbox_export')}),
     tags as (
       insert into conversation_tag (tenant_id, environment, tag_id, conversation_id)
       select tenant_id, environment, tag_id, $4 from conversation_tag
       where tenant_id = $1 and environment = $2 and conversation_id = $3 on conflict do nothing
     )
     insert into conversation_reader as r
       (tenant_id, environment, conversation_id, reader, read_to, read_at)
     select tenant_id, environment, $4, reader, read_to, read_at from conversation_reader
     where tenant_id = $1 and environment = $2 and conversation_id = $3
     on conflict (tenant_id, environment, conversation_id, reader)
       do update set read_to = least(r.read_to, excluded.read_to)`,
    [tenantId, environment, from, into],
  );
}

/** If both conversations have an open wait, keeps only the one that began first. */
export async function keepOneWait(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { from, into }: ConversationMerge,
): Promise<void> {
  await tx.run(
    `delete from conversation_response where tenant_id = $1 and environment = $2 and id in (
       select id from conversation_response
       where tenant_id = $1 and environment = $2 and conversation_id in ($3, $4)
         and ended_at is null order by asked_at, id offset 1)`,
    [tenantId, environment, from, into],
  );
}

/**
 * Joins the openings of both and numbers them in order of time, with the open one last. If both
 * have an open one, the later becomes part of the earlier. Returns how many there are.
 */
export async function joinOpenings(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { from, into }: ConversationMerge,
): Promise<number> {
  const row = await tx.row<{ count: number }>(
    `with gone as (
       delete from conversation_opening
       where tenant_id = $1 and environment = $2 and conversation_id in ($3, $4) returning *
     ), ranked as (
       select *, row_number() over (partition by closed_at is null
         order by opened_at, conversation_id, opening) as rank from gone
     ), numbered as (
       select *, row_number() over (
         order by closed_at is null, opened_at, conversation_id, opening)::int as place
       from ranked where closed_at is not null or rank = 1
     ), joined as (
       insert into conversation_opening (tenant_id, environment, conversation_id, opening,
         opened_at, opened_by, closed_at, closed_by)
       select $1, $2, $4, place, opened_at, opened_by, closed_at, closed_by from numbered
     ), waits as (
       update conversation_response r set conversation_id = $4,
         opening = coalesce(n.place, (select max(place) from numbered))
       from gone g left join numbered n using (conversation_id, opening)
       where r.tenant_id = $1 and r.environment = $2 and r.conversation_id = g.conversation_id
         and r.opening = g.opening
     )
     select count(*) as count from numbered`,
    [tenantId, environment, from, into],
  );
  return row!.count;
}
