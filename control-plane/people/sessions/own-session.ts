import type { Principal } from '../../platform/auth/principal.ts';
import { fail } from '../errors.ts';

/** A permission that every role has: what somebody does to the own account needs no other. */
export const everyMember = 'tenant:read';

export interface OwnSession {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** Whose session it is. Throws `session_needed` for an API key, which is nobody's account. */
export function requireSession({ tenantId, id, sessionId }: Principal): OwnSession {
  if (sessionId !== undefined) return { tenantId, userId: id, sessionId };
  throw fail('session_needed', 'This is of a person’s account: sign in with e-mail and password.');
}

/**
 * As `requireSession`, for what is of the account and so of all workspaces of the person. A provider vouches for
 * people in its own workspace only: throws `signed_in_by_provider`.
 */
export function requirePasswordSession(principal: Principal): OwnSession {
  const session = requireSession(principal);
  if (principal.signedInBy !== 'provider') return session;
  throw fail(
    'signed_in_by_provider',
    'The identity provider of this workspace signs you in: passwords, second factors and other workspaces are not for this session.',
  );
}

/** The only workspace that the session may look at; undefined: all of the person. */
export function workspaceOf({ signedInBy, tenantId }: Principal): string | undefined {
  return signedInBy === 'provider' ? tenantId : undefined;
}
