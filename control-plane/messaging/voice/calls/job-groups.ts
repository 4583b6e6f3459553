/** Groups of jobs that are processed together. */
import type { Environment } from '../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { byTenant, type Job } from '../../../platform/jobs/job.ts';

/** Groups the jobs of a batch by scope, because the calls of one scope are read with one query. */
export function groupByScope<Payload extends { readonly environment: Environment }>(
  jobs: readonly Job<Payload>[],
): [TenantScope, Job<Payload>[]][] {
  return [...byTenant(jobs)].flatMap(([tenantId, own]) => {
    const environments = Map.groupBy(own, ({ payload }) => payload.environment);
    return [...environments].map(([environment, each]): [TenantScope, Job<Payload>[]] => [
      { tenantId, environment },
      each,
    ]);
  });
}

/** Waits for all, even when one fails, and then throws the first failure. */
export async function waitForAll(work: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
