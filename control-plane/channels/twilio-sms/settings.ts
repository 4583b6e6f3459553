import { z } from 'zod';

/** A Twilio account and the number or service that sends. */
export const settings = z
  .object({
    account_sid: z.string().regex(/^AC[0-9a-f]{32}$/),
    auth_token: z.string().min(1).describe('Also signs the webhooks').meta({ secret: true }),
    from: z.string().min(3).max(16).optional().describe('Number in E.164, or a sender name'),
    messaging_service_sid: z
      .string()
      .regex(/^MG[0-9a-f]{32}$/)
      .optional()
      .describe('In place of from'),
    messages_per_second: z
      .string()
      .regex(/^[1-9]\d{0,3}$/)
      .default('10'),
  })
  .refine((each) => (each.from === undefined) !== (each.messaging_service_sid === undefined), {
    message: 'one of from and messaging_service_sid is needed',
  });

export type Settings = z.infer<typeof settings>;
