/** What an agent knows of profiles: the part of it that an update of rules replaces. */
import { limits } from '@drawbridge/binding/xml/parse.ts';
import { explain, suggest } from '@drawbridge/explanations/explain.ts';
import { profileById, profiles } from '@drawbridge/profiles/registry.ts';
import { validateDocument } from './document-validation.ts';
import type { Rules } from './rules.ts';

export const rules: Rules = {
  profiles: profiles.map(({ id, title }) => ({ id, title })),
  documentBytesMax: limits.bytesMax,
  validate(bytes, profileId, isCompleted) {
    const profile = profileById(profileId);
    return profile && validateDocument(bytes, profile, isCompleted);
  },
  explain: (ruleId) => explain(ruleId),
  suggest,
};
