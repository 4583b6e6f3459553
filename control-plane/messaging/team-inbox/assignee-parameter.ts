import type { Principal } from '../../platform/auth/principal.ts';

/** The assignee in a query; null: unassigned, undefined: any. */
export function assigneeOf(
  assignee: string | undefined,
  principal: Principal,
): string | null | undefined {
  if (assignee === 'none') return null;
  return assignee === 'me' ? principal.id : assignee;
}
