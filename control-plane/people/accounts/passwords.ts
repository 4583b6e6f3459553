import { hash, verify } from '@node-rs/argon2';
import { z } from 'zod';
import { fail } from '../errors.ts';

/** The parameters that OWASP recommends for argon2id: 19 MiB, two passes, parallelism 1. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each hash takes 19 MiB and a thread, so more than this at once are refused with 503. */
const inFlightMax = 16;

/** A new password, as a person chooses it. */
export const newPassword = z
  .string()
  .min(12)
  .max(200)
  .describe('At least twelve characters; any are allowed.');

/** A password as a person enters it to sign in. */
export const password = z.string().min(1).max(200);

let inFlight = 0;
let dummyHash: Promise<string> | undefined;

/** The salted argon2id hash to store. Throws `unavailable` when too many are being computed. */
export function hashPassword(text: string): Promise<string> {
  return limited(() => hash(text, cost));
}

/**
 * Whether the password has this hash. Without a hash it takes as long and returns false, so that
 * the response time does not reveal who has an account. Throws `unavailable` when too many are
 * computed.
 */
export async function isPassword(text: string, stored: string | undefined): Promise<boolean> {
  return limited(async () => {
    dummyHash ??= hash('nobody has this password', cost);
    const matches = await verify(stored ?? (await dummyHash), text);
    return matches && stored !== undefined;
  });
}

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (inFlight >= inFlightMax) {
    throw fail('unavailable', 'Too many people sign in at this moment: try again in a second.', {
      headers: { 'retry-after': '1' },
    });
  }
  inFlight += 1;
  try {
    return await work();
  } finally {
    inFlight -= 1;
  }
}
