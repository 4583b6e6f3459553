/**
 * Saves attempts, many with one statement; each sender waits until its attempt is saved.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { KeyedQueue } from '@drawbridge/concurrency/keyed-queue.ts';
import { Batcher } from '../platform/concurrency/batcher.ts';
import type { Db } from '../platform/db/database.ts';
import type { Log } from '../platform/log/log.ts';
import { type AttemptRecord, recordAttempts } from './endpoint-queue-store.ts';

export interface AttemptRecorder {
  /**
   * Resolves when the attempt is saved, or when saving has failed for so long that it is given up;
   * true when deliveries of the endpoint that were kept back may go now.
   */
  add(attempt: AttemptRecord): Promise<boolean>;
  /** Runs work that changes deliveries while no attempt is being written. */
  between<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when all attempts added so far are saved. */
  flush(): Promise<void>;
}

const batchMax = 200;
const gatherMs = 5;
const triesMax = 20;
const pauseMsMax = 2_000;

export function openAttemptRecorder(options: { db: Db; owner: string; log: Log }): AttemptRecorder {
  const { db, owner, log } = options;
  const writes = new KeyedQueue();
  const batcher = new Batcher<AttemptRecord, boolean>({
    batchMax,
    gatherMs,
    write: async (attempts) => {
      const freed = new Set(await writes.run('', () => write(attempts)));
      return attempts.map(({ endpoint_id }) => freed.has(endpoint_id));
    },
  });

  /** Answers endpoints of which something that was kept back may go now. */
  async function write(attempts: readonly AttemptRecord[]): Promise<readonly string[]> {
    for (let tried = 1; tried <= triesMax; tried += 1) {
      try {
        return (await db.system((tx) => recordAttempts(tx, owner, attempts))).freed;
      } catch (err) {
        log.warn({ err, attempts: attempts.length }, 'webhook attempts are not written yet');
        await delay(Math.min(pauseMsMax, gatherMs * 2 ** tried));
      }
    }
    // They are sent again once another owner takes the queue; receivers drop repeats by the id.
    log.error({ attempts: attempts.length }, 'webhook attempts could not be written');
    return [];
  }

  return {
    add: (attempt) => batcher.add('', attempt),
    between: (work) => writes.run('', work),
    flush: () => batcher.drain(),
  };
}
