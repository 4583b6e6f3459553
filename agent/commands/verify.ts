import { basename, dirname, resolve } from 'node:path';
import type { Manifest } from '@drawbridge/release/manifest.ts';
import type { Command } from 'commander';
import { type Failed, failed, type Outcome } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { hashOfFile } from '../upgrade/file-hash.ts';
import { ownInstallation } from '../upgrade/installation.ts';
import { ownPlatform } from '../upgrade/own-platform.ts';
import { releaseKeys } from '../upgrade/release-keys.ts';
import { readerOfFolder } from '../upgrade/release-source.ts';
import { ownManifest, signedChecksums } from '../upgrade/signed-files.ts';
import { version } from '../version.ts';
import { addAction, type CommandContext, command } from './command.ts';

export function verifyCommand(runtime: Runtime): Command {
  const target = command({
    name: 'verify',
    summary:
      'Hold this agent, or files of a release, against the signature of their maker; offline.',
    examples: ['drawbridge verify', 'drawbridge verify ./drawbridge_1.2.0_amd64.deb'],
  }).argument('[files...]', 'released files, with SHA256SUMS and SHA256SUMS.sig beside them');
  return addAction(target, runtime, verify);
}

async function verify(
  _context: CommandContext,
  _options: object,
  ...files: string[]
): Promise<Outcome> {
  if (releaseKeys.length === 0) {
    return failed('not_a_release', 'This agent knows no release key: nobody signed it.');
  }
  if (files.length === 0) return verifyItself();
  const verified = [];
  for (const file of files) {
    const outcome = await verifyFile(resolve(file));
    if (outcome.kind === 'failed') return outcome;
    verified.push(outcome.data);
  }
  const shown = files.map((file) => `${file} is what was released.`).join('\n');
  return { kind: 'done', data: { files: verified }, shown };
}

async function verifyItself(): Promise<Outcome> {
  const installation = ownInstallation();
  if (installation === undefined) {
    return failed('not_a_release', 'This agent runs from its sources.');
  }
  const { executable } = installation;
  const manifest = await ownManifest(installation, version, releaseKeys);
  if (manifest.kind !== 'signed') return failed('signature_refused', manifest.cause);
  const expected = ownHash(manifest.value);
  const sha256 = await hashOf(executable);
  if (expected === undefined || sha256 !== expected) {
    return failed('signature_refused', `${executable} is not the ${version} that was released.`);
  }
  const data = { file: executable, sha256, version, not_before: manifest.value.not_before };
  return { kind: 'done', data, shown: `${executable} is the ${version} that was released.` };
}

function ownHash(manifest: Manifest): string | undefined {
  if (manifest.version !== version) return undefined;
  return manifest.executables.find(({ platform }) => platform === ownPlatform)?.sha256;
}

type Verified =
  | { readonly kind: 'verified'; readonly data: { file: string; sha256: string } }
  | Failed;

async function verifyFile(file: string): Promise<Verified> {
  const sums = await signedChecksums(readerOfFolder(dirname(file)), releaseKeys);
  if (sums.kind !== 'signed') {
    return failed('signature_refused', `${file}: ${sums.cause}`);
  }
  const sha256 = await hashOf(file);
  if (sha256 === undefined) {
    return failed('file_missing', `${file} cannot be read.`);
  }
  if (sums.value.get(basename(file)) !== sha256) {
    const cause = `${file} is not what was released.`;
    return failed('signature_refused', cause);
  }
  return { kind: 'verified', data: { file, sha256 } };
}

/** Undefined when it cannot be read. */
function hashOf(file: string): Promise<string | undefined> {
  return hashOfFile(file).catch(() => undefined);
}
