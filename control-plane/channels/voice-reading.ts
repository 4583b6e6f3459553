import type { Failure, WireResponse } from './contract.ts';
import { outcomeOfStatus } from './http-outcome.ts';
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

/** Whether the address is on one of these hosts, or below one, or on the account's own endpoint. */
export function isOnHosts(url: string, endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol, origin } = new URL(url);
  if (origin === new URL(endpoint).origin) return true;
  const isKnown = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return protocol === 'https:' && isKnown;
}
