import type { WireRequest } from '../contract.ts';
import { type Answer, type Failure, type Session, send } from './exchange.ts';
import { dropToken, takeToken } from './token.ts';

/** Sends one request with a token; when the token is refused, tries once more with a new one. */
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
