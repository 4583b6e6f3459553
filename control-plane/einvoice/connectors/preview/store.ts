import type { Objection } from '@drawbridge/validation/preview/objections.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** An objection of the newest preview; `accepted` once somebody has answered for it. */
export interface KeptObjection extends Pick<Objection, 'id' | 'kind' | 'words' | 'documents'> {
  readonly accepted?: { readonly by: string; readonly at: string; readonly reason: string };
}

/** What the newest preview of a mapping objects to. */
export interface MappingPreviewRow {
  /** Fingerprint of the mapping that was looked at. */
  readonly fingerprint: string;
  readonly objections: readonly KeptObjection[];
}

/** Locked, so that of two answers at the same time none is lost. */
export function findPreview(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  connectorId: string,
  profile: string,
): Promise<MappingPreviewRow | undefined> {
  return tx.row<MappingPreviewRow>(
    `select fingerprint, objections from mapping_preview
     where tenant_id = $1 and environment = $2 and connector_id = $3 and profile = $4
     for update`,
    [tenantId, environment, connectorId, profile],
  );
}

export async function savePreview(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  connectorId: string,
  profile: string,
  { fingerprint, objections }: MappingPreviewRow,
  now: Date,
): Promise<void> {
  await tx.run(
    `insert into mapping_preview (tenant_id, environment, connector_id, profile, fingerprint, objections, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id, environment, connector_id, profile) do update
       set fingerprint = excluded.fingerprint, objections = excluded.objections,
         updated_at = excluded.updated_at`,
    [tenantId, environment, connectorId, profile, fingerprint, JSON.stringify(objections), now],
  );
}
