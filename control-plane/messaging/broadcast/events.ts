import type { NewEvent } from '../../webhooks/store.ts';
import type { Place } from '../contacts/store.ts';
import { eventOf } from '../messages/events.ts';
import type { BroadcastEdge } from './edge.ts';
import type { BroadcastRow } from './store.ts';

/** What customers' endpoints are told of a broadcast. */
export function broadcastEvent(
  { random }: Pick<BroadcastEdge, 'random'>,
  place: Place,
  what: 'queued' | 'started' | 'paused' | 'completed' | 'failed',
  row: BroadcastRow,
  now: Date,
): NewEvent {
  const { channel, template, segment, state, reason, detail, recipients, skipped } = row;
  const data = {
    ...{ channel, template, segment, state, reason, detail, recipients, skipped },
    schedule_at: row.schedule_at.toISOString(),
  };
  return eventOf(place, `broadcast.${what}`, row.id, data, now, random);
}
