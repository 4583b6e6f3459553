/** The past of conversations: openings, waits for an answer, and history entries. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { columnArrays, insertMany, unnest } from '../../../platform/db/insert.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

const scopeTypes = { tenant_id: 'uuid', environment: 'text' } as const;
const scoped = <Row>({ tenantId, environment }: TenantScope, rows: readonly Row[]) =>
  rows.map((row) => ({ tenant_id: tenantId, environment, ...row }));

export interface OpeningRow {
  readonly conversation_id: string;
  readonly opening: number;
  readonly opened_at: Date;
  readonly opened_by: string | null;
}

export async function insertOpenings(
  tx: Tx,
  scope: TenantScope,
  rows: readonly OpeningRow[],
): Promise<void> {
  const columns = { conversation_id: 'text', opening: 'int', opened_at: 'timestamptz' } as const;
  const types = { ...scopeTypes, ...columns, opened_by: 'text' } as const;
  await insertMany(tx, 'conversation_opening', types, scoped(scope, rows));
}

export interface OpeningEnd {
  readonly conversation_id: string;
  readonly opening: number;
  readonly closed_at: Date;
  readonly closed_by: string;
}

export async function endOpenings(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  rows: readonly OpeningEnd[],
): Promise<void> {
  if (rows.length === 0) return;
  const ends = { conversation_id: 'text', opening: 'int', closed_at: 'timestamptz' } as const;
  const types = { ...ends, closed_by: 'text' } as const;
  await tx.run(
    `update conversation_opening o set closed_at = e.closed_at, closed_by = e.closed_by
     from ${unnest(Object.values(types))} as e (${Object.keys(types)})
     where o.tenant_id = $5 and o.environment = $6 and o.conversation_id = e.conversation_id
       and o.opening = e.opening`,
    [...columnArrays(types, rows), tenantId, environment],
  );
}

export interface WaitRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly opening: number;
  readonly is_first: boolean;
  readonly channel: string;
  readonly asked_at: Date;
  readonly due_at: Date | null;
}

const waitTypes = {
  id: 'text',
  conversation_id: 'text',
  opening: 'int',
  is_first: 'boolean',
  channel: 'text',
  asked_at: 'timestamptz',
  due_at: 'timestamptz',
} as const;

export async function insertWaits(
  tx: Tx,
  scope: TenantScope,
  rows: readonly WaitRow[],
): Promise<void> {
  const types = { ...scopeTypes, ...waitTypes };
  await insertMany(tx, 'conversation_response', types, scoped(scope, rows));
}

export interface WaitEnd {
  readonly conversation_id: string;
  readonly ended_at: Date;
  readonly is_answered: boolean;
  readonly answered_by: string | null;
  readonly business_seconds: number;
}

/** Ends the open wait of each conversation; there is at most one. */
export async function endWaits(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  rows: readonly WaitEnd[],
): Promise<void> {
  if (rows.length === 0) return;
  const ends = {
    conversation_id: 'text',
    ended_at: 'timestamptz',
    is_answered: 'boolean',
  } as const;
  const types = { ...ends, answered_by: 'text', business_seconds: 'int' } as const;
  await tx.run(
    `update conversation_response r set ended_at = greatest(e.ended_at, r.asked_at),
       is_answered = e.is_answered, answered_by = e.answered_by,
       business_seconds = e.business_seconds
     from ${unnest(Object.values(types))} as e (${Object.keys(types)})
     where r.tenant_id = $6 and r.environment = $7 and r.conversation_id = e.conversation_id
       and r.ended_at is null`,
    [...columnArrays(types, rows), tenantId, environment],
  );
}

export interface HistoryRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly type: string;
  readonly actor: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
}

const historyTypes = {
  id: 'text',
  conversation_id: 'text',
  type: 'text',
  actor: 'text',
  data: 'jsonb',
  created_at: 'timestamptz',
} as const;

export async function insertHistory(
  tx: Tx,
  scope: TenantScope,
  rows: readonly HistoryRow[],
): Promise<void> {
  const types = { ...scopeTypes, ...historyTypes };
  await insertMany(tx, 'conversation_event', types, scoped(scope, rows));
}

/** Newest first. */
export function listHistory(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  conversationId: string,
  page: KeysetRange,
): Promise<HistoryRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${Object.keys(historyTypes)} from conversation_event
     where tenant_id = $1 and environment = $2 and conversation_id = $3
       and ${where('id', '$4')} order by id ${order} limit $5`,
    [tenantId, environment, conversationId, key, rowsMax],
  );
}
