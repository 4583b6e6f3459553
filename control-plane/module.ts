/** What a module is given by the process and what it gives back; app.ts puts them together. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Authenticate, Environment } from './platform/auth/principal.ts';
import type { Db } from './platform/db/database.ts';
import type { AnyRoute } from './platform/http/route.ts';
import type { Clock, RandomBytes } from './platform/ids.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { Limits } from './platform/limits/limits.ts';
import type { Log } from './platform/log/log.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import type { Secrets } from './platform/secrets/secrets.ts';
import type { Settings } from './settings.ts';

/** The ground that modules stand on. */
export interface Platform {
  readonly settings: Settings;
  readonly db: Db;
  readonly jobs: Jobs;
  readonly limits: Limits;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Monotonic milliseconds, for durations. */
  readonly stopwatch: () => number;
  /** The environment's address as the world reaches it, without a slash at its end. */
  readonly publicUrl: (environment: Environment) => string;
}

/**
 * Services by name; each has a base path space, a family of keys and an OpenAPI file of its own.
 */
export type ServiceName = 'einvoice' | 'messaging';

/** One part of the product: its endpoints and what works behind them. */
export interface Module {
  readonly name: string;
  readonly service: ServiceName;
  /**
   * Its rows for the OpenAPI file: nothing behind them is called, so what they need may be
   * `absent()`.
   */
  describe(): readonly AnyRoute[];
  /** Starts it. Modules are opened in their order and closed in reverse. */
  open(platform: Platform): Promise<OpenModule>;
}

export interface OpenModule {
  readonly routes: readonly AnyRoute[];
  /** How its service knows callers, when not by API keys alone; `keys` knows them by those. */
  authenticate?(keys: Authenticate): Authenticate;
  /** Takes over a socket that asks to become a websocket; false when the path is not its own. */
  upgrade?(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    environment: Environment,
  ): boolean;
  /**
   * What it adds to credentials.json when this installation is first started; `tenantId` is new.
   */
  firstStart?(tenantId: string): Promise<Readonly<Record<string, unknown>>>;
  /** Told before no more requests are taken: ends answers that would go on for ever. */
  drain?(): void;
  /** Where its simulators listen, by name; credentials.json says so after every start. */
  simulators?(): Readonly<Record<string, string>>;
  /** Finishes within that time. */
  close(graceMs: number): Promise<void>;
}

/** Stands for something that must not be used: reading members is fine, calling one is a bug. */
export function absent<T>(): T {
  const nothing: unknown = new Proxy(() => {}, {
    get: () => nothing,
    apply: () => {
      throw new Error('this is only a description');
    },
  });
  return nothing as T;
}
