import type { Conversation, ConversationState } from '@drawbridge/messaging/inbox/conversation.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { columnArrays, insertMany, unnest } from '../../../platform/db/insert.ts';
import { type KeysetRange, newestFirst, oldestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface ConversationRow {
  readonly id: string;
  readonly contact_id: string;
  readonly state: ConversationState;
  readonly snoozed_until: Date | null;
  readonly assignee_id: string | null;
  readonly opening: number;
  readonly opened_at: Date | null;
  readonly is_answered: boolean;
  readonly waiting_since: Date | null;
  readonly due_at: Date | null;
  readonly unread: number;
  readonly last_item_id: string;
  readonly last_item: string;
  readonly last_channel: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const types = {
  id: 'text',
  contact_id: 'text',
  state: 'text',
  snoozed_until: 'timestamptz',
  assignee_id: 'text',
  opening: 'int',
  opened_at: 'timestamptz',
  is_answered: 'boolean',
  waiting_since: 'timestamptz',
  due_at: 'timestamptz',
  unread: 'int',
  last_item_id: 'text',
  last_item: 'text',
  last_channel: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;
const names = Object.keys(types);
const scopeTypes = { tenant_id: 'uuid', environment: 'text' } as const;

/** Inserts the conversations that do not exist yet; concurrent calls insert each only once. */
export async function ensureConversations(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  rows: readonly ConversationRow[],
): Promise<void> {
  const scoped = rows.map((row) => ({ tenant_id: tenantId, environment, ...row }));
  const suffix = 'on conflict do nothing';
  await insertMany(tx, 'conversation', { ...scopeTypes, ...types }, scoped, suffix);
}

/** The existing conversations of these contacts, locked until the transaction ends, in a fixed order. */
export function lockConversations(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  contactIds: readonly string[],
): Promise<ConversationRow[]> {
  return tx.rows(
    `select ${names} from conversation
     where tenant_id = $1 and environment = $2 and contact_id = any($3)
     order by contact_id for no key update`,
    [tenantId, environment, contactIds],
  );
}

/** As `lockConversations`, by conversation id. */
export function lockById(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<ConversationRow[]> {
  return tx.rows(
    `select ${names} from conversation
     where tenant_id = $1 and environment = $2 and id = any($3)
     order by contact_id for no key update`,
    [tenantId, environment, ids],
  );
}

/** Some of the conversations that are assigned to a member, locked in the same order. */
export function lockAssigned(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  assigneeId: string,
  limit: number,
): Promise<ConversationRow[]> {
  return tx.rows(
    `select ${names} from conversation
     where tenant_id = $1 and environment = $2 and assignee_id = $3
     order by contact_id limit $4 for no key update`,
    [tenantId, environment, assigneeId, limit],
  );
}

/** Writes the changeable columns of rows that are locked. */
export async function saveConversations(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  rows: readonly ConversationRow[],
): Promise<void> {
  const changed = names.filter((name) => !['id', 'contact_id', 'created_at'].includes(name));
  const count = names.length;
  await tx.run(
    `update conversation c set ${changed.map((name) => `${name} = n.${name}`)}
     from ${unnest(Object.values(types))} as n (${names})
     where c.tenant_id = $${count + 1} and c.environment = $${count + 2} and c.id = n.id`,
    [...columnArrays(types, rows), tenantId, environment],
  );
}

/** The row as the state machine in `packages/messaging` sees it. */
export function conversationOf(row: ConversationRow): Conversation {
  return {
    state: row.state,
    snoozedUntil: row.snoozed_until,
    assigneeId: row.assignee_id,
    opening: row.opening,
    openedAt: row.opened_at,
    isAnswered: row.is_answered,
    waitingSince: row.waiting_since,
    unread: row.unread,
  };
}

/** The row with the new state of its conversation. */
export function rowWith(row: ConversationRow, next: Conversation): ConversationRow {
  return {
    ...row,
    state: next.state,
    snoozed_until: next.snoozedUntil,
    assignee_id: next.assigneeId,
    opening: next.opening,
    opened_at: next.openedAt,
    is_answered: next.isAnswered,
    waiting_since: next.waitingSince,
    due_at: next.waitingSince === null ? null : row.due_at,
    unread: next.unread,
  };
}

export interface ListedRow extends ConversationRow {
  readonly contact_name: string | null;
  readonly contact_phone: string | null;
  readonly tags: readonly string[];
  readonly last_direction: 'in' | 'out' | null;
  readonly last_preview: string | null;
  readonly last_at: Date | null;
}

export interface ConversationFilter {
  readonly state?: ConversationState | undefined;
  /** Null: unassigned. */
  readonly assigneeId?: string | null | undefined;
  readonly channel?: string | undefined;
  readonly contactId?: string | undefined;
  /** By id, because the planner has statistics for it. */
  readonly tagId?: string | undefined;
  readonly isUnread?: boolean | undefined;
  readonly isWaiting?: boolean | undefined;
}

const listed = `${names.map((name) => `c.${name}`)}, k.name as contact_name,
  k.phone as contact_phone, m.direction as last_direction, m.preview as last_preview,
  m.created_at as last_at,
  array(select t.name from conversation_tag ct join tag t
    on t.tenant_id = ct.tenant_id and t.id = ct.tag_id
    where ct.tenant_id = c.tenant_id and ct.environment = c.environment
      and ct.conversation_id = c.id order by t.name) as tags`;
const joined = `join contact k on k.tenant_id = c.tenant_id and k.environment = c.environment
    and k.id = c.contact_id
  left join message m on m.tenant_id = c.tenant_id and m.environment = c.environment
    and m.id = c.last_item_id`;

/** In which order conversations are listed. */
export type ConversationOrder = 'newest' | 'longest_wait';

/** Where a list in an order is cut. */
export function listKeyOf(order: ConversationOrder): (row: ConversationRow) => string {
  return order === 'newest'
    ? ({ last_item }) => last_item
    : ({ waiting_since, id }) => `${waiting_since!.getTime()} ${id}`;
}

/** What the keys of the list of the longest waits look like. */
export const waitKeyPattern = /^\d{1,15} cnv_\w{26}$/;

/**
 * Newest message first, or longest wait. The conditions are built from the given filters, so that each
 * combination has its own plan.
 */
export function listConversations(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  filter: ConversationFilter,
  page: KeysetRange,
  order: ConversationOrder = 'newest',
): Promise<ListedRow[]> {
  const values: unknown[] = [tenantId, environment, page.rowsMax];
  const conditions = ['c.tenant_id = $1', 'c.environment = $2'];
  const add = (value: unknown, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  const reading = order === 'newest' ? newestFirst(page) : oldestFirst(page);
  const { key, comparison, order: direction } = reading;
  if (key !== null && order === 'newest') add(key, (at) => `c.last_item ${comparison} ${at}`);
  if (key !== null && order === 'longest_wait') {
    const [since, id] = key.split(' ');
    const instant = `$${values.push(new Date(Number(since)))}::timestamptz`;
    add(id, (at) => `(c.waiting_since, c.id) ${comparison} (${instant}, ${at})`);
  }
  add(filter.state, (at) => `c.state = ${at}`);
  if (filter.assigneeId === null) conditions.push('c.assignee_id is null');
  else add(filter.assigneeId, (at) => `c.assignee_id = ${at}`);
  add(filter.channel, (at) => `c.last_channel = ${at}`);
  add(filter.contactId, (at) => `c.contact_id = ${at}`);
  add(
    filter.tagId,
    (at) => `exists (select from conversation_tag ct where ct.tenant_id = $1
      and ct.environment = $2 and ct.conversation_id = c.id and ct.tag_id = ${at})`,
  );
  if (filter.isUnread) conditions.push('c.unread > 0');
  if (filter.isWaiting || order === 'longest_wait') conditions.push('c.waiting_since is not null');
  const columns = order === 'newest' ? ['c.last_item'] : ['c.waiting_since', 'c.id'];
  const sorted = columns.map((column) => `${column} ${direction}`).join(', ');
  return tx.rows(
    `select ${listed} from (select * from conversation c where ${conditions.join(' and ')}
       order by ${sorted} limit $3) c ${joined}
     order by ${sorted}`,
    values,
  );
}

export function findConversations(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<ListedRow[]> {
  return tx.rows(
    `select ${listed} from conversation c ${joined}
     where c.tenant_id = $1 and c.environment = $2 and c.id = any($3)
     order by c.last_item desc`,
    [tenantId, environment, ids],
  );
}

/** The contact of a conversation. */
export async function findContactOf(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<string | undefined> {
  const row = await tx.row<{ contact_id: string }>(
    `select contact_id from conversation
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
  return row?.contact_id;
}
