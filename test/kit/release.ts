/**
 * Releases of these sources for tests, made once and shared by all test files of a run.
 *
 *   const { folder } = await testRelease('0.1.0');           // executables, signed
 *   const { folder } = await testRelease('0.1.0', 'whole');  // with packages and images
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Lock, takeLock } from '../../agent/store/lock.ts';
import { isThisPlatform, type Platform, platforms } from '../../scripts/build-agent/platforms.ts';
import { makeRelease } from '../../scripts/release/make-release.ts';
import { newSigningKey, type SigningKey, signingKeyOf } from '../../scripts/release/signing-key.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'dist', 'test-releases');

/** The time in all their files. */
const releaseEpochSeconds = 1_767_225_600;
export const ownPlatform: Platform | undefined = platforms.find(isThisPlatform);

/** Why no release can be made here, or undefined when one can. */
export async function releaseUnavailable(): Promise<string | undefined> {
  if (process.platform !== 'linux' || ownPlatform === undefined) {
    return 'releases are made on Linux';
  }
  for (const tool of ['dpkg-deb', 'rpmbuild']) {
    const ran = await promisify(execFile)(tool, ['--version']).catch(() => undefined);
    if (ran === undefined) return `${tool} is not installed`;
  }
  return undefined;
}

export interface TestRelease {
  readonly folder: string;
  readonly key: SigningKey;
}

/** The release of a version; made when no test has asked for it since the sources changed. */
export async function testRelease(
  version: string,
  extent: 'plain' | 'whole' = 'plain',
): Promise<TestRelease> {
  const home = join(cache, await hashOfSources());
  await mkdir(home, { recursive: true });
  const folder = join(home, `${version}-${extent}`);
  const lock = await whenLocked(home);
  try {
    const key = await sharedKey(home);
    if (!existsSync(folder)) await makeTestRelease({ version, extent, key, folder });
    return { folder, key };
  } finally {
    lock.release();
  }
}

interface TestReleaseOptions {
  readonly version: string;
  readonly extent: 'plain' | 'whole';
  readonly key: SigningKey;
  readonly folder: string;
  readonly notBefore?: Date;
  readonly minimumVersion?: string;
}

/** Makes one that is not shared. */
export async function makeTestRelease(options: TestReleaseOptions): Promise<void> {
  const { version, extent, key, folder } = options;
  await makeRelease({
    version,
    minimumVersion: options.minimumVersion ?? '0.0.0',
    notBefore: options.notBefore ?? new Date(releaseEpochSeconds * 1_000),
    rulesWarnAfter: new Date('2030-01-01T00:00:00Z'),
    epochSeconds: releaseEpochSeconds,
    platforms: [ownPlatform!],
    isPlain: extent === 'plain',
    key,
    out: folder,
  });
}

const buildWaitMs = 600_000;

/** Another test file may be making a release, which takes as long as it takes. */
async function whenLocked(home: string): Promise<Lock> {
  const begun = performance.now();
  while (performance.now() - begun < buildWaitMs) {
    const lock = takeLock(home);
    if (lock !== undefined) return lock;
    await wait(200);
  }
  throw new Error('the release of another test file is never ready');
}

async function sharedKey(home: string): Promise<SigningKey> {
  const file = join(home, 'key.pem');
  if (!existsSync(file)) await newSigningKey(file);
  return signingKeyOf(await readFile(file, 'utf8'));
}

let hashed: Promise<string> | undefined;

function hashOfSources(): Promise<string> {
  hashed ??= computeHash();
  return hashed;
}

async function computeHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['agent', 'connectors', 'control-plane', 'packages', 'scripts']) {
    const names = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    // What other tests build meanwhile is no source.
    const files = names.filter((entry) => entry.isFile() && !entry.parentPath.includes('/dist'));
    for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort()) {
      hash.update(path).update(await readFile(path));
    }
  }
  const name = hash.digest('hex').slice(0, 16);
  const others = existsSync(cache) ? (await readdir(cache)).filter((each) => each !== name) : [];
  for (const old of others) await rm(join(cache, old), { recursive: true, force: true });
  return name;
}
