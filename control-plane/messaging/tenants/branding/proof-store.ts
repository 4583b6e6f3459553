import type { ProofKind } from '@drawbridge/messaging/branding-proof.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface ProofRow {
  readonly id: string;
  readonly kind: ProofKind;
  /** The domain, or the domain of the sender's address. */
  readonly name: string;
  readonly record_name: string;
  readonly record_value: string;
  readonly proved_at: Date | null;
  readonly checked_at: Date | null;
  readonly missing_since: Date | null;
  readonly problem: string | null;
  readonly created_at: Date;
}

const columns = `id, kind, name, record_name, record_value, proved_at, checked_at, missing_since,
  problem, created_at`;

export function listProofs(tx: Tx, tenantId: string): Promise<ProofRow[]> {
  return tx.rows(`select ${columns} from branding_proof where tenant_id = $1 order by kind`, [
    tenantId,
  ]);
}

export function findProof(tx: Tx, tenantId: string, id: string): Promise<ProofRow | undefined> {
  return tx.row(`select ${columns} from branding_proof where tenant_id = $1 and id = $2`, [
    tenantId,
    id,
  ]);
}

export interface NewProof {
  readonly id: string;
  readonly kind: ProofKind;
  readonly name: string;
  readonly record_name: string;
  readonly record_value: string;
  readonly selector: string | null;
  readonly sealed_key: string | null;
  readonly created_at: Date;
}

/** Replaces what there was of the kind, unless it is for the same name. */
export async function saveProof(tx: Tx, tenantId: string, proof: NewProof): Promise<boolean> {
  const { id, kind, name, record_name, record_value, selector, sealed_key, created_at } = proof;
  await tx.run('delete from branding_proof where tenant_id = $1 and kind = $2 and name <> $3', [
    tenantId,
    kind,
    name,
  ]);
  const added = await tx.run(
    `insert into branding_proof (tenant_id, id, kind, name, record_name, record_value, selector,
       sealed_key, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (tenant_id, kind) do nothing`,
    [tenantId, id, kind, name, record_name, record_value, selector, sealed_key, created_at],
  );
  return added === 1;
}

export async function deleteProof(tx: Tx, tenantId: string, kind: ProofKind): Promise<void> {
  await tx.run('delete from branding_proof where tenant_id = $1 and kind = $2', [tenantId, kind]);
}

/** Fails as a duplicate when another tenant has proved the domain. */
export function saveChecked(
  tx: Tx,
  tenantId: string,
  id: string,
  state: {
    readonly provedAt: Date | null;
    readonly missingSince: Date | null;
    readonly problem: string | null;
  },
  now: Date,
): Promise<ProofRow | undefined> {
  return tx.row(
    `update branding_proof set proved_at = $3, missing_since = $4, problem = $5, checked_at = $6
     where tenant_id = $1 and id = $2 returning ${columns}`,
    [tenantId, id, state.provedAt, state.missingSince, state.problem, now],
  );
}

/** What strangers see at a tenant's own domain. */
export interface DomainBranding {
  readonly name: string;
  readonly logo_type: string | null;
}

/** The tenant that has proved this domain. */
export async function findDomainTenant(tx: Tx, domain: string): Promise<string | undefined> {
  const row = await tx.row<{ id: string | null }>(
    "select tenant_of('custom_domain', $1)::text as id",
    [domain],
  );
  return row?.id ?? undefined;
}

export function findDomainBranding(tx: Tx, tenantId: string): Promise<DomainBranding | undefined> {
  return tx.row(
    `select t.name, b.logo_type from tenant t left join branding b on b.tenant_id = t.id
     where t.id = $1`,
    [tenantId],
  );
}
