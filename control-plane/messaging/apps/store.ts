import type { Channel } from '@drawbridge/messaging/message.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Place } from '../contacts/store.ts';

/** What the network thinks of it; empty where it never said. */
export interface AppStanding {
  readonly quality?: string | null;
  readonly tier?: string | null;
  readonly told_at?: string;
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
  readonly standing: AppStanding;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, channel, provider, name, settings, allow_unsigned, resend_unknown, state,
  stopped_reason, standing, created_at, updated_at`;

/** Fails as a duplicate when another app of the channel has the name. */
export async function insertApp(
  tx: Tx,
  { tenantId, environment }: Place,
  row: Omit<AppRow, 'state' | 'stopped_reason' | 'standing' | 'updated_at'>,
): Promise<void> {
  await tx.run(
    `insert into channel_app (tenant_id, environment, id, channel, provider, name, settings,
       allow_unsigned, resend_unknown, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      ...[tenantId, environment, row.id, row.channel, row.provider, row.name, row.settings],
      ...[row.allow_unsigned, row.resend_unknown, row.created_at],
    ],
  );
}

export function findApp(
  tx: Tx,
  { tenantId, environment }: Place,
  id: string,
): Promise<AppRow | undefined> {
  return tx.row(
    `select ${columns} from channel_app
     where tenant_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenantId, environment, id],
  );
}

/** Those of the apps that are there. */
export function findApps(
  tx: Tx,
  { tenantId, environment }: Place,
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
  { tenantId, environment }: Place,
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

/** Changes what is not null; a state that is set clears the reason for the one before. */
export function updateApp(
  tx: Tx,
  { tenantId, environment }: Place,
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
      ...[tenantId, environment, id, change.name, change.settings, change.allow_unsigned],
      ...[change.resend_unknown, change.state, now],
    ],
  );
}

/** Writes down what the network thinks, and the settings that follow from it; null: they stay. */
export async function setStanding(
  tx: Tx,
  { tenantId, environment }: Place,
  id: string,
  { standing, settings }: { readonly standing: AppStanding; readonly settings: string | null },
  now: Date,
): Promise<void> {
  await tx.run(
    `update channel_app set standing = $4, settings = coalesce($5, settings),
       updated_at = $6
     where tenant_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenantId, environment, id, JSON.stringify(standing), settings, now],
  );
}

/** Sends nothing through it until a person has looked; answers whether it was active. */
export async function stopApp(
  tx: Tx,
  { tenantId, environment }: Place,
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

/** Hides it and erases its credentials; answers how many there were. */
export function deleteApp(
  tx: Tx,
  { tenantId, environment }: Place,
  id: string,
  now: Date,
): Promise<number> {
  return tx.run(
    `update channel_app set deleted_at = $4, state = 'stopped', settings = ''
     where tenant_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenantId, environment, id, now],
  );
}

/** Whose app it is, for a caller who can say no tenant. */
export function findOwner(
  tx: Tx,
  appId: string,
): Promise<{ readonly tenant_id: string; readonly environment: Environment } | undefined> {
  return tx.row('select tenant_id, environment from owner_of_app($1)', [appId]);
}
