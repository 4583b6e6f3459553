import { errorTable } from '../platform/http/errors.ts';

/** The errors about agents, for the error table of their service. */
export const agentErrorRows = {
  agent_not_found: { status: 404, title: 'No such agent', retry: 'after_change' },
  bundle_not_found: { status: 404, title: 'No such bundle to the agent', retry: 'after_change' },
  bundle_empty: { status: 409, title: 'Nothing waits to be carried', retry: 'later' },
  bundle_unreadable: { status: 400, title: 'This is no bundle', retry: 'after_change' },
  bundle_outgoing: { status: 409, title: 'The bundle goes to the agent', retry: 'after_change' },
  bundle_foreign: { status: 409, title: 'The bundle is of another', retry: 'after_change' },
  bundle_tampered: { status: 409, title: 'The bundle was changed', retry: 'after_change' },
  bundle_replayed: { status: 409, title: 'The bundle was taken before', retry: 'never' },
  bundle_forked: { status: 409, title: 'There are two copies of an end', retry: 'never' },
  bundle_out_of_order: { status: 409, title: 'An earlier bundle is missing', retry: 'later' },
  bundle_retired_key: {
    status: 409,
    title: 'The key that the agent trusts was retired',
    retry: 'after_change',
  },
} as const;

export const { errors, fail } = errorTable(agentErrorRows);
