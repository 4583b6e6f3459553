import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** Calls that may be in progress on the PBX, oldest first. */
export function listActiveCalls(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  providerId: string,
  after: string,
  limit: number,
): Promise<{ id: string }[]> {
  return tx.rows(
    `select id from voice_call where tenant_id = $1 and environment = $2 and provider_id = $3
       and id > $4 and intent <> 'waiting'
       and status in ('queued', 'ringing', 'in_progress', 'unknown') order by id limit $5`,
    [tenantId, environment, providerId, after, limit],
  );
}

/** Whether the configuration has calls that have not ended. */
export async function hasActiveCalls(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  providerId: string,
): Promise<boolean> {
  const row = await tx.row(
    `select from voice_call where tenant_id = $1 and environment = $2 and provider_id = $3
       and status in ('queued', 'ringing', 'in_progress', 'unknown') limit 1`,
    [tenantId, environment, providerId],
  );
  return row !== undefined;
}

export interface UnreportedCall {
  readonly id: string;
  /** The whole call was recorded. */
  readonly is_recorded: boolean;
  /** The document in which the caller was asked for a message, if the flow was at one. */
  readonly document: number | null;
}

/** Answered calls whose end was not reported: those in `gone`, and those that ended since. */
export function listUnreportedCalls(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  providerId: string,
  when: { readonly from: string; readonly since: Date; readonly gone: readonly string[] },
  limit: number,
): Promise<UnreportedCall[]> {
  return tx.rows(
    `select * from (
       select c.id, c.is_recorded, case
           when coalesce(f.flow, t.flow)
             -> 'nodes' -> (c.flow_state -> 'state' ->> 'node') ->> 'type' = 'record'
           then (c.flow_state -> 'state' -> 'documents')::int end as document
       from voice_call c join voice_template t
         on t.tenant_id = c.tenant_id and t.environment = c.environment and t.id = c.template_id
       left join voice_former_flow f
         on f.tenant_id = c.tenant_id and f.environment = c.environment
           and f.template_id = c.template_id and f.version = c.template_version
       where c.tenant_id = $1 and c.environment = $2 and c.provider_id = $3 and c.id > $4
         and c.answered_at is not null and (c.ended_at >= $5 or c.id = any($6))) as call
     where is_recorded or document is not null order by id limit $7`,
    [tenantId, environment, providerId, when.from, when.since, when.gone, limit],
  );
}
