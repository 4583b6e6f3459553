import type { VoiceDesk } from '../voice/desk.ts';
import type { InboxHooks } from './intake.ts';

/** Tells the inbox of calls that are over, in the transaction that ends them. */
export function callTeller(hooks: InboxHooks): NonNullable<VoiceDesk['callEnded']> {
  return (tx, place, call) =>
    hooks.callHappened(tx, place, [
      {
        ...{ id: call.id, phone: call.to_number, direction: 'out', status: call.status },
        durationSeconds: call.answered_at === null ? null : call.duration_seconds,
        // Flows place calls; nobody of the team speaks in them.
        ...{ by: null, at: call.created_at },
      },
    ]);
}
