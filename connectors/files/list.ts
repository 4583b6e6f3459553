import { type ListOutcome, limits } from '../contract.ts';
import { fault } from '../fault.ts';
import { decodeCursor, encodeCursor } from '../json.ts';
import { fileDocuments } from './documents.ts';
import { type ListedFile, type OpenFolder, readWithin } from './folder.ts';
import type { FilesSettings } from './settings.ts';

/** The file `name` in its state of `changedNs`, of which `count` documents were listed so far. */
interface Position {
  readonly changedNs: bigint;
  readonly name: string;
  readonly count: number;
}

const nsPerMs = 1_000_000n;

/** One page of refs of the files that changed after `cursor` and are settled at `now`. */
export async function listPage(
  folder: OpenFolder,
  files: readonly ListedFile[],
  settings: FilesSettings,
  cursor: string | undefined,
  now: Date,
  signal: AbortSignal,
): Promise<ListOutcome> {
  const from = cursor === undefined ? undefined : positionOf(cursor);
  if (from === 'invalid') {
    const message = 'The cursor is not one of this folder: begin again without one.';
    return { kind: 'unreachable', fault: fault('cursor_invalid', message, 'never') };
  }
  const settledNs = BigInt(now.getTime() - settings.settleSeconds * 1_000) * nsPerMs;
  const waiting = files.filter(
    (file) => file.changedNs <= settledNs && (from === undefined || isAtOrAfter(file, from)),
  );
  const refs: string[] = [];
  let last = from;
  for (const file of waiting) {
    // The caller was answered; the rest of the work is for nobody.
    if (signal.aborted) break;
    const all = await refsOf(folder, file.name, settings);
    const done = from !== undefined && isSame(file, from) ? from.count : 0;
    const room = limits.pageSize - refs.length;
    const taken = all.slice(done, done + room);
    if (taken.length === 0 && done < all.length) return page(refs, last, true);
    refs.push(...taken);
    last = { changedNs: file.changedNs, name: file.name, count: done + taken.length };
    if (done + taken.length < all.length) return page(refs, last, true);
  }
  return page(refs, last, false);
}

/**
 * The refs in a file; one that cannot be read is listed by its name, so that reading it says why.
 */
export async function refsOf(
  folder: OpenFolder,
  name: string,
  settings: FilesSettings,
): Promise<readonly string[]> {
  const isOne = /\.csv$/i.test(name) && settings.documentColumn === undefined;
  if (isOne) return [name];
  const read = await readWithin(folder, name);
  if (read.kind !== 'bytes') return [name];
  const outcome = fileDocuments(name, read.bytes, settings);
  return outcome.kind === 'documents' ? outcome.documents.map(({ ref }) => ref) : [name];
}

function isSame(file: ListedFile, from: Position): boolean {
  return file.changedNs === from.changedNs && file.name === from.name;
}

function isAtOrAfter(file: ListedFile, from: Position): boolean {
  if (file.changedNs !== from.changedNs) return file.changedNs > from.changedNs;
  return file.name >= from.name;
}

function page(refs: readonly string[], last: Position | undefined, more: boolean): ListOutcome {
  return { kind: 'page', refs, cursor: encodeCursor(partsOf(last)), more };
}

function partsOf(last: Position | undefined): readonly unknown[] {
  return last === undefined ? [] : [String(last.changedNs), last.name, last.count];
}

function positionOf(cursor: string): Position | undefined | 'invalid' {
  const parsed = decodeCursor(cursor);
  if (!Array.isArray(parsed)) return 'invalid';
  if (parsed.length === 0) return undefined;
  const [changed, name, count] = parsed as readonly unknown[];
  const isPosition =
    typeof changed === 'string' &&
    /^\d{1,20}$/.test(changed) &&
    typeof name === 'string' &&
    typeof count === 'number';
  return isPosition ? { changedNs: BigInt(changed), name, count } : 'invalid';
}
