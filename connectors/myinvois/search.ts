import { type ListOutcome, limits } from '../contract.ts';
import { cursorInvalid } from '../fault.ts';
import { decodeCursor, encodeCursor } from '../json.ts';
import type { ListedRecords } from '../listed-records.ts';
import type { MyInvoisApi } from './api.ts';

/** MyInvois searches no more at once. */
export const windowDays = 31;
const windowMs = windowDays * 86_400_000;
/** A document is cancelled at most so long after it was listed; MyInvois allows less. */
const cancellableMs = 7 * 86_400_000;
/** A window is searched anew when documents have left it, at most so often. */
const repeatsMax = 3;

/** How far received documents were listed. Instants in milliseconds. */
interface Position {
  /** The window begins here. */
  readonly fromMs: number;
  /** When this pass began, and where it ends; undefined between two passes. */
  readonly passMs?: number | undefined;
  /** The page of the window, from 1, and how many of its rows were taken. */
  readonly page: number;
  readonly taken: number;
  /** How many documents the window had at its first page. */
  readonly total?: number | undefined;
  readonly repeats: number;
  /**
   * The window is searched for what was cancelled, and valid documents come afterwards, from here on;
   * undefined while these are searched.
   */
  readonly validFromMs?: number | undefined;
}

export interface Listing {
  readonly api: MyInvoisApi;
  readonly listed: ListedRecords;
  /** Where the first pass begins. */
  readonly startMs: number;
  readonly overlapMs: number;
  readonly now: Date;
  /** Refs of one page of ours, which one call can read at the pace of MyInvois. */
  readonly refsMax: number;
  readonly isLate: () => boolean;
  /** How long a search may wait for its turn within this call. */
  readonly patienceMs: number;
}

/**
 * One page of received documents after `cursor`, window by window. A pass goes through those that were
 * cancelled, as these have changed, and then through the valid ones. It ends at its beginning; the next
 * one begins with the overlap before that, for what was validated or listed late, of which only what is
 * not known is listed. A document that leaves a window moves others up past the reader, so such a window
 * is searched anew.
 */
export async function listReceived(
  listing: Listing,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ListOutcome> {
  const { api, listed, startMs, now, refsMax, isLate } = listing;
  const known = cursor === undefined ? startOf(startMs) : positionOf(cursor);
  if (known === undefined) return cursorInvalid('is not one of this list');
  if (cursor === undefined) listed.clear();
  let at = known;
  if (at.passMs === undefined) {
    const begin = cursor === undefined ? firstPass : passFrom;
    at = begin(at.fromMs, now.getTime());
  }
  const refs: string[] = [];
  for (;;) {
    // The next round goes on from here; within this one the search would be given up.
    if (api.searchWaitMs() > listing.patienceMs) return pageOf(refs, at, false);
    const toMs = Math.min(at.fromMs + windowMs, at.passMs!);
    const status = at.validFromMs === undefined ? 'Valid' : 'Cancelled';
    const page = await api.search({ status, fromMs: at.fromMs, toMs, page: at.page }, signal);
    if (page.kind !== 'page') return page;
    if (at.total === undefined) at = { ...at, total: page.totalCount };
    for (const uuid of page.uuids.slice(at.taken)) {
      if (refs.length === refsMax) return pageOf(refs, at, true);
      at = { ...at, taken: at.taken + 1 };
      const isRef = uuid !== '' && uuid.length <= limits.refLengthMax;
      if (isRef && listed.add(uuid, status)) refs.push(uuid);
    }
    const next = nextOf(at, page, toMs, listing);
    if (next.passMs === undefined) return pageOf(refs, next, false);
    at = next;
    if (isLate()) return pageOf(refs, at, true);
  }
}

function nextOf(
  at: Position,
  page: { readonly totalPages: number; readonly totalCount: number },
  toMs: number,
  { overlapMs, startMs }: Listing,
): Position {
  if (at.page < page.totalPages) return { ...at, page: at.page + 1, taken: 0 };
  const { fromMs, passMs, validFromMs } = at;
  if (page.totalCount < at.total! && at.repeats < repeatsMax) {
    return { ...startOf(fromMs), passMs, validFromMs, repeats: at.repeats + 1 };
  }
  if (toMs < passMs!) return { ...startOf(toMs), passMs, validFromMs };
  if (validFromMs !== undefined) return { ...startOf(validFromMs), passMs };
  return startOf(Math.max(startMs, toMs - overlapMs));
}

/** A pass from `fromMs` on, which begins with what was cancelled of all that may still be. */
function passFrom(fromMs: number, passMs: number): Position {
  const cancelledFromMs = Math.max(0, Math.min(fromMs - cancellableMs, passMs - windowMs));
  return { ...startOf(cancelledFromMs), passMs, validFromMs: fromMs };
}

/** The first pass: what was cancelled before it and a window ago was never listed. */
function firstPass(fromMs: number, passMs: number): Position {
  return { ...startOf(Math.max(0, passMs - windowMs)), passMs, validFromMs: fromMs };
}

function startOf(fromMs: number): Position {
  return { fromMs, page: 1, taken: 0, repeats: 0 };
}

function pageOf(refs: readonly string[], at: Position, more: boolean): ListOutcome {
  const { fromMs, passMs = null, page, taken, total = null, repeats, validFromMs = null } = at;
  const cursor = encodeCursor([
    'myinvois',
    fromMs,
    passMs,
    page,
    taken,
    total,
    repeats,
    validFromMs,
  ]);
  return { kind: 'page', refs, cursor, more };
}

function positionOf(cursor: string): Position | undefined {
  const parsed = decodeCursor(cursor);
  if (!Array.isArray(parsed)) return undefined;
  const [kind, fromMs, passMs, page, taken, total, repeats, validFromMs = null] =
    parsed as unknown[];
  const isCount = (value: unknown): value is number =>
    Number.isSafeInteger(value) && (value as number) >= 0;
  const isPosition =
    kind === 'myinvois' &&
    isCount(fromMs) &&
    (passMs === null || isCount(passMs)) &&
    isCount(page) &&
    isCount(taken) &&
    (total === null || isCount(total)) &&
    isCount(repeats) &&
    (validFromMs === null || isCount(validFromMs));
  if (!isPosition) return undefined;
  return {
    fromMs,
    passMs: passMs ?? undefined,
    page: Math.max(1, page),
    taken,
    total: total ?? undefined,
    repeats,
    validFromMs: validFromMs ?? undefined,
  };
}
