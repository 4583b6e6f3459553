import { z } from 'zod';

/** A Twilio account that places calls. */
export const settings = z.strictObject({
  account_sid: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, 'must be AC and 32 digits or letters a to f')
    .describe('Of the account, as its console shows it'),
  auth_token: z
    .string()
    .min(1)
    .max(200)
    .describe('Also signs the call-backs')
    .meta({ secret: true }),
  intelligence_service_sid: z
    .string()
    .regex(/^GA[0-9a-f]{32}$/, 'must be GA and 32 digits or letters a to f')
    .optional()
    .describe('A service of Conversational Intelligence: with it recordings are transcribed'),
});

export type Settings = z.infer<typeof settings>;
