import { companyStatement } from '@drawbridge/link/company-statement.ts';
import { z } from 'zod';
import { openVault, type Vault, type VaultLocation } from './vault.ts';

const companies = z.object({
  live: companyStatement.optional(),
  sandbox: companyStatement.optional(),
});

/** What the control plane has signed of the company, by environment. */
export type SignedCompanies = z.infer<typeof companies>;

export function companyVault(location: VaultLocation): Vault<SignedCompanies> {
  return openVault(location, 'company', companies);
}
