/** The parts of a conversation that an export prints, oldest first. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type MessageRow, messageColumns } from '../../messages/message-row.ts';
import type { AttachmentRow } from '../attachments/store.ts';
import type { NoteRow } from '../conversations/annotation-store.ts';
import type { HistoryRow } from '../conversations/history-store.ts';
import type { CallRow } from '../messages/call-store.ts';
import type { PdfSignature } from './pdf/signing/signature.ts';

/** Ids from `after` (exclusive) to below `until`, without their prefixes. */
export interface Span {
  readonly after: string;
  readonly until: string;
}

export function messagesOf(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactId: string,
  { after, until }: Span,
  limit: number,
): Promise<MessageRow[]> {
  return tx.rows(
    `select ${messageColumns} from message
     where tenant_id = $1 and environment = $2 and contact_id = $3 and id > 'msg_' || $4
       and id < 'msg_' || $5 order by id limit $6`,
    [tenantId, environment, contactId, after, until, limit],
  );
}

export function callsOf(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactId: string,
  { after, until }: Span,
  limit: number,
): Promise<CallRow[]> {
  return tx.rows(
    `select id, contact_id, direction, status, duration_seconds, author, item, created_at
     from inbox_call where tenant_id = $1 and environment = $2 and contact_id = $3
       and item > $4 and item < $5 order by item limit $6`,
    [tenantId, environment, contactId, after, until, limit],
  );
}

export function notesOf(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  conversationId: string,
  { after, until }: Span,
  limit: number,
): Promise<NoteRow[]> {
  return tx.rows(
    `select id, author, text, created_at from conversation_note
     where tenant_id = $1 and environment = $2 and conversation_id = $3
       and id > 'not_' || $4 and id < 'not_' || $5 order by id limit $6`,
    [tenantId, environment, conversationId, after, until, limit],
  );
}

export function historyOf(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  conversationId: string,
  { after, until }: Span,
  limit: number,
): Promise<HistoryRow[]> {
  return tx.rows(
    `select id, conversation_id, type, actor, data, created_at from conversation_event
     where tenant_id = $1 and environment = $2 and conversation_id = $3 and type <> 'noted'
       and id > 'cev_' || $4 and id < 'cev_' || $5 order by id limit $6`,
    [tenantId, environment, conversationId, after, until, limit],
  );
}

const fileColumns =
  'id, conversation_id, name, media_type, bytes, sha256, object_key, author, message_id, created_at';

/** Files that came with messages, and the team's own if `ofTeam`. */
export function filesOf(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  conversationId: string,
  { after, until }: Span,
  { ofTeam, limit }: { readonly ofTeam: boolean; readonly limit: number },
): Promise<AttachmentRow[]> {
  return tx.rows(
    `select ${fileColumns} from conversation_attachment
     where tenant_id = $1 and environment = $2 and conversation_id = $3
       and case when message_id is null then $6 and id > 'att_' || $4 and id < 'att_' || $5
         else message_id > 'msg_' || $4 and message_id < 'msg_' || $5 end
     order by id limit $7`,
    [tenantId, environment, conversationId, after, until, ofTeam, limit],
  );
}

export interface ConsentRow {
  readonly channel: string;
  readonly address: string;
  readonly state: string;
  readonly source: string;
  readonly note: string | null;
  readonly created_at: Date;
}

/** The newest consents of the contact's addresses, to messages and to recorded calls, oldest first. */
export async function consentsOf(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactId: string,
  limit: number,
): Promise<ConsentRow[]> {
  const rows = await tx.rows<ConsentRow>(
    `with reached as (
       select w.channel, k.phone as address from contact k
       cross join unnest(array['wa', 'sms', 'rcs', 'voice']) w (channel)
       where k.tenant_id = $1 and k.environment = $2 and k.id = $3 and k.phone is not null
       union
       select i.channel, i.external_id from contact_identity i
       where i.tenant_id = $1 and i.environment = $2 and i.contact_id = $3
     ), said as (
       (select e.id, e.channel, e.address, e.state, e.source, e.note, e.created_at
        from reached a join consent_event e on e.tenant_id = $1 and e.environment = $2
          and e.channel = a.channel and e.address = a.address
        order by e.id desc limit $4)
       union all
       (select r.id, 'recording', r.phone, r.state, r.method,
          coalesce('For ' || r.call_id || ' alone: ', '') || r.evidence, r.given_at
        from (select distinct address from reached) a
        join voice_recording_consent r on r.tenant_id = $1 and r.environment = $2
          and r.phone = a.address
        order by r.given_at desc, r.id desc limit $4)
     )
     select channel, address, state, source, note, created_at from said
     order by created_at desc, id desc limit $4`,
    [tenantId, environment, contactId, limit],
  );
  return rows.reverse();
}

export interface PersonRow {
  readonly id: string;
  readonly name: string;
  /** Printed next to the name. */
  readonly detail: string;
}

/** Members, former members and API keys, sorted by id. */
export function findPeople(tx: Tx, tenantId: string, ids: readonly string[]): Promise<PersonRow[]> {
  return tx.rows(
    `select u.id, u.name, u.email as detail from member m join user_account u on u.id = m.user_id
     where m.tenant_id = $1 and m.user_id = any($2)
     union all
     select d.user_id, d.name, d.email || ' (no longer a member)' from departed_member d
     where d.tenant_id = $1 and d.user_id = any($2) and not exists (select from member m
       where m.tenant_id = $1 and m.user_id = d.user_id)
     union all
     select k.id, k.name, 'API key' from api_key k where k.tenant_id = $1 and k.id = any($2)
     order by 1`,
    [tenantId, ids],
  );
}

export async function findTenantName(tx: Tx, tenantId: string): Promise<string> {
  const row = await tx.row<{ name: string }>('select name from tenant where id = $1', [tenantId]);
  return row!.name;
}

export interface ExportRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly author: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly signature: PdfSignature;
  readonly created_at: Date;
}

export async function insertExport(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: ExportRow,
): Promise<void> {
  await tx.run(
    `insert into inbox_export (id, tenant_id, environment, conversation_id, author, content_type,
       bytes, signature, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.id,
      tenantId,
      environment,
      row.conversation_id,
      row.author,
      row.content_type,
      row.bytes,
      JSON.stringify(row.signature),
      row.created_at,
    ],
  );
}

export function findExport(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<ExportRow | undefined> {
  return tx.row(
    `select id, conversation_id, author, content_type, bytes, signature, created_at
     from inbox_export where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}
