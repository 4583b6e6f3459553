/** Jobs that are done many at a time. */
import type { Environment } from '../../../platform/auth/principal.ts';
import { byTenant, type Job } from '../../../platform/jobs/job.ts';
import type { Place } from '../../contacts/store.ts';

/** The jobs of a batch by place, since each place's calls are found together. */
export function byPlace<Payload extends { readonly environment: Environment }>(
  jobs: readonly Job<Payload>[],
): [Place, Job<Payload>[]][] {
  return [...byTenant(jobs)].flatMap(([tenantId, own]) => {
    const environments = Map.groupBy(own, ({ payload }) => payload.environment);
    return [...environments].map(([environment, each]): [Place, Job<Payload>[]] => [
      { tenantId, environment },
      each,
    ]);
  });
}

/** Waits for all, also when one fails: that must not keep the others from their end. */
export async function allOf(work: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
