import type { ConversationState } from '@drawbridge/messaging/inbox/conversation.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { insertMany } from '../../../platform/db/insert.ts';
import type { KeysetReading } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface CallRow {
  readonly id: string;
  readonly contact_id: string;
  readonly direction: 'in' | 'out';
  readonly status: string;
  readonly duration_seconds: number | null;
  readonly author: string | null;
  /** The id without its prefix. */
  readonly item: string;
  readonly created_at: Date;
}

const types = {
  id: 'text',
  contact_id: 'text',
  direction: 'text',
  status: 'text',
  duration_seconds: 'int',
  author: 'text',
  item: 'text',
  created_at: 'timestamptz',
} as const;

export async function insertCalls(
  tx: Tx,
  scope: TenantScope,
  rows: readonly CallRow[],
): Promise<void> {
  const { tenantId: tenant_id, environment } = scope;
  const placed = rows.map((row) => ({ tenant_id, environment, ...row }));
  const all = { tenant_id: 'uuid', environment: 'text', ...types } as const;
  await insertMany(tx, 'inbox_call', all, placed);
}

export interface ListedCallRow extends CallRow {
  readonly conversation_id: string | null;
  readonly contact_name: string | null;
  readonly contact_phone: string | null;
}

export interface CallFilter {
  readonly contactId?: string | undefined;
  /** Null: unassigned. */
  readonly assigneeId?: string | null | undefined;
  readonly state?: ConversationState | undefined;
  /** Items below this one. */
  readonly below?: string | undefined;
  /** Items from this one on. */
  readonly from?: string | undefined;
}

/**
 * For more conversations than this, the first calls are searched for those of the conversations.
 */
const fewMax = 1_000;

/**
 * The conditions are built from the given filters. For few conversations, the first calls of each are
 * read: a search among all calls would take too long.
 */
export async function listCalls(
  tx: Tx,
  scope: TenantScope,
  filter: CallFilter,
  { order, rowsMax }: Pick<KeysetReading, 'order' | 'rowsMax'>,
): Promise<ListedCallRow[]> {
  const { contactId, below, from } = filter;
  const values: unknown[] = [scope.tenantId, scope.environment];
  const theirs = ofConversations(filter, values);
  const bounds = ['m.tenant_id = $1', 'm.environment = $2'];
  const add = (value: unknown, condition: (at: string) => string) => {
    if (value !== undefined) bounds.push(condition(`$${values.push(value)}`));
  };
  const isFew =
    contactId === undefined && theirs.length > 0 && (await areFew(tx, [...values], theirs));
  add(contactId, (at) => `m.contact_id = ${at}`);
  add(below, (at) => `m.item < ${at}`);
  add(from, (at) => `m.item >= ${at}`);
  const first = `order by m.item ${order} limit $${values.push(rowsMax)}`;
  const conversations = ['c.tenant_id = $1', 'c.environment = $2', ...theirs].join(' and ');
  const calls = isFew
    ? `conversation c cross join lateral (select m.* from inbox_call m
         where ${bounds.join(' and ')} and m.contact_id = c.contact_id ${first}) m`
    : `inbox_call m left join conversation c on c.tenant_id = $1 and c.environment = $2
         and c.contact_id = m.contact_id`;
  const wanted = isFew ? conversations : [...bounds, ...theirs].join(' and ');
  return tx.rows(
    `select ${Object.keys(types).map((name) => `m.${name}`)}, c.id as conversation_id,
       k.name as contact_name, k.phone as contact_phone
     from ${calls}
     left join contact k on k.tenant_id = $1 and k.environment = $2 and k.id = m.contact_id
     where ${wanted} ${first}`,
    values,
  );
}

/** Adds conditions on `c`; their values are appended to `values`. */
function ofConversations({ assigneeId, state }: CallFilter, values: unknown[]): string[] {
  const theirs: string[] = [];
  if (assigneeId === null) theirs.push('c.id is not null', 'c.assignee_id is null');
  else if (assigneeId !== undefined) theirs.push(`c.assignee_id = $${values.push(assigneeId)}`);
  if (state !== undefined) theirs.push(`c.state = $${values.push(state)}`);
  return theirs;
}

async function areFew(tx: Tx, values: unknown[], theirs: readonly string[]): Promise<boolean> {
  const row = await tx.row<{ count: number }>(
    `select count(*)::int from (select from conversation c
       where c.tenant_id = $1 and c.environment = $2 and ${theirs.join(' and ')}
       limit $${values.push(fewMax + 1)}) c`,
    values,
  );
  return row!.count <= fewMax;
}
