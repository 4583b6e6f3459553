/**
 * The messages of a broadcast that is being sent. Updates take an array of ids and not a join: for
 * an unknown limit the planner expects a tenth of the table, and would scan all of it to find 25
 * rows.
 */
import type { BroadcastState } from '@drawbridge/messaging/broadcast/states.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst, oldestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type MessageRow, messageColumns } from '../../messages/message-row.ts';
import type { QueuedCost } from '../../tenants/wallet/insufficient-funds.ts';

export interface ClaimRequest {
  readonly broadcastId: string;
  readonly claimId: string;
  readonly wanted: number;
  readonly now: Date;
}

/**
 * Claims due messages: the intent to send, written before they are sent. Claims none unless the
 * broadcast is running.
 */
export function claimDue(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { broadcastId, claimId, wanted, now }: ClaimRequest,
): Promise<MessageRow[]> {
  return tx.rows(
    `with due as (
       select m.id from message m where m.tenant_id = $1 and m.environment = $2
         and m.broadcast_id = $3 and m.status = 'queued' and m.due_at <= $6
         and exists (select from broadcast b where b.tenant_id = $1 and b.environment = $2
           and b.id = $3 and b.state = 'running')
       order by m.due_at, m.id limit $5 for no key update of m skip locked
     )
     update message set status = 'sending', claim_id = $4, attempts = attempts + 1
     where tenant_id = $1 and environment = $2 and id = any (array(select id from due))
     returning ${messageColumns}`,
    [tenantId, environment, broadcastId, claimId, wanted, now],
  );
}

/**
 * A broadcast's state, and when its next message is due (possibly in the past); null when none
 * waits.
 */
export function findProgress(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
): Promise<{ readonly state: BroadcastState; readonly due_at: Date | null } | undefined> {
  return tx.row(
    `select b.state, (select m.due_at from message m
       where m.tenant_id = $1 and m.environment = $2 and m.broadcast_id = b.id
         and m.status = 'queued'
       order by m.due_at, m.id limit 1) as due_at
     from broadcast b where b.tenant_id = $1 and b.environment = $2 and b.id = $3`,
    [tenantId, environment, broadcastId],
  );
}

/** What the next `limit` messages cost; undefined when none of them costs anything. */
export async function costOfQueued(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
  limit: number,
): Promise<QueuedCost | undefined> {
  const row = await tx.row<QueuedCost & { readonly next: string | null }>(
    `with waiting as materialized (
       select price, due_at, id from message where tenant_id = $1 and environment = $2
         and broadcast_id = $3 and status = 'queued'
       order by due_at, id limit $4
     )
     select count(*)::int as messages, count(*) < $4 as is_all,
       trim_scale(sum(price))::text as amount,
       trim_scale((select price from waiting where price > 0 order by due_at, id limit 1))::text
         as next
     from waiting`,
    [tenantId, environment, broadcastId, limit],
  );
  return row === undefined || row.next === null ? undefined : row;
}

/** Moves a zone's messages out of its quiet hours, at most `limit`; returns how many it moved. */
export function postponeZone(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
  { zone, until, limit }: { zone: string; until: Date; limit: number },
): Promise<number> {
  return tx.run(
    `with early as (
       select id from message where tenant_id = $1 and environment = $2 and broadcast_id = $3
         and status = 'queued' and due_at < $5 and time_zone = $4
       order by due_at, id limit $6 for no key update skip locked
     )
     update message set due_at = $5
     where tenant_id = $1 and environment = $2 and id = any (array(select id from early))`,
    [tenantId, environment, broadcastId, zone, until, limit],
  );
}

/** Messages that a previous holder of the broadcast was sending. */
export async function listInterrupted(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { broadcastId, claimId, limit }: { broadcastId: string; claimId: string; limit: number },
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    `select id from message where tenant_id = $1 and environment = $2 and broadcast_id = $3
       and status = 'sending' and claim_id is distinct from $4
     order by id limit $5`,
    [tenantId, environment, broadcastId, claimId, limit],
  );
  return rows.map(({ id }) => id);
}

/** Cancels messages that were not sent, at most `limit`; returns the ids. */
export async function cancelQueued(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    `with waiting as (
       select id from message where tenant_id = $1 and environment = $2
         and broadcast_id = $3 and status = 'queued'
       order by due_at, id limit $4 for no key update
     )
     update message set status = 'canceled', due_at = null
     where tenant_id = $1 and environment = $2 and id = any (array(select id from waiting))
     returning id`,
    [tenantId, environment, broadcastId, limit],
  );
  return rows.map(({ id }) => id);
}

export interface MessageFilter {
  /** Null: of all broadcasts. */
  readonly broadcastId: string | null;
  readonly statuses: readonly string[];
}

export type BroadcastMessageRow = MessageRow & { readonly broadcast_id: string };

/** Where a message stands in `listMessages`, and the pattern of it. */
export function messageKeyOf({ broadcast_id, id }: BroadcastMessageRow): string {
  return `${broadcast_id} ${id}`;
}
export const messageKeyPattern = /^brc_\w{26} msg_\w{26}$/;

/**
 * Newest broadcast first, and its newest message first. Over all broadcasts, as many are read together as fill a page
 * with one message each, and further ones where some of these have none that is wanted.
 */
export async function listMessages(
  tx: Tx,
  scope: TenantScope,
  { broadcastId, statuses }: MessageFilter,
  page: KeysetRange,
): Promise<BroadcastMessageRow[]> {
  const { rowsMax } = page;
  const [broadcast = null, message = null] = page.key?.split(' ') ?? [];
  const found: BroadcastMessageRow[] = [];
  // The broadcast in which the list is cut has messages on both sides of the cut.
  if (broadcast !== null && broadcast === (broadcastId ?? broadcast)) {
    found.push(...(await messagesOf(tx, scope, [broadcast], statuses, { ...page, key: message })));
  }
  for (let last = broadcast; found.length < rowsMax; ) {
    const ids = await broadcastsBeyond(tx, scope, broadcastId, { ...page, key: last });
    if (ids.length > 0) {
      found.push(...(await messagesOf(tx, scope, ids, statuses, { ...page, key: null })));
    }
    if (ids.length < rowsMax) break;
    last = ids.at(-1)!;
  }
  return found.slice(0, rowsMax);
}

/** Broadcasts with messages, in the direction of the range; never the one that it begins at. */
async function broadcastsBeyond(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string | null,
  { isBackward, ...range }: KeysetRange,
): Promise<readonly string[]> {
  const inDirection = isBackward ? oldestFirst : newestFirst;
  const { key, where, order, rowsMax } = inDirection({ ...range, isBackward: false });
  const rows = await tx.rows<{ id: string }>(
    `select id from broadcast
     where tenant_id = $1 and environment = $2 and recipients > 0
       and ($3::text is null or id = $3) and ${where('id', '$4')}
     order by id ${order} limit $5`,
    [tenantId, environment, broadcastId, key, rowsMax],
  );
  return rows.map(({ id }) => id);
}

/** Each status is read along the index, so that a rare one is found without reading the others. */
function messagesOf(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastIds: readonly string[],
  statuses: readonly string[],
  range: KeysetRange,
): Promise<BroadcastMessageRow[]> {
  const { key, where, order, rowsMax } = newestFirst(range);
  return tx.rows(
    `select m.* from unnest($3::text[]) b (id) cross join lateral (
       select n.* from unnest($4::text[]) s (status) cross join lateral (
         select ${messageColumns} from message
         where tenant_id = $1 and environment = $2 and broadcast_id = b.id
           and status = s.status and ${where('id', '$5')} order by id ${order} limit $6) n
       order by n.id ${order} limit $6
     ) m order by b.id ${order}, m.id ${order} limit $6`,
    [tenantId, environment, broadcastIds, statuses, key, rowsMax],
  );
}
