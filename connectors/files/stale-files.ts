import { lstat, opendir, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../fault.ts';
import type { OpenFolder } from './folder.ts';

/** No process takes so long to write one. */
const staleAfterMs = 86_400_000;
/** When a folder was looked through last, by the clock of its file system. */
const lookedAt = new Map<string, number>();

/**
 * Removes the temporary files that processes left which were killed; `own` was written just now and tells the
 * time by the clock of the folder's file system. A folder is looked through once a day.
 */
export async function removeStaleFiles(folder: OpenFolder, own: string): Promise<void> {
  const { mtimeMs: now } = await lstat(own);
  if (now - (lookedAt.get(folder.real) ?? 0) < staleAfterMs) return;
  lookedAt.set(folder.real, now);
  for await (const { name } of await opendir(folder.path)) {
    if (/\.\d+\.tmp$/.test(name)) await removeIfStale(path.join(folder.path, name), now);
  }
}

async function removeIfStale(file: string, now: number): Promise<void> {
  try {
    const { mtimeMs } = await lstat(file);
    if (now - mtimeMs > staleAfterMs) await rm(file, { force: true });
  } catch (error) {
    // Whoever writes it has given it its name.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
