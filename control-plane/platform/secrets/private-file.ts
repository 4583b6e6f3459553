import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The text of a file that only we may read (mode 0600), made from `make` when it is missing; whole
 * or not at all.
 */
export async function privateFile(path: string, make: () => string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const known = await readFile(path, 'utf8').catch(() => undefined);
  if (known !== undefined) return known;
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(aside, make(), { mode: 0o600, flag: 'wx' });
  try {
    // A link is refused where a file is: of two processes that start together, one makes it.
    await link(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(aside);
  }
  return readFile(path, 'utf8');
}
