import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes that the agent may still write where `path` is. */
export function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Whether a larger write succeeds in the folder; a quota shows only so. */
export function canWriteIn(folder: string): boolean {
  const file = join(folder, 'space-probe');
  try {
    const descriptor = openSync(file, 'w', 0o600);
    try {
      // A single write takes a part on a disk that is nearly full.
      writeFileSync(descriptor, Buffer.alloc(probeBytes, 1));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (isOutOfSpace(error)) return false;
    throw error;
  } finally {
    rmSync(file, { force: true });
  }
}

/** More than one page of documents needs in the queue. */
const probeBytes = 1_048_576;

/** Whether what failed will work again once the disk has room. */
export function isOutOfSpace(error: unknown): boolean {
  return outOfSpace.has(codeOf(error));
}

/** Whether what failed may work again by itself; anything else of the store needs a new start. */
export function mayPass(error: unknown): boolean {
  return isOutOfSpace(error) || codeOf(error) === 'SQLITE_BUSY';
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code);

const outOfSpace = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT']);
