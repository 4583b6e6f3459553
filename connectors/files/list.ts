import { type ListOutcome, limits, type Unreachable } from '../contract.ts';
import { cursorInvalid } from '../fault.ts';
import type { RefsAhead } from '../file-content/documents.ts';
import { decodeCursor, encodeCursor } from '../json.ts';
import { type OpenFolder, withContent } from './folder.ts';
import type { FilesSettings } from './settings.ts';

/** A file to list: what comes later has a higher `order`, or the same and a higher name. */
export interface OrderedFile {
  readonly name: string;
  /** Where it stands in the folder. */
  readonly place: string;
  readonly order: bigint;
}

/** The file `name` in its state of `order`, of which `count` documents were listed so far. */
export interface Position {
  readonly order: bigint;
  readonly name: string;
  readonly count: number;
}

/** What `order` counts: changes of files that stay where they are, or claims of those that move. */
type Counted = 'changes' | 'claims';

/** One page of refs of the files that come after `from`. */
export async function listPage(
  folder: OpenFolder,
  files: readonly OrderedFile[],
  settings: FilesSettings,
  from: Position | undefined,
  ahead: RefsAhead,
  signal: AbortSignal,
): Promise<ListOutcome> {
  const refs: string[] = [];
  let last = from;
  for (const file of files) {
    if (from !== undefined && !isAtOrAfter(file, from)) continue;
    // The caller was answered; the rest of the work is for nobody.
    if (signal.aborted) break;
    const done = from !== undefined && isSame(file, from) ? from.count : 0;
    const room = limits.pageSize - refs.length;
    const read = await refsOf(folder, file, settings, { from: done, max: room, ahead }, signal);
    if (read.refs.length > 0 || !read.more) {
      refs.push(...read.refs);
      last = { order: file.order, name: file.name, count: done + read.refs.length };
    }
    if (read.more) return page(refs, last, settings, true);
  }
  return page(refs, last, settings, false);
}

/**
 * The refs in a file; one that cannot be read is listed by its name, so that reading it says why.
 */
export async function refsOf(
  folder: OpenFolder,
  file: Pick<OrderedFile, 'name' | 'place'>,
  settings: FilesSettings,
  { from, max, ahead }: { readonly from: number; readonly max: number; readonly ahead: RefsAhead },
  signal: AbortSignal,
): Promise<{ readonly refs: readonly string[]; readonly more: boolean }> {
  const { documentColumn, rowSections, leaveOut } = settings;
  const isTable = /\.(csv|xlsx)$/i.test(file.name);
  const isOne = isTable && (documentColumn ?? rowSections ?? leaveOut) === undefined;
  const itself = { refs: [file.name].slice(from, from + max), more: from === 0 && max === 0 };
  if (isOne) return itself;
  const read = await withContent(folder, file, (open) =>
    ahead.refsIn(open, open.version, settings, from, max, signal),
  );
  return read.kind === 'refs' ? read : itself;
}

function isSame(file: OrderedFile, from: Position): boolean {
  return file.order === from.order && file.name === from.name;
}

function isAtOrAfter(file: OrderedFile, from: Position): boolean {
  if (file.order !== from.order) return file.order > from.order;
  return file.name >= from.name;
}

function page(
  refs: readonly string[],
  last: Position | undefined,
  settings: FilesSettings,
  more: boolean,
): ListOutcome {
  return { kind: 'page', refs, cursor: encodeCursor(partsOf(last, settings)), more };
}

function countedBy({ move }: FilesSettings): Counted {
  return move ? 'claims' : 'changes';
}

function partsOf(last: Position | undefined, settings: FilesSettings): readonly unknown[] {
  const counted = countedBy(settings);
  return last === undefined ? [counted] : [counted, String(last.order), last.name, last.count];
}

/** Where a cursor stands; undefined: before all files. A fault when it is not one of these settings. */
export function positionOf(
  cursor: string | undefined,
  settings: FilesSettings,
): { readonly at: Position | undefined } | Unreachable {
  if (cursor === undefined) return { at: undefined };
  const parsed = decodeCursor(cursor);
  const [counted, order, name, count] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
  if (counted === countedBy(settings)) {
    if (order === undefined) return { at: undefined };
    const isPosition =
      typeof order === 'string' &&
      /^\d{1,20}$/.test(order) &&
      typeof name === 'string' &&
      typeof count === 'number';
    if (isPosition) return { at: { order: BigInt(order), name, count } };
  }
  return cursorInvalid('is not one of this folder as it is set up');
}
