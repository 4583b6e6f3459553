import { z } from 'zod';

/** An RCS agent at Google's RCS Business Messaging. */
export const settings = z.object({
  agent_id: z
    .string()
    .regex(/^[\w.@-]{1,128}$/, 'must be at most 128 letters, digits, ., @, - and _')
    .describe('Id of the RCS agent'),
  service_account_email: z.email().describe('The service account that may send for the agent'),
  private_key: z
    .string()
    .max(10_000)
    .regex(/^-----BEGIN (RSA )?PRIVATE KEY-----/, 'must begin with -----BEGIN PRIVATE KEY-----')
    .describe('Private key of the service account, as PEM')
    .meta({ secret: true }),
  client_token: z.string().min(8).describe('Signs the webhooks').meta({ secret: true }),
  token_url: z
    .url({ protocol: /^https?$/ })
    .default('https://oauth2.googleapis.com/token')
    .describe('Where service accounts get their tokens')
    .meta({ advanced: true }),
  messages_per_second: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number from 1 to 9999, as a text')
    .default('20')
    .describe('How many messages it takes in a second')
    .meta({ advanced: true }),
});

export type Settings = z.infer<typeof settings>;
