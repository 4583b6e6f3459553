/**
 * A real PgBouncer for tests, in transaction mode before a PostgreSQL:
 *
 *   const pooler = await startPgbouncer([ownerUrl, appUrl]);
 *   const throughPooler = pooler.urlOf(ownerUrl);
 *   await pooler.stop();
 *
 * Ask `pgbouncerUnavailable()` first, because the binary comes from the host.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-ports.ts';
import { sqlAt } from './postgres.ts';

export interface TestPgbouncer {
  /** The same login and database through the pooler. */
  urlOf(url: string): string;
  stop(): Promise<void>;
}

const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'];
const startWaitMs = 30_000;

/** Why no PgBouncer can be started here, or undefined when one can. */
export function pgbouncerUnavailable(): string | undefined {
  return binary() === undefined ? 'PgBouncer is not installed (pgbouncer)' : undefined;
}

/**
 * Starts one that knows the logins of these connection strings, all of one server and database. Few
 * server connections, so that clients soon get one that another client has used.
 */
export async function startPgbouncer(urls: readonly string[]): Promise<TestPgbouncer> {
  const home = await mkdtemp(join(tmpdir(), 'drawbridge-pgbouncer-'));
  await chmod(home, 0o755); // as root it runs as another user
  const port = await freePort();
  const [{ hostname, port: serverPort, pathname }] = urls.map((url) => new URL(url)) as [URL];
  const logins = urls.map((url) => {
    const { username, password } = new URL(url);
    return `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"`;
  });
  await writeFile(join(home, 'logins.txt'), `${logins.join('\n')}\n`);
  const settings = [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 200',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(home, 'logins.txt')}`,
  ];
  await writeFile(join(home, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  const pooler = spawnPooler(join(home, 'pgbouncer.ini'));
  const log: string[] = [];
  pooler.stderr!.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  const urlOf = (url: string) => {
    const through = new URL(url);
    through.host = `127.0.0.1:${port}`;
    return through.href;
  };
  const stop = async () => {
    if (pooler.exitCode === null && pooler.signalCode === null) {
      const exited = once(pooler, 'exit');
      pooler.kill('SIGTERM'); // at once, without waiting for clients
      await exited;
    }
    await rm(home, { recursive: true, force: true });
  };
  await answers(urlOf(urls[0]!), pooler).catch(async (cause: unknown) => {
    await stop();
    throw new Error(`PgBouncer did not start:\n${log.join('')}`, { cause });
  });
  return { urlOf, stop };
}

function binary(): string | undefined {
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path));
}

function spawnPooler(settings: string): ChildProcess {
  // PgBouncer refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const setpriv = '/usr/bin/setpriv';
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
  // A test run that is killed must not leave it behind.
  return existsSync(setpriv)
    ? spawn(setpriv, ['--pdeathsig', 'TERM', binary()!, settings], { stdio, ...nobody })
    : spawn(binary()!, [settings], { stdio, ...nobody });
}

async function answers(url: string, pooler: ChildProcess): Promise<void> {
  let cause: unknown;
  for (let waited = 0; waited < startWaitMs; waited += 50) {
    if (pooler.exitCode !== null) throw new Error(`it ended with ${pooler.exitCode}`);
    try {
      await sqlAt(url, 'select 1');
      return;
    } catch (error) {
      cause = error;
      await delay(50);
    }
  }
  throw cause;
}
