/**
 * The control plane as one process; the only place where its parts are constructed.
 *
 *   const app = await createApp({ settings, clock, random, stopwatch, log, modules });
 *   const { baseUrl, sandboxBaseUrl } = await app.listen();
 *   await app.close();
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express, Request } from 'express';
import { type Database, openDatabase } from './database.ts';
import { provideCredentials } from './first-start.ts';
import type { Module, OpenModule, Platform } from './module.ts';
import { type Authenticator, openAuthenticator } from './platform/auth/authenticator.ts';
import type { Environment } from './platform/auth/principal.ts';
import { analyzeGrown } from './platform/db/statistics.ts';
import { buildApp } from './platform/http/app.ts';
import { type Described, describe } from './platform/http/openapi.ts';
import { type AnyRoute, route } from './platform/http/route.ts';
import { type Listening, listen } from './platform/http/server.ts';
import type { Service } from './platform/http/service.ts';
import { type Clock, newId, newUuid, type RandomBytes } from './platform/ids.ts';
import { openJobs } from './platform/jobs/jobs.ts';
import { createLimits, sweepWindows } from './platform/limits/limits.ts';
import { sweepTurns } from './platform/limits/turn-store.ts';
import type { Log } from './platform/log/log.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import { openSecrets } from './platform/secrets/secrets.ts';
import { type ServiceRow, services } from './services.ts';
import type { Settings } from './settings.ts';

export interface AppOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  readonly log: Log;
  readonly modules: readonly Module[];
  /** Checks answers against the rows' schemas; for tests. */
  readonly checkReplies?: boolean;
}

export interface Addresses {
  readonly baseUrl: string;
  readonly sandboxBaseUrl: string;
  /** Where credentials.json is, when it is here. */
  readonly credentials: string | undefined;
}

export interface App {
  readonly platform: Platform;
  readonly isDatabaseEmbedded: boolean;
  /** Takes requests from now on. */
  listen(): Promise<Addresses>;
  /** Takes no more, finishes within `shutdownMs` what is under way, gives back what is not done. */
  close(): Promise<void>;
}

const flushKeysMs = 30_000;
const sweepMs = 3_600_000;
/** So long a table that grows may be planned as it was. */
const statisticsMs = 5_000;
const readyWithinMs = 2_000;

export async function createApp(options: AppOptions): Promise<App> {
  const { settings, log, clock } = options;
  const database = await openDatabase(settings, log);
  const urls = {
    live: settings.baseUrl ?? `http://127.0.0.1:${settings.port}`,
    sandbox: settings.sandboxBaseUrl ?? `http://127.0.0.1:${settings.sandboxPort}`,
  };
  const platform = {
    ...(await openPlatform(options, database)),
    publicUrl: (environment: Environment) => urls[environment],
  };
  const { db } = platform;
  const authenticators = new Map<ServiceRow, Authenticator>();
  for (const service of services) {
    authenticators.set(service, await openAuthenticator({ db, clock, family: service.family }));
  }
  const open = await openModules(options.modules, platform);
  const listening: Listening[] = [];
  const timers = [
    every(flushKeysMs, log, async () => {
      for (const { flush } of authenticators.values()) await flush();
    }),
    every(sweepMs, log, async () => void (await db.system(sweepWindows))),
    every(sweepMs, log, async () => void (await db.system(sweepTurns))),
    every(statisticsMs, log, async () => void (await db.system(analyzeGrown))),
  ];
  let isDraining = false;

  return {
    platform,
    isDatabaseEmbedded: database.isEmbedded,
    listen: async () => {
      const built = services.map((row) => serviceOf(row, authenticators.get(row)!, open, platform));
      for (const [environment, port] of [
        ['live', settings.port],
        ['sandbox', settings.sandboxPort],
      ] as const) {
        const http = buildHttp(built, environment, options, platform, () => isDraining);
        listening.push(await serve(http, port, environment, settings, open));
      }
      // Only now is it known which ports were free.
      urls.live = settings.baseUrl ?? listening[0]!.url;
      urls.sandbox = settings.sandboxBaseUrl ?? listening[1]!.url;
      const { live: baseUrl, sandbox: sandboxBaseUrl } = urls;
      const credentials = await provideCredentials(platform, [...open.values()], {
        base_url: baseUrl,
        sandbox_base_url: sandboxBaseUrl,
      });
      return { baseUrl, sandboxBaseUrl, credentials };
    },
    close: async () => {
      isDraining = true;
      for (const timer of timers) clearInterval(timer);
      const graceMs = settings.shutdownMs;
      for (const module of open.values()) module.drain?.();
      await Promise.all(listening.map((server) => server.close(graceMs)));
      for (const module of [...open.values()].reverse()) await module.close(graceMs);
      await platform.jobs.close();
      for (const { flush, close } of authenticators.values()) {
        await flush().catch((err: unknown) => log.warn({ err }, 'last uses were not written down'));
        await close();
      }
      await database.close();
    },
  };
}

async function openPlatform(
  options: AppOptions,
  { db }: Database,
): Promise<Omit<Platform, 'publicUrl'>> {
  const { settings, clock, random, stopwatch, log } = options;
  const { home, secretKey } = settings;
  const metrics = createMetrics({ processMetrics: true });
  const newClaimId = () => newUuid(clock, random);
  return {
    ...{ settings, db, clock, random, stopwatch, log, metrics },
    limits: createLimits({ db, clock }),
    secrets: await openSecrets({ home, ...(secretKey === undefined ? {} : { key: secretKey }) }),
    jobs: await openJobs({ db, log, metrics, newClaimId, leaseMs: settings.jobLeaseMs }),
  };
}

async function openModules(
  modules: readonly Module[],
  platform: Platform,
): Promise<Map<Module, OpenModule>> {
  const open = new Map<Module, OpenModule>();
  for (const module of modules) open.set(module, await module.open(platform));
  return open;
}

function serviceOf(
  row: ServiceRow,
  { authenticate }: Authenticator,
  modules: ReadonlyMap<Module, OpenModule>,
  { limits, settings }: Platform,
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
    routes: [...routes, contractRoute({ ...row, routes }, row.contractPath)],
    authenticate: own.reduce(
      (known, [, open]) => open.authenticate?.(known) ?? known,
      authenticate,
    ),
    count: (name, principal) => {
      const max = principal.limits?.[name] ?? defaults[name];
      if (max === undefined) throw new Error(`a route names the limit ${name}, which is not set`);
      return limits.count(`${name} ${principal.id}`, { max, windowMs: 1_000 });
    },
  };
}

/** Serves the service's own contract, as it is checked in but for the address. */
function contractRoute(service: Described, path: string): AnyRoute {
  const body = JSON.stringify(describe(service, [{ url: '/', description: 'This address' }]));
  return route({
    method: 'get',
    path,
    operationId: 'getContract',
    summary: 'The OpenAPI file of this service',
    auth: { public: 'The contract is no secret: clients are made from it.' },
    responses: { 200: { description: 'OpenAPI 3.1', mediaType: 'application/json' } },
    handler: async () => ({ status: 200, body }),
  });
}

function buildHttp(
  built: readonly Service[],
  environment: Environment,
  { checkReplies = false }: AppOptions,
  platform: Platform,
  isDraining: () => boolean,
): Express {
  const { settings, clock, random, stopwatch, log, metrics, db } = platform;
  const { trustProxy, sandboxHost } = settings;
  return buildApp(built, {
    environmentOf: (request: Request) => {
      return sandboxHost !== undefined && request.hostname === sandboxHost
        ? 'sandbox'
        : environment;
    },
    newRequestId: () => newId('req', clock, random),
    ...{ stopwatch, clock, log, metrics, checkReplies },
    ...(trustProxy === undefined ? {} : { trustProxy }),
    health: {
      metricsFrom: settings.metricsFrom,
      checks: {
        database: () => answers(() => db.ping(), readyWithinMs),
        accepting: async () => !isDraining(),
      },
    },
  });
}

async function serve(
  http: Express,
  port: number,
  environment: Environment,
  { host }: Settings,
  modules: ReadonlyMap<Module, OpenModule>,
): Promise<Listening> {
  const listening = await listen(http, { port, ...(host === undefined ? {} : { host }) });
  listening.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    for (const module of modules.values()) {
      if (module.upgrade?.(request, socket, head, environment)) return;
    }
    socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  return listening;
}

async function answers(ask: () => Promise<void>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(() => done(false), withinMs);
  });
  const answer = ask().then(
    () => true,
    () => false,
  );
  const isAnswered = await Promise.race([answer, late]);
  clearTimeout(timer);
  return isAnswered;
}

function every(ms: number, log: Log, work: () => Promise<void>): NodeJS.Timeout {
  return setInterval(() => {
    work().catch((err: unknown) => log.warn({ err }, 'upkeep failed; it is tried again'));
  }, ms);
}
