import { z } from 'zod';

/** A Twilio account and the number or service that sends. */
export const settings = z
  .object({
    account_sid: z
      .string()
      .regex(/^AC[0-9a-f]{32}$/, 'must be AC and 32 digits or letters a to f')
      .describe('Of the account, as its console shows it'),
    auth_token: z.string().min(1).describe('Also signs the webhooks').meta({ secret: true }),
    from: z
      .string()
      .min(3)
      .max(16)
      .optional()
      .describe('Number in E.164, or a sender name')
      .meta({ title: 'Sender' }),
    messaging_service_sid: z
      .string()
      .regex(/^MG[0-9a-f]{32}$/, 'must be MG and 32 digits or letters a to f')
      .optional()
      .describe('A messaging service in place of the sender'),
    messages_per_second: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'must be a number from 1 to 9999, as a text')
      .default('10')
      .describe('How many messages it takes in a second')
      .meta({ advanced: true }),
  })
  .refine((each) => (each.from === undefined) !== (each.messaging_service_sid === undefined), {
    message: 'one of from and messaging_service_sid is needed',
  });

export type Settings = z.infer<typeof settings>;
