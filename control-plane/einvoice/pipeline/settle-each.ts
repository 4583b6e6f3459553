import { LeaseLost } from '../../platform/jobs/job.ts';
import type { Log } from '../../platform/log/log.ts';

/**
 * Runs `work` on all items at once and waits for all: an error of one does not stop the others.
 * Throws the error afterwards, several as one AggregateError, so that those jobs are released. A
 * LeaseLost is not thrown, because another worker has the job.
 */
export async function settleEach<Item>(
  log: Log,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  settle(log, await Promise.allSettled([...items].map((item) => work(item))));
}

/** As `settleEach`, one item after the other: for work that should not be held in memory together. */
export async function settleInTurn<Item>(
  log: Log,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const results: PromiseSettledResult<void>[] = [];
  for (const item of items) results.push(...(await Promise.allSettled([work(item)])));
  settle(log, results);
}

function settle(log: Log, results: readonly PromiseSettledResult<void>[]): void {
  const faults: unknown[] = [];
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    if (result.reason instanceof LeaseLost)
      log.info({ err: result.reason }, 'another worker has the job');
    else faults.push(result.reason);
  }
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, faults.map(String).join('; '));
}
