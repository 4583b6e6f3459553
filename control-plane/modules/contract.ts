/** What a module receives from the process and what it provides; app.ts connects the two. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PeopleContext } from '../people/routes.ts';
import type { Sessions } from '../people/sessions/sessions.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { SuspendedTenants } from '../platform/auth/suspended-tenants.ts';
import type { Db } from '../platform/db/database.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { AnyRoute } from '../platform/http/route.ts';
import type { Clock, RandomBytes } from '../platform/ids.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Objects } from '../platform/objects/objects.ts';
import type { Prunable, TenantPrunable } from '../platform/retention/retention.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import type { Tracing } from '../platform/tracing/span.ts';
import type { Settings } from '../settings.ts';

/** What every module receives from the process. */
export interface Platform {
  readonly settings: Settings;
  readonly db: Db;
  readonly jobs: Jobs;
  readonly limits: RateLimits;
  /** Tenants for which nothing is done now. */
  readonly suspended: Pick<SuspendedTenants, 'has' | 'onSuspended'>;
  readonly secrets: Secrets;
  /** Files that are not in the database. */
  readonly objects: Objects;
  /** Sessions of people, who may work with both services. */
  readonly sessions: Sessions;
  /** Their accounts and memberships; a module adds what it does when a member changes. */
  readonly people: PeopleContext;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Records traces; undefined when nobody receives them. */
  readonly tracing: Tracing | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Monotonic milliseconds, for durations. */
  readonly stopwatch: () => number;
  /** The environment's public address, without a slash at its end. */
  readonly publicUrl: (environment: Environment) => string;
}

/**
 * The names of the services; each has its own base paths, family of keys and OpenAPI file.
 */
export type ServiceName = 'einvoice' | 'messaging';

/** One part of the product: its endpoints and its workers. */
export interface Module {
  readonly name: string;
  readonly service: ServiceName;
  /**
   * Its routes for the OpenAPI file. No handler is called, so what handlers need may be `absent()`.
   */
  describe(): readonly AnyRoute[];
  /**
   * Rejects when a file that a setting names cannot be used. Called before anything is opened, as
   * what a start that fails has begun would log its own end.
   */
  checkFiles?(settings: Settings): Promise<void>;
  /** Starts it. Modules are opened in their order and closed in reverse. */
  open(platform: Platform): Promise<OpenModule>;
}

export interface OpenModule {
  readonly routes: readonly AnyRoute[];
  /** Takes over a socket that asks to become a websocket; false when the path is not its own. */
  upgrade?(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    environment: Environment,
  ): boolean;
  /**
   * Members to add to credentials.json at the first start of an installation; `tenantId` is new, and
   * made by the same transaction.
   */
  firstStart?(tx: Tx, tenantId: string): Promise<Readonly<Record<string, unknown>>>;
  /** Begins what needs the addresses of the process, which are known once it listens. */
  started?(): void;
  /** What it keeps for a time only. */
  readonly prunables?: readonly Prunable[];
  /** What it keeps until a life time that its tenant sets. */
  readonly tenantPrunables?: readonly TenantPrunable[];
  /** Addresses of its simulators by name; every start writes them into credentials.json. */
  simulators?(): Readonly<Record<string, string>>;
  /**
   * Stops its work while requests finish: takes no more jobs, ends links and answers that would go on
   * for ever, and lets the rest finish for at most `graceMs` milliseconds. Jobs that are unsettled
   * then go back to their queue, at the latest `abortGraceMs` later.
   */
  drain(graceMs: number): Promise<void>;
  /** Releases its resources; called when neither jobs nor requests are under way. */
  close(): Promise<void>;
}

/** A placeholder for a value that is not used: reading its members works, calling one throws. */
export function absent<T>(): T {
  const nothing: unknown = new Proxy(() => {}, {
    get: () => nothing,
    apply: () => {
      throw new Error('this is only a description');
    },
  });
  return nothing as T;
}
