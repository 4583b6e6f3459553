import type { IncomingMessage } from 'node:http';
import { LoopTurns } from '../concurrency/loop-turns.ts';

/**
 * Of this thread, as both addresses share it. Each piece of a large body has a turn of the event loop of
 * its own, tenants in turn: however many bodies arrive at once, others wait for one piece.
 */
export const bodyTurns = new LoopTurns({ stopwatch: () => performance.now() });

/**
 * Reads what is left of a body and drops it, piece by piece: many callers listen only once they have sent
 * all. Left to itself the server would read megabytes of each body at once.
 */
export async function dropRest(request: IncomingMessage, tenantId: string): Promise<void> {
  try {
    for await (const _ of request.iterator({ destroyOnReturn: false })) {
      await bodyTurns.next(tenantId);
    }
  } catch {
    // The caller has hung up: there is nothing left to drop.
  }
}
