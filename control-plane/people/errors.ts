import { errorTable } from '../platform/http/errors.ts';

/** Rows of the table of every service that people sign in to. */
export const peopleErrorRows = {
  wrong_password: { status: 401, title: 'E-mail and password do not fit', retry: 'after_change' },
  refresh_refused: { status: 401, title: 'The refresh token is not valid', retry: 'after_change' },
  too_many_attempts: { status: 429, title: 'Signing in was tried too often', retry: 'later' },
  not_a_member: { status: 403, title: 'Not a member of this tenant', retry: 'after_change' },
  role_too_strong: {
    status: 403,
    title: 'The role permits more than the caller may',
    retry: 'after_change',
  },
  user_not_found: { status: 404, title: 'No such member', retry: 'after_change' },
  last_owner: { status: 409, title: 'A tenant keeps an owner', retry: 'after_change' },
  second_factor_required: {
    status: 401,
    title: 'A code of the second factor is needed',
    retry: 'after_change',
  },
  wrong_code: { status: 401, title: 'The code is no good', retry: 'after_change' },
  second_factor_enabled: {
    status: 409,
    title: 'A second factor is enabled already',
    retry: 'after_change',
  },
  second_factor_not_begun: {
    status: 409,
    title: 'No second factor waits for a first code',
    retry: 'after_change',
  },
  password_not_allowed: {
    status: 403,
    title: 'The workspace is not signed in to by password',
    retry: 'after_change',
  },
  signed_in_by_provider: {
    status: 403,
    title: 'The identity provider looks after this account',
    retry: 'never',
  },
  sign_in_name_unknown: {
    status: 404,
    title: 'No workspace is signed in to by this name',
    retry: 'after_change',
  },
  sign_in_name_taken: {
    status: 409,
    title: 'Another workspace has this sign-in name',
    retry: 'after_change',
  },
  no_identity_provider: {
    status: 404,
    title: 'The workspace has no identity provider',
    retry: 'after_change',
  },
  no_way_back: {
    status: 409,
    title: 'No owner could sign in by password',
    retry: 'after_change',
  },
  provider_unreachable: {
    status: 502,
    title: 'The identity provider does not answer as it should',
    retry: 'later',
  },
  logout_token_refused: {
    status: 400,
    title: 'The logout token is not valid',
    retry: 'after_change',
  },
  session_needed: { status: 403, title: 'Only a person may do this', retry: 'after_change' },
  session_not_found: { status: 404, title: 'No such session', retry: 'after_change' },
  reset_not_found: {
    status: 404,
    title: 'No such token for a new password',
    retry: 'after_change',
  },
  already_member: { status: 409, title: 'Already a member', retry: 'never' },
  invitation_not_found: { status: 404, title: 'No such invitation', retry: 'after_change' },
  mail_unavailable: { status: 503, title: 'The mail could not be sent', retry: 'later' },
} as const;

export const { fail } = errorTable(peopleErrorRows);
