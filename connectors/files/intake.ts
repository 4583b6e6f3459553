import { lstat, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ConnectorFault } from '../contract.ts';
import { errorCode, fault } from '../fault.ts';
import { refsIn } from '../file-content/documents.ts';
import {
  type ListedFile,
  listFiles,
  type OpenFolder,
  openOwnFolder,
  statusFolders,
  takenFolders,
  withContent,
} from './folder.ts';
import type { OrderedFile } from './list.ts';
import type { FilesSettings } from './settings.ts';
import { statusFileName, statusSince, writeDurably } from './status.ts';

/**
 * Files that wait for their confirmations; while there are so many none is claimed. A claim is a
 * rename, which either happened or did not, whenever the process is killed: a file is in the folder,
 * in `claimed/`, or in `processed/` or `rejected/`, and never in two of them.
 */
const claimsMax = 10_000;

/** A claimed file: `000000000012-a.csv` is the twelfth that was claimed. */
const claimPattern = /^(\d{12})-(.+)$/s;

/** A file that was claimed. */
export interface ClaimedFile extends OrderedFile {
  /** Confirmations that are older are those of an earlier file of that name. */
  readonly sinceNs: bigint;
}

/** The folder of this reader in `claimed/`; undefined when a link stands there. */
export async function openClaims(
  folder: OpenFolder,
  { reader }: Pick<FilesSettings, 'reader'>,
): Promise<OpenFolder | undefined> {
  const claimed = await openOwnFolder(folder, takenFolders.claimed);
  if (claimed === undefined) return undefined;
  try {
    return await openOwnFolder(claimed, reader);
  } finally {
    await claimed.close();
  }
}

/** The files that were claimed and wait, in the order of their claims. */
export async function claimedFiles(
  claims: OpenFolder,
  signal: AbortSignal,
): Promise<readonly ClaimedFile[]> {
  const listed = await listFiles(claims, { subfolders: false }, signal);
  if (listed.kind === 'unreachable') return [];
  return listed.files
    .flatMap((file) => {
      const [, order, name] = claimPattern.exec(file.name) ?? [];
      if (order === undefined || name === undefined) return [];
      return [{ name, place: file.name, order: BigInt(order), sinceNs: file.changedNs }];
    })
    .sort((one, other) => Number(one.order - other.order));
}

/**
 * Claims files, after those before and after `from`; one whose name waits already stays. One whose name was
 * processed before is another document, and is called by a name of its own.
 */
export async function claimFiles(
  folder: OpenFolder,
  claims: OpenFolder,
  ready: readonly ListedFile[],
  claimed: readonly OrderedFile[],
  from: bigint,
  { marker }: FilesSettings,
): Promise<void> {
  const names = new Set(claimed.map(({ name }) => name));
  const last = claimed.at(-1)?.order ?? 0n;
  let order = last > from ? last : from;
  let made = 0;
  for (const { name } of ready) {
    if (claimed.length + made >= claimsMax) break;
    if (names.has(name)) continue;
    const own = await nameOf(folder, name, names);
    const place = `${String(order + 1n).padStart(12, '0')}-${own}`;
    if (!(await moved(path.join(folder.path, name), path.join(claims.path, place)))) continue;
    if (marker !== undefined) await rm(path.join(folder.path, name + marker), { force: true });
    order += 1n;
    names.add(own);
    made += 1;
  }
  if (made > 0) await Promise.all([claims.sync(), folder.sync()]);
}

/** Bytes of a name that leave room for the number of a claim. */
const nameBytesMax = 200;

/** What a file is called from its claim on. */
async function nameOf(
  folder: OpenFolder,
  name: string,
  claimed: ReadonlySet<string>,
): Promise<string> {
  const isTaken = async (tried: string) => {
    if (claimed.has(tried)) return true;
    const processed = path.join(folder.path, takenFolders.processed, tried);
    if (await isThere(processed)) return true;
    const confirmation = path.join(folder.path, statusFolders.live, statusFileName(tried));
    if (!(await isThere(confirmation))) return false;
    return (await statusSince(folder, tried, 0n))?.status !== 'rejected';
  };
  return freeName(shortName(name), isTaken);
}

/** Its beginning and its ending, where the name is long. */
function shortName(name: string): string {
  const { name: stem, ext } = path.parse(name);
  let end = stem.length;
  while (Buffer.byteLength(stem.slice(0, end) + ext) > nameBytesMax) end -= 1;
  return stem.slice(0, end).toWellFormed() + ext;
}

/** False when somebody else took it first. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Refs that are looked for at once. */
const refsLooked = 5_000;

/** How far the documents of a claimed file are confirmed. */
interface Progress {
  /** Documents with a confirmation, from the first on. */
  confirmed: number;
  /** Those that follow, as far as they were looked up. */
  next: string[];
  readonly rejected: Rejection[];
}

interface Rejection {
  readonly ref: string;
  readonly message: string;
}

/** Rejections that the reason names; there may be as many as documents. */
const rejectionsMax = 1_000;

/** Moves claimed files away when all their documents have a confirmation. */
export class FinishedFiles {
  readonly #settings: FilesSettings;
  readonly #progress = new Map<string, Progress>();

  constructor(settings: FilesSettings) {
    this.#settings = settings;
  }

  /** Moves what is finished of `files`; nothing is lost when it ends in the middle. */
  async move(
    folder: OpenFolder,
    claims: OpenFolder,
    files: readonly ClaimedFile[],
    signal: AbortSignal,
  ): Promise<void> {
    const waiting = new Set(files.map(({ place }) => place));
    for (const place of this.#progress.keys()) {
      if (!waiting.has(place)) this.#progress.delete(place);
    }
    for (const file of files) {
      if (signal.aborted) return;
      const rejected = await this.#finished(folder, claims, file, signal);
      if (rejected === undefined) continue;
      await moveAway(folder, claims, file, rejected);
      this.#progress.delete(file.place);
    }
  }

  /** What was rejected of a file that is finished; undefined while one of its documents waits. */
  async #finished(
    folder: OpenFolder,
    claims: OpenFolder,
    file: ClaimedFile,
    signal: AbortSignal,
  ): Promise<readonly Rejection[] | undefined> {
    const progress = this.#progress.get(file.place) ?? { confirmed: 0, next: [], rejected: [] };
    this.#progress.set(file.place, progress);
    for (;;) {
      const [ref] = progress.next;
      if (ref === undefined) {
        const found = await withContent(claims, file, (open) =>
          refsIn(open, this.#settings, progress.confirmed, refsLooked, signal),
        );
        if (signal.aborted || found.kind === 'unreachable') return undefined;
        // It was looked for by its name a moment ago: somebody took it away, and it is theirs.
        if (found.kind === 'missing') return undefined;
        if (found.kind === 'unusable') return [{ ref: file.name, message: found.fault.message }];
        if (found.refs.length === 0) return progress.rejected;
        progress.next = [...found.refs];
        continue;
      }
      const stored = await statusSince(folder, ref, file.sinceNs);
      if (stored === undefined) return undefined;
      progress.next.shift();
      progress.confirmed += 1;
      if (stored.status !== 'rejected' || progress.rejected.length >= rejectionsMax) continue;
      const message = `Rejected: GET /v1/invoices/${stored.invoiceId} says why.`;
      progress.rejected.push({ ref, message });
    }
  }
}

async function moveAway(
  folder: OpenFolder,
  claims: OpenFolder,
  { name, place }: OrderedFile,
  rejected: readonly Rejection[],
): Promise<void> {
  const isRejected = rejected.length > 0;
  const kind = isRejected ? takenFolders.rejected : takenFolders.processed;
  const target = await openOwnFolder(folder, kind);
  if (target === undefined) return;
  try {
    const free = await freeName(name, (tried) => isThere(path.join(target.path, tried)));
    if (isRejected) {
      const said = rejected.map(({ ref, message }) => `${ref}: ${message}\n`);
      await writeDurably(path.join(target.path, `${free}.reason.txt`), said.join(''));
    }
    await moved(path.join(claims.path, place), path.join(target.path, free));
    await Promise.all([target.sync(), claims.sync()]);
  } finally {
    await target.close();
  }
}

const namesTried = 10_000;

/** `a.csv`, or `a-2.csv` when that name is taken. */
async function freeName(
  name: string,
  isTaken: (tried: string) => Promise<boolean>,
): Promise<string> {
  const { name: stem, ext } = path.parse(name);
  for (let number = 1; number < namesTried; number += 1) {
    const tried = number === 1 ? name : `${stem}-${number}${ext}`;
    if (!(await isTaken(tried))) return tried;
  }
  throw Object.assign(new Error('no free name'), { code: 'EEXIST' });
}

function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** A link stands where the files would be moved to. */
export function notOwnFolder(folder: string): ConnectorFault {
  const message = `${path.join(folder, takenFolders.claimed)} is not a folder of its own.`;
  return fault('not_a_folder', message, 'never');
}
