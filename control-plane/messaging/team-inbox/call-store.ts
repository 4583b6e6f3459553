import type { ConversationState } from '@drawbridge/messaging/inbox/conversation.ts';
import { insertMany } from '../../platform/db/insert.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Place } from '../contacts/store.ts';

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

export async function insertCalls(tx: Tx, place: Place, rows: readonly CallRow[]): Promise<void> {
  const { tenantId: tenant_id, environment } = place;
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
  /** Null: nobody's. */
  readonly assigneeId?: string | null | undefined;
  readonly state?: ConversationState | undefined;
  /** Items below this one. */
  readonly below?: string | undefined;
  /** Items from this one on. */
  readonly from?: string | undefined;
}

/** Newest first; conditions are put together from the filters that are given. */
export function listCalls(
  tx: Tx,
  { tenantId, environment }: Place,
  { contactId, assigneeId, state, below, from }: CallFilter,
  limit: number,
): Promise<ListedCallRow[]> {
  const values: unknown[] = [tenantId, environment];
  const conditions = ['m.tenant_id = $1', 'm.environment = $2'];
  const add = (value: unknown, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  add(contactId, (at) => `m.contact_id = ${at}`);
  if (assigneeId === null) conditions.push('c.id is not null and c.assignee_id is null');
  else add(assigneeId, (at) => `c.assignee_id = ${at}`);
  add(state, (at) => `c.state = ${at}`);
  add(below, (at) => `m.item < ${at}`);
  add(from, (at) => `m.item >= ${at}`);
  return tx.rows(
    `select ${Object.keys(types).map((name) => `m.${name}`)}, c.id as conversation_id,
       k.name as contact_name, k.phone as contact_phone
     from inbox_call m
     left join conversation c on c.tenant_id = $1 and c.environment = $2
       and c.contact_id = m.contact_id
     left join contact k on k.tenant_id = $1 and k.environment = $2 and k.id = m.contact_id
     where ${conditions.join(' and ')}
     order by m.item desc limit $${values.push(limit)}`,
    values,
  );
}
