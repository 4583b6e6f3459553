/** Why nobody was signed in: the page that signs people in has a sentence for each. */
export const signInProblems = [
  /** Begun too long ago, in another browser, or answered already. */
  'sign_in_expired',
  'provider_denied',
  'provider_unreachable',
  /** The provider answered with an error of its own. */
  'provider_error',
  /** Its answer is forged, for somebody else, too old, or wrong otherwise. */
  'provider_answer_refused',
  /** Not in use any more, or with other settings by now. */
  'provider_changed',
  'email_missing',
  'email_unverified',
  'email_domain',
  'no_role',
  /** A member with this address, who is not known to be the same person. */
  'member_exists',
  /** Somebody else than whose session it is. */
  'other_person',
  /** Not lately enough, or not by the ways that the workspace asks for. */
  'proof_too_weak',
  'session_ended',
] as const;

export type SignInProblem = (typeof signInProblems)[number];
