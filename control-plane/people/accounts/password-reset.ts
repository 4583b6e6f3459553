import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import { hashOfToken, makeToken } from '../one-time-token.ts';
import { addPasswordReset } from './password-store.ts';

export interface PasswordResetContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** For how long a token is good. */
export const resetHours = 1;
/** Unused tokens of an account by mail, so that nobody floods a mailbox; the host makes more. */
export const openResetsMax = { mail: 3, host: 20 } as const;

/** A token for a new password; undefined when nobody has the address, or too many are open. */
export async function beginPasswordReset(
  { db, clock, random }: PasswordResetContext,
  email: string,
  by: keyof typeof openResetsMax,
): Promise<string | undefined> {
  const [token, now] = [makeToken(random), clock()];
  const reset = {
    email,
    tokenHash: hashOfToken(token),
    now,
    expiresAt: new Date(now.getTime() + resetHours * 3_600_000),
    openMax: openResetsMax[by],
  };
  return (await db.system((tx) => addPasswordReset(tx, reset))) ? token : undefined;
}

/** The link that a person follows; without a page of the host's, undefined. */
export function resetLink(page: string | undefined, token: string): string | undefined {
  // Behind a `#`, since that is sent to no server and stands in no log.
  return page === undefined ? undefined : `${page}#token=${token}`;
}
