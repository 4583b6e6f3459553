import { setTimeout as delay, setImmediate as yieldToOthers } from 'node:timers/promises';
import { KeyedQueue } from '@drawbridge/concurrency/keyed-queue.ts';

/** The longest wait before a document, so that the pipeline goes on under a load of requests. */
const yieldMsMax = 20;

/**
 * Returns a function to await before each document is processed: it resolves for one document at a
 * time over all batches of this node, when no request is under way. A document blocks the only
 * thread for milliseconds, and a request needs that thread several times.
 */
export function createYieldToRequests(
  quiet: () => Promise<void>,
  msMax: number = yieldMsMax,
): () => Promise<void> {
  const documents = new KeyedQueue();
  return () =>
    documents.run('', async () => {
      await yieldToOthers();
      const over = new AbortController();
      const late = delay(msMax, undefined, { signal: over.signal, ref: false }).catch(() => {});
      await Promise.race([quiet(), late]);
      over.abort();
    });
}
