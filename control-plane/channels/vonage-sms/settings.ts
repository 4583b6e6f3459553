import { z } from 'zod';

/** A Vonage account that signs its SMS calls, and the number or name that sends. */
export const settings = z.object({
  api_key: z
    .string()
    .regex(/^[0-9a-f]{8}$/, 'must be 8 digits or letters a to f')
    .describe('Of the account, as its dashboard shows it'),
  signature_secret: z
    .string()
    .min(1)
    .describe('Signs what is sent and what comes in')
    .meta({ secret: true }),
  signature_method: z
    .enum(['md5hash', 'md5', 'sha1', 'sha256', 'sha512'])
    .default('sha256')
    .describe('As the dashboard has it'),
  from: z
    .string()
    .min(3)
    .max(16)
    .describe('Number in digits, or a sender name')
    .meta({ title: 'Sender' }),
  messages_per_second: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number from 1 to 9999, as a text')
    .default('30')
    .describe('How many messages it takes in a second')
    .meta({ advanced: true }),
});

export type Settings = z.infer<typeof settings>;
