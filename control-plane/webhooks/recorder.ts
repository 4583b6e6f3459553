/**
 * Writes attempts down, many with one statement: whoever sent waits for its own to be in the
 * database.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../platform/db/database.ts';
import type { Log } from '../platform/log/log.ts';
import { type AttemptRecord, recordAttempts } from './lane-store.ts';

export interface Recorder {
  /**
   * Resolves when the attempt is written, or when that has failed for so long that it is given up.
   */
  add(attempt: AttemptRecord): Promise<void>;
  /** Resolves when all that was added is written. */
  flush(): Promise<void>;
}

const batchMax = 200;
const gatherMs = 5;
const triesMax = 20;
const pauseMsMax = 2_000;

export function openRecorder(options: { db: Db; owner: string; log: Log }): Recorder {
  const { db, owner, log } = options;
  let waiting: { readonly attempt: AttemptRecord; readonly done: () => void }[] = [];
  let writing: Promise<void> | undefined;

  async function write(attempts: readonly AttemptRecord[]): Promise<void> {
    for (let tried = 1; tried <= triesMax; tried += 1) {
      try {
        await db.system((tx) => recordAttempts(tx, owner, attempts));
        return;
      } catch (err) {
        log.warn({ err, attempts: attempts.length }, 'webhook attempts are not written yet');
        await delay(Math.min(pauseMsMax, gatherMs * 2 ** tried));
      }
    }
    // They are sent again once another owner takes the lane: receivers know them by their id.
    log.error({ attempts: attempts.length }, 'webhook attempts could not be written');
  }

  async function drain(): Promise<void> {
    await delay(gatherMs);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      await write(batch.map(({ attempt }) => attempt));
      for (const { done } of batch) done();
    }
    writing = undefined;
  }

  return {
    add: (attempt) =>
      new Promise((done) => {
        waiting.push({ attempt, done });
        writing ??= drain();
      }),
    flush: async () => writing,
  };
}
