/**
 * The control plane as one process; the only place where its parts are constructed.
 *
 *   const app = await createApp({ settings, clock, random, stopwatch, log, modules });
 *   const { baseUrl, sandboxBaseUrl } = await app.listen();
 *   await app.close();
 */

import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Express, Request, RequestHandler } from 'express';
import { checkClock } from './installation/clock-check.ts';
import { provideCredentials } from './installation/first-credentials.ts';
import { type MigratedDatabase, openMigratedDatabase } from './installation/migrated-database.ts';
import { checkSecretKey } from './installation/secret-key-check.ts';
import type { Module, OpenModule, Platform } from './modules/contract.ts';
import { type ServiceRow, services } from './modules/services.ts';
import { contractRoute } from './openapi/contract-route.ts';
import { deviceLifeSeconds } from './people/accounts/devices.ts';
import { openOpenid } from './people/identity-provider/openid.ts';
import { pendingSignIns } from './people/identity-provider/pending.ts';
import { providerSignOutUrl } from './people/identity-provider/sign-out.ts';
import { openMailer } from './people/mail.ts';
import { MemberHookList } from './people/members/hooks.ts';
import type { PeopleContext } from './people/routes.ts';
import { openSessions } from './people/sessions/sessions.ts';
import { sweepSignIn } from './people/sessions/store.ts';
import { lifeSeconds } from './people/sessions/tokens.ts';
import { openAuditLog } from './platform/audit/audit-log.ts';
import { createAttemptLimit } from './platform/auth/attempt-limit.ts';
import { type Authenticator, openAuthenticator } from './platform/auth/authenticator.ts';
import type { Environment } from './platform/auth/principal.ts';
import { dropReplacedSigningKeys } from './platform/auth/signing-key-store.ts';
import {
  openSuspendedTenants,
  refuseSuspended,
  type SuspendedTenants,
} from './platform/auth/suspended-tenants.ts';
import { endedWithin } from './platform/concurrency/ended-within.ts';
import { readClock } from './platform/db/clock.ts';
import { addPoolGauges } from './platform/db/gauges.ts';
import { analyzeGrown } from './platform/db/statistics.ts';
import { buildApp, type HttpContext } from './platform/http/app.ts';
import type { Health } from './platform/http/health.ts';
import { watchLoop } from './platform/http/loop-lateness.ts';
import { type Listening, listen } from './platform/http/server.ts';
import type { Service } from './platform/http/service.ts';
import { staticFiles } from './platform/http/static-files.ts';
import { type Clock, newId, newUuid, type RandomBytes } from './platform/ids.ts';
import { addJobGauges } from './platform/jobs/gauges.ts';
import { openJobs } from './platform/jobs/jobs.ts';
import { abortGraceMs } from './platform/jobs/worker.ts';
import { sweepSlots } from './platform/limits/arrival-slot-store.ts';
import { BytesUnderWay } from './platform/limits/bytes-under-way.ts';
import { createRateLimits, sweepWindows } from './platform/limits/rate-limits.ts';
import type { Log } from './platform/log/log.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import { openObjects } from './platform/objects/open-objects.ts';
import { startRetention } from './platform/retention/retention.ts';
import { openSecrets, type Secrets } from './platform/secrets/secrets.ts';
import type { Tracing } from './platform/tracing/span.ts';
import { openTracing } from './platform/tracing/tracing.ts';
import type { Settings } from './settings.ts';
import { tellStalledWork } from './webhooks/stalled-work.ts';

export interface AppOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  readonly log: Log;
  readonly modules: readonly Module[];
  /** By how much the clock may differ from the database's at the start; any without, for tests that set it. */
  readonly clockOffMaxMs?: number;
  /** Checks answers against the rows' schemas; for tests. */
  readonly checkReplies?: boolean;
}

export interface Addresses {
  readonly baseUrl: string;
  readonly sandboxBaseUrl: string;
  /** Path of credentials.json, when it is on this machine. */
  readonly credentials: string | undefined;
  /** Whether the pages of the console are served: they are once they were built. */
  readonly hasConsole: boolean;
}

export interface App {
  readonly platform: Platform;
  readonly isDatabaseEmbedded: boolean;
  /** Begins to take requests. */
  listen(): Promise<Addresses>;
  /**
   * Takes no more requests, finishes what is under way within `shutdownMs`, gives back other jobs.
   */
  close(): Promise<void>;
}

const flushKeysMs = 30_000;
/** When the last token that a replaced key has signed has ended, and a day more. */
const tokenLifeMs = (Math.max(deviceLifeSeconds, lifeSeconds.refresh) + 86_400) * 1_000;
const sweepMs = 3_600_000;
/** Milliseconds between two looks for tables that have grown and need ANALYZE. */
const statisticsMs = 5_000;
const parkedMs = 15_000;
const readyWithinMs = 2_000;
/** How long a start that has failed waits for the database to be closed. */
const closeWithinMs = 10_000;
/** The part of `shutdownMs` that is kept for aborting handlers and closing the database. */
const releaseMs = abortGraceMs + 500;
/** How long before the end of `shutdownMs` traces that the receiver does not take are given up. */
const flushMarginMs = 200;

/**
 * Rejects when a part cannot be opened. Timers and connections of the others are left then: the process is to end.
 */
export async function createApp(options: AppOptions): Promise<App> {
  for (const module of options.modules) await module.checkFiles?.(options.settings);
  const database = await openMigratedDatabase(options.settings, options.log, { alone: true });
  try {
    return await openApp(options, database);
  } catch (error) {
    // The embedded server would outlive the process.
    await endedWithin(closeWithinMs, database.close()).catch(() => {});
    throw error;
  }
}

async function openApp(options: AppOptions, database: MigratedDatabase): Promise<App> {
  const { settings, log, clock, stopwatch } = options;
  const tracing = await openTracing({
    endpoint: settings.otlpEndpoint,
    sampler: settings.tracesSampler,
    samplerRatio: settings.tracesSamplerRatio,
    log,
  });
  const secrets = await openSecrets({ home: settings.home, key: settings.secretKey });
  await checkSecretKey(database.db, secrets);
  if (options.clockOffMaxMs !== undefined) {
    await checkClock(database.db, clock, options.clockOffMaxMs);
  }
  // Jobs start after the node listens, so that a job which stalls it does not hide it.
  const started = Promise.withResolvers<void>();
  const urls = {
    live: settings.baseUrl ?? `http://127.0.0.1:${settings.port}`,
    sandbox: settings.sandboxBaseUrl ?? `http://127.0.0.1:${settings.sandboxPort}`,
  };
  const suspended = await openSuspendedTenants({ db: database.db, log });
  const platform = await openPlatform(options, {
    database,
    secrets,
    suspended,
    tracing,
    mayTake: started.promise,
    publicUrl: (environment: Environment) => urls[environment],
  });
  const { db } = platform;
  const authenticators = new Map<ServiceRow, Authenticator>();
  for (const service of services) {
    authenticators.set(service, await openAuthenticator({ db, clock, family: service.family }));
  }
  const open = await openModules(options.modules, platform);
  const prunables = [...open.values()].flatMap((module) => module.prunables ?? []);
  const tenantPrunables = [...open.values()].flatMap((module) => module.tenantPrunables ?? []);
  const retention = startRetention(
    { ...platform, databaseClock: () => db.system(readClock) },
    prunables,
    tenantPrunables,
  );
  const listening: Listening[] = [];
  const timers = [
    every(flushKeysMs, log, async () => {
      for (const { flush } of authenticators.values()) await flush();
    }),
    every(sweepMs, log, async () => void (await db.system(sweepWindows))),
    every(sweepMs, log, async () => void (await db.system(sweepSlots))),
    every(sweepMs, log, async () => void (await db.system((tx) => sweepSignIn(tx, clock())))),
    every(sweepMs, log, async () => {
      const allEnded = new Date(clock().getTime() - tokenLifeMs);
      await db.system((tx) => dropReplacedSigningKeys(tx, allEnded));
    }),
    every(parkedMs, log, () => platform.jobs.countParked()),
    every(statisticsMs, log, async () => void (await db.system(analyzeGrown))),
  ];
  const allMax = settings.largeBodiesMb * 1_000_000;
  const bodies = new BytesUnderWay({ tenantMax: allMax / 4, allMax });
  const lateness = watchLoop({ lateMs: settings.lateMs });
  let isStarted = false;
  let isDraining = false;

  return {
    platform,
    isDatabaseEmbedded: database.isEmbedded,
    listen: async () => {
      const console = consolePages();
      const built = services.map((row) => serviceOf(row, authenticators.get(row)!, open, platform));
      for (const [environment, port] of [
        ['live', settings.port],
        ['sandbox', settings.sandboxPort],
      ] as const) {
        const http = buildHttp(built, environment, options, platform, {
          checks: {
            started: async () => isStarted,
            accepting: async () => !isDraining,
          },
          fault: database.fault,
          bodies,
          isLate: lateness.isLate,
          console,
        });
        listening.push(await serve(http, port, environment, platform, open));
      }
      // The ports are known only now, because they may be free ones.
      urls.live = settings.baseUrl ?? listening[0]!.url;
      urls.sandbox = settings.sandboxBaseUrl ?? listening[1]!.url;
      const { live: baseUrl, sandbox: sandboxBaseUrl } = urls;
      const credentials = await provideCredentials(platform, [...open.values()], {
        base_url: baseUrl,
        sandbox_base_url: sandboxBaseUrl,
      });
      isStarted = true;
      started.resolve();
      for (const module of open.values()) module.started?.();
      return { baseUrl, sandboxBaseUrl, credentials, hasConsole: console !== undefined };
    },
    close: async () => {
      isDraining = true;
      const endMs = stopwatch() + settings.shutdownMs - flushMarginMs;
      for (const timer of timers) clearInterval(timer);
      lateness.stop();
      const graceMs = Math.max(0, settings.shutdownMs - releaseMs);
      // In parallel, because requests may wait for jobs, and the server waits for the sockets of links.
      await Promise.all([
        ...[...open.values()].map((module) => module.drain(graceMs)),
        ...listening.map((server) => server.close(graceMs)),
        retention.stop(),
      ]);
      for (const module of [...open.values()].reverse()) await module.close();
      await platform.jobs.close();
      await platform.people.openid.close();
      await platform.sessions.close();
      await suspended.close();
      for (const { flush, close } of authenticators.values()) {
        await flush().catch((err: unknown) => log.warn({ err }, 'last uses were not written down'));
        await close();
      }
      await database.close();
      await tracing?.close(Math.max(0, endMs - stopwatch()));
    },
  };
}

async function openPlatform(
  options: AppOptions,
  open: {
    readonly database: MigratedDatabase;
    readonly secrets: Secrets;
    readonly suspended: SuspendedTenants;
    readonly tracing: Tracing | undefined;
    readonly mayTake: Promise<unknown>;
    readonly publicUrl: Platform['publicUrl'];
  },
): Promise<Platform> {
  const { secrets, suspended, tracing, mayTake, publicUrl } = open;
  const { db } = open.database;
  const { settings, clock, random, stopwatch, log } = options;
  const metrics = createMetrics({ processMetrics: true });
  const newClaimId = () => newUuid(clock, random);
  const jobs = await openJobs({
    db,
    log,
    metrics,
    newClaimId,
    leaseMs: settings.jobLeaseMs,
    lossesMax: settings.jobLossesMax,
    mayTake,
    tracing,
  });
  const sessions = await openSessions({
    db,
    secrets,
    clock,
    random,
    browserIdleMs: settings.browserIdleMinutes * 60_000,
    browserLifeMs: settings.browserLifeHours * 3_600_000,
  });
  const { home, smtpUrl, mailFrom: from, passwordResetUrl: resetPage } = settings;
  const openid = openOpenid({ clock, allowPrivate: settings.identityProviderAllowPrivate });
  const limits = createRateLimits({ db, clock });
  const people: PeopleContext = {
    db,
    clock,
    random,
    limits,
    sessions,
    secrets,
    mailer: openMailer({ home, smtpUrl, from, clock, random }),
    resetPage,
    publicUrl,
    openid,
    pending: pendingSignIns({ secrets, clock, random }),
    providerSignOutUrl: (ended) => providerSignOutUrl({ db, secrets, openid, publicUrl }, ended),
    memberHooks: new MemberHookList(),
  };
  addPoolGauges(metrics.registry, db);
  addJobGauges(metrics.registry, { db, jobs, log, stopwatch });
  return {
    settings,
    db,
    clock,
    random,
    stopwatch,
    tracing,
    log,
    metrics,
    limits,
    suspended,
    secrets,
    objects: openObjects({ home, url: settings.objectStore, key: settings.objectStoreKey }),
    sessions,
    people,
    jobs,
    publicUrl,
  };
}

async function openModules(
  modules: readonly Module[],
  platform: Platform,
): Promise<Map<Module, OpenModule>> {
  const open = new Map<Module, OpenModule>();
  for (const module of modules) {
    const jobs = tellStalledWork(platform.jobs, module.service, platform);
    open.set(module, await module.open({ ...platform, jobs }));
  }
  return open;
}

function serviceOf(
  row: ServiceRow,
  { authenticate }: Authenticator,
  modules: ReadonlyMap<Module, OpenModule>,
  { limits, settings, sessions, suspended }: Platform,
): Service {
  const defaults: Record<string, number> = {
    read: settings.readLimit,
    write: settings.writeLimit,
    submit: settings.submitLimit,
  };
  const own = [...modules].filter(([module]) => module.service === row.name);
  const routes = own.flatMap(([, open]) => open.routes);
  return {
    ...row,
    routes: [...routes, contractRoute(row.name, row.contractPath)],
    authenticate: refuseSuspended(suspended, sessions.authenticate(row.family, authenticate)),
    count: async (name, { id, tenantId, environment, limits: own }) => {
      const max = own?.[name] ?? defaults[name];
      if (max === undefined) throw new Error(`a route names the limit ${name}, which is not set`);
      const ofTenant = max * settings.tenantLimitFactor;
      const [byKey, byTenant] = await Promise.all([
        limits.count(`${name} ${id}`, { max, windowMs: 1_000 }),
        limits.count(`${name} ${tenantId} ${environment}`, { max: ofTenant, windowMs: 1_000 }),
      ]);
      return byTenant.isGranted ? byKey : byTenant;
    },
  };
}

/** What both addresses share. */
type Shared = Required<Pick<Health, 'checks' | 'fault'>> &
  Required<Pick<HttpContext, 'bodies' | 'isLate' | 'console'>>;

function buildHttp(
  built: readonly Service[],
  environment: Environment,
  { checkReplies = false }: AppOptions,
  platform: Platform,
  { checks, fault, bodies, isLate, console }: Shared,
): Express {
  const { settings, clock, random, stopwatch, log, metrics, db, limits, tracing } = platform;
  const { publicUrl } = platform;
  const { trustProxy, sandboxHost } = settings;
  return buildApp(built, {
    environmentOf: (request: Request) => {
      return sandboxHost !== undefined && request.hostname === sandboxHost
        ? 'sandbox'
        : environment;
    },
    isSecure: () => publicUrl(environment).startsWith('https:'),
    newRequestId: () => newId('req', clock, random),
    stopwatch,
    clock,
    log,
    metrics,
    tracing,
    bodies,
    isLate,
    console,
    checkReplies,
    ...(trustProxy === undefined ? {} : { trustProxy }),
    attempts: createAttemptLimit({ limits, clock, max: settings.failedKeyLimit }),
    auditLog: openAuditLog({ db, clock, random }),
    health: {
      metricsFrom: settings.metricsFrom,
      checks: {
        database: () => endedWithin(readyWithinMs, db.ping()).catch(() => false),
        ...checks,
      },
      fault,
    },
  });
}

/** The pages as `npm run build:console` left them; undefined: it did not run. */
function consolePages(): RequestHandler | undefined {
  const built = fileURLToPath(new URL('console/dist', import.meta.url));
  return existsSync(built) ? staticFiles(built) : undefined;
}

async function serve(
  http: Express,
  port: number,
  environment: Environment,
  { settings: { host, connectionsMax }, metrics }: Platform,
  modules: ReadonlyMap<Module, OpenModule>,
): Promise<Listening> {
  const listening = await listen(http, {
    port,
    ...(host === undefined ? {} : { host }),
    connectionsMax,
    onRefused: () => metrics.connectionsRefused.inc(),
  });
  listening.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    for (const module of modules.values()) {
      if (module.upgrade?.(request, socket, head, environment)) return;
    }
    socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  return listening;
}

function every(ms: number, log: Log, work: () => Promise<void>): NodeJS.Timeout {
  return setInterval(() => {
    work().catch((err: unknown) => log.warn({ err }, 'upkeep failed; it is tried again'));
  }, ms);
}
