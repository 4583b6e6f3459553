import { z } from 'zod';

/** A Vonage application that places calls. */
export const settings = z.strictObject({
  application_id: z.uuid().describe('Of the application, as its dashboard shows it'),
  private_key: z
    .string()
    .min(100)
    .max(10_000)
    .describe('Private key of the application, as PEM')
    .meta({ secret: true }),
  signature_secret: z
    .string()
    .min(16)
    .max(200)
    .describe('Signs the call-backs')
    .meta({ secret: true }),
  transcription_language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Z][A-Za-z]{3})?-[A-Z]{2}$/, {
      error: 'is a language with its country, as en-US; without it TRANSCRIBER_URL may transcribe',
    })
    .optional()
    .describe('With it Vonage transcribes recordings, in this language'),
});

export type Settings = z.infer<typeof settings>;
