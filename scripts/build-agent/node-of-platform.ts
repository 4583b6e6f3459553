/** Node for a platform, in the version that npm pins: installed for this one, fetched for others. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Platform, partsOf } from './platforms.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The path of the program. Throws when a fetched package is not the one that the lock file names. */
export async function nodeOf(platform: Platform): Promise<string> {
  const [name, program] = partsOf(platform).node;
  const installed = join(root, 'node_modules', name, program);
  if (existsSync(installed)) return installed;
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  const folder = join(root, 'dist', 'node', `${name}-${version}`);
  const fetched = join(folder, 'package', program);
  if (existsSync(fetched)) return fetched;
  await mkdir(`${folder}.part`, { recursive: true });
  const pack = ['pack', `${name}@${version}`, '--silent', '--pack-destination', `${folder}.part`];
  const { stdout } = await run('npm', pack);
  const archive = join(`${folder}.part`, stdout.trim());
  const hash = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (`sha512-${hash}` !== integrity) {
    throw new Error(`${name}@${version} is not the package that package-lock.json names.`);
  }
  await run('tar', ['-xzf', archive, '-C', `${folder}.part`]);
  await rename(`${folder}.part`, folder);
  return fetched;
}
