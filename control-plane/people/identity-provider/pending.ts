/**
 * What a browser keeps while its person is at the provider: sealed, in a cookie that no script reads. It binds the
 * answer to this browser, and nothing has to be kept for those who never come back.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { makeToken } from '../one-time-token.ts';
import type { IdentityProviderRow } from './store.ts';

/** For how long the answer is waited for. */
export const pendingSeconds = 600;

const pendingSignIn = z.strictObject({
  purpose: z.enum(['sign-in', 'proof', 'trial']),
  tenantId: z.string(),
  /** Whom it was begun with: after a change of issuer or client no answer is taken. */
  providerMark: z.string(),
  /** The address that the browser is at, and comes back to. */
  address: z.string(),
  /** A path of the console. */
  returnTo: z.string(),
  /** Of a proof: the session that asks for it. */
  sessionId: z.string().nullable(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Milliseconds. */
  begunAt: z.number(),
});

export type PendingSignIn = z.output<typeof pendingSignIn>;

export interface PendingSignIns {
  /** Adds what has to be unpredictable, and the time. */
  begin(what: Omit<PendingSignIn, 'state' | 'nonce' | 'verifier' | 'begunAt'>): PendingSignIn;
  seal(pending: PendingSignIn, environment: Environment): string;
  /** Undefined when it is not ours, was changed, or is over. */
  open(cookie: string, environment: Environment): PendingSignIn | undefined;
}

export function pendingSignIns({
  secrets,
  clock,
  random,
}: {
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): PendingSignIns {
  return {
    begin: (what) => ({
      ...what,
      state: makeToken(random),
      nonce: makeToken(random),
      verifier: makeToken(random),
      begunAt: clock().getTime(),
    }),
    seal: (pending, environment) => secrets.seal(JSON.stringify(pending), contextOf(environment)),
    open: (cookie, environment) => {
      const text = opened(secrets, cookie, environment);
      const pending = text === undefined ? undefined : pendingSignIn.parse(JSON.parse(text));
      const isOver =
        pending === undefined || clock().getTime() - pending.begunAt > pendingSeconds * 1_000;
      return isOver ? undefined : pending;
    },
  };
}

/** Short, since browsers keep no cookie of more than 4 KiB. */
export function markOf({
  issuer,
  client_id,
}: Pick<IdentityProviderRow, 'issuer' | 'client_id'>): string {
  return hash('sha256', JSON.stringify([issuer, client_id]), 'base64url');
}

function opened(
  secrets: Pick<Secrets, 'open'>,
  cookie: string,
  environment: Environment,
): string | undefined {
  try {
    return secrets.open(cookie, contextOf(environment));
  } catch {
    return undefined; // whatever is wrong with it, a browser can send anything as a cookie
  }
}

function contextOf(environment: Environment): string {
  return `sign-in ${environment}`;
}
