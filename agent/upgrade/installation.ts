/** Where the parts of an installed agent stand, as seen from its executable. */
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';

/** A file that names the installer to which upgrades are left. */
export const installedByFile = 'installed-by';

/** The manifest of the release that a version came with. */
export function installedManifest(version: string): string {
  return `manifest-${version}.json`;
}

export interface Installation {
  readonly executable: string;
  /** The folder of the manifests: `share/drawbridge` beside the executable's `bin`. */
  readonly shareFolder: string;
  /** `deb`, `rpm` or `image`; undefined when the agent looks after itself. */
  readonly installedBy: string | undefined;
}

/** Undefined when the agent runs from its sources. */
export function ownInstallation(): Installation | undefined {
  return isSea() ? installationOf(realpathSync(process.execPath)) : undefined;
}

function installationOf(executable: string): Installation {
  const shareFolder = join(dirname(dirname(executable)), 'share', 'drawbridge');
  return { executable, shareFolder, installedBy: installerOf(shareFolder) };
}

function installerOf(shareFolder: string): string | undefined {
  try {
    return readFileSync(join(shareFolder, installedByFile), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
