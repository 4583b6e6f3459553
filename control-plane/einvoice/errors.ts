import { errorTable } from '../platform/http/errors.ts';

/** What a client of the e-invoicing service can be answered beyond the errors every service has. */
export const { errors, fail } = errorTable({
  connector_not_found: { status: 404, title: 'No such connector', retry: 'after_change' },
  invoice_not_found: { status: 404, title: 'No such invoice', retry: 'never' },
  document_not_found: { status: 404, title: 'No such document yet', retry: 'later' },
  agent_not_found: { status: 404, title: 'No such agent', retry: 'after_change' },
  webhook_endpoint_not_found: { status: 404, title: 'No such endpoint', retry: 'after_change' },
  delivery_not_found: { status: 404, title: 'No such delivery', retry: 'never' },
  kind_unavailable: {
    status: 400,
    title: 'The connector kind is not available yet',
    retry: 'after_change',
  },
  profile_required: { status: 400, title: 'No profile was given', retry: 'after_change' },
  mapping_invalid: { status: 400, title: 'The mapping cannot be used', retry: 'after_change' },
  mapping_changed: {
    status: 409,
    title: 'The mapping was changed meanwhile',
    retry: 'after_change',
  },
  source_not_found: {
    status: 404,
    title: 'The source has no such document',
    retry: 'after_change',
  },
  source_unreachable: { status: 503, title: 'The source did not answer', retry: 'later' },
  state_conflict: { status: 409, title: 'The invoice is not in a state for this', retry: 'never' },
});
