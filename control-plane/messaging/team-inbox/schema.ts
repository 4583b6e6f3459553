import { faultOfSpan, isTimeZone, weekdays } from '@drawbridge/messaging/inbox/business-hours.ts';
import { conversationStates, historyTypes } from '@drawbridge/messaging/inbox/conversation.ts';
import { z } from 'zod';
import { pageQuery } from '../../platform/http/paging.ts';
import { day, zonedInstant } from '../../platform/http/time-input.ts';
import { idPattern } from '../../platform/ids.ts';
import { channel, contactId } from '../contacts/schema.ts';

const instant = z.iso.datetime();
/** An instant in any zone; in a URL the plus must be written as %2B. */
export const anInstant = zonedInstant(
  'must be an instant as 2026-11-21T08:00:00Z or 2026-11-21T12:00:00+04:00 (in an address: %2B)',
);
const actor = z.string().nullable().describe('A member or a key; null: the person.');

export const conversationId = z
  .string()
  .regex(idPattern('cnv'), 'must be the id of a conversation');
export const params = z.strictObject({ id: conversationId });

const state = z.enum(conversationStates);
const assignee = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe('Id of a member, `me`, or `none` for what is nobody’s.');
const flag = z.enum(['true', 'false']).optional();
const contact = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
});

export const conversationQuery = pageQuery.extend({
  state: state.optional(),
  assignee,
  channel: channel.optional().describe('Of the newest message or call.'),
  contact: contactId.optional(),
  tag: z.string().trim().min(1).max(100).optional().describe('Name of a tag.'),
  unread: flag.describe('`true`: only what nobody has read.'),
  waiting: flag.describe('`true`: only where the person waits for an answer.'),
  order: z
    .enum(['newest', 'longest_wait'])
    .default('newest')
    .describe(
      '`newest`: by the newest message or call. `longest_wait`: only where the person waits, who has waited longest first.',
    ),
});

const conversationFields = {
  id: z.string(),
  contact,
  state,
  snoozed_until: instant.nullable(),
  assignee_id: z.string().nullable(),
  tags: z.array(z.string()),
  openings: z.number().int().describe('How often it was opened.'),
  opened_at: instant.nullable(),
  waiting_since: instant.nullable().describe('Since when the person waits for an answer.'),
  due_at: instant.nullable().describe('Until when an answer was promised.'),
  unread: z.number().int(),
  last_channel: channel,
  last_item_id: z
    .string()
    .describe('Newest message or call. Lists are sorted by what stands after its underscore.'),
  last_message: z
    .strictObject({
      id: z.string(),
      direction: z.enum(['in', 'out']),
      text: z.string(),
      created_at: instant,
    })
    .nullable(),
  created_at: instant,
  updated_at: instant,
};

export const conversationView = z.strictObject(conversationFields).meta({ id: 'Conversation' });

export const conversationDetail = z
  .strictObject({
    ...conversationFields,
    readers: z
      .array(z.strictObject({ reader_id: z.string(), read_to: instant, read_at: instant }))
      .describe('Who has read, and up to when of the conversation.'),
  })
  .meta({ id: 'ConversationDetail' });

const change = {
  state: state.optional(),
  snoozed_until: anInstant.optional().describe('With the state `snoozed`.'),
  assignee_id: z.string().max(64).nullable().optional().describe('A member; null: nobody.'),
  expected_assignee_id: z
    .string()
    .max(64)
    .nullable()
    .optional()
    .describe(
      'Who was seen to have it; null: nobody. If another member has it by now, nothing is changed (409 `conversation_taken`): of two who take it at once the first has it.',
    ),
  tags: z
    .array(z.string().trim().min(1).max(100))
    .max(50)
    .optional()
    .describe('Replaces the tags; each is one of /tenants/tenant-tags/.'),
};
const snoozeNeedsEnd = (body: { state?: string | undefined; snoozed_until?: string | undefined }) =>
  (body.state === 'snoozed') === (body.snoozed_until !== undefined);
const snoozeFault = {
  path: ['snoozed_until'],
  message: 'goes with the state snoozed, and only it',
};

export const conversationPatch = z
  .strictObject(change)
  .refine(snoozeNeedsEnd, snoozeFault)
  .meta({ id: 'ConversationPatch' });

export const conversationsPatch = z
  .strictObject({ ids: z.array(conversationId).min(1).max(100), ...change })
  .refine(snoozeNeedsEnd, snoozeFault)
  .meta({ id: 'ConversationsPatch' });

export const conversationsView = z
  .strictObject({ results: z.array(conversationView) })
  .meta({ id: 'Conversations' });

export const historyView = z
  .strictObject({
    id: z.string(),
    type: z.enum(historyTypes),
    actor,
    data: z.record(z.string(), z.unknown()),
    created_at: instant,
  })
  .meta({ id: 'ConversationHistoryEntry' });

export const presenceRequest = z
  .strictObject({
    state: z.enum(['looking', 'typing', 'gone']).describe('`gone`: it was left.'),
  })
  .meta({ id: 'ConversationPresence' });

export const readRequest = z
  .strictObject({
    up_to: z
      .string()
      .regex(/^(msg|call)_[0-9a-hjkmnp-tv-z]{26}$/, 'must be the id of a message')
      .optional()
      .describe('The newest message that was seen; without it all are read.'),
  })
  .meta({ id: 'ConversationReadRequest' });

export const noteRequest = z
  .strictObject({ text: z.string().trim().min(1).max(10_000) })
  .meta({ id: 'ConversationNoteRequest' });

export const noteView = z
  .strictObject({ id: z.string(), author: z.string(), text: z.string(), created_at: instant })
  .meta({ id: 'ConversationNote' });

export const attachmentId = z.string().regex(idPattern('att'), 'must be the id of an attachment');

export const attachmentView = z
  .strictObject({
    id: z.string(),
    conversation_id: z.string(),
    name: z.string(),
    media_type: z.string(),
    bytes: z.number().int(),
    sha256: z.string(),
    author: z.string().describe('Who added it: a member, a key, or the contact that sent it.'),
    message_id: z.string().nullable().describe('The message that it came with.'),
    url: z.string(),
    created_at: instant,
  })
  .meta({ id: 'ConversationAttachment' });

export const messageQuery = pageQuery.extend({
  conversation: conversationId.optional(),
  contact: contactId.optional(),
  channel: channel.optional(),
  assignee,
  state: state.optional().describe('Of the conversation.'),
  text: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Words of the message; `order*` is the beginning of one, of four letters or more. Chinese and ' +
        'Japanese ones are found wherever they stand.',
    ),
  since: anInstant.optional().describe('What came to us from this instant on.'),
  until: anInstant.optional().describe('What came to us before this instant.'),
});

export const inboxMessageView = z
  .strictObject({
    id: z.string(),
    conversation_id: z.string().nullable(),
    contact: contact.nullable(),
    channel,
    direction: z.enum(['in', 'out']),
    status: z.string(),
    text: z.string().describe('As a person reads it.'),
    content: z.unknown().describe('What was sent or received; null of a call.'),
    call: z
      .strictObject({ duration_seconds: z.number().int().nullable() })
      .nullable()
      .describe('Of a call; else null.'),
    author: actor,
    broadcast_id: z.string().nullable(),
    error: z.strictObject({ code: z.string(), detail: z.string() }).nullable(),
    created_at: instant,
    sent_at: instant.nullable(),
    delivered_at: instant.nullable(),
    read_at: instant.nullable(),
    failed_at: instant.nullable(),
  })
  .meta({ id: 'InboxMessage' });

const clock = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/;
const time = z.string().regex(clock, 'must be HH:MM, at most 24:00');
const minutes = z
  .number()
  .int()
  .min(1)
  .max(525_600)
  .nullable()
  .describe('Of business hours; null: nothing is promised.');

export const settingsRequest = z
  .strictObject({
    time_zone: z.string().max(64).refine(isTimeZone, 'must be an IANA time zone'),
    weekly_hours: z
      .array(
        z
          .strictObject({ day: z.enum(weekdays), from: time, to: time })
          .superRefine((span, context) => {
            const message = faultOfSpan(span);
            if (message !== undefined) context.addIssue({ code: 'custom', message });
          }),
      )
      .max(70)
      .describe('When the team is there; in the time zone.'),
    holidays: z.array(day()).max(1_000).default([]),
    first_response_minutes: minutes.default(null),
    next_response_minutes: minutes.default(null),
  })
  .meta({ id: 'InboxSettingsRequest' });

export const settingsView = z
  .strictObject({
    time_zone: z.string(),
    weekly_hours: z.array(
      z.strictObject({ day: z.enum(weekdays), from: z.string(), to: z.string() }),
    ),
    holidays: z.array(z.string()),
    first_response_minutes: minutes,
    next_response_minutes: minutes,
    updated_at: instant.nullable(),
  })
  .meta({ id: 'InboxSettings' });

export const statsQuery = z.strictObject({
  since: anInstant.optional().describe('Default: thirty days before `until`.'),
  until: anInstant.optional().describe('Default: now.'),
});

const times = z
  .strictObject({
    count: z.number().int(),
    mean_seconds: z.number().nullable(),
    median_seconds: z.number().nullable(),
    p90_seconds: z.number().nullable(),
  })
  .meta({ id: 'InboxTimes' });
const bothTimes = z.strictObject({
  business: times.describe('Only hours that count.'),
  elapsed: times.describe('Every hour.'),
});
const volume = { inbound: z.number().int(), outbound: z.number().int() };

export const statsView = z
  .strictObject({
    since: instant,
    until: instant,
    first_response: bothTimes.describe('From the opening to the first answer.'),
    response: bothTimes.describe('Of every answer, the first ones among them.'),
    resolution: times.describe('From an opening to its close.'),
    conversations: z.strictObject({
      opened: z.number().int().describe('In the period.'),
      closed: z.number().int().describe('In the period.'),
      open: z.number().int().describe('At the end of the period, snoozed ones among them.'),
      snoozed: z.number().int().describe('Now.'),
      unassigned: z.number().int().describe('Now, of those that are not closed.'),
      waiting: z.number().int().describe('At the end of the period: the person waits.'),
    }),
    unanswered: z.number().int().describe('Closed in the period with the person waiting.'),
    sla: z.strictObject({
      promised: z.number().int().describe('Asked in the period, where an answer was promised.'),
      breached: z.number().int().describe('Of these: answered too late, or late by now.'),
    }),
    by_channel: z.array(z.strictObject({ channel, ...volume })),
    by_agent: z.array(
      z.strictObject({
        agent_id: z.string(),
        messages: z.number().int(),
        responses: z.number().int(),
        median_seconds: z.number().nullable().describe('Only hours that count.'),
        breached: z.number().int(),
      }),
    ),
  })
  .meta({ id: 'InboxStats' });

/** Days that are counted in one answer. */
export const statsDaysMax = 92;

const countedDay = day().refine((text) => text >= '1900', 'must be in a year from 1900 to 9999');

export const daysQuery = z.strictObject({
  first_day: countedDay.optional().describe('Default: so that thirty days are counted.'),
  last_day: countedDay.optional().describe('Default: today.'),
});

export const daysView = z
  .strictObject({
    time_zone: z.string().describe('Of the business hours: a day begins at its midnight.'),
    results: z
      .array(
        z.strictObject({
          day: z.iso.date(),
          begins: instant,
          ...volume,
          opened: z.number().int().describe('Conversations.'),
          closed: z.number().int(),
        }),
      )
      .describe('Every day, the first one first.'),
  })
  .meta({ id: 'InboxDays' });
