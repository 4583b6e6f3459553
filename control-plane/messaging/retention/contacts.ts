import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { TenantPrunable } from '../../platform/retention/retention.ts';
import { addEvents } from '../../webhooks/store.ts';
import { eventOf } from '../messages/events.ts';
import { deleteOldContacts } from './store.ts';

/** Deletes contacts whose life time is over, and tells it as of those that somebody deletes. */
export function oldContacts(context: {
  readonly clock: Clock;
  readonly random: RandomBytes;
}): TenantPrunable {
  return {
    kind: 'contact',
    prune: async (tx, scope, before, max) => {
      const ids = await deleteOldContacts(tx, scope, before, max);
      const data = { name: null, phone: null, source: 'retention' };
      const now = context.clock();
      const events = ids.map((id) =>
        eventOf(scope, 'contact.deleted', id, data, now, context.random),
      );
      await addEvents(tx, scope.tenantId, events);
      return ids.length;
    },
  };
}
