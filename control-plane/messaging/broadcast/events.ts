import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { NewEvent } from '../../webhooks/store.ts';
import { eventOf } from '../messages/events.ts';
import type { BroadcastContext } from './context.ts';
import type { BroadcastRow } from './store.ts';

type Told =
  | 'queued'
  | 'rescheduled'
  | 'started'
  | 'paused'
  | 'resumed'
  | 'canceled'
  | 'completed'
  | 'failed';

/** The event that reports a broadcast's state to customers. */
export function broadcastEvent(
  { random }: Pick<BroadcastContext, 'random'>,
  scope: TenantScope,
  what: Told,
  row: BroadcastRow,
  now: Date,
): NewEvent {
  const { channel, template, segment, state, reason, detail, recipients, skipped } = row;
  const data = {
    channel,
    template,
    segment,
    state,
    reason,
    detail,
    recipients,
    skipped,
    schedule_at: row.schedule_at.toISOString(),
  };
  return eventOf(scope, `broadcast.${what}`, row.id, data, now, random);
}
