import type { CimObject } from '@drawbridge/cim/json.ts';
import type { Clearance, Profile } from '@drawbridge/profiles/contract.ts';
import type { Finding, Validator } from '@drawbridge/validation/validate.ts';

/** A cleared document with its identifier, and the faults of both stages in it. */
export interface FinalDocument {
  readonly xml: string;
  readonly errors: readonly Finding[];
}

/** Writes the identifier into a document, and checks it as the one before it was. */
export function finalDocumentOf(
  validator: Validator,
  profile: Profile,
  cim: CimObject,
  clearance: Clearance,
): FinalDocument {
  const { route } = profile;
  if (route === 'exchange') throw new Error(`${profile.id} is cleared by nobody`);
  const { xml, errors } = validator.validate(profile, route.embed(cim, clearance));
  return { xml, errors };
}
