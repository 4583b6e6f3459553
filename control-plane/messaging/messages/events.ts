import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { NewEvent } from '../../webhooks/store.ts';
import type { Place } from '../contacts/store.ts';

/** An event of the messaging service, as customers' endpoints get it. */
export function eventOf(
  { environment }: Pick<Place, 'environment'>,
  event: string,
  subjectId: string,
  data: unknown,
  at: Date,
  random: RandomBytes,
): NewEvent {
  const clock: Clock = () => at;
  return {
    id: newId('evt', clock, random),
    environment,
    service: 'messaging',
    type: event,
    subject_id: subjectId,
    payload: JSON.stringify({ event, id: subjectId, timestamp: at.toISOString(), data }),
    created_at: at,
  };
}
