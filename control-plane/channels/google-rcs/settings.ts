import { z } from 'zod';

/** An RCS agent at Google's RCS Business Messaging. */
export const settings = z.object({
  agent_id: z.string().regex(/^[\w.@-]{1,128}$/),
  service_account_email: z.email(),
  private_key: z
    .string()
    .regex(/^-----BEGIN (RSA )?PRIVATE KEY-----/)
    .describe('Of the service account, PEM')
    .meta({ secret: true }),
  client_token: z.string().min(8).describe('Signs the webhooks').meta({ secret: true }),
  token_url: z
    .url({ protocol: /^https?$/ })
    .default('https://oauth2.googleapis.com/token')
    .describe('Where service accounts get their tokens'),
  messages_per_second: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .default('20'),
});

export type Settings = z.infer<typeof settings>;
