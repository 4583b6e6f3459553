/** Tags and notes of conversations, and how far each member has read. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** The tenant's tags with these names, ignoring case. */
export function findTags(
  tx: Tx,
  tenantId: string,
  names: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return tx.rows(
    `select id, name from tag where tenant_id = $1
       and lower(name) in (select lower(n) from unnest($2::text[]) n) order by name`,
    [tenantId, names],
  );
}

/** Replaces the tags of a conversation; returns how many were added or removed. */
export async function setTags(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  conversationId: string,
  tagIds: readonly string[],
): Promise<number> {
  const row = await tx.row<{ changed: number }>(
    `with gone as (
       delete from conversation_tag where tenant_id = $1 and environment = $2
         and conversation_id = $3 and tag_id <> all($4::text[]) returning 1
     ), added as (
       insert into conversation_tag (tenant_id, environment, conversation_id, tag_id)
       select $1, $2, $3, t from unnest($4::text[]) t on conflict do nothing returning 1
     )
     select (select count(*) from gone) + (select count(*) from added) as changed`,
    [tenantId, environment, conversationId, tagIds],
  );
  return row!.changed;
}

export interface ReaderRow {
  readonly reader: string;
  /** In the form of conversation.last_item. */
  readonly read_to: string;
  readonly read_at: Date;
}

export function listReaders(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  conversationId: string,
): Promise<ReaderRow[]> {
  return tx.rows(
    `select reader, read_to, read_at from conversation_reader
     where tenant_id = $1 and environment = $2 and conversation_id = $3
     order by read_at desc limit 200`,
    [tenantId, environment, conversationId],
  );
}

/** Saves how far a member has read; an earlier position does not replace a later one. */
export async function saveReader(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  conversationId: string,
  { reader, read_to, read_at }: ReaderRow,
): Promise<void> {
  await tx.run(
    `insert into conversation_reader as r
       (tenant_id, environment, conversation_id, reader, read_to, read_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, environment, conversation_id, reader)
       do update set read_to = $5, read_at = $6 where r.read_to < $5`,
    [tenantId, environment, conversationId, reader, read_to, read_at],
  );
}

/** How many messages the person sent after an id, counted up to 1,000. */
export async function countUnread(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactId: string,
  afterId: string,
): Promise<number> {
  const row = await tx.row<{ count: number }>(
    `select count(*)::int as count from (select from message where tenant_id = $1
       and environment = $2 and contact_id = $3 and id > $4 and direction = 'in' limit 1000) m`,
    [tenantId, environment, contactId, afterId],
  );
  return row!.count;
}

export interface NoteRow {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly created_at: Date;
}

export async function insertNote(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  conversationId: string,
  { id, author, text, created_at }: NoteRow,
): Promise<void> {
  await tx.run(
    `insert into conversation_note
       (id, tenant_id, environment, conversation_id, author, text, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, tenantId, environment, conversationId, author, text, created_at],
  );
}

export function findNote(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<NoteRow | undefined> {
  return tx.row(
    `select id, author, text, created_at from conversation_note
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** Newest first. */
export function listNotes(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  conversationId: string,
  page: KeysetRange,
): Promise<NoteRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select id, author, text, created_at from conversation_note
     where tenant_id = $1 and environment = $2 and conversation_id = $3
       and ${where('id', '$4')} order by id ${order} limit $5`,
    [tenantId, environment, conversationId, key, rowsMax],
  );
}
