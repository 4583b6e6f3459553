import type { Channel } from '@drawbridge/messaging/message.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { type KeysetRange, oldestFirst } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';

/** The quality and tier that the network gives the app; empty if it never reported them. */
export interface AppHealth {
  readonly quality?: string | null;
  readonly tier?: string | null;
  readonly reported_at?: string;
}

export interface AppRow {
  readonly id: string;
  readonly channel: Channel;
  readonly provider: string;
  readonly name: string;
  /** Sealed JSON. */
  readonly settings: string;
  readonly allow_unsigned: boolean;
  readonly resend_unknown: boolean;
  readonly state: 'active' | 'stopped';
  readonly stopped_reason: string | null;
  readonly health: AppHealth;
  /** When a message of a person last came in, to a minute. */
  readonly last_inbound_at: Date | null;
  /** When a report last came in, to a minute. */
  readonly last_status_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, channel, provider, name, settings, allow_unsigned, resend_unknown, state,
  stopped_reason, health, last_inbound_at, last_status_at, created_at, updated_at`;

/** Fails as a duplicate when another app of the channel has the name. */
export async function insertApp(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: Omit<
    AppRow,
    'state' | 'stopped_reason' | 'health' | 'last_inbound_at' | 'last_status_at' | 'updated_at'
  >,
): Promise<void> {
  await tx.run(
    `insert into channel_app (tenant_id, environment, id, channel, provider, name, settings,
       allow_unsigned, resend_unknown, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      tenantId,
      environment,
      row.id,
      row.channel,
      row.provider,
      row.name,
      row.settings,
      row.allow_unsigned,
      row.resend_unknown,
      row.created_at,
    ],
  );
}

export function findApp(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<AppRow | undefined> {
  return tx.row(
    `select ${columns} from channel_app
     where tenant_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenantId, environment, id],
  );
}

/** The apps among these ids that exist. */
export function findApps(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<AppRow[]> {
  return tx.rows(
    `select ${columns} from channel_app
     where tenant_id = $1 and environment = $2 and id = any($3) and deleted_at is null`,
    [tenantId, environment, ids],
  );
}

/** A channel's apps, oldest first. */
export function listApps(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  channel: Channel,
  page: KeysetRange,
): Promise<AppRow[]> {
  const { key, where, order, rowsMax } = oldestFirst(page);
  return tx.rows(
    `select ${columns} from channel_app
     where tenant_id = $1 and environment = $2 and channel = $3 and deleted_at is null
       and ${where('id', '$4')}
     order by id ${order} limit $5`,
    [tenantId, environment, channel, key, rowsMax],
  );
}

export type AppChange = {
  readonly [Column in 'name' | 'settings' | 'allow_unsigned' | 'resend_unknown' | 'state']:
    | AppRow[Column]
    | null;
};

/** Changes fields that are not null; setting a state clears the reason of the previous one. */
export function updateApp(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  change: AppChange,
  now: Date,
): Promise<AppRow | undefined> {
  return tx.row(
    `update channel_app set name = coalesce($4, name), settings = coalesce($5, settings),
       allow_unsigned = coalesce($6, allow_unsigned),
       resend_unknown = coalesce($7, resend_unknown), state = coalesce($8, state),
       stopped_reason = case when $8 is null then stopped_reason end, updated_at = $9
     where tenant_id = $1 and environment = $2 and id = $3 and deleted_at is null
     returning ${columns}`,
    [
      tenantId,
      environment,
      id,
      change.name,
      change.settings,
      change.allow_unsigned,
      change.resend_unknown,
      change.state,
      now,
    ],
  );
}

/** Saves the app's health, and the settings that follow from it; null leaves them as they are. */
export async function saveHealth(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  { health, settings }: { readonly health: AppHealth; readonly settings: string | null },
  now: Date,
): Promise<void> {
  await tx.run(
    `update channel_app set health = $4, settings = coalesce($5, settings),
       updated_at = $6
     where tenant_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenantId, environment, id, JSON.stringify(health), settings, now],
  );
}

/** Records that something came in through these apps; at most once a minute each. */
export async function noteHeard(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  what: { readonly inbound: readonly string[]; readonly status: readonly string[] },
  now: Date,
): Promise<void> {
  await tx.run(
    `with heard as (
       select id, id = any($3::text[]) as wrote, id = any($4::text[]) as reported,
         $5::timestamptz as at
       from channel_app where tenant_id = $1 and environment = $2 and id = any($3 || $4)
         and (id = any($3) and coalesce(last_inbound_at, '-infinity') < $5 - interval '1 minute'
           or id = any($4) and coalesce(last_status_at, '-infinity') < $5 - interval '1 minute')
       order by id for no key update
     )
     update channel_app a set
       last_inbound_at = case when h.wrote then h.at else a.last_inbound_at end,
       last_status_at = case when h.reported then h.at else a.last_status_at end
     from heard h where a.tenant_id = $1 and a.environment = $2 and a.id = h.id`,
    [tenantId, environment, what.inbound, what.status, now],
  );
}

/** Stops the app until a person activates it; returns whether it was active. */
export async function stopApp(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const changed = await tx.run(
    `update channel_app set state = 'stopped', stopped_reason = $4, updated_at = $5
     where tenant_id = $1 and environment = $2 and id = $3 and state = 'active'`,
    [tenantId, environment, id, reason, now],
  );
  return changed === 1;
}

/** Marks the app as deleted and erases its credentials; returns how many apps it deleted. */
export function deleteApp(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  now: Date,
): Promise<number> {
  return tx.run(
    `update channel_app set deleted_at = $4, state = 'stopped', settings = ''
     where tenant_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenantId, environment, id, now],
  );
}

/** The scope of an app, for callers who do not know the tenant. */
export function findOwner(
  tx: Tx,
  appId: string,
): Promise<{ readonly tenant_id: string; readonly environment: Environment } | undefined> {
  return tx.row('select tenant_id, environment from owner_of_app($1)', [appId]);
}

export interface SandboxApp {
  readonly tenant_id: string;
  readonly id: string;
}

/** The sandbox's apps with these providers, of all tenants, after this one. */
export function listSandboxApps(
  tx: Tx,
  providers: readonly string[],
  after: SandboxApp,
  limit: number,
): Promise<SandboxApp[]> {
  return tx.rows('select tenant_id, id from sandbox_apps($1, $2, $3, $4)', [
    providers,
    after.tenant_id,
    after.id,
    limit,
  ]);
}
