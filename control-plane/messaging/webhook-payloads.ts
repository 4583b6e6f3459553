import { z } from 'zod';
import { commonPayloads, type PayloadEntry, payloadRows } from '../webhooks/payload-schema.ts';
import { channel } from './contacts/schema.ts';

const text = z.string();
const maybe = z.string().nullable();
const money = z.string().regex(/^-?\d+(\.\d+)?$/);
const sms = 'sms' as const;

const ids = {
  contact: 'con_01k3w9v2x4m6n8p0q2r4s6t8v0',
  message: 'msg_01k3w9v2x4m6n8p0q2r4s6t8v0',
  app: 'app_01k3w9v2x4m6n8p0q2r4s6t8v0',
  broadcast: 'brc_01k3w9v2x4m6n8p0q2r4s6t8v0',
  template: 'tpl_01k3w9v2x4m6n8p0q2r4s6t8v0',
  call: 'call_01k3w9v2x4m6n8p0q2r4s6t8v0',
  conversation: 'cnv_01k3w9v2x4m6n8p0q2r4s6t8v0',
  tenant: '7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11',
} as const;

const contact = {
  id: ids.contact,
  data: z.strictObject({
    name: maybe,
    phone: maybe,
    source: text.describe(
      '`api`, `inbound`, `network`, or `retention` where its life time is over.',
    ),
    channel: channel.optional().describe('Of the inbound message that made the contact.'),
    changed: z.array(text).optional().describe('Fields that an update named.'),
    merged_id: text.optional().describe('The contact that a merge removed.'),
  }),
};
const amal = { name: 'Amal Haddad', phone: '+971501234567', source: 'api' };

const consent = {
  id: '+971501234567',
  data: z.strictObject({
    channel,
    address: text,
    source: text.describe('`api`, `inbound` or `network`.'),
    scope: text.optional().describe('`marketing` where the network says so.'),
  }),
  example: { channel: sms, address: '+971501234567', source: 'inbound' },
};

const queued = z.strictObject({
  channel,
  app_id: text,
  contact_id: maybe,
  address: text,
  status: text,
  preview: text,
});
const status = {
  id: ids.message,
  data: z.strictObject({
    channel,
    app_id: text,
    contact_id: maybe,
    broadcast_id: maybe,
    address: text,
    status: text,
    error: z.strictObject({ code: maybe, detail: maybe }).optional(),
  }),
};
const toAmal = {
  channel: sms,
  app_id: ids.app,
  contact_id: ids.contact,
  address: '+971501234567',
};
const ofBroadcast = { ...toAmal, broadcast_id: ids.broadcast };

const broadcast = {
  id: ids.broadcast,
  data: z.strictObject({
    channel,
    template: text,
    segment: maybe.describe('Null: it was sent to people who were named.'),
    state: text,
    reason: maybe,
    detail: maybe,
    recipients: z.number().int(),
    skipped: z.record(text, z.number().int()).describe('How many contacts, by the reason.'),
    schedule_at: z.iso.datetime(),
  }),
};
const ramadan = {
  channel: sms,
  template: 'ramadan_offer',
  segment: 'VIP',
  reason: null,
  detail: null,
  recipients: 14_812,
  skipped: { opted_out: 188 },
  schedule_at: '2026-03-02T08:15:00.000Z',
};

const template = {
  id: ids.template,
  data: z.strictObject({
    name: text,
    language: text,
    status: text,
    category: text,
    reason: maybe,
  }),
};
const reminder = {
  name: 'order_reminder',
  language: 'en',
  status: 'approved',
  category: 'UTILITY',
  reason: null,
};

const callMembers = {
  call_id: text,
  status: text,
  to: text,
  from: text,
  provider_config: text,
  template_id: text,
  duration_seconds: z.number().int().nullable(),
  cost: z.strictObject({ amount: money, currency: text }).nullable(),
};
const call = { id: ids.call, data: z.strictObject(callMembers) };
const underWay = {
  call_id: ids.call,
  status: 'in_progress',
  to: '+60123456789',
  from: '+60312345678',
  provider_config: 'vpc_01k3w9v2x4m6n8p0q2r4s6t8v0',
  template_id: 'vtp_01k3w9v2x4m6n8p0q2r4s6t8v0',
  duration_seconds: null,
  cost: null,
};
const ended = {
  ...underWay,
  status: 'completed',
  duration_seconds: 74,
  cost: { amount: '0.062', currency: 'USD' },
};

const conversation = {
  id: ids.conversation,
  data: z.strictObject({
    contact_id: text,
    channel: text,
    opening: z.number().int().describe('How often it was opened.'),
    assignee_id: maybe,
    actor: maybe.describe('Who did it; null: the service.'),
  }),
  example: {
    contact_id: ids.contact,
    channel: 'wa',
    opening: 1,
    assignee_id: null,
    actor: null,
  },
};

const entries = {
  'app.stopped': {
    id: ids.app,
    summary:
      'A provider takes nothing from an app: its messages wait until it is mended and active again',
    data: z.strictObject({ channel, provider: text, name: text, reason: text }),
    example: {
      channel: sms,
      provider: 'twilio-sms',
      name: 'Support',
      reason: '20003: Authenticate',
    },
  },
  'contact.created': { ...contact, summary: 'A contact was made', example: amal },
  'contact.updated': {
    ...contact,
    summary: 'A contact was changed',
    example: { ...amal, changed: ['name', 'attributes'] },
  },
  'contact.merged': {
    ...contact,
    summary: 'Another contact became part of this one',
    example: { ...amal, merged_id: 'con_01k3w9v2x4m6n8p0q2r4s6t8w1' },
  },
  'contact.deleted': {
    ...contact,
    summary: 'A contact was deleted, with its conversation; its name and number are told no more',
    example: { name: null, phone: null, source: 'api' },
  },
  'consent.granted': { ...consent, summary: 'Somebody agrees to messages' },
  'consent.revoked': { ...consent, summary: 'Somebody refuses messages, or wrote STOP' },
  'message.queued': {
    id: ids.message,
    summary: 'A message waits to be sent',
    data: queued,
    example: { ...toAmal, status: 'queued', preview: 'Your order 2041 is on its way.' },
  },
  'message.sent': {
    ...status,
    summary: 'The provider has taken a message',
    example: { ...ofBroadcast, status: 'sent' },
  },
  'message.delivered': {
    ...status,
    summary: 'A message has arrived',
    example: { ...ofBroadcast, status: 'delivered' },
  },
  'message.read': {
    ...status,
    summary: 'A message was read',
    example: { ...ofBroadcast, channel: 'wa', status: 'read' },
  },
  'message.unknown': {
    ...status,
    summary: 'The answer to a message was lost: it may have been sent, and a report may yet say so',
    example: {
      ...toAmal,
      broadcast_id: null,
      status: 'unknown',
      error: { code: 'answer_lost', detail: 'ECONNRESET' },
    },
  },
  'message.failed': {
    ...status,
    summary: 'A message did not arrive',
    example: {
      ...ofBroadcast,
      status: 'failed',
      error: { code: '30005', detail: 'Unknown destination handset' },
    },
  },
  'message.skipped': {
    ...status,
    summary: 'A message was not sent: the person wants none, or was deleted as a contact',
    example: { ...ofBroadcast, status: 'skipped', error: { code: 'opted_out', detail: null } },
  },
  'message.received': {
    id: ids.message,
    summary: 'Somebody has written',
    data: z.strictObject({
      channel,
      app_id: text,
      contact_id: maybe,
      address: text,
      preview: text,
      content: z.looseObject({ kind: text }).describe('As GET of the message shows it.'),
      reply_to: maybe.describe("The provider's id of the message that it answers."),
    }),
    example: {
      ...toAmal,
      preview: 'Is my order ready?',
      content: { kind: 'text', text: 'Is my order ready?' },
      reply_to: null,
    },
  },
  'broadcast.queued': {
    ...broadcast,
    summary: 'A broadcast waits for its time',
    example: { ...ramadan, state: 'queued', recipients: 0, skipped: {} },
  },
  'broadcast.started': {
    ...broadcast,
    summary: 'The audience is fixed, and sending has begun',
    example: { ...ramadan, state: 'running' },
  },
  'broadcast.paused': {
    ...broadcast,
    summary: 'Nothing is sent for the time being',
    example: { ...ramadan, state: 'paused', reason: 'insufficient_funds' },
  },
  'broadcast.resumed': {
    ...broadcast,
    summary: 'A broadcast that was paused goes on, or waits for its time again',
    example: { ...ramadan, state: 'running' },
  },
  'broadcast.rescheduled': {
    ...broadcast,
    summary: 'A broadcast has another time',
    example: { ...ramadan, state: 'queued', recipients: 0, skipped: {} },
  },
  'broadcast.canceled': {
    ...broadcast,
    summary: 'Nothing more of it is sent',
    example: { ...ramadan, state: 'canceled', reason: 'requested' },
  },
  'broadcast.completed': {
    ...broadcast,
    summary: 'Every message was tried',
    example: { ...ramadan, state: 'completed' },
  },
  'broadcast.failed': {
    ...broadcast,
    summary: 'Nothing of it was sent',
    example: { ...ramadan, state: 'failed', reason: 'empty_audience', recipients: 0, skipped: {} },
  },
  'broadcast.click': {
    id: ids.broadcast,
    summary: 'Somebody has opened a link',
    data: z.strictObject({
      message_id: text,
      contact_id: maybe,
      channel: text,
      url: text,
      is_first: z.boolean().describe('Of this message.'),
    }),
    example: {
      message_id: ids.message,
      contact_id: ids.contact,
      channel: sms,
      url: 'https://shop.example.com/ramadan',
      is_first: true,
    },
  },
  'template.approved': {
    ...template,
    summary: 'The network has approved a template',
    example: reminder,
  },
  'template.rejected': {
    ...template,
    summary: 'The network refuses a template',
    example: { ...reminder, status: 'rejected', reason: 'INVALID_FORMAT' },
  },
  'template.paused': {
    ...template,
    summary: 'The network has stopped a template for a time',
    example: { ...reminder, status: 'paused', reason: 'low quality' },
  },
  'template.disabled': {
    ...template,
    summary: 'The network takes a template no more',
    example: { ...reminder, status: 'disabled', reason: 'low quality' },
  },
  'template.deleted': {
    ...template,
    summary: 'A template is gone at the network',
    example: { ...reminder, status: 'deleted' },
  },
  'template.category_changed': {
    ...template,
    summary: 'The network counts a template to another category',
    example: { ...reminder, category: 'MARKETING' },
  },
  'call.ringing': {
    ...call,
    summary: 'The phone rings',
    example: { ...underWay, status: 'ringing' },
  },
  'call.answered': { ...call, summary: 'Somebody has answered', example: underWay },
  'call.dtmf': {
    id: ids.call,
    summary: 'Somebody has pressed keys',
    data: z.strictObject({ ...callMembers, node: text, digits: text }),
    example: { ...underWay, node: 'menu', digits: '1' },
  },
  'call.transferred': {
    id: ids.call,
    summary: 'The call was put through to somebody, or that has failed',
    data: z.strictObject({
      ...callMembers,
      node: text,
      result: text,
      leg: z.number().int().nullable(),
      dialed: text.optional(),
    }),
    example: { ...underWay, node: 'agent', result: 'answered', leg: 1, dialed: '+60387654321' },
  },
  'call.completed': { ...call, summary: 'A call has ended', example: ended },
  'call.failed': {
    ...call,
    summary: 'A call did not come about',
    example: { ...ended, status: 'no_answer', duration_seconds: 0, cost: null },
  },
  'call.cost_changed': {
    id: ids.call,
    summary: 'What a call costs is known better',
    data: z.strictObject({
      ...callMembers,
      leg: z
        .number()
        .int()
        .nullable()
        .describe('Whose price it is; null: that of the call itself.'),
    }),
    example: { ...ended, cost: { amount: '0.084', currency: 'USD' }, leg: 1 },
  },
  'recording.ready': {
    id: ids.call,
    summary: 'A recording is stored here',
    data: z.strictObject({
      ...callMembers,
      recording_id: text,
      sha256: text,
      bytes: z.number().int(),
    }),
    example: {
      ...ended,
      recording_id: 'rec_01k3w9v2x4m6n8p0q2r4s6t8v0',
      sha256: '9b74c989'.repeat(8),
      bytes: 592_044,
    },
  },
  'conversation.opened': { ...conversation, summary: 'Somebody has written anew' },
  'conversation.assigned': {
    ...conversation,
    summary: 'A conversation has another assignee, or none',
    example: {
      ...conversation.example,
      assignee_id: 'usr_01k3w9v2x4m6n8p0q2r4s6t8v0',
      actor: 'usr_01k3w9v2x4m6n8p0q2r4s6t8w1',
    },
  },
  'conversation.snoozed': { ...conversation, summary: 'A conversation is put off until later' },
  'conversation.woken': { ...conversation, summary: 'A conversation is put off no more' },
  'conversation.closed': { ...conversation, summary: 'A conversation was closed' },
  'wallet.low': {
    id: ids.tenant,
    summary: 'The wallet runs low',
    data: z.strictObject({
      environment: z.enum(['live', 'sandbox']),
      currency: text.optional(),
      balance: money.optional(),
      available: money.optional(),
      low_at: money.nullable().optional(),
      broadcast_id: text.optional().describe('The broadcast that waits for money.'),
    }),
    example: {
      environment: 'live',
      currency: 'USD',
      balance: '41.20',
      available: '38.75',
      low_at: '50',
    },
  },
} satisfies Record<string, PayloadEntry>;

type Entries = typeof entries;

/** An event of the messaging service. */
export type MessagingEvent = keyof Entries;

/** What is told of an event; the compiler holds whoever adds one to it. */
export type EventData<Event extends MessagingEvent> = z.input<Entries[Event]['data']>;

/** What messaging tells by webhooks. */
export const messagingPayloads = payloadRows({ ...entries, ...commonPayloads });
