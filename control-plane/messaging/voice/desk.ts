import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Limits } from '../../platform/limits/limits.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Place } from '../contacts/store.ts';
import type { Wire } from '../wire.ts';
import type { CallRow } from './calls/store.ts';
import type { Transcriber } from './transcriber.ts';

/** All that calling works with. */
export interface VoiceDesk {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly limits: Limits;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly wire: Wire;
  readonly objects: Objects;
  readonly transcriber: Transcriber;
  /** A folder for files on their way. */
  readonly transit: string;
  /** Where a provider is in an environment, when that is not its usual address. */
  endpointOf(environment: Environment, providerId: string): string | undefined;
  /** Settings that reach the simulator of a provider, where one plays it. */
  playedSettings(
    environment: Environment,
    providerId: string,
  ): Readonly<Record<string, string>> | undefined;
  /** Told once of each call that is over, in the transaction that ends it. */
  callEnded?(tx: Tx, place: Place, call: CallRow): Promise<void>;
  /** Where providers reach this service. */
  publicUrl(environment: Environment): string;
}

export const tag = 'Voice';

export type { Place };
