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
