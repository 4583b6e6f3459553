/** Keeps merges of contacts and the fixing of audiences apart. */
import { faultOf } from '../../platform/db/errors.ts';
import type { ContactHooks } from '../contacts/hooks.ts';
import { fail } from '../errors.ts';
import { holdAudiences } from './store.ts';

/** An audience that is fixed meanwhile would get messages for a contact that is gone, which no merge moves. */
export const broadcastMergeHooks: ContactHooks = {
  merged: (tx, scope) =>
    holdAudiences(tx, scope).catch((error: unknown) => {
      if (faultOf(error).code !== 'timeout') throw error;
      throw fail(
        'broadcast_busy',
        'The audience of a broadcast is being fixed: try again in a moment.',
      );
    }),
};
