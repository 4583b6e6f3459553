import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';

/** What all parts of the inbox use. */
export interface InboxContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Called after a commit: the scope has new changes for its subscribers. */
  changed(scope: TenantScope): void;
}

export const tag = 'Team inbox';
