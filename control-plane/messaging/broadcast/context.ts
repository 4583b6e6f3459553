import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Log } from '../../platform/log/log.ts';
import type { AppOpener } from '../apps/app-opener.ts';
import type { Sender } from '../messages/sending/sender-contract.ts';
import type { StatusContext } from '../messages/status/changes.ts';
import type { ProviderCalls } from '../provider-calls.ts';

/** Everything that the broadcast engine uses. */
export interface BroadcastContext extends StatusContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly limits: RateLimits;
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
  readonly sender: Sender;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly publicUrl: (environment: Environment) => string;
  /** Messages a second for a tenant, unless another rate was agreed. */
  readonly ratePerSecond: number;
}

export const broadcastQueue = 'broadcast';
