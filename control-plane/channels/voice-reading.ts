import type { Failure, WireResponse } from './contract.ts';
import { outcomeOfStatus } from './http-outcome.ts';
import { type JsonObject, jsonOf, numberOf, objectsOf } from './reading.ts';
import type { CheckOutcome, PlaceOutcome } from './voice-contract.ts';

/** What a check of the credentials came to, when it was no success. */
export function checkOf(
  response: WireResponse,
  now: Date,
  failure: Pick<Failure, 'code' | 'detail'>,
): CheckOutcome {
  const outcome = outcomeOfStatus(response, now, failure);
  return outcome.kind === 'refused' ? outcome : { kind: 'unclear', reason: failure.detail };
}

/** The placing of a success whose id is missing: it may ring. */
export function placedAs(requestId: string | undefined, name: string): PlaceOutcome {
  return requestId === undefined
    ? { kind: 'unknown', reason: `no ${name} in the answer` }
    : { kind: 'placed', requestId };
}

/** What stands under this name on all pages of a list; undefined when one of them has no such list. */
export function listedOn(
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

/** The address of a page as the one before names it: within the list alone, for it gets credentials. */
export function pageAt(path: unknown, list: string): string | undefined {
  const { origin, pathname } = new URL(list);
  if (typeof path !== 'string' || !URL.canParse(path, origin)) return undefined;
  const page = new URL(path, origin);
  return page.origin === origin && page.pathname === pathname ? page.href : undefined;
}

/** More than any call or recording lasts. */
const secondsMax = 86_400;

/** A number of seconds that something lasted; undefined when it can be none. */
export function durationOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  return seconds !== undefined && seconds >= 0 && seconds <= secondsMax ? seconds : undefined;
}

/** Whether the address is on one of these hosts, or below one, or on the account's own endpoint. */
export function isOnHosts(url: string, endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol, origin } = new URL(url);
  if (origin === new URL(endpoint).origin) return true;
  const isKnown = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return protocol === 'https:' && isKnown;
}

/** Whom a leg dialled, as providers write it: digits with or without a plus, or a SIP address. */
export function partyIn(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{7,15}$/.test(text) ? `+${text}` : text;
}
