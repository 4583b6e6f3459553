import type { Db } from '../../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../../platform/ids.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { AppOpener } from '../../apps/app-opener.ts';
import type { StatusContext } from '../status/changes.ts';

/** What the functions that receive webhooks need. */
export interface IntakeContext extends StatusContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly jobs: Jobs;
  readonly appOpener: AppOpener;
}
