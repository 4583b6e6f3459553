import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** Whether `inner` is `outer` or lies below it; both are real absolute paths. */
export function isWithin(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}

/**
 * The real path of `wanted` when it lies in one of the allowed roots after every symbolic link is
 * followed; undefined otherwise. Throws the system's error when `wanted` does not exist.
 */
export async function allowedPath(
  wanted: string,
  roots: readonly string[],
): Promise<string | undefined> {
  const real = await realpath(path.resolve(wanted));
  for (const root of roots) {
    // A root that does not exist allows nothing.
    const realRoot = await realpath(root).catch(() => undefined);
    if (realRoot !== undefined && isWithin(realRoot, real)) return real;
  }
  return undefined;
}
