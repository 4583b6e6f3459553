import { channels } from '@drawbridge/messaging/message.ts';
import { z } from 'zod';
import { pageQuery } from '../../platform/http/paging.ts';
import { zonedInstant } from '../../platform/http/time-input.ts';
import { idPattern } from '../../platform/ids.ts';

const instant = z.iso.datetime();

/** Every channel, as paths and fields name it. */
export const channel = z.enum([...channels, 'voice']);
export type ContactChannel = z.output<typeof channel>;
/** Channels that reach people by their telephone number. */
export const byPhone = ['wa', 'sms', 'rcs', 'voice'] as const satisfies readonly ContactChannel[];

export const contactId = z.string().regex(idPattern('con'), 'must be the id of a contact');
export const segmentId = z.string().regex(idPattern('seg'), 'must be the id of a segment');
export const segmentName = z.string().trim().min(1).max(100);

const name = z.string().trim().min(1).max(200);
const phone = z
  .string()
  .max(32)
  .describe('In international form with a leading +; kept as + and digits.');
const attributeName = z.string().trim().min(1).max(64);
const attributeValue = z.union([z.string().max(1_000), z.number(), z.boolean()]);
const attributes = z.record(attributeName, attributeValue);
const segments = z.array(segmentName).max(100);
const identifier = z.strictObject({
  channel,
  external_id: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe(
      'A number as `phone`, kept as + and digits; on `botchat` and `wa` also the network’s own id.',
    ),
});
/** A contact has this many identifiers at most. */
export const identifiersMax = 20;
const identifiers = z.array(identifier).max(identifiersMax);

/** A contact has this many attributes at most. */
export const attributesMax = 200;

export const contactRequest = z
  .strictObject({
    name: name.optional(),
    phone: phone.optional(),
    segments: segments.default([]),
    attributes: attributes.default({}),
    channel_identifiers: identifiers.default([]),
  })
  .meta({ id: 'ContactRequest' });

export const contactPatch = z
  .strictObject({
    name: name.nullable().optional(),
    phone: phone.nullable().optional(),
    segments: segments.optional().describe('Replaces the segments.'),
    add_segments: segments.optional(),
    remove_segments: segments.optional(),
    attributes: z
      .record(attributeName, attributeValue.nullable())
      .optional()
      .describe('Merged into what is there; null deletes an attribute.'),
    channel_identifiers: identifiers.optional().describe('Replaces the identifiers.'),
  })
  .meta({ id: 'ContactPatch' });

export const mergeRequest = z
  .strictObject({
    contact_id: contactId.describe('The contact that becomes part of this one.'),
    values_of_other: z
      .array(
        z.string().regex(/^(name|phone|attributes\..+)$/s, 'must be name, phone or attributes.…'),
      )
      .max(attributesMax + 2)
      .optional()
      .describe(
        'Where both have a value, that of the other one is kept for these, e.g. `attributes.city`.',
      ),
  })
  .meta({ id: 'ContactMerge' });

export const contactView = z
  .strictObject({
    id: z.string(),
    name: z.string().nullable(),
    phone: z.string().nullable(),
    segments: z.array(z.string()),
    attributes,
    channel_identifiers: z.array(z.strictObject({ channel, external_id: z.string() })),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Contact' });

const anInstant = zonedInstant();

export const contactQuery = pageQuery.extend({
  segment: segmentName.optional().describe('Name of a segment.'),
  attribute: z
    .string()
    .max(1_100)
    .regex(/^[^:]{1,64}:/, 'must be name:value')
    .optional()
    .describe('An attribute and its value, as city:Dubai.'),
  phone: phone.optional(),
  text: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Beginnings of words of the name, or of the number.'),
  created_after: anInstant.optional().describe('From this instant on.'),
  created_before: anInstant.optional(),
});

const state = z.enum(['granted', 'revoked']);
export const note = z.string().trim().min(1).max(1_000);

export const consentRequest = z
  .strictObject({ channel, state, note: note.optional() })
  .meta({ id: 'ConsentRequest' });

export const consentList = z
  .strictObject({
    results: z.array(
      z.strictObject({
        channel,
        address: z.string(),
        state: z.enum(['granted', 'revoked', 'unknown']),
        source: z.string().nullable(),
        note: z.string().nullable(),
        at: instant.nullable(),
      }),
    ),
  })
  .meta({ id: 'ConsentList' });

export const optOutRequest = z
  .strictObject({
    channel,
    address: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .describe("A phone in international form; on `wa` and `botchat` also the network's own id."),
    note: note.optional(),
  })
  .meta({ id: 'OptOutRequest' });

export const optOutView = z
  .strictObject({
    id: z.string(),
    channel,
    address: z.string(),
    source: z.string(),
    note: z.string().nullable(),
    created_at: instant,
  })
  .meta({ id: 'OptOut' });
