/**
 * PostgreSQL refuses to run as root, so a root process runs it as `nobody`. This file finds folders
 * for the binaries and the data that `nobody` can reach.
 */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';

/** The account that PostgreSQL runs under. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const reachableRoot = '/var/lib/drawbridge';

/**
 * `nobody` when this process is root, else undefined. initdb needs a passwd entry, so it is read
 * from there.
 */
export async function unprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const passwd = await readFile('/etc/passwd', 'utf8');
  const fields = passwd
    .split('\n')
    .find((line) => line.startsWith('nobody:'))
    ?.split(':');
  if (!fields) throw new Error('running as root needs the account `nobody` in /etc/passwd');
  return { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/**
 * The folder for data that should be in `wanted`: that folder, or one under /var/lib when `nobody`
 * cannot reach it (a home in /root).
 */
export async function reachableData(wanted: string, account?: Account): Promise<string> {
  if (!account || isReachable(dirname(wanted), account)) return wanted;
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  const folder = join(reachableRoot, name);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  return join(folder, 'postgres');
}

/**
 * The folder of PostgreSQL's binaries, copied once under /var/lib when `nobody` cannot reach the
 * original.
 */
export async function reachableBinaries(
  native: string,
  version: string,
  account?: Account,
): Promise<string> {
  if (!account || isReachable(native, account)) return native;
  const copy = join(reachableRoot, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  const partial = `${copy}.${process.pid}`;
  await mkdir(reachableRoot, { recursive: true, mode: 0o755 });
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  await rename(partial, copy).catch(async (error: unknown) => {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // else another process was first
  });
  return copy;
}

function isReachable(path: string, account: Account): boolean {
  const { root } = parse(path);
  for (let at = path; at !== root; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
  }
  return true;
}
