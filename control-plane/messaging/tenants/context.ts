import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { ProofContext } from './branding/proofs.ts';

/** What the endpoints under `/tenants/` use. */
export interface TenantRoutesContext extends ProofContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly limits: RateLimits;
}

export const tag = 'Tenants';
