import { z } from 'zod';

/** A Telegram bot. */
export const settings = z.object({
  bot_token: z
    .string()
    .regex(/^\d{5,16}:[A-Za-z0-9_-]{30,64}$/, 'must be a token such as 110201543:AA…, whole')
    .describe('From BotFather; the network puts it into each address')
    .meta({ secret: true }),
  webhook_secret: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,256}$/, 'must be 16 to 256 letters, digits, - and _')
    .describe('Comes back in a header of each update')
    .meta({ secret: true }),
});

export type Settings = z.infer<typeof settings>;
