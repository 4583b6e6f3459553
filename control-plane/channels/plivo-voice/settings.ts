import { z } from 'zod';

/** A Plivo account that places calls. */
export const settings = z.strictObject({
  auth_id: z
    .string()
    .regex(/^[A-Z0-9]{10,40}$/, 'must be 10 to 40 capital letters and digits')
    .describe('Of the account, as its overview shows it'),
  auth_token: z
    .string()
    .min(1)
    .max(200)
    .describe('Also signs the call-backs')
    .meta({ secret: true }),
  transcription: z
    .literal('auto', {
      error: 'is auto: Plivo transcribes English alone; other languages need TRANSCRIBER_URL',
    })
    .optional()
    .describe('With it Plivo transcribes recordings, in English alone'),
});

export type Settings = z.infer<typeof settings>;
