import { z } from 'zod';

/** An Asterisk whose REST interface (ARI) we can reach, and the trunk through which it calls. */
export const settings = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .regex(/[^/]$/, 'without a slash at the end')
    .regex(/^[^?#@]*$/, 'without user, query or fragment: the credentials have fields of their own')
    .describe('Address of the HTTP server, without /ari')
    .meta({ secretsGoTo: true }),
  username: z
    .string()
    .regex(/^[\w.-]{1,80}$/, 'must be at most 80 letters, digits, ., - and _')
    .describe('User of the REST interface, as ari.conf has it'),
  password: z.string().min(1).max(200).describe('Password of that user').meta({ secret: true }),
  application: z
    .string()
    .regex(/^[\w-]{1,60}$/, 'must be at most 60 letters, digits, - and _')
    .optional()
    .describe('Name of the Stasis application; one of this configuration alone when left out')
    .meta({ advanced: true }),
  technology: z
    .enum(['PJSIP', 'SIP'])
    .default('PJSIP')
    .describe('Driver of the trunk')
    .meta({ advanced: true }),
  trunk: z
    .string()
    .regex(/^[\w.-]{1,80}$/, 'must be at most 80 letters, digits, ., - and _')
    .describe('Name of the endpoint that leads to the network'),
  sounds_language: z
    .string()
    .regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, 'must be a language such as en or en_GB')
    .default('en')
    .describe('Language of the sounds that Asterisk plays')
    .meta({ advanced: true }),
});

export type Settings = z.infer<typeof settings>;
