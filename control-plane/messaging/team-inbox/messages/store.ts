import type { ConversationState } from '@drawbridge/messaging/inbox/conversation.ts';
import type { Channel } from '@drawbridge/messaging/message.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { KeysetReading } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type MessageRow, messageColumns } from '../../messages/message-row.ts';

export interface InboxMessageRow extends MessageRow {
  readonly conversation_id: string | null;
  readonly contact_name: string | null;
  readonly contact_phone: string | null;
}

export interface InboxFilter {
  readonly contactId?: string | undefined;
  readonly channel?: Channel | undefined;
  /** Words, each whole or with a star at the end. */
  readonly text?: string | undefined;
  /** Null: unassigned. */
  readonly assigneeId?: string | null | undefined;
  readonly state?: ConversationState | undefined;
  /** Ids below this one. */
  readonly below?: string | undefined;
  /** Ids from this one on. */
  readonly fromId?: string | undefined;
}

export interface FoundMessages {
  readonly ids: readonly string[];
  /**
   * The search for one page reached its limit: the list continues below this id, or in rising order from
   * it on.
   */
  readonly continuesAt: string | undefined;
}

/** A page of ids. Without a contact, broadcasts are left out: they belong to no conversation. */
export async function findInboxMessages(
  tx: Tx,
  { environment }: TenantScope,
  filter: InboxFilter,
  { order, rowsMax }: Pick<KeysetReading, 'order' | 'rowsMax'>,
): Promise<FoundMessages> {
  const { contactId, channel, text, assigneeId, state, below, fromId } = filter;
  // The function reads the rows of the transaction's tenant alone.
  const rows = await tx.rows<{ message_id: string; is_match: boolean }>(
    'select * from find_inbox_messages($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    [
      environment,
      contactId,
      channel,
      text,
      assigneeId === null ? '' : assigneeId,
      state,
      below,
      fromId,
      order === 'asc',
      rowsMax,
    ],
  );
  return {
    ids: rows.filter(({ is_match }) => is_match).map(({ message_id }) => message_id),
    continuesAt: rows.find(({ is_match }) => !is_match)?.message_id,
  };
}

/** In no order. */
export function listInboxMessages(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<InboxMessageRow[]> {
  return tx.rows(
    `select m.*, c.id as conversation_id, k.name as contact_name, k.phone as contact_phone
     from (select ${messageColumns} from message
       where tenant_id = $1 and environment = $2 and id = any($3)) m
     left join conversation c on c.tenant_id = $1 and c.environment = $2
       and c.contact_id = m.contact_id
     left join contact k on k.tenant_id = $1 and k.environment = $2 and k.id = m.contact_id`,
    [tenantId, environment, ids],
  );
}

/** The app to which the person last wrote, on this channel or any, with the person's address. */
export function findLastApp(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactId: string,
  channel: Channel | undefined,
): Promise<{ channel: Channel; app_id: string; address: string } | undefined> {
  return tx.row(
    `select m.channel, m.app_id, m.address from message m
     where m.tenant_id = $1 and m.environment = $2 and m.contact_id = $3 and m.direction = 'in'
       and ($4::text is null or m.channel = $4) and exists (select from channel_app a
         where a.tenant_id = $1 and a.id = m.app_id and a.deleted_at is null)
     order by m.id desc limit 1`,
    [tenantId, environment, contactId, channel],
  );
}
