/**
 * PostgreSQL 18 from npm platform packages, for development, evaluation and use on one machine. A
 * process joins a server that already runs on the same home, and does not stop it.
 *
 * ```ts
 * const server = await startEmbedded({ home });
 * const { role } = await migrate({ url: server.url, folder });
 * await server.stop();
 * ```
 *
 * A server ends with the process that started it. A process that keeps running passes `alone`: it
 * does not join a server, but waits until it has ended and starts another. A server that ends by
 * itself is started again on the same port.
 */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log/log.ts';
import { type Installation, initialise, prepareInstallation } from './embedded-installation.ts';
import { type Supervisor, superviseEmbedded } from './embedded-supervisor.ts';
import {
  failureOf,
  findOwner,
  findRunning,
  forgetOwner,
  startPostmaster,
  stopOrphan,
} from './postmaster.ts';

/** Where the embedded server keeps its files. */
export interface EmbeddedOptions {
  /** Folder that holds the data, the password and the log; made when missing. */
  readonly home: string;
  /** No durability, for speed; for tests only. */
  readonly volatile?: boolean;
  /** Waits for the end of a server that another process runs, instead of joining it. */
  readonly alone?: boolean;
  /** How long `alone` waits; default 30,000. */
  readonly waitMs?: number;
  readonly log?: Log;
}

/** A running embedded server. */
export interface EmbeddedServer {
  /** Connection string of `drawbridge`, the owner of the database `drawbridge`; not a superuser. */
  readonly url: string;
  /** Why a server of this process does not run; undefined while it runs or is started again. */
  fault(): string | undefined;
  /** Stops the server if this call started it; a joined one keeps running. */
  stop(): Promise<void>;
}

/** Another process uses the home, and did not end within the time allowed. */
class HomeInUse extends Error {
  readonly code = 'home_in_use';

  constructor(home: string, pid: number) {
    super(
      `process ${pid} runs on the home ${home} and does not end: stop it first, or name another ` +
        'folder in DRAWBRIDGE_HOME. Nodes that are to run side by side share a DATABASE_URL.',
    );
  }
}

const startAttemptsMax = 3;
const defaultWaitMs = 30_000;
const joinWaitMs = 10_000;
const waitPollMs = 50;
/** How long a server is kept for the commands of other processes that joined it. */
const joinedMs = 2_000;

/**
 * Starts, or joins, the server of `home`. Throws with the end of its log when it does not start, and
 * `HomeInUse` when `alone` was given and another process does not end.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { home, volatile = false, alone = false, log } = options;
  const installation = await prepareInstallation(home, volatile);
  for (let attempt = 1; ; attempt += 1) {
    await stopOrphan(installation);
    if (alone) await waitForEnd(installation, options);
    else {
      const port = await join(installation);
      if (port !== undefined) {
        return serverAt(installation, port, { fault: () => undefined, stop: async () => {} });
      }
    }
    await initialise(installation);
    const started = await startPostmaster(installation);
    if (started !== undefined) {
      const supervisor = superviseEmbedded(installation, started, log);
      return serverAt(installation, started.port, {
        fault: supervisor.fault,
        stop: () => end(installation, started.port, supervisor),
      });
    }
    // The port may have been taken, or another process may have started the server first.
    if (attempt === startAttemptsMax) throw new Error(await failureOf(installation));
  }
}

/** The port of the server that another process runs, also while it is started again. */
async function join(installation: Installation): Promise<number | undefined> {
  for (let waited = 0; ; waited += waitPollMs) {
    const port = await findRunning(installation);
    if (port !== undefined || waited >= joinWaitMs) return port;
    if ((await findOwner(installation)) === undefined) return undefined;
    await delay(waitPollMs);
  }
}

async function waitForEnd(
  installation: Installation,
  { home, waitMs = defaultWaitMs, log }: EmbeddedOptions,
): Promise<void> {
  for (let waited = 0; ; waited += waitPollMs) {
    const pid = await findOwner(installation);
    if (pid === undefined) return;
    if (waited === 0) log?.warn({ pid, home }, 'another process runs on this home: waiting for it');
    if (waited >= waitMs) throw new HomeInUse(home, pid);
    await delay(waitPollMs);
    await stopOrphan(installation);
  }
}

async function serverAt(
  installation: Installation,
  port: number,
  control: Pick<EmbeddedServer, 'fault' | 'stop'>,
): Promise<EmbeddedServer> {
  await ensureOwner(installation, port);
  return {
    url: `postgres://drawbridge:${installation.password}@127.0.0.1:${port}/drawbridge`,
    ...control,
  };
}

async function end(
  installation: Installation,
  port: number,
  supervisor: Supervisor,
): Promise<void> {
  // Tests leave connections behind, which are not worth waiting for.
  if (!installation.volatile) await waitForJoined(installation, port);
  await supervisor.stop();
  await forgetOwner(installation);
}

/** Waits until nobody is connected. Connections of this process are closed before. */
async function waitForJoined(installation: Installation, port: number): Promise<void> {
  await asSuperuser(installation, port, async (client) => {
    for (let waited = 0; waited < joinedMs; waited += waitPollMs) {
      const { rowCount } = await client.query(
        `select from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
      );
      if (rowCount === 0) return;
      await delay(waitPollMs);
    }
  }).catch(() => {}); // the server does not answer: nobody uses it
}

/**
 * Makes the owner and its database; at every start, because the first one may have been
 * interrupted.
 */
async function ensureOwner(installation: Installation, port: number): Promise<void> {
  await asSuperuser(installation, port, async (client) => {
    const { rowCount } = await client.query("select from pg_database where datname = 'drawbridge'");
    if (rowCount === 1) return;
    // The owner is not a superuser, so row-level security holds here as it does in production.
    const role = `create role drawbridge login createrole createdb password '${installation.password}'`;
    await client.query(role).catch(ignoreDuplicate);
    await client.query('create database drawbridge owner drawbridge').catch(ignoreDuplicate);
  });
}

async function asSuperuser(
  { password }: Installation,
  port: number,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password });
  client.on('error', () => {}); // a lost connection also fails its statement
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function ignoreDuplicate(error: { code?: string }): void {
  const duplicates = ['42710', '42P04', '23505']; // role, database, or a race for either
  if (!duplicates.includes(error.code ?? '')) throw error;
}
