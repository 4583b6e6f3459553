import { retryAfterMs } from '@drawbridge/retry/retry-after.ts';
import { type AuthorityContext, WireFault, type WireRequest } from '../contract.ts';

/** Exchanges on behalf of one taxpayer. */
export interface Session {
  readonly context: AuthorityContext;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly portalUrl: string | undefined;
  /** `TIN` or `TIN:ROB` of the represented taxpayer; undefined when the client is the taxpayer. */
  readonly onBehalfOf: string | undefined;
}

/** No usable answer; the kind says what may have happened at the authority. */
export type Failure =
  /** Nothing was accepted: limits, an outage, or no connection. */
  | { readonly kind: 'not-taken'; readonly reason: string; readonly afterMs?: number }
  /** The request may have been carried out. */
  | { readonly kind: 'unclear'; readonly reason: string }
  /** The authority does not know or admit this client. */
  | { readonly kind: 'denied'; readonly reason: string };

/**
 * A decoded answer: `body` is the parsed JSON, undefined when there was none or it was not JSON.
 */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs: number | undefined;
}

/**
 * Makes one exchange. After 429 and 503 nothing was accepted; after other 5xx and lost answers it
 * may be.
 */
export async function send(
  context: AuthorityContext,
  request: WireRequest,
): Promise<Answer | Failure> {
  const response = await context.exchange(request).catch((error: unknown) => {
    if (error instanceof WireFault) return error;
    throw error;
  });
  if (response instanceof WireFault) {
    return response.sent
      ? { kind: 'unclear', reason: `no answer from MyInvois: ${response.message}` }
      : { kind: 'not-taken', reason: `MyInvois was not reached: ${response.message}` };
  }
  const wait = retryAfterMs(response.headers['retry-after'], context.clock());
  if (response.status === 429 || response.status === 503) {
    const reason = `MyInvois answered ${response.status}`;
    return { kind: 'not-taken', reason, ...(wait === undefined ? {} : { afterMs: wait }) };
  }
  if (response.status >= 500) {
    return { kind: 'unclear', reason: `MyInvois answered ${response.status}` };
  }
  const body = parseJson(response.body);
  return { kind: 'answer', status: response.status, body, retryAfterMs: wait };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // callers treat a body that is not JSON like any other unexpected shape
  }
}
