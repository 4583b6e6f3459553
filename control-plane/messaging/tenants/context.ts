import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';

/** What the endpoints under `/tenants/` use. */
export interface TenantRoutesContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

export const tag = 'Tenants';
