import { isDeepStrictEqual } from 'node:util';
import { parseJsonPath, valueAt } from '@drawbridge/records/json-path.ts';
import type { ConnectorFault, Unreachable } from '../contract.ts';
import { answerUnreadable } from '../outbound/errors.ts';
import type { JsonApi } from '../outbound/json-api.ts';
import { linkElsewhere } from './errors.ts';
import type { Paging } from './settings.ts';

/**
 * Where a page is: undefined for the first one; an address, a number, an offset or a cursor, as the
 * paging goes.
 */
type PageState = string | undefined;

/** One page of records. */
export interface Page {
  readonly kind: 'page';
  readonly records: readonly unknown[];
  /** Where the next one is; undefined after the last. */
  readonly next: PageState;
  /** 404: as empty as a page behind the last one. */
  readonly isMissing: boolean;
}

/** Which page is read. */
interface PagePlace {
  readonly state: PageState;
  /** The records of the page before it, where that was read just now. */
  readonly before?: readonly unknown[] | undefined;
}

/** What of a list is asked for. */
export interface PagedList {
  /** The first page, with its parameters. */
  readonly url: URL;
  /** Where the records are in an answer. */
  readonly records: string;
  readonly paging: Paging;
}

/** Characters of a state, which stands in a cursor. */
const stateLengthMax = 2_000;

/**
 * Reads one page. Behind the last one some servers answer 404, and others the last one again: both are
 * empty.
 */
export async function readPage(
  api: JsonApi,
  list: PagedList,
  { state, before }: PagePlace,
  signal: AbortSignal,
): Promise<Page | TooLarge | Unreachable> {
  const url = pageUrl(list, state);
  if (!api.isOwn(url)) return { kind: 'unreachable', fault: linkElsewhere(api.where) };
  const outcome = await api.send({ method: 'GET', url }, signal);
  switch (outcome.kind) {
    case 'missing':
      return { kind: 'page', records: [], next: undefined, isMissing: true };
    case 'collided':
      return unreadable(api, 'that a list is in conflict.');
    case 'unreachable':
    case 'too-large':
      return outcome;
    case 'answer':
      break;
  }
  const records = valueAt(outcome.value, pathOf(list.records)) ?? [];
  if (!Array.isArray(records)) return unreadable(api, `no array at ${list.records}.`);
  const isCounted = list.paging.by === 'page' || list.paging.by === 'offset';
  if (isCounted && records.length > 0 && isDeepStrictEqual(records, before)) {
    return { kind: 'page', records: [], next: undefined, isMissing: false };
  }
  const next = nextState(list, state, url, outcome, records.length);
  if (next !== undefined && (next.length > stateLengthMax || next === state)) {
    return unreadable(api, 'a next page that is no other one, or too long an address of it.');
  }
  return { kind: 'page', records, next, isMissing: false };
}

/** A page that is larger than may be read. */
export interface TooLarge {
  readonly kind: 'too-large';
  readonly fault: ConnectorFault;
}

function unreadable(api: JsonApi, detail: string): Unreachable {
  return { kind: 'unreachable', fault: answerUnreadable(api.where, detail) };
}

/** The steps of a path that the settings accepted. */
export function pathOf(path: string) {
  return parseJsonPath(path) ?? [];
}

function pageUrl({ url, paging }: PagedList, state: PageState): URL {
  if (paging.by === 'link' && state !== undefined) return new URL(state, url);
  const asked = new URL(url);
  switch (paging.by) {
    case 'page':
      asked.searchParams.set(paging.parameter, state ?? String(paging.first));
      break;
    case 'offset':
      asked.searchParams.set(paging.parameter, state ?? '0');
      break;
    case 'cursor':
      if (state !== undefined) asked.searchParams.set(paging.parameter, state);
      break;
    case 'none':
    case 'link':
      break;
  }
  return asked;
}

function nextState(
  { paging }: PagedList,
  state: PageState,
  url: URL,
  {
    value,
    headers,
  }: { readonly value: unknown; readonly headers: Readonly<Record<string, string>> },
  count: number,
): PageState {
  switch (paging.by) {
    case 'none':
      return undefined;
    case 'link': {
      const link =
        paging.next === undefined ? linkOf(headers.link ?? '') : textAt(value, paging.next);
      return link === undefined ? undefined : (URL.parse(link, url.href)?.href ?? 'about:blank');
    }
    case 'cursor':
      return textAt(value, paging.next);
    case 'page':
      return count === 0 ? undefined : String(Number(state ?? paging.first) + 1);
    case 'offset':
      return count === 0 ? undefined : String(Number(state ?? 0) + count);
  }
}

function textAt(value: unknown, path: string): string | undefined {
  const found = valueAt(value, pathOf(path));
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The address that the header Link (RFC 8288) names as the next one. */
function linkOf(header: string): string | undefined {
  for (const [, address, parameters = ''] of header.slice(0, 8_192).matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel="?(?:[^";]*\s)?next(?:["\s;,]|$)/i.test(parameters)) return address;
  }
  return undefined;
}
