import { valueAt } from '@drawbridge/records/json-path.ts';
import { type ConnectorFault, type ListOutcome, limits } from '../contract.ts';
import { cursorInvalid } from '../fault.ts';
import { decodeCursor, encodeCursor } from '../json.ts';
import type { ListedRecords } from '../listed-records.ts';
import type { JsonApi } from '../outbound/json-api.ts';
import { listMissing, nowhere } from './errors.ts';
import { type Page, type PagedList, pathOf, readPage } from './pages.ts';
import type { HttpSettings } from './settings.ts';

/** How far a list was read. */
interface Position {
  /** What is asked for: changes since that instant, in milliseconds; undefined: all. */
  readonly sinceMs?: number | undefined;
  /** The latest change that was met on the pages so far. */
  readonly latestMs?: number | undefined;
  /** The page, and how many of its records were taken. */
  readonly state?: string | undefined;
  readonly count: number;
  /** Whether this pass through the pages repeats the one before. */
  readonly isRepeated?: boolean;
  /** Whether this pass went through several pages and found something new. */
  readonly mayHaveSkipped?: boolean;
}

/** Pages of the server that are read for one page of ours: most of them hold what is known. */
const pagesMax = 1_000;

/** A record that is listed, and when it changed as the server says. */
interface Found {
  readonly ref: string;
  readonly version?: string;
}

/** What one call lists. */
interface ListBounds {
  readonly refsMax: number;
  readonly now: Date;
  /** Whether it is time to answer with what was found. */
  readonly isLate: () => boolean;
}

/**
 * One page of refs after `cursor`. With `changes` each pass through the pages asks for what changed
 * since the latest change of the pass before, less the overlap. A record that changes meanwhile moves to
 * another page, and those behind it move up past the reader: so a pass through several pages that
 * brought something is repeated once. Without `changes` the list goes on where it ended, so that only
 * new records at its end are found.
 */
export async function listRecords(
  api: JsonApi,
  settings: HttpSettings,
  cursor: string | undefined,
  listed: ListedRecords,
  { refsMax, now, isLate }: ListBounds,
  signal: AbortSignal,
): Promise<ListOutcome> {
  const from = cursor === undefined ? { count: 0 } : positionOf(cursor);
  if (from === undefined) return cursorInvalid('is not one of this list');
  if (cursor === undefined) listed.clear();
  const list = listOf(api, settings, from.sinceMs);
  const found: Found[] = [];
  let at: Position = from;
  let before: Position = from;
  let records: readonly unknown[] | undefined;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page = await readPage(api, list, { state: at.state, before: records }, signal);
    if (page.kind !== 'page') return { kind: 'unreachable', fault: page.fault };
    const wrong = at.state === undefined ? listFault(api, settings, page) : undefined;
    if (wrong !== undefined) return { kind: 'unreachable', fault: wrong };
    records = page.records;
    for (const record of page.records.slice(at.count)) {
      if (found.length === refsMax) return answer(found, at, true);
      at = take(record, at, settings, listed, now, found);
    }
    if (page.next === undefined) {
      // An empty page tells only that the one before was the last, which may be filled later.
      const isEmpty = page.records.length === 0;
      return ended(
        found,
        isEmpty ? { ...at, state: before.state, count: before.count } : at,
        settings,
      );
    }
    before = at;
    at = { ...at, state: page.next, count: 0 };
    // The place that was reached counts, also where all on the way to it is known.
    if (isLate()) break;
  }
  return answer(found, at, true);
}

/** After the last page: the next pass, or the place where new records will be. */
function ended(found: readonly Found[], at: Position, { list }: HttpSettings): ListOutcome {
  if (list.changes === undefined) return answer(found, at, false);
  const canSkip = list.paging.by === 'page' || list.paging.by === 'offset';
  if (canSkip && at.mayHaveSkipped === true && at.isRepeated !== true) {
    return answer(found, { sinceMs: at.sinceMs, count: 0, isRepeated: true }, true);
  }
  return answer(found, { sinceMs: at.latestMs ?? at.sinceMs, count: 0 }, false);
}

/** The list from its first page, asking for changes since `sinceMs`. */
export function listOf(
  api: JsonApi,
  { list }: HttpSettings,
  sinceMs: number | undefined,
): PagedList {
  const url = api.urlOf(list.path)!;
  for (const [name, value] of Object.entries(list.query)) url.searchParams.set(name, value);
  const { changes } = list;
  if (changes !== undefined && sinceMs !== undefined) {
    const fromMs = Math.max(0, sinceMs - changes.overlapSeconds * 1_000);
    url.searchParams.set(changes.parameter, instantText(fromMs, changes.format));
  }
  return { url, records: list.records, paging: list.paging };
}

/** What the settings say of the list and its first page does not have. */
export function listFault(
  api: JsonApi,
  { list }: HttpSettings,
  { isMissing, records }: Page,
): ConnectorFault | undefined {
  if (isMissing) return listMissing(api.where, list.path);
  const hasRef = (record: unknown) => refOf(record, { list }) !== undefined;
  if (records.length === 0 || records.some(hasRef)) return undefined;
  return nowhere(api.where, records.length, list.ref, 'list.ref');
}

/** The ref of a record; undefined when it has none that is a text or a number. */
export function refOf(record: unknown, { list }: Pick<HttpSettings, 'list'>): string | undefined {
  const ref = valueAt(record, pathOf(list.ref));
  const isRef = typeof ref === 'string' && ref !== '' && ref.length <= limits.refLengthMax;
  return isRef ? ref : undefined;
}

function take(
  record: unknown,
  at: Position,
  settings: HttpSettings,
  listed: ListedRecords,
  now: Date,
  found: Found[],
): Position {
  const ref = refOf(record, settings);
  const { changes } = settings.list;
  const counted = { ...at, count: at.count + 1 };
  if (changes === undefined) {
    if (ref !== undefined) found.push({ ref });
    return counted;
  }
  const changed = valueAt(record, pathOf(changes.field));
  const changedMs = instantOf(changed);
  const isNew = ref !== undefined && listed.add(ref, String(changed));
  if (isNew) found.push({ ref, version: String(changed) });
  const mayHaveSkipped = at.mayHaveSkipped === true || (isNew && at.state !== undefined);
  // One that is dated wrongly would keep all that come after it from being asked for.
  const isLikely = changedMs !== undefined && changedMs <= now.getTime() + zoneMsMax;
  const latestMs = Math.max(isLikely ? changedMs : -1, at.latestMs ?? -1);
  return { ...counted, mayHaveSkipped, ...(latestMs < 0 ? {} : { latestMs }) };
}

/** A clock without a zone is ahead of UTC by no more. */
const zoneMsMax = 14 * 3_600_000;

/** An instant as the server writes it; one without a zone is taken as it is, as if it were UTC. */
function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{9,11}(\.\d+)?$/.test(value)) return Math.floor(Number(value) * 1_000);
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value);
  const hasTime = /\d:\d\d/.test(value);
  const ms = Date.parse(hasZone || !hasTime ? value : `${value.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

type Format = NonNullable<HttpSettings['list']['changes']>['format'];

function instantText(ms: number, format: Format): string {
  const iso = new Date(ms).toISOString();
  switch (format) {
    case 'iso':
      return iso;
    case 'naive':
      return iso.slice(0, 19).replace('T', ' ');
    case 'date':
      return iso.slice(0, 10);
    case 'seconds':
      return String(Math.floor(ms / 1_000));
  }
}

function answer(found: readonly Found[], at: Position, more: boolean): ListOutcome {
  const { sinceMs = null, latestMs = null, state = null, count } = at;
  const flags = [at.isRepeated === true, at.mayHaveSkipped === true];
  const cursor = encodeCursor(['http', sinceMs, latestMs, state, count, ...flags]);
  const refs = found.map(({ ref }) => ref);
  const versions = found.flatMap(({ version }) => version ?? []);
  const told = versions.length === refs.length ? { versions } : {};
  return { kind: 'page', refs, ...told, cursor, more };
}

function positionOf(cursor: string): Position | undefined {
  const parsed = decodeCursor(cursor);
  if (!Array.isArray(parsed)) return undefined;
  const [kind, sinceMs, latestMs, state, count, isRepeated, mayHaveSkipped] = parsed as unknown[];
  const isInstant = (value: unknown) => value === null || Number.isSafeInteger(value);
  const isPosition =
    kind === 'http' &&
    isInstant(sinceMs) &&
    isInstant(latestMs) &&
    (state === null || typeof state === 'string') &&
    Number.isSafeInteger(count);
  if (!isPosition) return undefined;
  return {
    sinceMs: (sinceMs as number | null) ?? undefined,
    latestMs: (latestMs as number | null) ?? undefined,
    state: (state as string | null) ?? undefined,
    count: Number(count),
    isRepeated: isRepeated === true,
    mayHaveSkipped: mayHaveSkipped === true,
  };
}
