import { z } from 'zod';

const field = z.string().regex(/^[\w.-]{1,64}$/);

/** Any SMS gateway that takes one POST for each message, described by its field names. */
export const settings = z.object({
  base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The gateway, without a slash at the end; not needed in the sandbox'),
  path: z
    .string()
    .regex(/^\/[\w./~%-]*$/)
    .default('/messages'),
  format: z.enum(['json', 'form']).default('json'),
  auth_header: field.default('authorization'),
  auth_value: z.string().min(1).describe('Sent in that header').meta({ secret: true }),
  from: z.string().min(1).max(20),
  number_format: z.enum(['e164', 'digits']).default('e164'),
  to_field: field.default('to'),
  from_field: field.default('from'),
  text_field: field.default('text'),
  reference_field: field.default('reference').describe('Our id'),
  report_url_field: field.default('report_url'),
  webhook_secret: z
    .string()
    .min(16)
    .describe('Webhooks carry X-Signature: sha256=<hex HMAC of the body>')
    .meta({ secret: true }),
  messages_per_second: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .default('10'),
});

export type Settings = z.infer<typeof settings>;
