import type { Company } from '@drawbridge/profiles/company.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';

/** A company profile as it is kept. */
export interface CompanyRow {
  readonly profile: Company;
  readonly updated_at: Date;
}

export function findCompany(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<CompanyRow | undefined> {
  return tx.row<CompanyRow>(
    'select profile, updated_at from company where tenant_id = $1 and environment = $2',
    [tenantId, environment],
  );
}

/** The company profiles of a tenant, by environment. */
export async function findCompanies(
  tx: Tx,
  tenantId: string,
): Promise<Partial<Record<Environment, Company>>> {
  const rows = await tx.rows<{ environment: Environment; profile: Company }>(
    'select environment, profile from company where tenant_id = $1',
    [tenantId],
  );
  return Object.fromEntries(rows.map(({ environment, profile }) => [environment, profile]));
}

export async function saveCompany(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  profile: Company,
  now: Date,
): Promise<void> {
  await tx.run(
    `insert into company (tenant_id, environment, profile, updated_at) values ($1, $2, $3, $4)
     on conflict (tenant_id, environment) do update
       set profile = excluded.profile, updated_at = excluded.updated_at`,
    [tenantId, environment, JSON.stringify(profile), now],
  );
}
