import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { recordLimits } from '@drawbridge/records/limits.ts';
import { allowedPath, isWithin } from '../allowed-path.ts';
import type { ConnectorContext, ConnectorFault } from '../contract.ts';
import { errorCode, fault } from '../fault.ts';
import { filesFault, folderNotAllowed } from './errors.ts';

/** Folders of confirmations; they stand among the documents and are none. */
export const statusFolders = { live: 'status', sandbox: 'status-sandbox' } as const;

const filesMax = 100_000;
const depthMax = 8;

/** A file as the listing sees it. */
export interface ListedFile {
  /** Relative to the folder, with `/` between the parts. */
  readonly name: string;
  /**
   * When it last changed, in nanoseconds since 1970. The inode's time: a file that is moved in, or
   * copied with its old date, keeps its time of modification, and would be overlooked.
   */
  readonly changedNs: bigint;
}

export type FolderOutcome =
  | { readonly kind: 'folder'; readonly real: string }
  | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

/** The real path of the folder, when it exists and lies in an allowed root. */
export async function findFolder(
  folder: string,
  context: ConnectorContext,
): Promise<FolderOutcome> {
  try {
    const real = await allowedPath(folder, context.allowedRoots);
    if (real === undefined) return { kind: 'unreachable', fault: folderNotAllowed(folder) };
    // Fails on a file, and on a folder that this user cannot list.
    await readdir(real);
    return { kind: 'folder', real };
  } catch (error) {
    return { kind: 'unreachable', fault: filesFault(error, folder) };
  }
}

/** Whether `name` can be a document's file: csv or json, not hidden, no way out of the folder. */
export function isDocumentName(name: string, subfolders: boolean): boolean {
  const parts = name.split('/');
  const [first = ''] = parts;
  if (/[\\:\0]/.test(name) || !/\.(csv|json)$/i.test(name)) return false;
  if (parts.some((part) => part === '' || part.startsWith('.'))) return false;
  if (parts.length > 1 && Object.values<string>(statusFolders).includes(first)) return false;
  return parts.length === 1 || (subfolders && parts.length <= depthMax);
}

export type BytesOutcome =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly fault: ConnectorFault }
  | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

/** Reads a document's file; one that leads out of the folder by a link is `missing`. */
export async function readWithin(folder: string, name: string): Promise<BytesOutcome> {
  try {
    const real = await realpath(path.join(folder, name));
    if (!isWithin(folder, real)) return { kind: 'missing' };
    // Not following: what was a file a moment ago may be a link by now. Nor waiting for a pipe.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { kind: 'missing' };
      return tooLarge(name, stats) ?? { kind: 'bytes', bytes: await file.readFile() };
    } finally {
      await file.close();
    }
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EISDIR', 'ENXIO', 'EINVAL'];
    if (missing.includes(errorCode(error) ?? '')) return { kind: 'missing' };
    return { kind: 'unreachable', fault: filesFault(error, name) };
  }
}

function tooLarge(name: string, stats: Stats): BytesOutcome | undefined {
  if (stats.size <= recordLimits.bytesMax) return undefined;
  const message = `${name} has ${stats.size} bytes; at most ${recordLimits.bytesMax} are read.`;
  return { kind: 'unusable', fault: fault('too_large', message, 'never') };
}

export type FilesOutcome =
  | { readonly kind: 'files'; readonly files: readonly ListedFile[] }
  | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

/** The documents' files, oldest change first; links are left out. */
export async function listFiles(
  folder: string,
  subfolders: boolean,
  signal: AbortSignal,
): Promise<FilesOutcome> {
  try {
    const files: ListedFile[] = [];
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: subfolders })) {
      const full = path.join(entry.parentPath, entry.name);
      const name = path.relative(folder, full).split(path.sep).join('/');
      if (!entry.isFile() || !isDocumentName(name, subfolders)) continue;
      if (files.length === filesMax) return tooManyFiles(folder);
      signal.throwIfAborted();
      const stats = await lstat(full, { bigint: true }).catch(ignoreGone);
      if (stats?.isFile() === true) files.push({ name, changedNs: stats.ctimeNs });
    }
    return { kind: 'files', files: files.sort(byChange) };
  } catch (error) {
    return { kind: 'unreachable', fault: filesFault(error, folder) };
  }
}

/** A file may be moved away between the listing and the look at it. */
function ignoreGone(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}

function tooManyFiles(folder: string): FilesOutcome {
  const message = `${folder} holds more than ${filesMax} files. Move the old ones elsewhere.`;
  return { kind: 'unreachable', fault: fault('too_many_files', message, 'never') };
}

function byChange(one: ListedFile, other: ListedFile): number {
  if (one.changedNs !== other.changedNs) return one.changedNs < other.changedNs ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}
