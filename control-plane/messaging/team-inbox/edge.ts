import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Place } from '../contacts/store.ts';

/** What the parts of the inbox work with. */
export interface InboxEdge {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Told after a commit that watchers of the place have something to read. */
  changed(place: Place): void;
}
