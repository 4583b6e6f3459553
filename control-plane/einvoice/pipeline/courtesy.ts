import { setTimeout as delay, setImmediate as yieldToOthers } from 'node:timers/promises';

/** Under requests without end the pipeline still goes on, a document each time this is over. */
const giveWayMsMax = 20;

/**
 * Lets the pipeline's documents through one at a time over all batches of this node, each once it
 * is quiet: a document takes milliseconds of the only thread, and a request several turns of it.
 */
export function courtesy(
  quiet: () => Promise<void>,
  msMax: number = giveWayMsMax,
): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(async () => {
      await yieldToOthers();
      const over = new AbortController();
      const late = delay(msMax, undefined, { signal: over.signal, ref: false }).catch(() => {});
      await Promise.race([quiet(), late]);
      over.abort();
    });
    return last;
  };
}
