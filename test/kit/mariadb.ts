/**
 * Real MariaDB for tests: `const { url, stop } = await startMariadb();` starts a separate server
 * with a temporary data directory. Call `mariadbUnavailable()` first, because the binaries are the
 * host's.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import { fastFolder } from './fast-folder.ts';
import { freePort } from './free-ports.ts';

export interface TestMariadb {
  /** Connection string of the administrator on an empty database. */
  readonly url: string;
  stop(): Promise<void>;
}

const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'];
const startWaitMs = 30_000;
const stopWaitMs = 10_000;

/** Why no MariaDB can be started here, or undefined when one can. */
export function mariadbUnavailable(): string | undefined {
  if (binary('mariadbd', 'mysqld') === undefined) return 'MariaDB is not installed (mariadbd)';
  if (binary('mariadb-install-db', 'mysql_install_db') === undefined) {
    return 'MariaDB is not installed (mariadb-install-db)';
  }
  return undefined;
}

interface MariadbOptions {
  readonly bindAddress?: string;
  /** Of the server's command line. */
  readonly options?: readonly string[];
  /** Where its data is; default: in memory where that has room. */
  readonly folder?: string;
}

/** Starts a server on a free port; throws when it does not come up. */
export async function startMariadb({
  bindAddress = '127.0.0.1',
  options = [],
  folder,
}: MariadbOptions = {}): Promise<TestMariadb> {
  const home = await mkdtemp(join(folder ?? (await fastFolder()), 'drawbridge-mariadb-'));
  // As root the server runs as another user, who must be able to enter.
  await chmod(home, 0o777);
  const isRoot = process.getuid?.() === 0;
  const data = join(home, 'data');
  await promisify(execFile)(binary('mariadb-install-db', 'mysql_install_db') ?? '', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    ...(isRoot ? ['--user=nobody'] : []),
  ]);
  const port = await freePort();
  const server = spawnServer([
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${join(home, 's')}`,
    `--pid-file=${join(home, 'pid')}`,
    `--port=${port}`,
    `--bind-address=${bindAddress}`,
    '--skip-name-resolve',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-buffer-pool-size=32M',
    '--performance-schema=off',
    ...options,
  ]);
  const stop = async () => {
    await stopServer(server);
    await rm(home, { recursive: true, force: true });
  };
  try {
    await createDatabase(port, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `mysql://root@127.0.0.1:${port}/erp`, stop };
}

function binary(...names: readonly string[]): string | undefined {
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

function spawnServer(options: readonly string[]): ChildProcess {
  const path = binary('mariadbd', 'mysqld') ?? '';
  // Not by --user: a process that changes its user loses the setting to end with its parent.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  // A test run that is killed must not leave its server behind.
  const setpriv = '/usr/bin/setpriv';
  return existsSync(setpriv)
    ? spawn(setpriv, ['--pdeathsig', 'TERM', path, ...options], { stdio: 'ignore', ...nobody })
    : spawn(path, options, { stdio: 'ignore', ...nobody });
}

async function createDatabase(port: number, server: ChildProcess): Promise<void> {
  let lastError: unknown;
  for (let waited = 0; waited < startWaitMs; waited += 50) {
    if (server.exitCode !== null) throw new Error(`mariadbd ended with ${server.exitCode}`);
    try {
      const connection = await mysql.createConnection({ host: '127.0.0.1', port, user: 'root' });
      await connection.query('CREATE DATABASE erp CHARACTER SET utf8mb4');
      await connection.end();
      return;
    } catch (error) {
      lastError = error;
      await delay(50);
    }
  }
  throw new Error('mariadbd did not start', { cause: lastError });
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), stopWaitMs);
  await ended;
  clearTimeout(timer);
}
