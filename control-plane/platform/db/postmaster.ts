/** The process of an embedded PostgreSQL server: starting it, finding one that runs, ending it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { type FileHandle, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Installation } from './embedded-installation.ts';

// Test databases are small, so they need little memory. Autovacuum is off: only a superuser may end
// its worker, which would keep a database from being dropped, and it would change plans during
// tests.
const volatileSettings = [
  'shared_buffers=128MB',
  'fsync=off',
  'full_page_writes=off',
  'autovacuum=off',
];
/** Recovery after a crash takes minutes on a slow disk. */
const readyTimeoutMs = 300_000;
const stopTimeoutMs = 15_000;
const pollMs = 15;
const logBytesMax = 10_000_000;

export interface Postmaster {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts the server on that port, by default a free one; undefined when it ends instead. */
export async function startPostmaster(
  installation: Installation,
  wantedPort?: number,
): Promise<Postmaster | undefined> {
  const port = wantedPort ?? (await freePort());
  const child = await launch(installation, port);
  if (!(await waitReady(installation, child))) {
    await stopPostmaster({ child, port });
    return undefined;
  }
  // Written only when it runs: a server that failed to start must not be recorded over another.
  await writeOwner(installation, child.pid!);
  return { child, port };
}

async function launch(installation: Installation, port: number): Promise<ChildProcess> {
  const args = [
    '-D',
    installation.data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    ...['max_connections=200', 'timezone=UTC', 'log_timezone=UTC'].flatMap(asOption),
    ...['wal_compression=on', 'max_wal_size=2GB'].flatMap(asOption),
    ...(installation.volatile ? volatileSettings : durableSettings(installation)).flatMap(asOption),
  ];
  const postgres = join(installation.binaries, 'postgres');
  // On Linux the kernel ends the server with this process, even after SIGKILL; elsewhere
  // stopOrphan does at the next start.
  const command: [string, string[]] = hasSetpriv()
    ? ['setpriv', ['--pdeathsig', 'INT', postgres, ...args]]
    : [postgres, args];
  const log = await openLog(installation);
  try {
    // In its own session, so that Ctrl-C reaches this process only and requests are finished while
    // the database still runs.
    const child = spawn(...command, {
      ...installation.account,
      cwd: '/',
      detached: true,
      env: { PATH: process.env.PATH, TZ: 'UTC' },
      stdio: ['ignore', log.fd, log.fd],
    });
    child.on('error', () => {}); // a failed spawn shows as an exit code that is not null, below
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

/** Appends to the log, so that the reason of a crash is kept, until the log is large. */
async function openLog({ log }: Installation): Promise<FileHandle> {
  const { size } = await stat(log).catch(() => ({ size: 0 }));
  return open(log, size > logBytesMax ? 'w' : 'a', 0o600);
}

function ownerFile({ log }: Installation): string {
  return `${log}.owner`;
}

/**
 * Shared buffers get two fifths of the memory, the most that PostgreSQL's manual advises; the
 * memory is used only as they fill. Reads combine many pages. After a restart the buffers are
 * loaded again.
 */
function durableSettings({ binaries }: Installation): readonly string[] {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const buffersMb = Math.max(128, Math.floor((memory * 2) / 5 / 2 ** 20));
  return [
    `shared_buffers=${buffersMb}MB`,
    'effective_io_concurrency=64',
    'io_workers=8',
    ...(hasPrewarm(binaries) ? ['shared_preload_libraries=pg_prewarm'] : []),
  ];
}

/** Whether the platform's package has the extension pg_prewarm. */
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

/** Whether postmaster.pid says `ready` before the child ends. */
async function waitReady(installation: Installation, child: ChildProcess): Promise<boolean> {
  for (let waited = 0; waited < readyTimeoutMs; waited += pollMs) {
    if (hasEnded(child)) return false;
    const found = await readPidFile(installation);
    if (found?.pid === child.pid && found?.isReady) return true;
    await delay(pollMs);
  }
  return false;
}

interface PidFile {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

async function readPidFile(installation: Installation): Promise<PidFile | undefined> {
  const text = await readFile(join(installation.data, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  if (lines.length < 4) return undefined;
  return { pid: Number(lines[0]), port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' };
}

/**
 * The port of the running server on this data folder. PostgreSQL itself removes a pid file whose
 * process is gone.
 */
export async function findRunning(installation: Installation): Promise<number | undefined> {
  for (let waited = 0; waited < readyTimeoutMs; waited += pollMs) {
    const found = await readPidFile(installation);
    if (!found || !(await isPostgres(found.pid))) return undefined;
    if (found.isReady) return found.port;
    await delay(pollMs);
  }
  return undefined;
}

/**
 * The process that keeps a server on this data running, or the server itself when that process is not
 * known; undefined when there is none, or it is this process.
 */
export async function findOwner(installation: Installation): Promise<number | undefined> {
  const owner = await readOwner(installation);
  // A server that died may be about to be started again.
  if (owner?.isAlive && owner.pid !== process.pid) return owner.pid;
  const found = await readPidFile(installation);
  if (!found || !(await isPostgres(found.pid))) return undefined;
  return owner?.server === found.pid ? owner.pid : found.pid;
}

/** To be called when the server of this process was stopped. */
export async function forgetOwner(installation: Installation): Promise<void> {
  const owner = await readOwner(installation);
  if (owner?.pid === process.pid) await rm(ownerFile(installation), { force: true });
}

/** Stops a server whose parent process was killed and could not stop it. */
export async function stopOrphan(installation: Installation): Promise<void> {
  const found = await readPidFile(installation);
  if (!found || !(await isPostgres(found.pid))) return;
  const owner = await readOwner(installation);
  if (owner === undefined || owner.server !== found.pid || owner.isAlive) return;
  await promisify(execFile)(
    join(installation.binaries, 'pg_ctl'),
    ['stop', '-D', installation.data, '-m', 'fast', '-w'],
    { ...installation.account, cwd: '/' },
  ).catch(() => {}); // it may have ended by itself; the start that follows shows
}

interface Owner {
  readonly pid: number;
  /** The server's process. */
  readonly server: number;
  readonly isAlive: boolean;
}

async function writeOwner(installation: Installation, server: number): Promise<void> {
  const { pid } = process;
  await writeFile(ownerFile(installation), `${pid} ${server} ${await startedAt(pid)}`);
}

async function readOwner(installation: Installation): Promise<Owner | undefined> {
  const text = await readFile(ownerFile(installation), 'utf8').catch(() => '');
  const [pid, server, started] = text.split(' ');
  if (started === undefined) return undefined;
  const isSame = isAlive(Number(pid)) && (await startedAt(Number(pid))) === started;
  return { pid: Number(pid), server: Number(server), isAlive: isSame };
}

/** When a process started, as far as the system says so: pids are used again, in containers often. */
async function startedAt(pid: number): Promise<string> {
  if (process.platform !== 'linux') return 'unknown';
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The command, in parentheses, may contain spaces; the time is the 20th field after it.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown';
}

async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  // After a reboot another program may have the same pid.
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

/** Stops the server: ends its sessions, and writes a checkpoint. */
export async function stopPostmaster({ child }: Postmaster): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}

/** Whether a process has ended, or was never started. */
export function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

/** Why no server started, with the end of its log. */
export async function failureOf(installation: Installation): Promise<string> {
  const log = await readFile(installation.log, 'utf8').catch(() => '');
  return `embedded PostgreSQL did not start:\n${log.split('\n').slice(-12).join('\n')}`;
}
