/**
 * PostgreSQL as the host has it installed, with its tools, for what the embedded server does not bring:
 *
 *   const server = await startInstalledPostgres(join(folder, 'one'));
 *   await server.tool('pg_dump', '--format=custom', '--file=…', server.url('postgres', 'drawbridge'));
 *   await server.stop();
 *
 * Ask `installedPostgresUnavailable()` first.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unprivilegedAccount } from '@drawbridge/control-plane/platform/db/unprivileged-account.ts';
import { freePort } from './free-ports.ts';

export interface InstalledPostgres {
  /** The connection string of a role in a database. */
  url(role: string, database: string): string;
  /** Runs one of PostgreSQL's tools; rejects with what it says when it fails. */
  tool(name: string, ...args: string[]): Promise<void>;
  /** Replaces a file of its data with what `change` makes of its text; '' when there is none. */
  changeFile(name: string, change: (text: string) => string): Promise<void>;
  stop(): Promise<void>;
}

const root = '/usr/lib/postgresql';
const versionMin = 15;

/** Why none can be started here, or undefined when one can. */
export function installedPostgresUnavailable(): string | undefined {
  return binaries() === undefined
    ? `PostgreSQL ${versionMin} is not installed (postgresql)`
    : undefined;
}

/** Makes a server with its data in a new folder; the superuser is `postgres`, and nobody needs a password. */
export async function startInstalledPostgres(folder: string): Promise<InstalledPostgres> {
  const account = await unprivilegedAccount();
  await mkdir(folder, { mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
  const port = await freePort();
  const run = promisify(execFile);
  const data = join(folder, 'data');
  const asServer = { ...account, cwd: '/' };
  const pgCtl = (...args: string[]) =>
    run(join(binaries()!, 'pg_ctl'), ['-D', data, ...args], asServer);
  const init = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  await run(join(binaries()!, 'initdb'), init, asServer);
  const options = `-p ${port} -h 127.0.0.1 -k '' -c fsync=off -c max_connections=60`;
  await pgCtl('-w', '-l', join(folder, 'log'), '-o', options, 'start');
  return {
    url: (role, database) => `postgres://${role}:password@127.0.0.1:${port}/${database}`,
    tool: async (name, ...args) => void (await run(join(binaries()!, name), args)),
    changeFile: async (name, change) => {
      const path = join(data, name);
      await writeFile(path, change(existsSync(path) ? await readFile(path, 'utf8') : ''), {
        mode: 0o600,
      });
      if (account) await chown(path, account.uid, account.gid);
    },
    stop: async () => void (await pgCtl('-m', 'immediate', 'stop')),
  };
}

function binaries(): string | undefined {
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root)
    .map(Number)
    .filter((version) => version >= versionMin);
  return versions
    .sort((a, b) => b - a)
    .map((version) => join(root, String(version), 'bin'))
    .find((path) => existsSync(join(path, 'initdb')) && existsSync(join(path, 'pg_dump')));
}
