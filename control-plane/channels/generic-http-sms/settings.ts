import { z } from 'zod';

const field = z.string().regex(/^[\w.-]{1,64}$/, 'must be at most 64 letters, digits, ., - and _');

/** Any SMS gateway that takes one POST for each message, described by its field names. */
export const settings = z.object({
  base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the gateway, without a slash at the end; not needed in the sandbox')
    .meta({ title: 'Address', secretsGoTo: true }),
  path: z
    .string()
    .regex(/^\/[\w./~%-]*$/, 'must be a path that begins with /, without a query')
    .default('/messages')
    .describe('Where messages are posted, after the address'),
  format: z.enum(['json', 'form']).default('json').describe('How the fields of a message are sent'),
  auth_header: field
    .default('authorization')
    .describe('Header by which it knows you')
    .meta({ title: 'Sign-in header' }),
  auth_value: z
    .string()
    .min(1)
    .describe('Sent in that header')
    .meta({ title: 'Value of that header', secret: true }),
  from: z
    .string()
    .min(1)
    .max(20)
    .describe('Number or sender name that people see')
    .meta({ title: 'Sender' }),
  number_format: z
    .enum(['e164', 'digits'])
    .default('e164')
    .describe('e164: +60123456789; digits: 60123456789'),
  to_field: field
    .default('to')
    .describe('Field of the number that it goes to')
    .meta({ advanced: true }),
  from_field: field.default('from').describe('Field of the sender').meta({ advanced: true }),
  text_field: field.default('text').describe('Field of the text').meta({ advanced: true }),
  reference_field: field
    .default('reference')
    .describe('Field of our id, which reports bring back')
    .meta({ advanced: true }),
  report_url_field: field
    .default('report_url')
    .describe('Field of the address for reports')
    .meta({ advanced: true }),
  webhook_secret: z
    .string()
    .min(16)
    .describe('Webhooks carry X-Signature: sha256=<hex HMAC of the body>')
    .meta({ secret: true }),
  messages_per_second: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number from 1 to 9999, as a text')
    .default('10')
    .describe('How many messages it takes in a second')
    .meta({ advanced: true }),
});

export type Settings = z.infer<typeof settings>;
