import {
  cannedReplyVariables,
  faultOfCannedReply,
} from '@drawbridge/messaging/inbox/canned-reply.ts';
import { z } from 'zod';
import { idPattern } from '../../../platform/ids.ts';

export const cannedReplyId = z.string().regex(idPattern('can'), 'must be the id of a canned reply');

const shortcut = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'must be at most 32 letters a to z, digits, - and _, a letter or digit first',
  )
  .describe('What people type after a slash to find it.');
const title = z.string().trim().min(1).max(100);
const text = z
  .string()
  .trim()
  .min(1)
  .max(5_000)
  .superRefine((given, context) => {
    const message = faultOfCannedReply(given);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .describe(
    `May hold variables in two pairs of braces: ${cannedReplyVariables.join(', ')}. The first name ` +
      'is the first word of the name.',
  );

export const cannedReplyRequest = z
  .strictObject({ shortcut, title, text })
  .meta({ id: 'CannedReplyRequest' });

export const cannedReplyPatch = z
  .strictObject({
    shortcut: shortcut.optional(),
    title: title.optional(),
    text: text.optional(),
  })
  .meta({ id: 'CannedReplyPatch' });

export const cannedReplyView = z
  .strictObject({
    id: z.string(),
    shortcut: z.string(),
    title: z.string(),
    text: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'CannedReply' });

const filledCannedReply = z
  .strictObject({
    id: z.string(),
    shortcut: z.string(),
    title: z.string(),
    text: z.string().describe('With what is known put in place of the variables.'),
    missing: z
      .array(z.string())
      .describe('Variables without a value; they stand in the text as they were written.'),
  })
  .meta({ id: 'FilledCannedReply' });

export const filledCannedReplies = z
  .strictObject({ results: z.array(filledCannedReply) })
  .meta({ id: 'FilledCannedReplies' });
