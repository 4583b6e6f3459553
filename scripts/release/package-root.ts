/** What a Linux package or an image installs, as a folder. */
import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { manifestFile, signatureFile } from '@drawbridge/release/file-names.ts';
import { systemdUnit, sysusersText } from '../../agent/service/systemd.ts';
import { installedByFile, installedManifest } from '../../agent/upgrade/installation.ts';
import { type Platform, partsOf } from '../build-agent/platforms.ts';
import { licencesFile } from './licences.ts';
import { root } from './production-packages.ts';
import type { ReleaseStep } from './step.ts';

/** Makes the folder; `installer` is what `drawbridge upgrade` leaves upgrades to. */
export async function makePackageRoot(
  { folder, workFolder, version }: ReleaseStep,
  platform: Platform,
  installer: 'deb' | 'rpm' | 'image',
): Promise<string> {
  const target = await mkdtemp(join(workFolder, `${installer}-`));
  const [bin, share, doc] = ['usr/bin', 'usr/share/drawbridge', 'usr/share/doc/drawbridge'];
  for (const each of [bin, share, doc]) await mkdir(join(target, each), { recursive: true });
  const copies = [
    [join(folder, partsOf(platform).executable), `${bin}/drawbridge`],
    [join(folder, manifestFile), `${share}/${installedManifest(version)}`],
    [
      join(folder, signatureFile(manifestFile)),
      `${share}/${signatureFile(installedManifest(version))}`,
    ],
    [join(root, 'LICENSE'), `${doc}/copyright`],
    [join(root, 'NOTICE'), `${doc}/NOTICE`],
    [join(folder, licencesFile), `${doc}/${licencesFile}`],
  ] as const;
  for (const [from, to] of copies) await copyFile(from, join(target, to));
  await writeFile(join(target, share, installedByFile), `${installer}\n`);
  if (installer !== 'image') {
    await writeIn(
      target,
      'usr/lib/systemd/system/drawbridge.service',
      systemdUnit('/usr/bin/drawbridge'),
    );
    await writeIn(target, 'usr/lib/sysusers.d/drawbridge.conf', sysusersText);
  }
  return target;
}

async function writeIn(target: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(target, path)), { recursive: true });
  await writeFile(join(target, path), text);
}
