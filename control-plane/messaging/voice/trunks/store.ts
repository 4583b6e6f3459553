import type { Tx } from '../../../platform/db/tx.ts';
import type { Place } from '../../contacts/store.ts';

/** Calls that may be on the PBX now, oldest first. */
export function listGoing(
  tx: Tx,
  { tenantId, environment }: Place,
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

/** Whether calls of the configuration are still to be placed, or to end. */
export async function hasGoing(
  tx: Tx,
  { tenantId, environment }: Place,
  providerId: string,
): Promise<boolean> {
  const row = await tx.row(
    `select from voice_call where tenant_id = $1 and environment = $2 and provider_id = $3
       and status in ('queued', 'ringing', 'in_progress', 'unknown') limit 1`,
    [tenantId, environment, providerId],
  );
  return row !== undefined;
}

export interface UnheardCall {
  readonly id: string;
  /** The whole call was recorded. */
  readonly is_recorded: boolean;
  /** The document in which it was to leave a message when it was last heard of. */
  readonly document: number | null;
}

/** Calls that talked, and whose end nobody heard: those named, and those that ended since. */
export function listUnheard(
  tx: Tx,
  { tenantId, environment }: Place,
  providerId: string,
  when: { readonly from: string; readonly since: Date; readonly gone: readonly string[] },
  limit: number,
): Promise<UnheardCall[]> {
  return tx.rows(
    `select * from (
       select c.id, c.is_recorded, case
           when t.flow -> 'nodes' -> (c.flow_state -> 'state' ->> 'node') ->> 'type' = 'record'
           then (c.flow_state -> 'state' -> 'documents')::int end as document
       from voice_call c join voice_template t
         on t.tenant_id = c.tenant_id and t.environment = c.environment and t.id = c.template_id
       where c.tenant_id = $1 and c.environment = $2 and c.provider_id = $3 and c.id > $4
         and c.answered_at is not null and (c.ended_at >= $5 or c.id = any($6))) as call
     where is_recorded or document is not null order by id limit $7`,
    [tenantId, environment, providerId, when.from, when.since, when.gone, limit],
  );
}
