/** Requests and answers that are the same for all voice providers over HTTP. */
import type { Failure, WireRequest, WireResponse } from './contract.ts';
import { outcomeOfStatus } from './http-outcome.ts';
import { given, type JsonObject, jsonOf, numberOf, objectsOf } from './untrusted-input.ts';
import type {
  CallReport,
  CheckOutcome,
  LegReport,
  ListedCall,
  LookUp,
  PlaceOutcome,
} from './voice-contract.ts';

/** The result of a check of the credentials. */
export function checkOf(
  response: WireResponse,
  now: Date,
  failure: Pick<Failure, 'code' | 'detail'>,
): CheckOutcome {
  if (response.status === 200) return { kind: 'ok' };
  const outcome = outcomeOfStatus(response, now, failure);
  return outcome.kind === 'refused' ? outcome : { kind: 'unclear', reason: failure.detail };
}

/**
 * A successful request for a call; without an id in the answer the call may ring, but is unknown.
 */
export function placedAs(requestId: string | undefined, name: string): PlaceOutcome {
  return requestId === undefined
    ? { kind: 'unknown', reason: `no ${name} in the answer` }
    : { kind: 'placed', requestId };
}

/** The members of a report, as far as the answer has them. */
type Read<Report> = { readonly [Name in keyof Report]?: Report[Name] | undefined };

/** The state of a call in the provider's own record of it. */
export function lookedUp(
  { status: httpStatus, body }: WireResponse,
  read: (call: JsonObject) => Read<Omit<CallReport, 'kind'>>,
): LookUp {
  if (httpStatus === 404) return { kind: 'gone' };
  const { callId, status, ...more } = read(jsonOf(body) ?? {});
  if (httpStatus !== 200 || callId === undefined || status === undefined) {
    return { kind: 'unclear', reason: `HTTP ${httpStatus}` };
  }
  return { kind: 'report', callId, status, ...given(more) };
}

/**
 * The calls on all pages of a list, without those that lack an id or a number; undefined when a
 * page has no such list.
 */
export function listedCalls(
  pages: readonly WireResponse[],
  listOf: (body: JsonObject) => unknown,
  read: (call: JsonObject) => Read<ListedCall>,
): readonly ListedCall[] | undefined {
  return listedOn(pages, listOf)?.flatMap((call) => {
    const { callId, to, from, at } = read(call);
    if (callId === undefined || to === undefined || from === undefined) return [];
    return [{ callId, to, from, ...given({ at }) }];
  });
}

/**
 * The legs on all pages of a list, without those that lack an id or a status; undefined when a page
 * has no such list.
 */
export function listedLegs(
  pages: readonly WireResponse[],
  listOf: (body: JsonObject) => unknown,
  read: (call: JsonObject) => Read<LegReport>,
): readonly LegReport[] | undefined {
  return listedOn(pages, listOf)?.flatMap((call) => {
    const { legId, status, ...more } = read(call);
    if (legId === undefined || status === undefined) return [];
    return [{ legId, status, ...given(more) }];
  });
}

/** The items under this name on all pages of a list; undefined when a page has no such list. */
function listedOn(
  pages: readonly WireResponse[],
  listOf: (body: JsonObject) => unknown,
): JsonObject[] | undefined {
  const listed: JsonObject[] = [];
  for (const { status, body } of pages) {
    const page = jsonOf(body);
    const list = page === undefined ? undefined : listOf(page);
    if (status !== 200 || !Array.isArray(list)) return undefined;
    listed.push(...objectsOf(list));
  }
  return listed;
}

/** The address of the next page, which must be within the list, because it gets our credentials. */
export function pageAt(path: unknown, list: string): string | undefined {
  const { origin, pathname } = new URL(list);
  if (typeof path !== 'string' || !URL.canParse(path, origin)) return undefined;
  const page = new URL(path, origin);
  return page.origin === origin && page.pathname === pathname ? page.href : undefined;
}

/** More seconds than any call or recording lasts. */
const secondsMax = 86_400;

/** A duration in seconds; undefined when the value cannot be one. */
export function durationOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  return seconds !== undefined && seconds >= 0 && seconds <= secondsMax ? seconds : undefined;
}

/** The request for a recording; credentials are sent to the provider's own hosts only. */
export function recordingRequest(
  url: string,
  endpoint: string,
  hosts: readonly string[],
  authorization: () => string,
): WireRequest {
  const isOwn = isOnHosts(url, endpoint, hosts);
  return { method: 'GET', url, headers: isOwn ? { authorization: authorization() } : {} };
}

/**
 * Whether the address is on one of these hosts, on a subdomain, or on the account's own endpoint.
 */
function isOnHosts(url: string, endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol, origin } = new URL(url);
  if (origin === new URL(endpoint).origin) return true;
  const isKnown = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return protocol === 'https:' && isKnown;
}

/** A request with these credentials and a JSON body. */
export function jsonRequest(
  method: WireRequest['method'],
  url: string,
  authorization: string,
  body?: object,
): WireRequest {
  if (body === undefined) return { method, url, headers: { authorization } };
  const headers = { authorization, 'content-type': 'application/json' };
  return { method, url, headers, body: JSON.stringify(body) };
}

/** The party of a leg, as providers write it: digits with or without a plus, or a SIP address. */
export function partyIn(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{7,15}$/.test(text) ? `+${text}` : text;
}
