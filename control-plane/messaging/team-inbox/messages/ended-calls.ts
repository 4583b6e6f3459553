import type { CallingContext } from '../../voice/context.ts';
import type { InboxHooks } from './hooks.ts';

/** Reports ended calls to the inbox, in the transaction that ends them. */
export function endedCallHook(hooks: InboxHooks): NonNullable<CallingContext['callEnded']> {
  return (tx, scope, call) =>
    hooks.callsEnded(tx, scope, [
      {
        id: call.id,
        phone: call.to_number,
        direction: 'out',
        status: call.status,
        durationSeconds: call.answered_at === null ? null : call.duration_seconds,
        // Call flows place these calls, not members.
        by: null,
        at: call.created_at,
      },
    ]);
}
