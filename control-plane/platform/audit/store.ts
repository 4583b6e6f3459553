import type { Environment } from '../auth/principal.ts';
import { type KeysetRange, newestFirst } from '../db/keyset.ts';
import type { Tx } from '../db/tx.ts';
import type { ActorKind, outcomes } from './actor.ts';

export interface AuditEventRow {
  readonly id: string;
  readonly happened_at: Date;
  readonly actor_kind: ActorKind;
  readonly actor_id: string | null;
  readonly service: string | null;
  readonly environment: Environment | null;
  readonly ip: string | null;
  readonly request_id: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly outcome: (typeof outcomes)[number];
  readonly before: unknown;
  readonly after: unknown;
}

/** A row to write; `before` and `after` are JSON text. */
type NewRow = Omit<AuditEventRow, 'before' | 'after'> & {
  readonly before: string | null;
  readonly after: string | null;
};

export async function insertAuditEvent(tx: Tx, tenantId: string, row: NewRow): Promise<void> {
  await tx.run(
    `insert into audit_event (tenant_id, id, happened_at, actor_kind, actor_id, service,
       environment, ip, request_id, action, subject, outcome, before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      tenantId,
      row.id,
      row.happened_at,
      row.actor_kind,
      row.actor_id,
      row.service,
      row.environment,
      row.ip,
      row.request_id,
      row.action,
      row.subject,
      row.outcome,
      row.before,
      row.after,
    ],
  );
}

/** What a page of the log is narrowed to; times are of the ids. */
export interface AuditFilter {
  readonly service?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  readonly outcome?: string | undefined;
  readonly environment?: string | undefined;
  /** Ids from this one on. */
  readonly fromId?: string | undefined;
  /** Ids before this one. */
  readonly beforeId?: string | undefined;
}

/**
 * Events of the tenant, the newest first; with a service those of that service, and those of neither
 * (sign-ins, members, commands of the host).
 */
export function listAuditEvents(
  tx: Tx,
  tenantId: string,
  filter: AuditFilter,
  page: KeysetRange,
): Promise<AuditEventRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select id, happened_at, actor_kind, actor_id, service, environment, ip, request_id, action,
       subject, outcome, before, after
     from audit_event where tenant_id = $1
       and ($2::text is null or service = $2 or service is null)
       and ($3::text is null or actor_id = $3)
       and ($4::text is null or action = $4)
       and ($5::text is null or subject = $5)
       and ($6::text is null or outcome = $6)
       and ($7::text is null or environment = $7)
       and ($8::text is null or id >= $8)
       and ($9::text is null or id < $9)
       and ${where('id', '$10')}
     order by id ${order} limit $11`,
    [
      tenantId,
      filter.service,
      filter.actor,
      filter.action,
      filter.subject,
      filter.outcome,
      filter.environment,
      filter.fromId,
      filter.beforeId,
      key,
      rowsMax,
    ],
  );
}

/** An event of the host's own log. */
export interface HostAuditEventRow extends Omit<AuditEventRow, 'service'> {
  readonly about_tenant: string | null;
}

export async function insertHostAuditEvent(
  tx: Tx,
  row: Omit<NewRow, 'service'> & { readonly about_tenant: string | null },
): Promise<void> {
  await tx.run(
    `insert into host_audit_event (id, happened_at, actor_kind, actor_id, environment, ip,
       request_id, action, about_tenant, subject, outcome, before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      row.id,
      row.happened_at,
      row.actor_kind,
      row.actor_id,
      row.environment,
      row.ip,
      row.request_id,
      row.action,
      row.about_tenant,
      row.subject,
      row.outcome,
      row.before,
      row.after,
    ],
  );
}

/** Events of the host, the newest first. */
export function listHostAuditEvents(
  tx: Tx,
  { action, fromId, beforeId }: AuditFilter,
  limit: number,
): Promise<HostAuditEventRow[]> {
  return tx.rows(
    `select id, happened_at, actor_kind, actor_id, environment, ip, request_id, action,
       about_tenant, subject, outcome, before, after
     from host_audit_event
     where ($1::text is null or action = $1)
       and ($2::text is null or id >= $2)
       and ($3::text is null or id < $3)
     order by id desc limit $4`,
    [action, fromId, beforeId, limit],
  );
}
