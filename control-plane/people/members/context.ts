import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Mailer } from '../mail.ts';
import type { MemberHooks } from './hooks.ts';

/** What the endpoints of members and invitations work with. */
export interface MemberRoutesContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly mailer: Mailer;
  readonly limits: Pick<RateLimits, 'count'>;
  /** Opens the keys that sign the mail of tenants. */
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly memberHooks: MemberHooks;
}

export const tag = 'Members';
