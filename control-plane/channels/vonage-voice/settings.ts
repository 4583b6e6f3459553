import { z } from 'zod';

/** A Vonage application that places calls. */
export const settings = z.strictObject({
  application_id: z.uuid(),
  private_key: z
    .string()
    .min(100)
    .max(10_000)
    .describe('Of the application, PEM')
    .meta({ secret: true }),
  signature_secret: z
    .string()
    .min(16)
    .max(200)
    .describe('Signs the call-backs')
    .meta({ secret: true }),
});

export type Settings = z.infer<typeof settings>;
