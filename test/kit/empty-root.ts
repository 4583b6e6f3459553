/**
 * An empty root folder: programs that a test names, the libraries that they are linked with, and nothing else.
 *
 *   const root = await makeEmptyRoot(folder, ['sh', 'cp', 'openssl']);
 *   execFile(...root.enter, '/bin/sh', ['-c', 'openssl version']);
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What `install.sh` calls, but for openssl. */
export const installTools =
  'sh cat chmod cp dirname grep id mkdir mktemp mv rm sha256sum uname'.split(' ');

export interface EmptyRoot {
  readonly path: string;
  /** Put before a command line, which then runs inside. Only root can. */
  readonly enter: readonly [string, ...string[]];
}

export async function makeEmptyRoot(path: string, programs: readonly string[]): Promise<EmptyRoot> {
  for (const folder of ['bin', 'dev', 'etc', 'root', 'tmp']) {
    await mkdir(join(path, folder), { recursive: true });
  }
  await writeFile(join(path, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  await run('mknod', ['-m', '666', join(path, 'dev/null'), 'c', '1', '3']);
  for (const program of programs) {
    const { stdout } = await run('sh', ['-c', `command -v ${program}`]);
    const file = await realpath(stdout.trim());
    await copyFile(file, join(path, 'bin', program));
    await addLibraries(path, file);
  }
  return { path, enter: ['/usr/sbin/chroot', path] };
}

/** Copies what the system loads with a program, and its loader. */
export async function addLibraries(path: string, program: string): Promise<void> {
  const { stdout } = await run('ldd', [program]);
  for (const [, library] of stdout.matchAll(/(\/\S+) \(0x/g)) {
    await mkdir(join(path, dirname(library!)), { recursive: true });
    await copyFile(library!, join(path, library!));
  }
}
