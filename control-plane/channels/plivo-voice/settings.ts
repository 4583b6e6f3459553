import { z } from 'zod';

/** A Plivo account that places calls. */
export const settings = z.strictObject({
  auth_id: z.string().regex(/^[A-Z0-9]{10,40}$/),
  auth_token: z
    .string()
    .min(1)
    .max(200)
    .describe('Also signs the call-backs')
    .meta({ secret: true }),
});

export type Settings = z.infer<typeof settings>;
