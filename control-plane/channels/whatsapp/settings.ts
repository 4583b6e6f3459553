import { z } from 'zod';

/** A business number on the WhatsApp Cloud API. */
export const settings = z.object({
  phone_number_id: z
    .string()
    .regex(/^\d{5,20}$/, 'must be 5 to 20 digits')
    .describe('Id of the number that sends'),
  waba_id: z
    .string()
    .regex(/^\d{5,20}$/, 'must be 5 to 20 digits')
    .describe('Id of the business account')
    .meta({ title: 'Business account id' }),
  access_token: z
    .string()
    .min(1)
    .describe('Token of a system user of the business')
    .meta({ secret: true }),
  app_secret: z.string().min(1).describe('Signs the webhooks').meta({ secret: true }),
  verify_token: z
    .string()
    .min(8)
    .describe('Told to the network when the webhook is set up')
    .meta({ secret: true }),
  api_version: z
    .string()
    .regex(/^v\d{2,3}\.0$/, 'must be a version such as v23.0')
    .default('v23.0')
    .describe('Version of the Graph API')
    .meta({ advanced: true }),
  throughput: z
    .enum(['20', '80', '1000'])
    .default('80')
    .describe('Messages a second: 20 for a number also used in the app, 1000 once upgraded')
    .meta({ advanced: true }),
});

export type Settings = z.infer<typeof settings>;
