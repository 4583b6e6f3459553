import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces the whole file: after a crash at any point it has the old bytes or the new ones. */
export function writeDurably(file: string, bytes: Uint8Array, mode = 0o600): void {
  const temporary = `${file}.new`;
  const descriptor = openSync(temporary, 'w', mode);
  writeSync(descriptor, bytes);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(temporary, file);
  syncFolder(dirname(file));
}

/** Makes what was renamed in a folder last through a loss of power. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return; // has no such call
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
