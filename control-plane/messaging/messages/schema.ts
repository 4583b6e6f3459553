import { statuses } from '@drawbridge/messaging/status.ts';
import { z } from 'zod';
import { idPattern } from '../../platform/ids.ts';
import { appId } from '../apps/schema.ts';
import { contactId } from '../contacts/schema.ts';

export const messageId = z.string().regex(idPattern('msg'), 'must be the id of a message');

const text = z.string().min(1).max(10_000);
const label = z.string().min(1).max(200);
const address = z.url({ protocol: /^https?$/ }).max(2_048);
const phone = z.string().max(32).describe('In international form with a leading +.');

const parameter = z
  .strictObject({
    type: z.enum(['text', 'currency', 'date_time', 'image', 'video', 'document', 'payload']),
    parameter_name: z.string().max(100).optional().describe('Of a template with named variables.'),
    text: text.optional(),
    currency: z
      .strictObject({ fallback_value: label, code: z.string().length(3), amount_1000: z.int() })
      .optional(),
    date_time: z.strictObject({ fallback_value: label }).optional(),
    image: z.strictObject({ link: address }).optional(),
    video: z.strictObject({ link: address }).optional(),
    document: z.strictObject({ link: address, filename: label.optional() }).optional(),
    payload: z.string().max(2_048).optional(),
  })
  .meta({ id: 'TemplateParameter' });
export type ParameterRequest = z.output<typeof parameter>;

const component = z
  .strictObject({
    type: z.enum(['header', 'body', 'button']),
    sub_type: z.string().max(30).optional().describe('Of a button: `url`, `quick_reply` …'),
    index: z.coerce.number().int().min(0).max(9).optional().describe('Place of a button, from 0.'),
    parameters: z.array(parameter).max(60).default([]),
  })
  .meta({ id: 'TemplateComponent' });

const networkTemplate = z
  .strictObject({
    name: z.string().min(1).max(512),
    language: z.string().min(2).max(20),
    components: z.array(component).max(20).default([]),
  })
  .meta({ id: 'TemplateUse' });

const filledTemplate = z
  .strictObject({
    name: z.string().min(1).max(512),
    language: z.string().min(2).max(20).optional().describe('Where the name has more than one.'),
    variables: z
      .record(z.string().max(100), z.string().max(1_024))
      .default({})
      .describe('A value for each variable: `1`, `2` … or its name.'),
  })
  .meta({ id: 'FilledTemplate' });

const file = z
  .strictObject({
    link: address.optional(),
    id: z.string().max(200).optional().describe('The id that the network gave at upload.'),
    caption: z.string().max(4_096).optional(),
    filename: z.string().max(240).optional(),
  })
  .refine(({ link, id }) => (link === undefined) !== (id === undefined), 'give a link or an id');
export type FileRequest = z.output<typeof file>;

const location = z.strictObject({
  latitude: z.number(),
  longitude: z.number(),
  name: label.optional(),
  address: label.optional(),
});

const contactCard = z.strictObject({
  name: label,
  phones: z.array(phone).min(1).max(20),
  email: z.email().optional(),
  organisation: label.optional(),
});

const row = z.strictObject({ id: label, title: label, description: label.optional() });
const interactive = z
  .strictObject({
    header: label.optional(),
    body: text,
    footer: label.optional(),
    buttons: z.array(z.strictObject({ id: label, title: label })).optional(),
    list: z
      .strictObject({
        button: label,
        sections: z.array(z.strictObject({ title: label.optional(), rows: z.array(row) })).max(10),
      })
      .optional(),
    link: z.strictObject({ text: label, url: address }).optional(),
  })
  .refine(
    ({ buttons, list, link }) => [buttons, list, link].filter(Boolean).length === 1,
    'give one of buttons, list and link',
  )
  .meta({ id: 'Interactive' });
export type InteractiveRequest = z.output<typeof interactive>;

const suggestion = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('reply'), text: label, payload: z.string().max(2_048) }),
    z.strictObject({ type: z.literal('url'), text: label, url: address }),
    z.strictObject({ type: z.literal('dial'), text: label, phone }),
    z.strictObject({
      type: z.literal('view-location'),
      text: label,
      latitude: z.number(),
      longitude: z.number(),
    }),
    z.strictObject({ type: z.literal('share-location'), text: label }),
  ])
  .meta({ id: 'Suggestion' });
export type SuggestionRequest = z.output<typeof suggestion>;
const suggestions = z.array(suggestion).max(100);

const card = z
  .strictObject({
    title: label.optional(),
    description: z.string().max(2_000).optional(),
    media_url: address.optional(),
    suggestions: suggestions.optional(),
  })
  .meta({ id: 'Card' });
export type CardRequest = z.output<typeof card>;

/** What the messages of all channels have in common. */
const envelope = {
  app_id: appId.optional().describe("Required when the channel has more than one of the tenant's."),
  contact_id: contactId.optional().describe('In place of `to`.'),
  reply_to: z.string().max(200).optional().describe('Id of the message that this one answers.'),
  ttl_seconds: z
    .int()
    .min(1)
    .max(2_592_000)
    .optional()
    .describe('How long the message may be sent, from now on; a day by default.'),
};

const isOne = (...given: unknown[]) => given.filter((each) => each !== undefined).length === 1;
const oneRecipient = 'give `to` or `contact_id`';

const types = [
  'template',
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'reaction',
] as const;

export const waRequest = z
  .strictObject({
    to: phone.optional(),
    recipient: z
      .string()
      .max(200)
      .optional()
      .describe('The business-scoped id of a person who hides their number, in place of `to`.'),
    type: z.enum(types),
    template: networkTemplate.optional(),
    text: z.strictObject({ body: text, preview_url: z.boolean().optional() }).optional(),
    image: file.optional(),
    video: file.optional(),
    audio: file.optional(),
    document: file.optional(),
    sticker: file.optional(),
    location: location.optional(),
    contacts: z.array(contactCard).max(257).optional(),
    interactive: interactive.optional(),
    reaction: z
      .strictObject({
        message_id: z.string().max(200),
        emoji: z.string().max(20).describe('Empty removes the reaction.'),
      })
      .optional(),
    ...envelope,
  })
  .refine((each) => each[each.type] !== undefined, {
    message: 'the member named by `type` is missing',
    path: ['type'],
  })
  .refine((each) => types.every((type) => type === each.type || each[type] === undefined), {
    message: 'another content than `type` is given too',
    path: ['type'],
  })
  .refine(({ to, recipient, contact_id }) => isOne(to, recipient, contact_id), {
    message: 'give one of `to`, `recipient` and `contact_id`',
    path: ['to'],
  })
  .meta({ id: 'WaMessageRequest' });
export type WaRequest = z.output<typeof waRequest>;

export const smsRequest = z
  .strictObject({
    to: phone.optional(),
    text: text.optional(),
    template: filledTemplate.optional(),
    ...envelope,
  })
  .refine((each) => isOne(each.text, each.template), {
    message: 'give `text` or `template`',
    path: ['text'],
  })
  .refine((each) => isOne(each.to, each.contact_id), { message: oneRecipient, path: ['to'] })
  .meta({ id: 'SmsMessageRequest' });
export type SmsRequest = z.output<typeof smsRequest>;

const media = z
  .strictObject({
    type: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
    link: address,
    caption: z.string().max(4_096).optional(),
    filename: z.string().max(240).optional(),
  })
  .meta({ id: 'Media' });
export type MediaRequest = z.output<typeof media>;

export const botchatRequest = z
  .strictObject({
    to: z
      .string()
      .regex(/^-?\d{1,15}$/, 'must be the id of a chat')
      .optional(),
    text: text.optional(),
    buttons: suggestions.optional().describe('Below the text: `reply` and `url`.'),
    media: media.optional(),
    location: location.optional(),
    template: filledTemplate.optional(),
    ...envelope,
  })
  .refine((each) => isOne(each.text, each.media, each.location, each.template), {
    message: 'give one of `text`, `media`, `location` and `template`',
    path: ['text'],
  })
  .refine((each) => each.buttons === undefined || each.text !== undefined, {
    message: 'stand below a text',
    path: ['buttons'],
  })
  .refine((each) => isOne(each.to, each.contact_id), { message: oneRecipient, path: ['to'] })
  .meta({ id: 'BotMessageRequest' });
export type BotchatRequest = z.output<typeof botchatRequest>;

export const rcsRequest = z
  .strictObject({
    to: phone.optional(),
    text: text.optional(),
    card: card.optional(),
    carousel: z.array(card).max(10).optional(),
    media: media.optional(),
    template: filledTemplate.optional(),
    suggestions: suggestions.optional(),
    ...envelope,
  })
  .refine((each) => isOne(each.text, each.card, each.carousel, each.media, each.template), {
    message: 'give one of `text`, `card`, `carousel`, `media` and `template`',
    path: ['text'],
  })
  .refine((each) => isOne(each.to, each.contact_id), { message: oneRecipient, path: ['to'] })
  .meta({ id: 'RcsMessageRequest' });
export type RcsRequest = z.output<typeof rcsRequest>;

export const queued = z
  .strictObject({
    message_id: z.string(),
    status: z.enum(statuses).describe('`queued`; a repeat with the same key says how it stands.'),
  })
  .meta({ id: 'QueuedMessage' });

const instant = z.iso.datetime().nullable();
export const messageView = z
  .strictObject({
    id: z.string(),
    channel: z.string(),
    direction: z.enum(['in', 'out']),
    app_id: z.string(),
    contact_id: z.string().nullable(),
    address: z.string().describe('Of the person: a phone, or the id the network knows them by.'),
    broadcast_id: z.string().nullable(),
    preview: z.string(),
    content: z.record(z.string(), z.unknown()),
    status: z.enum([...statuses, 'received']),
    provider_id: z.string().nullable(),
    reply_to: z
      .string()
      .nullable()
      .describe('The network’s id (`provider_id`) of the message that this one answers.'),
    error: z.strictObject({ code: z.string(), detail: z.string().nullable() }).nullable(),
    price: z
      .strictObject({ amount: z.string(), currency: z.string() })
      .nullable()
      .describe(
        'What it costs, charged once its provider has taken it; null when it costs nothing, also since it ended without being sent.',
      ),
    hold_released_at: instant.describe(
      'When the price was given back, since the network told nothing of the message in the time in which its reports come. A report that comes yet charges it, and this is null again.',
    ),
    created_at: z.iso.datetime(),
    sent_at: instant,
    delivered_at: instant,
    read_at: instant,
    failed_at: instant,
  })
  .meta({ id: 'Message' });
