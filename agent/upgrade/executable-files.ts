/**
 * The files beside an agent's executable while it is upgraded. Each step is one rename, so that
 * whenever the process ends there is a whole executable: the old one or the new one.
 *
 *   drawbridge               the executable
 *   drawbridge.new           the next one, whole and checked
 *   drawbridge.old           the one before, for going back
 *   drawbridge.upgrade.json  the trial of the new one, until it is well
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Trial, trialSchema } from '@drawbridge/release/trial.ts';
import { syncFolder, writeDurably } from '../store/durable-file.ts';

export interface ExecutableFiles {
  readonly executable: string;
  readonly next: string;
  readonly previous: string;
  readonly trial: string;
}

export function filesBeside(executable: string): ExecutableFiles {
  return {
    executable,
    next: `${executable}.new`,
    previous: `${executable}.old`,
    trial: `${executable}.upgrade.json`,
  };
}

/** Writes the next executable, whole or not at all. */
export function writeNext({ next }: ExecutableFiles, bytes: Uint8Array): void {
  const part = `${next}.part`;
  const descriptor = openSync(part, 'w', 0o755);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(part, next);
}

/** Puts the next executable in the place of the present one, which becomes the previous one. */
export function switchToNext({ executable, next, previous }: ExecutableFiles): void {
  setAside(executable, `${previous}.part`);
  renameSync(`${previous}.part`, previous);
  renameSync(next, executable);
  syncFolder(dirname(executable));
}

/** Exchanges the present executable and the previous one. */
export function exchangeWithPrevious({ executable, next, previous }: ExecutableFiles): void {
  setAside(executable, `${next}.part`);
  renameSync(previous, executable);
  renameSync(`${next}.part`, previous);
  syncFolder(dirname(executable));
}

/** Puts the previous executable back; the present one is dropped. */
export function goBack(files: ExecutableFiles): void {
  exchangeWithPrevious(files);
  rmSync(files.previous);
}

/** Only Windows cannot replace an executable that runs; there it is missing for a moment. */
function setAside(executable: string, part: string): void {
  if (process.platform === 'win32') {
    renameSync(executable, part);
  } else {
    copyFileSync(executable, part);
    const descriptor = openSync(part, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

export function hasPrevious({ previous }: ExecutableFiles): boolean {
  return existsSync(previous);
}

/** Removes what an upgrade that was not finished has left. */
export function removeUnfinished({ next, previous }: ExecutableFiles): void {
  for (const file of [next, `${next}.part`, `${previous}.part`]) rmSync(file, { force: true });
}

/** Undefined when there is none, or one that does not read. */
export function readTrial({ trial }: ExecutableFiles): Trial | undefined {
  try {
    return trialSchema.safeParse(JSON.parse(readFileSync(trial, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

export function writeTrial({ trial }: ExecutableFiles, value: Trial): void {
  writeDurably(trial, Buffer.from(`${JSON.stringify(value)}\n`), 0o644);
}

export function endTrial({ trial }: ExecutableFiles): void {
  rmSync(trial, { force: true });
}
