import type { FlowState } from '@drawbridge/messaging/call-flow/machine.ts';
import type { CallStatus } from '@drawbridge/messaging/call-status.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { insertMany } from '../../../platform/db/insert.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { CallRateTerms } from '../rates/price.ts';

/** The stored state of a call's flow, and the last document that was served. */
export interface StoredFlow {
  readonly state: FlowState;
  /** The last document and the question it answered; a repeated question gets it again. */
  readonly served?: { readonly key: string; readonly document: string; readonly type: string };
}

export interface CallRow {
  readonly id: string;
  readonly provider_id: string;
  readonly template_id: string;
  /** The version of the template's flow that the call plays. */
  readonly template_version: number;
  readonly to_number: string;
  readonly from_number: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly is_recorded: boolean;
  readonly machine_detection: 'off' | 'continue' | 'hangup';
  readonly limit_seconds: number;
  readonly status: CallStatus;
  readonly intent: 'waiting' | 'asked' | 'placed' | 'unknown' | 'refused';
  readonly asked_at: Date | null;
  readonly request_id: string | null;
  readonly provider_call_id: string | null;
  readonly answered_by: 'human' | 'machine' | null;
  readonly hangup_cause: string | null;
  readonly error_code: string | null;
  readonly error_detail: string | null;
  readonly flow_state: StoredFlow;
  readonly hangup_asked: boolean;
  readonly rate: CallRateTerms;
  readonly currency: string;
  /** The hold for the call and its legs. */
  readonly reserved: string;
  /** The part of the hold for the legs that the flow dials. */
  readonly legs_reserved: string;
  readonly duration_seconds: number | null;
  readonly billed_seconds: number | null;
  /** The cost of the call and its legs. */
  readonly cost: string | null;
  /** The part of the cost for legs; it may be known before the cost of the call itself. */
  readonly legs_cost: string;
  /** How many legs are not known to have ended. */
  readonly legs_open: number;
  readonly created_at: Date;
  readonly rang_at: Date | null;
  readonly answered_at: Date | null;
  readonly ended_at: Date | null;
}

const columns = `id, provider_id, template_id, template_version, to_number, from_number, variables,
  is_recorded, machine_detection, limit_seconds, status, intent, asked_at, request_id, provider_call_id,
  answered_by, hangup_cause, error_code, error_detail, flow_state, hangup_asked, rate, currency,
  trim_scale(reserved)::text as reserved, trim_scale(legs_reserved)::text as legs_reserved,
  duration_seconds, billed_seconds, trim_scale(cost)::text as cost,
  trim_scale(legs_cost)::text as legs_cost, legs_open, created_at, rang_at, answered_at, ended_at`;

export type NewCall = Pick<
  CallRow,
  | 'id'
  | 'provider_id'
  | 'template_id'
  | 'template_version'
  | 'to_number'
  | 'from_number'
  | 'variables'
  | 'is_recorded'
  | 'machine_detection'
  | 'limit_seconds'
  | 'flow_state'
  | 'rate'
  | 'currency'
  | 'reserved'
  | 'legs_reserved'
  | 'created_at'
>;

const inserted = {
  id: 'text',
  tenant_id: 'uuid',
  environment: 'text',
  provider_id: 'text',
  template_id: 'text',
  template_version: 'int',
  to_number: 'text',
  from_number: 'text',
  variables: 'jsonb',
  is_recorded: 'boolean',
  machine_detection: 'text',
  limit_seconds: 'int',
  status: 'text',
  flow_state: 'jsonb',
  rate: 'jsonb',
  currency: 'text',
  reserved: 'numeric',
  legs_reserved: 'numeric',
  created_at: 'timestamptz',
} as const;

/** Returns the new calls, in any order. */
export function insertCalls(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  calls: readonly NewCall[],
): Promise<CallRow[]> {
  const rows = calls.map((call) => {
    return { ...call, tenant_id: tenantId, environment, status: 'queued' };
  });
  return insertMany(tx, 'voice_call', inserted, rows, `returning ${columns}`);
}

export function findCall(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<CallRow | undefined> {
  return tx.row(
    `select ${columns} from voice_call where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** Locks the call until the transaction ends. */
export function lockCall(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<CallRow | undefined> {
  return tx.row(
    `select ${columns} from voice_call where tenant_id = $1 and environment = $2 and id = $3
     for no key update`,
    [tenantId, environment, id],
  );
}

export function findCalls(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<CallRow[]> {
  return tx.rows(
    `select ${columns} from voice_call
     where tenant_id = $1 and environment = $2 and id = any($3)`,
    [tenantId, environment, ids],
  );
}

/** Marks waiting calls as about to be placed; returns those that were still waiting. */
export function saveIntents(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
  now: Date,
): Promise<CallRow[]> {
  return tx.rows(
    `update voice_call set intent = 'asked', asked_at = $4
     where tenant_id = $1 and environment = $2 and id = any($3) and intent = 'waiting'
     returning ${columns}`,
    [tenantId, environment, ids, now],
  );
}

/** Saves the provider's request id of each placed call; returns the calls. */
export function savePlacedCalls(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  placed: readonly { readonly id: string; readonly requestId: string }[],
): Promise<CallRow[]> {
  return tx.rows(
    `update voice_call set intent = 'placed', request_id = p.name
     from unnest($3::text[], $4::text[]) as p (call_id, name)
     where tenant_id = $1 and environment = $2 and id = p.call_id returning ${columns}`,
    [tenantId, environment, placed.map(({ id }) => id), placed.map(({ requestId }) => requestId)],
  );
}

export interface CallFilter {
  readonly status?: string | undefined;
  readonly to?: string | undefined;
  readonly providerId?: string | undefined;
  /** Ids from this one on. */
  readonly fromId?: string | undefined;
  /** Ids before this one. */
  readonly untilId?: string | undefined;
}

/** Newest first. */
export function listCalls(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  filter: CallFilter,
  page: KeysetRange,
): Promise<CallRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${columns} from voice_call where tenant_id = $1 and environment = $2
       and ($3::text is null or status = $3) and ($4::text is null or to_number = $4)
       and ($5::text is null or provider_id = $5) and ($6::text is null or id >= $6)
       and ($7::text is null or id < $7) and ${where('id', '$8')}
     order by id ${order} limit $9`,
    [
      tenantId,
      environment,
      filter.status,
      filter.to,
      filter.providerId,
      filter.fromId,
      filter.untilId,
      key,
      rowsMax,
    ],
  );
}

export type CallProgress = Pick<
  CallRow,
  | 'status'
  | 'intent'
  | 'asked_at'
  | 'request_id'
  | 'provider_call_id'
  | 'answered_by'
  | 'hangup_cause'
  | 'error_code'
  | 'error_detail'
  | 'hangup_asked'
  | 'duration_seconds'
  | 'billed_seconds'
  | 'cost'
  | 'rang_at'
  | 'answered_at'
  | 'ended_at'
>;

/** Saves the progress of the call; its row must be locked. */
export async function updateCall(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  row: CallProgress,
): Promise<void> {
  await tx.run(
    `update voice_call set status = $4, intent = $5, asked_at = $6, request_id = $7,
       provider_call_id = $8, answered_by = $9, hangup_cause = $10, error_code = $11,
       error_detail = $12, hangup_asked = $13, duration_seconds = $14, billed_seconds = $15,
       cost = $16, rang_at = $17, answered_at = $18, ended_at = $19
     where tenant_id = $1 and environment = $2 and id = $3`,
    [
      tenantId,
      environment,
      id,
      row.status,
      row.intent,
      row.asked_at,
      row.request_id,
      row.provider_call_id,
      row.answered_by,
      row.hangup_cause,
      row.error_code,
      row.error_detail,
      row.hangup_asked,
      row.duration_seconds,
      row.billed_seconds,
      row.cost,
      row.rang_at,
      row.answered_at,
      row.ended_at,
    ],
  );
}

/** Saves the state of the call's flow; the call's row must be locked. */
export async function updateFlow(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  flow: StoredFlow,
): Promise<void> {
  await tx.run(
    `update voice_call set flow_state = $4
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id, JSON.stringify(flow)],
  );
}

/** The provider's ids among these that already belong to calls. */
export async function knownCallIds(
  tx: Tx,
  tenantId: string,
  providerId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ id: string }>(
    `select provider_call_id as id from voice_call
     where tenant_id = $1 and provider_id = $2 and provider_call_id = any($3)
     union select request_id from voice_call
     where tenant_id = $1 and provider_id = $2 and request_id = any($3)`,
    [tenantId, providerId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export const eventKinds = [
  'ringing',
  'answered',
  'dtmf',
  'transfer',
  'recording',
  'hangup',
  'leg',
] as const;
export type CallEventKind = (typeof eventKinds)[number];

export interface CallEventRow {
  readonly id: string;
  readonly call_id: string;
  readonly kind: CallEventKind;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** False when the event was reported before: `once` identifies it within the call. */
export async function insertCallEvent(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: CallEventRow & { readonly once: string },
): Promise<boolean> {
  const added = await tx.run(
    `insert into voice_call_event (id, tenant_id, environment, call_id, kind, once, data, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (tenant_id, call_id, once) do nothing`,
    [
      row.id,
      tenantId,
      environment,
      row.call_id,
      row.kind,
      row.once,
      JSON.stringify(row.data),
      row.at,
    ],
  );
  return added === 1;
}

/** Newest first; a null filter matches everything. */
export function listCallEvents(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  filter: { callId: string | null; kind: string | null },
  page: KeysetRange,
): Promise<CallEventRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select id, call_id, kind, data, at from voice_call_event
     where tenant_id = $1 and environment = $2 and ($3::text is null or call_id = $3)
       and ($4::text is null or kind = $4) and ${where('id', '$5')}
     order by id ${order} limit $6`,
    [tenantId, environment, filter.callId, filter.kind, key, rowsMax],
  );
}
