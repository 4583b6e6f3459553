import type { Environment } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RequestTimes } from '../../platform/metrics/request-times.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Wire } from '../wire.ts';
import type { CallRow } from './calls/store.ts';
import type { HttpTranscriber } from './transcription/http-transcriber.ts';

/** What all parts of voice use. */
export interface CallingContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly limits: RateLimits;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly wire: Wire;
  /** Measures the requests that place calls. */
  readonly times: RequestTimes;
  readonly objects: Objects;
  /** The host's own; undefined: there is none. */
  readonly transcriber: Pick<HttpTranscriber, 'transcribe'> | undefined;
  /** A folder for temporary files. */
  readonly transit: string;
  /** The provider's address in an environment, if it differs from the usual one. */
  endpointOf(environment: Environment, providerId: string): string | undefined;
  /** Settings that reach the provider's simulator, where a simulator runs in its place. */
  simulatorSettings(
    environment: Environment,
    providerId: string,
  ): Readonly<Record<string, string>> | undefined;
  /** Called once for each call, in the transaction that ends it. */
  callEnded?(tx: Tx, scope: TenantScope, call: CallRow): Promise<void>;
  /** The address at which providers reach this service. */
  publicUrl(environment: Environment): string;
}

/** A call whose row is locked, and the transaction that changes it. */
export interface CallTransaction<Context = CallingContext> {
  readonly context: Context;
  readonly tx: Tx;
  readonly scope: TenantScope;
  readonly call: CallRow;
}

export const tag = 'Voice';
