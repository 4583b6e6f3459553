import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface TemplateRow {
  readonly id: string;
  readonly name: string;
  readonly flow: CallFlow;
  readonly created_at: Date;
  readonly removed_at: Date | null;
}

const columns = 'id, name, flow, created_at, removed_at';

export async function insertTemplate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: Omit<TemplateRow, 'removed_at'>,
): Promise<void> {
  await tx.run(
    `insert into voice_template (id, tenant_id, environment, name, flow, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [row.id, tenantId, environment, row.name, JSON.stringify(row.flow), row.created_at],
  );
}

/** Newest first. */
export function listTemplates(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  before: string | undefined,
  limit: number,
): Promise<TemplateRow[]> {
  return tx.rows(
    `select ${columns} from voice_template where tenant_id = $1 and environment = $2
       and removed_at is null and ($3::text is null or id < $3) order by id desc limit $4`,
    [tenantId, environment, before, limit],
  );
}

/** Also a removed one: calls keep the flow with which they began. */
export function findTemplate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<TemplateRow | undefined> {
  return tx.row(
    `select ${columns} from voice_template where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** The flows with these ids, as `findTemplate` finds them. */
export function findTemplates(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<TemplateRow[]> {
  return tx.rows(
    `select ${columns} from voice_template
     where tenant_id = $1 and environment = $2 and id = any($3)`,
    [tenantId, environment, ids],
  );
}

/** Returns how many there were: none or one. */
export function removeTemplate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  now: Date,
): Promise<number> {
  return tx.run(
    `update voice_template set removed_at = $4
     where tenant_id = $1 and environment = $2 and id = $3 and removed_at is null`,
    [tenantId, environment, id, now],
  );
}
