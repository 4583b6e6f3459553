import { fail } from '../errors.ts';

/** The 404 of a broadcast, also for one of another tenant. */
export function broadcastNotFound(id: string) {
  return fail('broadcast_not_found', `There is no broadcast "${id}".`);
}
