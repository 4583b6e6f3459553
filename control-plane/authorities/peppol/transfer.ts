import { retryAfterMs } from '@drawbridge/retry/retry-after.ts';
import { type AuthorityContext, WireFault, type WireRequest } from '../contract.ts';

/** One exchange with an access point: its answer, or the outcome when there is none. */
export type Transfer =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  | { readonly kind: 'not-taken'; readonly reason: string; readonly afterMs?: number }
  | { readonly kind: 'unclear'; readonly reason: string }
  | { readonly kind: 'denied'; readonly reason: string };

/** Sends one request with the access point's token. */
export async function transfer(
  context: AuthorityContext,
  token: string,
  request: WireRequest,
): Promise<Transfer> {
  const headers = { accept: 'application/json', 'x-token': token, ...request.headers };
  const response = await context.exchange({ ...request, headers }).catch((error: unknown) => {
    if (error instanceof WireFault) return error;
    throw error;
  });
  if (response instanceof WireFault) {
    return response.sent
      ? { kind: 'unclear', reason: `no answer from the access point: ${response.message}` }
      : { kind: 'not-taken', reason: `the access point was not reached: ${response.message}` };
  }
  const { status, body } = response;
  if (status === 401 || status === 403) {
    return { kind: 'denied', reason: `the access point refuses the token (HTTP ${status})` };
  }
  if (status === 429 || status === 503) {
    const wait = retryAfterMs(response.headers['retry-after'], context.clock());
    const reason = `the access point answered ${status}`;
    return { kind: 'not-taken', reason, ...(wait === undefined ? {} : { afterMs: wait }) };
  }
  if (status >= 500) return { kind: 'unclear', reason: `the access point answered ${status}` };
  return { kind: 'answer', status, body };
}
