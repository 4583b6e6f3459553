import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReleaseStep } from './step.ts';

/** The scripts know the release's version and key, so that they need nothing to be told. */
export async function writeInstallScripts(
  { folder, version }: ReleaseStep,
  publicPem: string,
): Promise<void> {
  for (const name of ['install.sh', 'install.ps1']) {
    const template = await readFile(join(import.meta.dirname, name), 'utf8');
    const text = template
      .replaceAll('@VERSION@', version)
      .replaceAll('@PUBLIC_KEY@', publicPem.trim());
    await writeFile(join(folder, name), text);
  }
  await chmod(join(folder, 'install.sh'), 0o755);
}
