/** Broadcasts of one tenant and environment. Their messages are in message-store.ts. */
import type { BroadcastState } from '@drawbridge/messaging/broadcast/states.ts';
import type { Variables } from '@drawbridge/messaging/broadcast/variables.ts';
import type { Channel } from '@drawbridge/messaging/message.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';

export interface BroadcastRow {
  readonly id: string;
  readonly channel: Channel;
  readonly app_id: string;
  readonly template_id: string;
  readonly template: string;
  readonly language: string;
  /** Null, as the name: of a test, or of a resend. */
  readonly segment_id: string | null;
  readonly segment: string | null;
  /** The broadcast whose messages in these statuses are sent again. */
  readonly resend_of: string | null;
  readonly resend_statuses: readonly string[] | null;
  /** The contacts to whom a test goes. */
  readonly test_contacts: readonly string[] | null;
  readonly variables: Variables;
  readonly time_zone: string;
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  readonly require_consent: boolean;
  readonly track_urls: boolean;
  readonly schedule_at: Date;
  readonly state: BroadcastState;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly recipients: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly cost: string | null;
  readonly currency: string | null;
  readonly zones: readonly string[];
  readonly author: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

const columns = `id, channel, app_id, template_id, template, language, segment_id, segment,
  resend_of, resend_statuses, test_contacts, variables, time_zone, quiet_from, quiet_to, require_consent, track_urls, schedule_at, state,
  reason, detail, recipients, skipped, trim_scale(cost)::text as cost, currency, zones, author,
  created_at, updated_at, started_at, finished_at`;

/** A broadcast without its results. */
export type NewBroadcast = Omit<
  BroadcastRow,
  | 'state'
  | 'reason'
  | 'detail'
  | 'recipients'
  | 'skipped'
  | 'cost'
  | 'currency'
  | 'zones'
  | 'updated_at'
  | 'started_at'
  | 'finished_at'
>;

export function insertBroadcast(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: NewBroadcast,
): Promise<number> {
  return tx.run(
    `insert into broadcast (tenant_id, environment, id, channel, app_id, template_id, template,
       language, segment_id, segment, variables, time_zone, quiet_from, quiet_to, require_consent,
       track_urls, schedule_at, state, author, created_at, updated_at, resend_of, resend_statuses,
       test_contacts)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 'queued',
       $18, $19, $19, $20, $21, $22)`,
    [
      tenantId,
      environment,
      row.id,
      row.channel,
      row.app_id,
      row.template_id,
      row.template,
      row.language,
      row.segment_id,
      row.segment,
      JSON.stringify(row.variables),
      row.time_zone,
      row.quiet_from,
      row.quiet_to,
      row.require_consent,
      row.track_urls,
      row.schedule_at,
      row.author,
      row.created_at,
      row.resend_of,
      row.resend_statuses && JSON.stringify(row.resend_statuses),
      row.test_contacts && JSON.stringify(row.test_contacts),
    ],
  );
}

export function findBroadcast(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<BroadcastRow | undefined> {
  return tx.row(
    `select ${columns} from broadcast where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** The resends of a broadcast that were not canceled and did not fail. */
export function listResends(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<{ readonly id: string; readonly resend_statuses: readonly string[] }[]> {
  return tx.rows(
    `select id, resend_statuses from broadcast
     where tenant_id = $1 and environment = $2 and resend_of = $3
       and state not in ('canceled', 'failed')`,
    [tenantId, environment, id],
  );
}

/**
 * Locks the broadcast until the transaction ends. Without patience it fails at once with the fault
 * `timeout` when another transaction has the lock.
 */
export function lockBroadcast(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  { isPatient } = { isPatient: false },
): Promise<BroadcastRow | undefined> {
  const lock = `for no key update ${isPatient ? '' : 'nowait'}`;
  return tx.row(
    `select ${columns} from broadcast
     where tenant_id = $1 and environment = $2 and id = $3 ${lock}`,
    [tenantId, environment, id],
  );
}

/**
 * The same for a command, which waits for the commands before it. Of a broadcast whose audience is not
 * fixed yet it fails after `commandWaitMs` with the fault `timeout`: fixing it may take a minute.
 */
export async function lockForCommand(
  tx: Tx,
  scope: TenantScope,
  id: string,
): Promise<BroadcastRow | undefined> {
  const seen = await findBroadcast(tx, scope, id);
  if (seen?.state !== 'queued') return lockBroadcast(tx, scope, id, { isPatient: true });
  await tx.run(`set local lock_timeout = ${commandWaitMs}`);
  const row = await lockBroadcast(tx, scope, id, { isPatient: true });
  await tx.run('set local lock_timeout to default');
  return row;
}

const commandWaitMs = 2_000;

/**
 * Lets no audience be fixed until the transaction ends, and waits for those that are being fixed; fails after
 * `commandWaitMs` with the fault `timeout`.
 */
export async function holdAudiences(tx: Tx, { tenantId, environment }: TenantScope): Promise<void> {
  await tx.run(`set local lock_timeout = ${commandWaitMs}`);
  await tx.rows(
    `select from broadcast where tenant_id = $1 and environment = $2 and state = 'queued'
     order by id for share`,
    [tenantId, environment],
  );
  await tx.run('set local lock_timeout to default');
}

export interface BroadcastFilter {
  readonly channel: string | null;
  readonly state: string | null;
}

/** Newest first. */
export function listBroadcasts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { channel, state }: BroadcastFilter,
  page: KeysetRange,
): Promise<BroadcastRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${columns} from broadcast where tenant_id = $1 and environment = $2
       and ($3::text is null or channel = $3) and ($4::text is null or state = $4)
       and ${where('id', '$5')} order by id ${order} limit $6`,
    [tenantId, environment, channel, state, key, rowsMax],
  );
}

export interface StateChange {
  readonly state: BroadcastState;
  readonly reason: string | null;
  readonly detail: string | null;
}

/** Sets the state; a final state also sets the end. */
export function setState(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  { state, reason, detail }: StateChange,
  now: Date,
): Promise<BroadcastRow | undefined> {
  return tx.row(
    `update broadcast set state = $4, reason = $5, detail = $6, updated_at = $7,
       finished_at = case when $4 in ('completed', 'failed', 'canceled') then $7::timestamptz end
     where tenant_id = $1 and environment = $2 and id = $3 returning ${columns}`,
    [tenantId, environment, id, state, reason, detail, now],
  );
}

export function setSchedule(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  scheduleAt: Date,
  now: Date,
): Promise<BroadcastRow | undefined> {
  return tx.row(
    `update broadcast set schedule_at = $4, updated_at = $5
     where tenant_id = $1 and environment = $2 and id = $3 returning ${columns}`,
    [tenantId, environment, id, scheduleAt, now],
  );
}

/** The results of fixing the audience. */
export interface Audience {
  readonly recipients: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly cost: string | null;
  readonly currency: string | null;
  readonly zones: readonly string[];
}

/** Stores the audience, and sets the broadcast running. */
export function setAudience(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  { recipients, skipped, cost, currency, zones }: Audience,
  now: Date,
): Promise<BroadcastRow | undefined> {
  return tx.row(
    `update broadcast set state = 'running', recipients = $4, skipped = $5, cost = $6,
       currency = $7, zones = $8, started_at = $9, updated_at = $9
     where tenant_id = $1 and environment = $2 and id = $3 returning ${columns}`,
    [
      tenantId,
      environment,
      id,
      recipients,
      JSON.stringify(skipped),
      cost,
      currency,
      JSON.stringify(zones),
      now,
    ],
  );
}

/** The messages a second agreed with the tenant; undefined when none were. */
export async function findAgreedRate(tx: Tx, tenantId: string): Promise<number | undefined> {
  const row = await tx.row<{ rate: number | null }>(
    `select (limits->>'broadcast')::int as rate from tenant where id = $1`,
    [tenantId],
  );
  return row?.rate ?? undefined;
}
