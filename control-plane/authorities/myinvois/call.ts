import { type AuthorityContext, WireFault, type WireRequest } from '../contract.ts';
import { retryAfterMs } from '../retry-after.ts';
import { dropToken, takeToken } from './token.ts';

/** Whom we speak for, and how. */
export interface Session {
  readonly context: AuthorityContext;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly portalUrl: string | undefined;
  /** `TIN` or `TIN:ROB` of the represented taxpayer; undefined when the client is the taxpayer. */
  readonly onBehalfOf: string | undefined;
}

/** No usable answer; what may have happened at the authority tells the kinds apart. */
export type Failure =
  /** Nothing was taken: limits, an outage, or no connection. */
  | { readonly kind: 'not-taken'; readonly reason: string; readonly afterMs?: number }
  /** The request may have been carried out. */
  | { readonly kind: 'unclear'; readonly reason: string }
  /** The authority does not know or admit our client. */
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

/** Sends one request with a token; a refused token is dropped and one new one is tried. */
export async function call(session: Session, request: WireRequest): Promise<Answer | Failure> {
  const first = await callOnce(session, request);
  if (first.kind !== 'answer' || first.status !== 401) return first;
  dropToken(session);
  const second = await callOnce(session, request);
  if (second.kind === 'answer' && second.status === 401) {
    return { kind: 'denied', reason: 'MyInvois refuses the token it has just issued' };
  }
  return second;
}

async function callOnce(session: Session, request: WireRequest): Promise<Answer | Failure> {
  const token = await takeToken(session);
  if (token.kind !== 'token') return token;
  const headers = {
    accept: 'application/json',
    'accept-language': 'en',
    authorization: `Bearer ${token.value}`,
    ...request.headers,
  };
  return send(session.context, { ...request, headers });
}

/** One exchange, sorted: 429 and 503 took nothing, other 5xx and lost answers may have. */
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
