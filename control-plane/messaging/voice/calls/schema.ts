import { callStatuses } from '@drawbridge/messaging/call-status.ts';
import { z } from 'zod';
import { pageQuery } from '../../../platform/http/paging.ts';
import { utcInstant } from '../../../platform/http/time-input.ts';
import { idPattern } from '../../../platform/ids.ts';
import { fail } from '../../errors.ts';
import { providerId } from '../providers/schema.ts';
import { recordingView } from '../recordings/schema.ts';
import { transcriptionView } from '../transcription/schema.ts';
import { eventKinds } from './store.ts';

export const callId = z.string().regex(idPattern('call'), 'must be the id of a call');
const instant = z.iso.datetime();
const phone = z.string().max(32).describe('In E.164');
const status = z.enum(callStatuses);
/** The call itself is the first leg, so legs have the same statuses. */
const legStatuses = callStatuses;

export const callRequest = z
  .strictObject({
    to: phone,
    provider_config: z.string().max(64),
    template_id: z.string().max(64),
    variables: z
      .record(z.string().regex(/^[a-z][a-z0-9_]{0,39}$/), z.string().max(500))
      .default({}),
    from: phone.optional().describe('Default: the number of the provider configuration'),
    record: z.boolean().default(false).describe('Records the whole call'),
    machine_detection: z
      .enum(['off', 'continue', 'hangup'])
      .default('off')
      .describe('With hangup, a machine hears nothing and the call ends as "machine"'),
  })
  .meta({ id: 'CallRequest' });

export const callQuery = pageQuery.extend({
  status: status.optional(),
  to: phone.optional(),
  provider_config: providerId.optional(),
  since: utcInstant().optional().describe('Calls made from then on'),
  until: utcInstant().optional().describe('Calls made before then'),
});

const money = z.strictObject({ amount: z.string(), currency: z.string() });

const item = {
  id: z.string(),
  status,
  direction: z.literal('outbound'),
  to: z.string(),
  from: z.string(),
  provider_config: z.string(),
  template_id: z.string(),
  duration_seconds: z.int().nullable().describe('From the answer to the end'),
  cost: money.nullable().describe('Of the call and of all legs that its flow dialled'),
  created_at: instant,
  answered_at: instant.nullable(),
  ended_at: instant.nullable(),
};

export const callItem = z.strictObject(item).meta({ id: 'CallItem' });

const rate = z.strictObject({
  prefix: z.string(),
  per_minute: z.string(),
  connection_fee: z.string(),
  increment: z.string(),
  currency: z.string(),
});

const leg = z
  .strictObject({
    number: z.int().describe('1 is the call itself, then the legs that its flow dialled, in order'),
    to: z.string().describe('A number, or a SIP address'),
    node: z.string().nullable().describe('The node of the flow that dialled it'),
    provider_leg_id: z.string().nullable(),
    status: z.enum(legStatuses),
    cause: z
      .string()
      .nullable()
      .describe('Why it ended; no_rate or insufficient_funds: it was not dialled'),
    started_at: instant,
    answered_at: instant.nullable(),
    ended_at: instant.nullable(),
    duration_seconds: z.int().nullable(),
    billed_seconds: z.int().nullable(),
    rate: rate.nullable().describe('Null: no rate applies, and it costs nothing'),
    cost: money.nullable().describe('Null: it is not known to be over'),
  })
  .meta({ id: 'CallLeg' });

export const callView = z
  .strictObject({
    ...item,
    variables: z.record(z.string(), z.string()),
    record: z.boolean(),
    machine_detection: z.string(),
    provider_call_id: z.string().nullable(),
    rang_at: instant.nullable(),
    answered_by: z.enum(['human', 'machine']).nullable(),
    hangup_cause: z.string().nullable(),
    error: z.strictObject({ code: z.string(), detail: z.string() }).nullable(),
    billed_seconds: z.int().nullable().describe('Of the call itself; each leg has its own'),
    rate,
    reserved: money.describe('For the call, and for what its flow dials'),
    legs: z.array(leg),
    recordings: z.array(recordingView),
    transcription: transcriptionView,
  })
  .meta({ id: 'Call' });

export const callEventView = z
  .strictObject({
    id: z.string(),
    call_id: z.string(),
    kind: z.enum(eventKinds),
    data: z.record(z.string(), z.unknown()),
    at: instant,
  })
  .meta({ id: 'CallEvent' });

/** The 404 of a call. */
export function callNotFound(id: string) {
  return fail('call_not_found', `There is no call "${id}".`);
}
