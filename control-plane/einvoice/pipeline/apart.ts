import { LeaseLost } from '../../platform/jobs/job.ts';
import type { Log } from '../../platform/log/log.ts';

/**
 * Works on all at once, each apart: what befalls one does not touch the others. Resolves when all
 * are done; throws then what went wrong, so that the jobs of those are given back. A lost lease is
 * no fault: another worker has the job.
 */
export async function apart<Item>(
  log: Log,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const results = await Promise.allSettled([...items].map((item) => work(item)));
  const faults: unknown[] = [];
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    if (result.reason instanceof LeaseLost) log.info({ err: result.reason }, 'overtaken');
    else faults.push(result.reason);
  }
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, faults.map(String).join('; '));
}
