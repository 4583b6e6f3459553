import { agentErrorRows } from '../agents/errors.ts';
import { peopleErrorRows } from '../people/errors.ts';
import { apiKeyErrorRows } from '../platform/auth/tenant-keys.ts';
import { errorTable } from '../platform/http/errors.ts';

/** The errors of the e-invoicing service, besides those of every service. */
export const { errors, fail } = errorTable({
  ...peopleErrorRows,
  ...apiKeyErrorRows,
  scope_too_strong: {
    status: 403,
    title: 'The key permits more than the caller may',
    retry: 'after_change',
  },
  connector_not_found: { status: 404, title: 'No such connector', retry: 'after_change' },
  person_required: {
    status: 403,
    title: 'Only a person who has signed in may do this',
    retry: 'after_change',
  },
  second_person_required: {
    status: 403,
    title: 'A second person must approve',
    retry: 'never',
  },
  second_person_needed: {
    status: 409,
    title: 'Another person must approve the mapping',
    retry: 'never',
  },
  invoice_not_found: { status: 404, title: 'No such invoice', retry: 'never' },
  received_not_found: { status: 404, title: 'No such received document', retry: 'never' },
  participant_not_found: { status: 404, title: 'No such participant', retry: 'after_change' },
  participant_taken: {
    status: 409,
    title: 'The participant is of another tenant',
    retry: 'after_change',
  },
  network_not_found: { status: 404, title: 'No such network', retry: 'never' },
  network_refused: {
    status: 401,
    title: 'The message does not prove that the access point sent it',
    retry: 'after_change',
  },
  message_unreadable: { status: 400, title: 'The message does not read', retry: 'never' },
  document_not_found: { status: 404, title: 'No such document yet', retry: 'later' },
  ...agentErrorRows,
  webhook_endpoint_not_found: { status: 404, title: 'No such endpoint', retry: 'after_change' },
  delivery_not_found: { status: 404, title: 'No such delivery', retry: 'never' },
  profile_required: { status: 400, title: 'No profile was given', retry: 'after_change' },
  mapping_invalid: { status: 400, title: 'The mapping cannot be used', retry: 'after_change' },
  mapping_changed: {
    status: 409,
    title: 'The mapping was changed meanwhile',
    retry: 'after_change',
  },
  objections_open: {
    status: 409,
    title: 'The preview of the mapping objects',
    retry: 'after_change',
  },
  discovery_under_way: {
    status: 409,
    title: 'A discovery of the tenant is under way',
    retry: 'later',
  },
  discovery_unsupported: {
    status: 409,
    title: 'The source has nothing to look through',
    retry: 'never',
  },
  preview_under_way: {
    status: 409,
    title: 'A preview of this connector is under way',
    retry: 'later',
  },
  source_not_found: {
    status: 404,
    title: 'The source has no such document',
    retry: 'after_change',
  },
  source_not_allowed: {
    status: 422,
    title: 'The settings name a source that is not read from here',
    retry: 'after_change',
  },
  source_unreachable: { status: 503, title: 'The source did not answer', retry: 'later' },
  duplicate_document: {
    status: 409,
    title: 'The document is submitted already',
    retry: 'after_change',
  },
  state_conflict: { status: 409, title: 'The invoice is not in a state for this', retry: 'never' },
});
