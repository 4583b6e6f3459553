import { z } from 'zod';

/** A Plivo account and the number or sender name that sends. */
export const settings = z.object({
  auth_id: z
    .string()
    .regex(/^[A-Z0-9]{20}$/, 'must be 20 capital letters and digits')
    .describe('Of the account, as its overview shows it'),
  auth_token: z.string().min(1).describe('Also signs the webhooks').meta({ secret: true }),
  from: z
    .string()
    .min(3)
    .max(16)
    .describe('Number in E.164, or a sender name')
    .meta({ title: 'Sender' }),
  messages_per_second: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number from 1 to 9999, as a text')
    .default('5')
    .describe('How many messages it takes in a second')
    .meta({ advanced: true }),
});

export type Settings = z.infer<typeof settings>;
