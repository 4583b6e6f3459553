import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Limits } from '../../platform/limits/limits.ts';
import type { Log } from '../../platform/log/log.ts';
import type { AppDesk } from '../apps/desk.ts';
import type { MovesContext } from '../messages/moves.ts';
import type { Sender } from '../messages/sender-contract.ts';
import type { ProviderCalls } from '../provider-calls.ts';

/** What the broadcast engine stands on. */
export interface BroadcastEdge extends MovesContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly limits: Limits;
  readonly desk: AppDesk;
  readonly calls: ProviderCalls;
  readonly sender: Sender;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly publicUrl: (environment: Environment) => string;
  /** Messages a second and tenant, unless something else was agreed. */
  readonly ratePerSecond: number;
}

export const broadcastQueue = 'broadcast';
