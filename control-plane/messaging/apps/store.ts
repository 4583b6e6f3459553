import type { Channel } from '@drawbridge/messaging/message.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
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
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, channel, provider, name, settings, allow_unsigned, resend_unknown, state,
  stopped_reason, health, created_at, updated_at`;

/** Fails as a duplicate when another app of the channel has the name. */
export async function insertApp(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: Omit<AppRow, 'state' | 'stopped_reason' | 'health' | 'updated_at'>,
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
  page: { readonly after: string; readonly limit: number },
): Promise<AppRow[]> {
  return tx.rows(
    `select ${columns} from channel_app
     where tenant_id = $1 and environment = $2 and channel = $3 and deleted_at is null and id > $4
     order by id limit $5`,
    [tenantId, environment, channel, page.after, page.limit],
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
