import { infer } from '@drawbridge/mapping/infer.ts';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { SourceSample } from './source.ts';

/**
 * A proposal from the source itself that keeps what a person has decided before: fields that are
 * approved or that no proposal made, and what was said of lists and joins.
 */
export function proposeMapping(
  { columns, joins, documents }: SourceSample,
  profile: Profile,
  before?: Mapping,
): Mapping {
  const proposed = infer(columns, profile, { documents, joins });
  const decided = before?.fields.filter(isDecided) ?? [];
  const decidedTargets = new Set(decided.map(({ target }) => target));
  const open = proposed.fields.filter(({ target }) => !decidedTargets.has(target));
  const order = new Map(profile.fields.map(({ path }, index) => [path, index]));
  const placeOf = ({ target }: MappingField) => order.get(target) ?? order.size;
  const fields = [...decided, ...open].sort((one, other) => placeOf(one) - placeOf(other));
  const all = { ...proposed.joins, ...before?.joins };
  const lists = { ...proposed.lists, ...before?.lists };
  return {
    profile: profile.id as Mapping['profile'],
    ...(Object.keys(lists).length === 0 ? {} : { lists }),
    ...(Object.keys(all).length === 0 ? {} : { joins: all }),
    fields,
  };
}

/** A proposal says how sure it is; what a person writes does not. */
function isDecided({ status, confidence }: MappingField): boolean {
  return status === 'approved' || confidence === undefined;
}
