import { z } from 'zod';

/** Credentials of a Peppol access point. */
export const settings = z.object({
  dialect: z
    .enum(['phoss-ap', 'phase4'])
    .default('phoss-ap')
    .describe('Which REST dialect the access point speaks'),
  token: z.string().min(1).describe('Sent as X-Token').meta({ secret: true }),
  mls_to: z
    .string()
    .regex(/^0242:\d{6}$/)
    .optional()
    .describe('phoss-ap: SPID that the message level status goes to'),
  inbound_token: z
    .string()
    .min(16)
    .optional()
    .describe('What the access point sends as X-Token when it brings a received document')
    .meta({ secret: true }),
  delivered_on: z
    .enum(['mls', 'receipt'])
    .default('mls')
    .describe('phoss-ap: what counts as delivered; `receipt` where receivers send no MLS'),
});

export type Settings = z.infer<typeof settings>;
