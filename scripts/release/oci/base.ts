/** What every image of ours begins with: the shared libraries of a program, a user, and folders. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { LayerContent } from './layer.ts';

const run = promisify(execFile);

/** The user of all our images, and the folder that it may write to. */
export const imageUser = 10_001;
export const imageHome = '/var/lib/drawbridge';

/** Layers of the libraries that the programs are linked with, as this machine has them. */
export async function baseLayers(
  programs: readonly string[],
  workFolder: string,
): Promise<readonly LayerContent[]> {
  const base = await mkdtemp(join(workFolder, 'base-'));
  for (const library of await librariesOf(programs)) {
    await mkdir(join(base, dirname(library)), { recursive: true });
    await copyFile(await realpath(library), join(base, library));
  }
  await mkdir(join(base, 'etc'));
  const root = 'root:x:0:0:root:/:/sbin/nologin';
  const user = `drawbridge:x:${imageUser}:${imageUser}::${imageHome}:/sbin/nologin`;
  await writeFile(join(base, 'etc/passwd'), `${root}\n${user}\n`);
  await writeFile(join(base, 'etc/group'), `root:x:0:\ndrawbridge:x:${imageUser}:\n`);
  await writeFile(join(base, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  const own = await mkdtemp(join(workFolder, 'own-'));
  await mkdir(join(own, imageHome), { recursive: true, mode: 0o755 });
  await mkdir(join(own, 'tmp'));
  const owned = { folder: own, paths: [`.${imageHome}`, './tmp'], owner: imageUser };
  return [{ folder: base, paths: ['etc', 'lib', 'lib64'] }, owned];
}

/** The libraries that the system loads with them, and its loader, sorted. */
async function librariesOf(programs: readonly string[]): Promise<readonly string[]> {
  const outputs = await Promise.all(programs.map((program) => run('ldd', [program])));
  const found = outputs.flatMap(({ stdout }) => [...stdout.matchAll(/(\/lib\S+) \(0x/g)]);
  return [...new Set(found.map(([, path]) => path!))].sort();
}
