import { errorTable } from '../platform/http/errors.ts';

/** The errors about agents, for the error table of their service. */
export const agentErrorRows = {
  agent_not_found: { status: 404, title: 'No such agent', retry: 'after_change' },
} as const;

export const { errors, fail } = errorTable(agentErrorRows);
