import { isTimeZone } from '@drawbridge/messaging/broadcast/quiet-hours.ts';
import { broadcastStates } from '@drawbridge/messaging/broadcast/states.ts';
import { counted } from '@drawbridge/messaging/broadcast/tally.ts';
import { channels } from '@drawbridge/messaging/message.ts';
import { statuses } from '@drawbridge/messaging/status.ts';
import { z } from 'zod';
import { pageQuery } from '../../platform/http/paging.ts';
import { zonedInstant } from '../../platform/http/time-input.ts';
import { idPattern } from '../../platform/ids.ts';
import { appId } from '../apps/schema.ts';
import { segmentName } from '../contacts/schema.ts';
import { skipReasons } from './audience/recipient.ts';

export const broadcastId = z
  .string()
  .regex(idPattern('brc'), 'must be the id of a broadcast')
  .meta({ examples: ['brc_01jd3v6q8e4m7x0k2n5t9w1z3y'] });
const anInstant = zonedInstant();
const channel = z.enum(channels);
const attribute = z.string().trim().min(1).max(64);

const source = z
  .union(
    [
      z.strictObject({ attribute, default: z.string().trim().min(1).max(1_000).optional() }),
      z.strictObject({ value: z.string().trim().min(1).max(1_000) }),
    ],
    'must be {"value": "…"}, the same for everybody, or {"attribute": "…"}, the name of an ' +
      'attribute of the contact, with a "default" if you like',
  )
  .describe('A value for everybody; or the name of an attribute, perhaps with a default.');

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 21:00');
const quietHours = z
  .strictObject({ from: time, to: time })
  .refine(({ from, to }) => from !== to, 'begin and end are the same');

const request = z.strictObject({
  template: z.string().trim().min(1).max(512).describe('Name of an approved template.'),
  segment: segmentName.describe('Name of the segment that it goes to.'),
  schedule_at: anInstant
    .optional()
    .describe('When it goes; by default at once. More than a minute ago is refused.'),
  app_id: appId.optional().describe('Required when the channel has more than one app.'),
  language: z
    .string()
    .min(2)
    .max(20)
    .optional()
    .describe('Required when the template is there in more than one.'),
  variables: z
    .record(z.string().min(1).max(100), source)
    .default({})
    .describe(
      'Where each variable of the template comes from: `1`, `2` … or its name; `header` is that of ' +
        'the header (a text, or the address of its file), `button_0` that of the first button. A ' +
        'named variable that is left out is the attribute of its name.',
    ),
  time_zone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be a name of the IANA time zone database, such as Asia/Dubai')
    .default('UTC')
    .describe('Of contacts without an attribute `time_zone` of their own.'),
  quiet_hours: quietHours
    .optional()
    .describe('Hours of each person’s own day in which nothing is sent: it waits for their end.'),
  require_consent: z
    .boolean()
    .default(false)
    .describe('Leaves out who has not agreed to the channel. Opt-outs are always left out.'),
  track_urls: z.boolean().default(true).describe('Puts short links in place of web addresses.'),
  dry_run: z.boolean().default(false).describe('Sends nothing, and answers what would be sent.'),
});

export const broadcastRequest = request
  .extend({
    channel: channel
      .optional()
      .describe('Required when more than one channel has a template of the name.'),
  })
  .meta({ id: 'BroadcastRequest' });
/** Of a path that says the channel. */
export const channelBroadcastRequest = request.meta({ id: 'ChannelBroadcastRequest' });
export type BroadcastRequest = z.output<typeof broadcastRequest>;

/** To whom a test goes at most. */
const testMax = 10;

export const broadcastTestRequest = broadcastRequest
  .omit({
    segment: true,
    schedule_at: true,
    quiet_hours: true,
    time_zone: true,
    require_consent: true,
    dry_run: true,
  })
  .extend({
    to: z
      .array(z.string().trim().min(1).max(64))
      .min(1)
      .max(testMax)
      .describe('Contacts, each by its id or its number.'),
  })
  .meta({ id: 'BroadcastTestRequest' });
export type BroadcastTestRequest = z.output<typeof broadcastTestRequest>;

export const broadcastResend = z
  .strictObject({
    to: z
      .array(z.enum(['failed', 'unknown']))
      .min(1)
      .max(2)
      .default(['failed'])
      .describe(
        'Those whose message failed or expired; those of whose message nobody knows whether it ' +
          'arrived, who may then get it twice.',
      ),
    schedule_at: anInstant.optional(),
  })
  .meta({ id: 'BroadcastResend' });
export type BroadcastResend = z.output<typeof broadcastResend>;

export const broadcastPatch = z
  .strictObject({ schedule_at: anInstant })
  .meta({ id: 'BroadcastPatch' });

const instant = z.iso.datetime().nullable();
const count = z.int();
const counts = z.strictObject({
  queued: count.describe('Not yet sent.'),
  ...Object.fromEntries(counted.map((name) => [name, count])),
});
const share = z.number().nullable();
const rates = z.strictObject({
  delivered: share,
  read: share,
  clicked: share,
  replied: share,
  failed: share,
});
const skipped = z.partialRecord(z.enum(skipReasons), count);
const money = z.strictObject({ amount: z.string(), currency: z.string() }).nullable();

export const broadcastView = z
  .strictObject({
    id: z.string(),
    channel,
    app_id: z.string(),
    template: z.string(),
    language: z.string(),
    segment: z.string().nullable().describe('Null: a test.'),
    is_test: z.boolean().describe('It goes to a few people who were named.'),
    resend_of: z
      .string()
      .nullable()
      .describe('The broadcast that is sent again, to those whom it did not reach.'),
    variables: z.record(z.string(), z.record(z.string(), z.string())),
    time_zone: z.string(),
    quiet_hours: quietHours.nullable(),
    require_consent: z.boolean(),
    track_urls: z.boolean(),
    schedule_at: z.iso.datetime(),
    status: z.enum(broadcastStates),
    reason: z.string().nullable().describe('Why it paused or failed.'),
    detail: z
      .string()
      .nullable()
      .describe(
        'What there is to say to it; `insufficient_funds`: what the next message costs and all ' +
          'to be sent, what the wallet has free, and what helps. `broadcast.paused` says it too.',
      )
      .meta({
        examples: [
          'The next message costs 0.02 USD, all 2 to be sent 0.04 USD, and the wallet has 0.01 USD ' +
            'free: ask the host to top it up, then resume the broadcast.',
        ],
      }),
    recipients: count.describe('Messages; 0 before its audience is fixed at `schedule_at`.'),
    skipped: skipped.describe('Contacts of the segment that got none, by reason.'),
    counts: counts.describe(
      '`sent` holds those delivered, `delivered` those read; `skipped` are those who opted out ' +
        'or were deleted as contacts after the audience was fixed.',
    ),
    rates: rates.describe('Shares of what was sent or tried.'),
    cost: money.describe('At most.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    started_at: instant,
    finished_at: instant,
  })
  .meta({ id: 'Broadcast' });

export const forecast = z
  .strictObject({
    dry_run: z.literal(true),
    channel,
    app_id: z.string(),
    template: z.string(),
    language: z.string(),
    segment: z.string(),
    contacts: count.describe('Contacts of the segment that were looked at.'),
    is_complete: z.boolean().describe('False: the segment is larger than what is looked at.'),
    recipients: count,
    skipped,
    skipped_sample: z.array(
      z.strictObject({
        contact_id: z.string(),
        reason: z.enum(skipReasons),
        variable: z.string().nullable().describe('That has no value.'),
      }),
    ),
    preview: z.string().nullable().describe('The first message, as its person would read it.'),
    cost: money,
    is_affordable: z.boolean(),
    messages_per_second: z.number(),
    starts_at: instant,
    finishes_at: instant,
  })
  .meta({ id: 'BroadcastForecast' });

export const broadcastQuery = pageQuery.extend({
  channel: channel.optional(),
  status: z.enum(broadcastStates).optional(),
});

export const recipientQuery = z.strictObject({
  status: z.enum(statuses).optional().describe('Only messages that stand so.'),
});

export const messageQuery = pageQuery.extend({
  broadcast: broadcastId.optional(),
  status: z.enum(statuses).optional().describe('Of one `broadcast`.'),
});

export const trackingQuery = pageQuery.extend({
  broadcast: broadcastId.optional(),
  by: z
    .enum(['click', 'url'])
    .default('click')
    .describe('One row for each click, or for each web address.'),
});

export const clickView = z
  .strictObject({
    id: z.string(),
    broadcast_id: z.string(),
    message_id: z.string(),
    contact_id: z.string().nullable(),
    url: z.string(),
    is_bot: z.boolean().describe('A program looked at it, not a person.'),
    user_agent: z.string().nullable(),
    clicked_at: z.iso.datetime(),
  })
  .meta({ id: 'LinkClick' });

export const urlView = z
  .strictObject({
    id: z.string(),
    broadcast_id: z.string(),
    url: z.string(),
    links: count.describe('Messages that it stands in.'),
    clicks: count.describe('Of people.'),
    unique_clicks: count.describe('Messages in which a person opened it.'),
    bot_clicks: count,
  })
  .meta({ id: 'TrackedUrl' });

export const dashboardQuery = z.strictObject({
  broadcast: broadcastId.optional(),
  channel: channel.optional(),
  from: anInstant.optional().describe('By default 30 days ago.'),
  until: anInstant.optional().describe('By default now.'),
  interval: z.enum(['hour', 'day']).default('day').describe('Of UTC.'),
});

export const dashboardView = z
  .strictObject({
    broadcast: z.string().nullable(),
    channel: channel.nullable(),
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    interval: z.enum(['hour', 'day']),
    counts: counts.omit({ queued: true }),
    rates,
    series: z
      .array(counts.omit({ queued: true }).extend({ at: z.iso.datetime() }))
      .describe('What came in each span that anything came in, oldest first.'),
  })
  .meta({ id: 'BroadcastDashboard' });
