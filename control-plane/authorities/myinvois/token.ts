import { tokenAnswer, tokenRefusal } from './answers.ts';
import { type Failure, type Session, send } from './exchange.ts';

export interface Token {
  readonly kind: 'token';
  readonly value: string;
}

/** A token is renewed this long before it ends, so that none expires during a call. */
const renewBeforeMs = 5 * 60 * 1_000;

// Logins are limited to 12 a minute for a client: callers that start together share one.
const logins = new WeakMap<object, Map<string, Promise<Token | Failure>>>();

/** The token of this client for this taxpayer, from the cache or a login. */
export async function takeToken(session: Session): Promise<Token | Failure> {
  const key = cacheKey(session);
  const { cache, clock } = session.context;
  const known = cache.get(key);
  if (known !== undefined && known.expiresAt > clock().getTime()) {
    return { kind: 'token', value: known.value };
  }
  const running = logins.get(cache) ?? new Map<string, Promise<Token | Failure>>();
  logins.set(cache, running);
  const joined = running.get(key);
  if (joined !== undefined) return joined;
  const login = logIn(session).finally(() => running.delete(key));
  running.set(key, login);
  return login;
}

export function dropToken(session: Session): void {
  session.context.cache.delete(cacheKey(session));
}

function cacheKey({ context, clientId, onBehalfOf }: Session): string {
  return JSON.stringify(['myinvois-token', context.endpoint.baseUrl, clientId, onBehalfOf ?? '']);
}

async function logIn(session: Session): Promise<Token | Failure> {
  const { context, clientId, clientSecret, onBehalfOf } = session;
  const answer = await send(context, {
    method: 'POST',
    path: '/connect/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(onBehalfOf === undefined ? {} : { onbehalfof: onBehalfOf }),
    },
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'client_credentials',
      scope: 'InvoicingAPI',
    }).toString(),
  });
  // A login sends no document, so every failure of it can be retried.
  if (answer.kind === 'unclear') return { kind: 'not-taken', reason: `login: ${answer.reason}` };
  if (answer.kind !== 'answer') return answer;
  if (answer.status !== 200) {
    const code = tokenRefusal.safeParse(answer.body).data?.error ?? `HTTP ${answer.status}`;
    return { kind: 'denied', reason: `MyInvois refuses the login: ${code}` };
  }
  const token = tokenAnswer.safeParse(answer.body).data;
  if (token === undefined) return { kind: 'not-taken', reason: 'login: the answer has no token' };
  const lifetimeMs = token.expires_in * 1_000;
  context.cache.set(cacheKey(session), {
    value: token.access_token,
    expiresAt: context.clock().getTime() + lifetimeMs - Math.min(renewBeforeMs, lifetimeMs / 2),
  });
  return { kind: 'token', value: token.access_token };
}
