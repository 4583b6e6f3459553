import type { Environment, Principal } from './principal.ts';

/** One tenant in one environment; most data of the messaging service belongs to one. */
export interface TenantScope {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** The scope in which a caller works. */
export function scopeOf({ tenantId, environment }: Principal): TenantScope {
  return { tenantId, environment };
}
