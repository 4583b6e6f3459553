import { readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Whether `inner` is `outer` or lies below it; both are real absolute paths. */
export function isWithin(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  const isAbove = relative === '..' || relative.startsWith(`..${path.sep}`);
  return !isAbove && !path.isAbsolute(relative);
}

/**
 * The real path of `wanted` when it lies in one of the allowed roots after every symbolic link is
 * followed; undefined otherwise. A relative one is looked for in the roots, in their order. Throws the
 * system's error when `wanted` does not exist.
 */
export async function allowedPath(
  wanted: string,
  roots: readonly string[],
): Promise<string | undefined> {
  const real = await firstReal(
    path.isAbsolute(wanted) ? [wanted] : roots.map((root) => path.join(root, wanted)),
  );
  for (const root of await realRoots(roots)) {
    if (real !== undefined && isWithin(root, real)) return real;
  }
  return undefined;
}

/**
 * Whether a path that settings name may lie in one of the roots, as far as its own words tell: it need not
 * exist yet, and a link in it may still lead elsewhere, which `allowedPath` finds.
 */
export async function isNamedWithin(wanted: string, roots: readonly string[]): Promise<boolean> {
  if (!path.isAbsolute(wanted)) {
    return roots.some((root) => isWithin(root, path.join(root, wanted)));
  }
  const places = [...roots, ...(await realRoots(roots))];
  return places.some((root) => isWithin(root, path.resolve(wanted)));
}

/** The roots as they are when every link is followed; one that does not exist allows nothing. */
export async function realRoots(roots: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  return found.flatMap((root) => root ?? []);
}

/** The first that exists, or the error of the last. */
async function firstReal(paths: readonly string[]): Promise<string | undefined> {
  let missing: unknown;
  for (const each of paths) {
    try {
      return await realpath(each);
    } catch (error) {
      missing = error;
    }
  }
  if (missing !== undefined) throw missing;
  return undefined;
}

/**
 * Where an open file really is, whatever its path leads to by now. Undefined where the system does not
 * tell (it does on Linux), and for a file that was deleted.
 */
export async function openedPath(fd: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const real = await readlink(descriptorPath(fd));
  return real.endsWith(' (deleted)') ? undefined : real;
}

/** A path that leads to an open file or folder, and to what is in it, however either is renamed. */
export function descriptorPath(fd: number): string {
  return `/proc/self/fd/${fd}`;
}
