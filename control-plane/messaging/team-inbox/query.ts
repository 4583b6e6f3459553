import type { Principal } from '../../platform/auth/principal.ts';

export const tag = 'Team inbox';

/** Whose conversations a query asks for; null: nobody's, undefined: anybody's. */
export function assigneeOf(
  assignee: string | undefined,
  principal: Principal,
): string | null | undefined {
  if (assignee === 'none') return null;
  return assignee === 'me' ? principal.id : assignee;
}
