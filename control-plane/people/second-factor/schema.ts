import { z } from 'zod';

/** A code of the second factor, as a person types it. */
export const code = z
  .string()
  .min(6)
  .max(40)
  .describe('Six digits of the authenticator app, or a recovery code.');

export const secondFactorView = z
  .strictObject({
    is_enabled: z.boolean(),
    confirmed_at: z.iso.datetime().nullable(),
    recovery_codes_left: z.int(),
  })
  .meta({ id: 'SecondFactor' });

export const secondFactorSecret = z
  .strictObject({
    secret: z.string().describe('Base32, for typing it into the app.'),
    uri: z.string().describe('otpauth://…, for a picture that the app reads.'),
  })
  .meta({ id: 'SecondFactorSecret' });

export const recoveryCodes = z
  .strictObject({ recovery_codes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes' });
