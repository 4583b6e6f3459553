import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface TemplateRow {
  readonly id: string;
  readonly name: string;
  readonly flow: CallFlow;
  /** 1 at first, and one more with each change of the flow. */
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly removed_at: Date | null;
}

const columns = `id, name, flow, version, created_at, coalesce(updated_at, created_at) as updated_at,
  removed_at`;

export async function insertTemplate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: Pick<TemplateRow, 'id' | 'name' | 'flow' | 'created_at'>,
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
  page: KeysetRange,
): Promise<TemplateRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${columns} from voice_template where tenant_id = $1 and environment = $2
       and removed_at is null and ${where('id', '$3')} order by id ${order} limit $4`,
    [tenantId, environment, key, rowsMax],
  );
}

/** Also a removed one: whoever repeats the request that made it gets it again. */
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

/** The templates with these ids, as `findTemplate` finds them. */
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

/** Also of a removed template: a call keeps to the flow with which it began. */
export async function findFlow(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  templateId: string,
  version: number,
): Promise<CallFlow | undefined> {
  const row = await tx.row<{ flow: CallFlow }>(
    `select coalesce(f.flow, t.flow) as flow
     from voice_template t
     left join voice_former_flow f on f.tenant_id = t.tenant_id and f.environment = t.environment
       and f.template_id = t.id and f.version = $4
     where t.tenant_id = $1 and t.environment = $2 and t.id = $3`,
    [tenantId, environment, templateId, version],
  );
  return row?.flow;
}

/** Locks the template until the transaction ends; undefined when it was removed. */
export function lockTemplate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<TemplateRow | undefined> {
  return tx.row(
    `select ${columns} from voice_template
     where tenant_id = $1 and environment = $2 and id = $3 and removed_at is null
     for no key update`,
    [tenantId, environment, id],
  );
}

/** Undefined leaves a field unchanged. */
export interface TemplateChange {
  readonly name: string | undefined;
  readonly flow: CallFlow | undefined;
}

/** Keeps a flow that is replaced by another one, for its calls; the template must be locked. */
export async function updateTemplate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  { name, flow }: TemplateChange,
  now: Date,
): Promise<TemplateRow> {
  const row = await tx.row<TemplateRow>(
    `with kept as (
       insert into voice_former_flow
         (tenant_id, environment, template_id, version, flow, replaced_at)
       select tenant_id, environment, id, version, flow, $6 from voice_template
       where tenant_id = $1 and environment = $2 and id = $3 and flow <> $5
     )
     update voice_template set name = coalesce($4, name), flow = coalesce($5, flow),
       version = case when flow <> $5 then version + 1 else version end, updated_at = $6
     where tenant_id = $1 and environment = $2 and id = $3 returning ${columns}`,
    [tenantId, environment, id, name, flow && JSON.stringify(flow), now],
  );
  return row!;
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
