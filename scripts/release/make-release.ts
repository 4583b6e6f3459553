/** The release folder, file after file. The same sources, key and time give the same bytes. */
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checksumsText } from '@drawbridge/release/checksums.ts';
import { checksumsFile, manifestFile, signatureFile } from '@drawbridge/release/file-names.ts';
import { type Manifest, parseManifest } from '@drawbridge/release/manifest.ts';
import { hashOfFile } from '../../agent/upgrade/file-hash.ts';
import { makeAgentScripts } from '../build-agent/agent-scripts.ts';
import { makeExecutable } from '../build-agent/executable.ts';
import { type Platform, partsOf } from '../build-agent/platforms.ts';
import { makeAgentImage } from './agent-image.ts';
import { makeControlPlaneImage } from './control-plane-image.ts';
import { makeDeb } from './deb.ts';
import { writeInstallScripts } from './install-scripts.ts';
import { writeLicences } from './licences.ts';
import { makeRpm } from './rpm.ts';
import { writeRulesUpdate } from './rules-update.ts';
import { writeSboms } from './sbom.ts';
import type { SigningKey } from './signing-key.ts';
import type { ReleaseStep } from './step.ts';

export interface ReleaseOptions {
  readonly version: string;
  readonly minimumVersion: string;
  readonly notBefore: Date;
  /** From when on there should be newer rules than those of this release. */
  readonly rulesWarnAfter: Date;
  /** The time that all files carry. */
  readonly epochSeconds: number;
  readonly platforms: readonly Platform[];
  /** Whether only the executables are made, without packages, images and bills of materials. */
  readonly isPlain?: boolean;
  readonly key: SigningKey;
  /** The folder; what was there before is replaced once all is made. */
  readonly out: string;
}

export interface ReleasedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

export async function makeRelease(options: ReleaseOptions): Promise<readonly ReleasedFile[]> {
  const { version, epochSeconds, platforms, key, out } = options;
  await mkdir(dirname(out), { recursive: true });
  const folder = await mkdtemp(`${out}.part-`);
  const workFolder = await mkdtemp(join(tmpdir(), 'drawbridge-release-'));
  const step: ReleaseStep = { version, epochSeconds, folder, workFolder };
  try {
    const rulesWarnAfter = options.rulesWarnAfter.toISOString();
    const scripts = await makeAgentScripts({ version, keys: key.trusted, rulesWarnAfter });
    for (const platform of platforms) {
      const outfile = join(folder, partsOf(platform).executable);
      await makeExecutable({ platform, scripts, outfile });
    }
    await writeSigned(folder, manifestFile, await manifestOf(options, folder), key);
    await writeRulesUpdate(folder, { ...options, warnAfter: options.rulesWarnAfter });
    await writeLicences(step);
    if (!options.isPlain) await makePackages(step, platforms);
    await writeInstallScripts(step, key.publicPem);
    const sums = await checksumsOf(folder);
    await writeSigned(folder, checksumsFile, checksumsText(sums), key);
    await chmod(folder, 0o755); // a temporary folder is its owner's alone
    await rm(out, { recursive: true, force: true });
    await rename(folder, out);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(workFolder, { recursive: true });
  }
  const names = (await readdir(out)).sort();
  return Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(out, name))).size })),
  );
}

async function makePackages(step: ReleaseStep, platforms: readonly Platform[]): Promise<void> {
  for (const platform of platforms) {
    await makeDeb(step, platform);
    await makeRpm(step, platform);
    await makeAgentImage(step, platform);
  }
  await makeControlPlaneImage(step);
  await writeSboms(step);
}

async function manifestOf(options: ReleaseOptions, folder: string): Promise<string> {
  const executables = options.platforms.map(async (platform) => {
    const file = partsOf(platform).executable;
    const path = join(folder, file);
    return { platform, file, sha256: await hashOfFile(path), size: (await stat(path)).size };
  });
  const manifest: Manifest = {
    product: 'drawbridge-agent',
    version: options.version,
    minimum_version: options.minimumVersion,
    not_before: options.notBefore.toISOString(),
    executables: await Promise.all(executables),
  };
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  if (parseManifest(Buffer.from(text)) === undefined) {
    throw new Error('a version is three numbers, such as 1.2.3');
  }
  return text;
}

async function writeSigned(folder: string, name: string, text: string, key: SigningKey) {
  await writeFile(join(folder, name), text);
  await writeFile(join(folder, signatureFile(name)), key.sign(Buffer.from(text)));
}

async function checksumsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const sums = new Map<string, string>();
  for (const name of await readdir(folder)) sums.set(name, await hashOfFile(join(folder, name)));
  return sums;
}
