import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { NewEvent } from '../../webhooks/store.ts';
import type { EventData, MessagingEvent } from '../webhook-payloads.ts';

/** An event of the messaging service, in the form that customers' endpoints get. */
export function eventOf<Event extends MessagingEvent>(
  { environment }: Pick<TenantScope, 'environment'>,
  event: Event,
  subjectId: string,
  data: EventData<Event>,
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
