import { execFile } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Platform } from '../build-agent/platforms.ts';
import { makePackageRoot } from './package-root.ts';
import { packageText } from './package-text.ts';
import type { ReleaseStep } from './step.ts';

const run = promisify(execFile);
const architectures: Partial<Record<Platform, string>> = {
  'linux-x64': 'x86_64',
  'linux-arm64': 'aarch64',
};

/** Nothing of the machine that builds shows in the package. */
const macros: Readonly<Record<string, string>> = {
  _buildhost: 'localhost',
  use_source_date_epoch_as_buildtime: '1',
  clamp_mtime_to_source_date_epoch: '1',
  _build_id_links: 'none',
  debug_package: '%{nil}',
  __os_install_post: '%{nil}', // would strip the executable, and with it the agent
  _binary_payload: 'w9.zstdio',
};

/** A package for RHEL 9, Fedora, SUSE and others of their kind. */
export async function makeRpm(step: ReleaseStep, platform: Platform): Promise<void> {
  const architecture = architectures[platform];
  if (architecture === undefined) return;
  const packageRoot = await makePackageRoot(step, platform, 'rpm');
  const work = join(step.workFolder, `rpmbuild-${architecture}`);
  await mkdir(work);
  const spec = join(work, 'drawbridge.spec');
  await writeFile(spec, await specOf(step, packageRoot));
  const defined = { ...macros, _topdir: work };
  const defines = Object.entries(defined).flatMap(([name, value]) => [
    '--define',
    `${name} ${value}`,
  ]);
  await run('rpmbuild', ['-bb', '--target', `${architecture}-linux`, ...defines, spec], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(step.epochSeconds) },
    maxBuffer: 10_000_000,
  });
  const name = `drawbridge-${step.version}-1.${architecture}.rpm`;
  await copyFile(join(work, 'RPMS', architecture, name), join(step.folder, name));
  await rm(work, { recursive: true });
  await rm(packageRoot, { recursive: true });
}

async function specOf({ version, epochSeconds }: ReleaseStep, packageRoot: string) {
  const { summary, description, maintainer, afterInstall, beforeRemoval } = packageText;
  const entries = await readdir(packageRoot, { recursive: true, withFileTypes: true });
  const pathOf = (entry: Dirent) => `/${relative(packageRoot, join(entry.parentPath, entry.name))}`;
  const files = entries.filter((entry) => entry.isFile()).map(pathOf);
  // Folders that are not named stay when the package is removed.
  const own = entries.filter((entry) => entry.isDirectory() && entry.name === 'drawbridge');
  const modeOf = (file: string) => (file.startsWith('/usr/bin/') ? '0755' : '0644');
  return `Name: drawbridge
Version: ${version}
Release: 1
Summary: ${summary}
License: Apache-2.0
AutoReqProv: no
Requires: glibc >= 2.34, libstdc++, libgcc

%description
${description.join('\n')}

%install
cp -a ${packageRoot}/. %{buildroot}/

%post
${afterInstall}

%preun
[ "$1" = 0 ] || exit 0
${beforeRemoval}

%files
${own.map((entry) => `%dir ${pathOf(entry)}`).join('\n')}
${files.map((file) => `%attr(${modeOf(file)}, root, root) ${file}`).join('\n')}

%changelog
* ${changelogDate(epochSeconds)} ${maintainer} - ${version}-1
- See CHANGELOG.md.
`;
}

/** `Mon Nov 23 2026` */
function changelogDate(epochSeconds: number): string {
  const [weekday, day, month, year] = new Date(epochSeconds * 1_000).toUTCString().split(/,? /);
  return `${weekday} ${month} ${day} ${year}`;
}
