/** Replaces the executable of this agent by that of a signed release, or refuses to. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { manifestFile, signatureFile } from '@drawbridge/release/file-names.ts';
import type { Manifest } from '@drawbridge/release/manifest.ts';
import { decideUpgrade } from '@drawbridge/release/upgrade.ts';
import { writeDurably } from '../store/durable-file.ts';
import { version } from '../version.ts';
import { filesBeside, switchToNext, writeNext, writeTrial } from './executable-files.ts';
import { type Installation, installedManifest } from './installation.ts';
import type { KnownVersions } from './known-versions.ts';
import { ownPlatform } from './own-platform.ts';
import { releaseKeys } from './release-keys.ts';
import type { ReadReleased } from './release-source.ts';
import { signedBytesMax, signedManifest } from './signed-files.ts';

const run = promisify(execFile);

export interface UpgradeContext {
  readonly installation: Installation;
  readonly versions: KnownVersions;
  readonly read: ReadReleased;
  readonly now: Date;
}

export type UpgradeOutcome =
  /** The new version is the executable now, on trial until it is well. */
  | { readonly kind: 'switched'; readonly version: string }
  | { readonly kind: 'current' }
  /** Nothing was changed. */
  | {
      readonly kind: 'untrusted' | 'refused' | 'unreachable' | 'broken';
      readonly cause: string;
    };

export async function upgrade(context: UpgradeContext): Promise<UpgradeOutcome> {
  const { installation, versions, read, now } = context;
  const manifest = await signedManifest(read, manifestFile, releaseKeys);
  if (manifest.kind === 'absent' || manifest.kind === 'failed') {
    return { kind: 'unreachable', cause: manifest.cause };
  }
  if (manifest.kind !== 'signed') return { kind: 'untrusted', cause: manifest.cause };
  const to = manifest.value.version;
  const decision = decideUpgrade({
    manifest: manifest.value,
    platform: ownPlatform,
    current: version,
    seen: versions.read().seen,
    now,
  });
  if (decision.kind === 'current') return decision;
  if (decision.kind === 'refused') return { kind: 'refused', cause: `${decision.cause}.` };
  const { executable } = decision;
  const bytes = await read(executable.file, executable.size);
  const isOther = bytes.kind === 'read' && !isReleased(bytes.value, executable);
  if (bytes.kind === 'larger' || isOther) {
    return { kind: 'untrusted', cause: `${executable.file} is not what was released.` };
  }
  if (bytes.kind !== 'read') return { kind: 'unreachable', cause: bytes.cause };
  const files = filesBeside(installation.executable);
  await keepManifest(installation, read, to);
  writeNext(files, bytes.value);
  const fault = await faultOf(files.next, to);
  if (fault !== undefined) return { kind: 'broken', cause: `${to} does not run here: ${fault}` };
  versions.begin(to);
  writeTrial(files, { from: version, to, starts: 0 });
  switchToNext(files);
  return { kind: 'switched', version: to };
}

function isReleased(bytes: Uint8Array, { size, sha256 }: Manifest['executables'][number]): boolean {
  return bytes.length === size && createHash('sha256').update(bytes).digest('hex') === sha256;
}

/** The new version verifies itself later by the manifest that it came with. */
async function keepManifest(
  { shareFolder }: Installation,
  read: ReadReleased,
  to: string,
): Promise<void> {
  mkdirSync(shareFolder, { recursive: true });
  for (const suffix of [(name: string) => name, signatureFile]) {
    const bytes = await read(suffix(manifestFile), signedBytesMax);
    if (bytes.kind !== 'read') continue; // then it does not verify itself, and is not switched to
    writeDurably(join(shareFolder, suffix(installedManifest(to))), bytes.value, 0o644);
  }
}

const probeMs = 120_000;

/** Whether the new executable starts on this host and knows itself; what is wrong if not. */
async function faultOf(executable: string, to: string): Promise<string | undefined> {
  try {
    const options = { timeout: probeMs } as const;
    const { stdout } = await run(executable, ['--version'], options);
    if (stdout.trim() !== to) return `it says that it is ${stdout.trim()}.`;
    await run(executable, ['verify', '--quiet'], options);
    return undefined;
  } catch (error) {
    return (error as Error).message.trim();
  }
}
