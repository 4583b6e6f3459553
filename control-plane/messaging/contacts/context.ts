import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';

/** What all parts of the contact directory need. */
export interface ContactContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

export const tag = 'Contacts';
