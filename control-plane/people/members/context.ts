import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Mailer } from '../mail.ts';
import type { MemberHooks } from './hooks.ts';

/** What the endpoints of members and invitations work with. */
export interface MemberRoutesContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly mailer: Mailer;
  readonly memberHooks: MemberHooks;
}

export const tag = 'Members';
