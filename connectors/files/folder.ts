import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { recordLimits } from '@drawbridge/records/limits.ts';
import { allowedPath, descriptorPath, isWithin, openedPath, realRoots } from '../allowed-path.ts';
import type { ConnectorContext, ConnectorFault, Unreachable } from '../contract.ts';
import { errorCode, fault, hardLinked, outsideRoots } from '../fault.ts';
import { allBytes, type ContentFile } from '../file-content/documents.ts';
import { isJoinedFile, isReadFile, joinedNames } from '../file-content/file-names.ts';
import { type ContentSettings, kindOfFile } from '../file-content/settings.ts';
import { filesFault } from './errors.ts';

/** Folders of confirmations, which are not read as documents. */
export const statusFolders = { live: 'status', sandbox: 'status-sandbox' } as const;
/** Folders of drafts of suppliers' documents, which are not read as documents. */
export const draftFolders = { live: 'received', sandbox: 'received-sandbox' } as const;
/** Folders of files that were taken; what is in them is not new. */
export const takenFolders = {
  claimed: 'claimed',
  processed: 'processed',
  rejected: 'rejected',
} as const;

const ownFolders: readonly string[] = [
  ...Object.values(statusFolders),
  ...Object.values(draftFolders),
  ...Object.values(takenFolders),
];

const filesMax = 100_000;
const depthMax = 8;

/** A file as the listing sees it. */
export interface ListedFile {
  /** Relative to the folder, with `/` between the parts. */
  readonly name: string;
  /**
   * When it last changed, in nanoseconds since 1970. This is the inode's time (ctime): a file that
   * is moved in, or copied with its old date, keeps its modification time and would be overlooked.
   */
  readonly changedNs: bigint;
  readonly size: bigint;
}

/** A folder that is open: what its path leads to by now does not matter. */
export interface OpenFolder {
  /** As people know it. */
  readonly real: string;
  /** What to put before the name of a file in it. */
  readonly path: string;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type FolderOutcome = { readonly kind: 'folder'; readonly folder: OpenFolder } | Unreachable;

/** Opens the folder when it exists and lies in an allowed root; the caller closes it. */
export async function openFolder(
  folder: string,
  { allowedRoots }: ConnectorContext,
): Promise<FolderOutcome> {
  const refused = { kind: 'unreachable', fault: outsideRoots(folder) } as const;
  try {
    const real = await allowedPath(folder, allowedRoots);
    if (real === undefined) return refused;
    const opened = await openExactly(real);
    const roots = await realRoots(allowedRoots);
    // Between the look and the opening the path may have become a link.
    if (!roots.some((root) => isWithin(root, opened.real))) {
      await opened.close();
      return refused;
    }
    return { kind: 'folder', folder: opened };
  } catch (error) {
    return { kind: 'unreachable', fault: filesFault(error, folder) };
  }
}

/** Opens a folder that is no link; fails on a file, and on one that this user cannot list. */
async function openExactly(real: string): Promise<OpenFolder> {
  if (process.platform !== 'linux') {
    await readdir(real);
    const stats = await lstat(real);
    if (!stats.isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
    return { real, path: real, sync: async () => syncPath(real), close: async () => undefined };
  }
  const handle = await open(
    real,
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  return {
    real: (await openedPath(handle.fd)) ?? real,
    path: descriptorPath(handle.fd),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

async function syncPath(folder: string): Promise<void> {
  // Windows cannot open a folder; its file system writes names through.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether `name` can be a document's file by its ending: not hidden, no way out of the folder. */
export function isDocumentName(name: string, subfolders: boolean): boolean {
  const parts = name.split('/');
  const [first = ''] = parts;
  if (/[\\:\0]/.test(name) || kindOfFile(name) === undefined) return false;
  // Excel keeps a file ~$a.xlsx beside a workbook for as long as somebody has that open.
  if (parts.some((part) => part === '' || part.startsWith('.') || part.startsWith('~$'))) {
    return false;
  }
  if (parts.length > 1 && ownFolders.includes(first)) return false;
  return parts.length === 1 || (subfolders && parts.length <= depthMax);
}

/** A document's file that is open. */
export interface OpenContent extends ContentFile {
  /** Another one when the file is another, or has changed. */
  readonly version: string;
}

/** Why nothing came of a file. */
export type ContentFailure =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly fault: ConnectorFault }
  | Unreachable;

/**
 * What `work` makes of a document's file, which people know as `name` and which stands at `place`; one
 * that leads out of the folder by a link is `missing`, and a hard link is `unusable`, for the same file
 * may stand in a folder of somebody else.
 */
export async function withContent<T>(
  folder: OpenFolder,
  { name, place = name }: { readonly name: string; readonly place?: string },
  work: (file: OpenContent) => Promise<T>,
): Promise<T | ContentFailure> {
  try {
    const file = await openWithin(folder, place);
    if (file === undefined) return { kind: 'missing' };
    try {
      const stats = await file.stat({ bigint: true });
      if (!stats.isFile()) return { kind: 'missing' };
      if (stats.nlink > 1n) return { kind: 'unusable', fault: hardLinked(name) };
      const size = Number(stats.size);
      const version = [place, stats.ino, size, stats.ctimeNs, stats.mtimeNs].join(' ');
      const beside = (other: string) => bytesBeside(folder, place, other);
      return await work({ name, size, version, chunks: () => chunksOf(file), beside });
    } finally {
      await file.close();
    }
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EISDIR', 'ENXIO', 'EINVAL'];
    if (missing.includes(errorCode(error) ?? '')) return { kind: 'missing' };
    return { kind: 'unreachable', fault: filesFault(error, name) };
  }
}

/** The content of another file in the folder of `place`; undefined where there is none, or a larger one. */
async function bytesBeside(
  folder: OpenFolder,
  place: string,
  name: string,
): Promise<Uint8Array | undefined> {
  const beside = path.posix.join(path.posix.dirname(place), name);
  const { bytesMax } = recordLimits;
  const read = await withContent(folder, { name, place: beside }, async (file) => {
    if (file.size > bytesMax) return undefined;
    const bytes = await allBytes(file, bytesMax);
    return bytes.length > bytesMax ? undefined : bytes;
  });
  return read instanceof Uint8Array ? read : undefined;
}

function chunksOf(file: FileHandle): AsyncIterable<Uint8Array> {
  return file.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkBytes });
}

const chunkBytes = 262_144;

/** Opens what `name` leads to, unless that is outside the folder; not waiting for a pipe. */
async function openWithin(folder: OpenFolder, name: string): Promise<FileHandle | undefined> {
  const wanted = path.join(folder.path, name);
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  if (process.platform !== 'linux') {
    const real = await realpath(wanted);
    if (!isWithin(folder.real, real)) return undefined;
    return open(real, flags | constants.O_NOFOLLOW);
  }
  const file = await open(wanted, flags);
  // The path is judged by what was opened: a link may stand in it now, and may not a moment ago.
  const real = await openedPath(file.fd);
  if (real !== undefined && isWithin(folder.real, real)) return file;
  await file.close();
  return undefined;
}

export type FilesOutcome =
  | { readonly kind: 'files'; readonly files: readonly ListedFile[] }
  | Unreachable;

/** What is listed of a folder. */
export interface Listing {
  readonly subfolders: boolean;
  /** Ending of the empty file that must stand beside each. */
  readonly marker?: string | undefined;
  /** Kinds of files; all but PDF when left out. */
  readonly kinds?: ContentSettings['kinds'];
  readonly headerFiles?: ContentSettings['headerFiles'];
  readonly joinedFiles?: ContentSettings['joinedFiles'];
}

/** The documents' files, oldest change first; links are left out. */
export async function listFiles(
  folder: OpenFolder,
  listing: Listing,
  signal: AbortSignal,
): Promise<FilesOutcome> {
  const { subfolders, marker } = listing;
  try {
    const files: ListedFile[] = [];
    const found = await readdir(folder.path, { withFileTypes: true, recursive: subfolders });
    const names = new Set(
      marker === undefined ? [] : found.map((entry) => path.join(entry.parentPath, entry.name)),
    );
    for (const entry of found) {
      const full = path.join(entry.parentPath, entry.name);
      const name = path.relative(folder.path, full).split(path.sep).join('/');
      if (!entry.isFile() || !isDocumentName(name, subfolders)) continue;
      if (!isReadFile(name, listing) && !isJoinedFile(name, listing)) continue;
      if (marker !== undefined && !names.has(full + marker)) continue;
      if (files.length === filesMax) return tooManyFiles(folder.real);
      signal.throwIfAborted();
      const stats = await lstat(full, { bigint: true }).catch(ignoreGone);
      if (stats?.isFile() !== true) continue;
      // A file is new when its marker is, which others may have got before it.
      const marked =
        marker === undefined
          ? undefined
          : await lstat(full + marker, { bigint: true }).catch(ignoreGone);
      const markedNs = marked?.ctimeNs ?? 0n;
      const changedNs = markedNs > stats.ctimeNs ? markedNs : stats.ctimeNs;
      files.push({ name, changedNs, size: stats.size });
    }
    return { kind: 'files', files: withJoined(files, listing).sort(byChange) };
  } catch (error) {
    return { kind: 'unreachable', fault: filesFault(error, folder.real) };
  }
}

/** Files and folders of any kind in a folder, for people; folders end with a slash. */
export async function namesIn(folder: OpenFolder): Promise<readonly string[]> {
  const found = await readdir(folder.path, { withFileTypes: true });
  return found
    .filter(({ name }) => !name.startsWith('.') && !ownFolders.includes(name))
    .flatMap((entry) => {
      if (entry.isDirectory()) return [`${entry.name}/`];
      return entry.isFile() ? [entry.name] : [];
    })
    .toSorted();
}

/**
 * The files of headers, each as new as the newest of those that it is read with; one that lacks another is
 * left out until that is there.
 */
function withJoined(files: ListedFile[], listing: Listing): ListedFile[] {
  if (listing.joinedFiles === undefined) return files;
  const byName = new Map(files.map((file) => [file.name, file]));
  return files.flatMap((file) => {
    if (!isReadFile(file.name, listing)) return [];
    const folder = path.posix.dirname(file.name);
    const names = [...joinedNames(file.name, listing).values()];
    const beside = names.map((name) => byName.get(path.posix.join(folder, name)));
    const all = [file, ...beside.filter((each) => each !== undefined)];
    if (all.length < names.length + 1) return [];
    const changedNs = all.reduce((newest, each) => {
      return each.changedNs > newest ? each.changedNs : newest;
    }, file.changedNs);
    return [{ ...file, changedNs, size: all.reduce((sum, { size }) => sum + size, 0n) }];
  });
}

/** Ignores a missing file: it may be moved away after it was listed. */
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

/**
 * A folder of this product in `folder`, made when it is missing; undefined when it is no folder of its
 * own: a link would take what is written there to wherever it points.
 */
export async function openOwnFolder(
  folder: OpenFolder,
  name: string,
): Promise<OpenFolder | undefined> {
  const wanted = path.join(folder.path, name);
  await mkdir(wanted).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  try {
    return await openExactly(wanted);
  } catch (error) {
    if (['ELOOP', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
