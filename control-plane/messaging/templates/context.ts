import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { AppOpener } from '../apps/app-opener.ts';
import type { ProviderCalls } from '../provider-calls.ts';

export interface TemplateRoutesContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
  readonly clock: Clock;
  readonly random: RandomBytes;
}
