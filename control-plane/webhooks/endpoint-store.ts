/** Endpoints of one tenant: where its events are sent. */
import type { Breaker } from '@drawbridge/webhooks/breaker.ts';
import type { Service } from '@drawbridge/webhooks/events.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { type KeysetRange, oldestFirst } from '../platform/db/keyset.ts';
import type { Tx } from '../platform/db/tx.ts';
import { dueChannel } from './store.ts';

export interface EndpointRow {
  readonly id: string;
  readonly service: Service;
  readonly environment: Environment | null;
  readonly url: string;
  readonly event_types: string[];
  readonly description: string;
  readonly state: 'active' | 'degraded' | 'disabled';
  readonly disabled_reason: 'requested' | 'gone' | 'failing' | null;
  readonly secrets: SecretRow[];
  readonly breaker: Breaker;
  readonly failing_since: Date | null;
  readonly rate: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** One secret of an endpoint; `expires_at` (ISO 8601) is set once a newer one has replaced it. */
export interface SecretRow {
  readonly id: string;
  readonly sealed: string;
  readonly created_at: string;
  readonly expires_at: string | null;
}

export interface NewEndpoint {
  readonly id: string;
  readonly service: Service;
  readonly environment: Environment | null;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly description: string;
  readonly secrets: readonly SecretRow[];
  readonly created_at: Date;
}

/** The changes of an endpoint; null leaves a column as it is. */
export interface EndpointChange {
  readonly url: string | null;
  readonly event_types: readonly string[] | null;
  readonly description: string | null;
  readonly state: 'active' | 'disabled' | null;
}

const endpointColumns = `id, service, environment, url, event_types, description, state,
  disabled_reason, secrets, breaker, failing_since, rate, created_at, updated_at`;

export async function addEndpoint(
  tx: Tx,
  tenantId: string,
  endpoint: NewEndpoint,
): Promise<EndpointRow> {
  const row = await tx.row<EndpointRow>(
    `insert into webhook_endpoint (tenant_id, id, service, environment, url, event_types,
       description, secrets, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning ${endpointColumns}`,
    [
      tenantId,
      endpoint.id,
      endpoint.service,
      endpoint.environment,
      endpoint.url,
      endpoint.event_types,
      endpoint.description,
      JSON.stringify(endpoint.secrets),
      endpoint.created_at,
    ],
  );
  return row!;
}

/** How many there are; until this transaction ends nobody else counts, and so nobody adds one. */
export async function countEndpoints(tx: Tx, tenantId: string, service: Service): Promise<number> {
  await tx.run(`select pg_advisory_xact_lock(hashtextextended('webhook_endpoint ' || $1, 0))`, [
    tenantId,
  ]);
  const row = await tx.row<{ count: number }>(
    `select count(*) from webhook_endpoint
     where tenant_id = $1 and service = $2 and deleted_at is null`,
    [tenantId, service],
  );
  return row!.count;
}

/** Oldest first; of one environment, unless it is null. */
export function listEndpoints(
  tx: Tx,
  tenantId: string,
  service: Service,
  environment: Environment | null,
  page: KeysetRange,
): Promise<EndpointRow[]> {
  const { key, where, order, rowsMax } = oldestFirst(page);
  return tx.rows(
    `select ${endpointColumns} from webhook_endpoint
     where tenant_id = $1 and service = $2 and ${where('id', '$3')} and deleted_at is null
       and ($5::text is null or environment = $5)
     order by id ${order} limit $4`,
    [tenantId, service, key, rowsMax, environment],
  );
}

export function findEndpoint(
  tx: Tx,
  tenantId: string,
  service: Service,
  id: string,
): Promise<EndpointRow | undefined> {
  return tx.row(
    `select ${endpointColumns} from webhook_endpoint
     where tenant_id = $1 and service = $2 and id = $3 and deleted_at is null`,
    [tenantId, service, id],
  );
}

/** Tells the nodes, if this transaction commits, that the endpoint has work. */
export function tellDue(tx: Tx, tenantId: string, id: string): Promise<number> {
  return tx.run(
    `select pg_notify('${dueChannel}', id) from webhook_endpoint where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
}

/** Whether the endpoint is there, of whichever service. */
export async function isEndpoint(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const sql =
    'select from webhook_endpoint where tenant_id = $1 and id = $2 and deleted_at is null';
  return (await tx.row(sql, [tenantId, id])) !== undefined;
}

/** As `findEndpoint`, and locks the row until the transaction ends. */
export function lockEndpoint(
  tx: Tx,
  tenantId: string,
  service: Service,
  id: string,
): Promise<EndpointRow | undefined> {
  return tx.row(
    `select ${endpointColumns} from webhook_endpoint
     where tenant_id = $1 and service = $2 and id = $3 and deleted_at is null for no key update`,
    [tenantId, service, id],
  );
}

/** Changes an endpoint. Setting it active resets its failures and releases held deliveries. */
export function changeEndpoint(
  tx: Tx,
  tenantId: string,
  id: string,
  change: EndpointChange,
): Promise<EndpointRow | undefined> {
  return tx.row(
    `with changed as (
       update webhook_endpoint set url = coalesce($3, url),
         event_types = coalesce($4, event_types), description = coalesce($5, description),
         state = coalesce($6, state),
         disabled_reason = case $6 when 'disabled' then 'requested' when 'active' then null
           else disabled_reason end,
         breaker = case when $6 = 'active'
           then '{"state":"closed","probeAtMs":0,"samples":[]}' else breaker end,
         failing_since = case when $6 = 'active' then null else failing_since end,
         updated_at = now()
       where tenant_id = $1 and id = $2 and deleted_at is null
       returning ${endpointColumns}
     )
     select changed.*, pg_notify('${dueChannel}', id) from changed`,
    [tenantId, id, change.url, change.event_types, change.description, change.state],
  );
}

export function setSecrets(
  tx: Tx,
  tenantId: string,
  id: string,
  secrets: readonly SecretRow[],
): Promise<EndpointRow | undefined> {
  return tx.row(
    `with changed as (
       update webhook_endpoint set secrets = $3, updated_at = now()
       where tenant_id = $1 and id = $2 and deleted_at is null returning ${endpointColumns}
     )
     select changed.*, pg_notify('${dueChannel}', id) from changed`,
    [tenantId, id, JSON.stringify(secrets)],
  );
}

/** Deletes an endpoint; returns 1, or 0 when there is none. */
export function deleteEndpoint(
  tx: Tx,
  tenantId: string,
  service: Service,
  id: string,
): Promise<number> {
  return tx.run(
    `with changed as (
       update webhook_endpoint set deleted_at = now(), secrets = '[]'
       where tenant_id = $1 and service = $2 and id = $3 and deleted_at is null returning id
     )
     select pg_notify('${dueChannel}', id) from changed`,
    [tenantId, service, id],
  );
}

/**
 * Disables an endpoint that asked for it (410) or failed for too long; undefined when it was
 * disabled before.
 */
export function disableEndpoint(
  tx: Tx,
  tenantId: string,
  id: string,
  reason: 'gone' | 'failing',
): Promise<EndpointRow | undefined> {
  return tx.row(
    `update webhook_endpoint set state = 'disabled', disabled_reason = $3, updated_at = now()
     where tenant_id = $1 and id = $2 and state <> 'disabled' and deleted_at is null
     returning ${endpointColumns}`,
    [tenantId, id, reason],
  );
}
