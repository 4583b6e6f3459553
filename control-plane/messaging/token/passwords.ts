import { hash, verify } from '@node-rs/argon2';
import { z } from 'zod';
import { fail } from '../errors.ts';

/** What OWASP advises for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each takes 19 MiB and a thread; more than this at once are refused, to be tried again. */
const atOnceMax = 16;

/** A password that somebody chooses. */
export const newPassword = z
  .string()
  .min(12)
  .max(200)
  .describe('At least twelve characters; any are allowed.');

/** A password that somebody claims to have. */
export const password = z.string().min(1).max(200);

let underWay = 0;
let stranger: Promise<string> | undefined;

/** The argon2id hash to store, salted. Throws `unavailable` when too many are under way. */
export function hashPassword(text: string): Promise<string> {
  return limited(() => hash(text, cost));
}

/**
 * True when the password has this hash. Without a hash it takes as long and is false, so that the
 * time does not tell who has an account. Throws `unavailable` when too many are under way.
 */
export async function isPassword(text: string, stored: string | undefined): Promise<boolean> {
  return limited(async () => {
    stranger ??= hash('nobody has this password', cost);
    const fits = await verify(stored ?? (await stranger), text);
    return fits && stored !== undefined;
  });
}

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= atOnceMax) {
    throw fail('unavailable', 'Too many people sign in at this moment: try again in a second.', {
      headers: { 'retry-after': '1' },
    });
  }
  underWay += 1;
  try {
    return await work();
  } finally {
    underWay -= 1;
  }
}
