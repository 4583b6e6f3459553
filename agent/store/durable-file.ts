import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces the whole file: after a crash at any point it has the old bytes or the new ones. Processes that
 * write it at once do not meet, and the last one stays. Throws when it cannot be written, and leaves the old one.
 */
export function writeDurably(file: string, bytes: Uint8Array, mode = 0o600): void {
  const temporary = `${file}.${process.pid}.new`;
  try {
    writeWhole(temporary, bytes, mode);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
}

function writeWhole(file: string, bytes: Uint8Array, mode: number): void {
  const descriptor = openSync(file, 'w', mode);
  try {
    // A single write takes a part on a disk that is nearly full.
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes what was renamed in a folder last through a loss of power. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return; // has no such call
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
