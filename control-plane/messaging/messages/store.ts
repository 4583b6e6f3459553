/** Messages of one tenant and environment. Their changes of status are in status/store.ts. */
import type { Channel } from '@drawbridge/messaging/message.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { columnArrays, unnest } from '../../platform/db/insert.ts';
import { type KeysetRange, newestFirst } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type MessageRow, messageColumns } from './message-row.ts';

export type NewMessage = Pick<
  MessageRow,
  | 'id'
  | 'channel'
  | 'direction'
  | 'app_id'
  | 'contact_id'
  | 'address'
  | 'content'
  | 'preview'
  | 'status'
  | 'provider_id'
  | 'reply_to'
  | 'ttl_seconds'
  | 'registration'
  | 'due_at'
  | 'price'
  | 'currency'
  | 'author'
  | 'created_at'
>;

const columns = {
  id: 'text',
  channel: 'text',
  direction: 'text',
  app_id: 'text',
  contact_id: 'text',
  address: 'text',
  content: 'jsonb',
  preview: 'text',
  status: 'text',
  provider_id: 'text',
  reply_to: 'text',
  ttl_seconds: 'int',
  registration: 'jsonb',
  due_at: 'timestamptz',
  price: 'numeric',
  currency: 'text',
  author: 'text',
  created_at: 'timestamptz',
} as const;
const names = Object.keys(columns).join(', ');

/** Returns the new rows: a repeat has the same app and provider id. */
export function insertMessages(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  rows: readonly NewMessage[],
): Promise<MessageRow[]> {
  return tx.rows(
    `insert into message (tenant_id, environment, ${names})
     select $${Object.keys(columns).length + 1}::uuid, $${Object.keys(columns).length + 2}, *
     from ${unnest(Object.values(columns))}
     on conflict (tenant_id, app_id, provider_id, direction) where provider_id is not null
       do nothing
     returning ${messageColumns}`,
    [...columnArrays(columns, rows), tenantId, environment],
  );
}

export function findMessages(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<MessageRow[]> {
  return tx.rows(
    `select ${messageColumns} from message
     where tenant_id = $1 and environment = $2 and id = any($3)`,
    [tenantId, environment, ids],
  );
}

/** The message, locked until the transaction ends. */
export function lockMessage(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<MessageRow | undefined> {
  return tx.row(
    `select ${messageColumns} from message
     where tenant_id = $1 and environment = $2 and id = $3 for no key update`,
    [tenantId, environment, id],
  );
}

export interface MessageFilter {
  readonly direction: 'in' | 'out' | null;
  readonly status: string | null;
  readonly appId: string | null;
  readonly contactId: string | null;
  readonly address: string | null;
}

/** A channel's messages, newest first. */
export function listMessages(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  channel: Channel,
  { direction, status, appId, contactId, address }: MessageFilter,
  page: KeysetRange,
): Promise<MessageRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${messageColumns} from message
     where tenant_id = $1 and environment = $2 and channel = $3
       and ($4::text is null or direction = $4) and ($5::text is null or status = $5)
       and ($6::text is null or app_id = $6) and ($7::text is null or contact_id = $7)
       and ($8::text is null or address = $8) and ${where('id', '$9')}
     order by id ${order} limit $10`,
    [tenantId, environment, channel, direction, status, appId, contactId, address, key, rowsMax],
  );
}

/**
 * Those of these messages that would overtake an earlier one to the same person which is not among them and was
 * not taken yet, with when the first such one is due. One whose job was parked is not waited for.
 */
export function findBehindOthers(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
  queue: string,
): Promise<{ readonly id: string; readonly due_at: Date }[]> {
  return tx.rows(
    `select m.id, e.due_at from message m cross join lateral (
       select w.due_at from message w join job j
         on j.tenant_id = $1 and j.queue = $4 and j.key = w.id and j.parked_at is null
       where w.tenant_id = $1 and w.app_id = m.app_id and w.address = m.address
         and w.broadcast_id is null and w.status in ('queued', 'sending')
         and w.id < m.id and w.id <> all($3)
       order by w.id limit 1
     ) e
     where m.tenant_id = $1 and m.environment = $2 and m.id = any($3)`,
    [tenantId, environment, ids, queue],
  );
}

/** Claims queued messages that are due: the intent to send, written before they are sent. */
export function claimMessages(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
  claimId: string,
): Promise<MessageRow[]> {
  return tx.rows(
    `update message set status = 'sending', claim_id = $4, attempts = attempts + 1
     where tenant_id = $1 and environment = $2 and id = any($3) and status = 'queued'
     returning ${messageColumns}`,
    [tenantId, environment, ids, claimId],
  );
}

/**
 * When the person last wrote to the app, and whether they block it; undefined: they never wrote.
 */
export function findCorrespondent(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  appId: string,
  address: string,
): Promise<{ last_inbound_at: Date; blocked_at: Date | null } | undefined> {
  return tx.row(
    `select last_inbound_at, blocked_at from correspondent
     where tenant_id = $1 and environment = $2 and app_id = $3 and address = $4`,
    [tenantId, environment, appId, address],
  );
}

/** The people whom an app knows, the latest first. */
export function listCorrespondents(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  appId: string,
  limit: number,
): Promise<{ address: string; last_inbound_at: Date; blocked_at: Date | null }[]> {
  return tx.rows(
    `select address, last_inbound_at, blocked_at from correspondent
     where tenant_id = $1 and environment = $2 and app_id = $3
     order by last_inbound_at desc limit $4`,
    [tenantId, environment, appId, limit],
  );
}

export interface Correspondence {
  readonly app_id: string;
  readonly address: string;
  readonly channel: string;
  readonly at: Date;
}

/** Records that these people wrote, or unblocked the app. */
export async function recordCorrespondents(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  meetings: readonly Correspondence[],
): Promise<void> {
  await tx.run(
    `insert into correspondent as c (tenant_id, environment, app_id, address, channel,
       first_seen_at, last_inbound_at)
     select $1, $2, app_id, address, min(channel), min(at), max(at)
     from unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[])
       as m (app_id, address, channel, at)
     group by app_id, address order by app_id, address
     on conflict (tenant_id, environment, app_id, address) do update set blocked_at = null,
       last_inbound_at = greatest(c.last_inbound_at, excluded.last_inbound_at)`,
    [
      tenantId,
      environment,
      meetings.map(({ app_id }) => app_id),
      meetings.map(({ address }) => address),
      meetings.map(({ channel }) => channel),
      meetings.map(({ at }) => at),
    ],
  );
}

/** Records that the person blocks the app. */
export async function blockCorrespondent(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  appId: string,
  address: string,
  now: Date,
): Promise<void> {
  await tx.run(
    `update correspondent set blocked_at = $5
     where tenant_id = $1 and environment = $2 and app_id = $3 and address = $4`,
    [tenantId, environment, appId, address, now],
  );
}

/** Deletes proofs and parts of texts that are too old to matter. */
export async function sweepMessaging(tx: Tx, proofsBefore: Date, partsBefore: Date): Promise<void> {
  await tx.run('select sweep_messaging($1, $2)', [proofsBefore, partsBefore]);
}

/**
 * Those among the messages whose broadcast reaches the same contact by another one: two recipients were merged.
 * Of two that wait, the one that was made first goes out.
 */
export async function repeatedByMerge(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    `with merged as materialized (
       select m.id, m.contact_id, m.broadcast_id from message m
       where m.tenant_id = $1 and m.environment = $2 and m.id = any ($3::text[])
         and exists (select from merged_contact g where g.tenant_id = $1 and g.environment = $2
           and g.contact_id = m.contact_id)
     )
     select m.id from merged m cross join lateral (
       select from message o where o.tenant_id = $1 and o.environment = $2
         and o.contact_id = m.contact_id and o.broadcast_id = m.broadcast_id
         and (o.status in ('sent', 'delivered', 'read', 'unknown') and o.id <> m.id
           or o.status in ('queued', 'sending') and o.id < m.id)
       limit 1
     ) other`,
    [tenantId, environment, ids],
  );
  return rows.map(({ id }) => id);
}
