import { z } from 'zod';

/** A Twilio account that places calls. */
export const settings = z.strictObject({
  account_sid: z.string().regex(/^AC[0-9a-f]{32}$/),
  auth_token: z
    .string()
    .min(1)
    .max(200)
    .describe('Also signs the call-backs')
    .meta({ secret: true }),
});

export type Settings = z.infer<typeof settings>;
