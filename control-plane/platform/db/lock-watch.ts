import pg from 'pg';
import type { Log } from '../log/log.ts';

/** A session that holds a lock another one waits for. Members that the role may not read are null. */
interface LockHolder {
  readonly pid: number;
  readonly role: string | null;
  readonly application: string | null;
  readonly address: string | null;
  readonly state: string | null;
  readonly connected_at: Date | null;
}

/** Watches one session for locks that it waits for. */
export interface LockWatch {
  /** What the session does now, for the log. */
  begin(purpose: string): void;
  /** Who held the lock that was last waited for, as a phrase. */
  holders(): string;
  stop(): Promise<void>;
}

export interface LockWatchOptions {
  /** Connection string for a second connection, opened at the first look. */
  readonly url: string;
  /** Process id of the session that may wait. */
  readonly pid: number;
  readonly log: Log | undefined;
  readonly intervalMs: number;
}

/** Looks between two log lines about the same holders. */
const repeatLooks = 60;

/**
 * Logs which sessions keep another one waiting for a lock, so that nobody waits without knowing for
 * whom.
 */
export function watchLocks({ url, pid, log, intervalMs }: LockWatchOptions): LockWatch {
  let purpose = '';
  let last: readonly LockHolder[] = [];
  let told = '';
  let looks = 0;
  let connection: Promise<pg.Client> | undefined;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    connection ??= connect(url);
    const found = await findHolders(await connection, pid);
    if (found.length > 0) last = found;
    const names = found.map((holder) => holder.pid).join();
    looks = names === told ? looks + 1 : 0;
    told = names;
    if (names !== '' && looks % repeatLooks === 0) {
      log?.warn({ holders: found }, `${purpose} waits for a lock held by ${found.map(phrase)}`);
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((err: unknown) => log?.warn({ err }, 'the holder of a lock could not be looked up'))
      .finally(() => {
        looking = undefined;
      });
  }, intervalMs);

  return {
    begin: (next) => {
      purpose = next;
      told = '';
    },
    holders: () => last.map(phrase).join(' and ') || 'an unknown session',
    stop: async () => {
      clearInterval(timer);
      await looking;
      await connection?.then(
        (client) => client.end(),
        () => {},
      );
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'drawbridge lock watch',
  });
  client.on('error', () => {}); // a lost connection also fails its statement
  await client.connect();
  return client;
}

async function findHolders(client: pg.Client, pid: number): Promise<LockHolder[]> {
  const { rows } = await client.query<LockHolder>(
    `select pid, usename as role, application_name as application, host(client_addr) as address,
       state, backend_start as connected_at
     from pg_stat_activity where pid = any(pg_blocking_pids($1)) order by pid`,
    [pid],
  );
  return rows;
}

function phrase({ pid, role, application, address, state }: LockHolder): string {
  const known = [`role ${role}`, application && `"${application}"`, address, state];
  return `process ${pid} (${known.filter(Boolean).join(', ')})`;
}
