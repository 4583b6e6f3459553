import { terms } from '@drawbridge/cim/terms.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { Language } from '@drawbridge/profiles/explanation-texts.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import type { Rule } from '@drawbridge/rules/rule.ts';
import { editDistance } from './edit-distance.ts';
import { type Text, textOf, textSets } from './texts.ts';

/** A rule in plain words, with its data from the rule tables. */
export interface Explanation extends Text {
  /** The id as given. */
  readonly rule: string;
  /** Absent when the id names no profile and all profiles with the rule have the same text. */
  readonly profile?: string;
  readonly severity?: 'fatal' | 'warning';
  /** The rule's own sentence; absent for the product's own codes, which have one for each case. */
  readonly message?: string;
  /** Paths in the JSON form of the CIM that it concerns; a fault is shown at the first. */
  readonly fields: readonly string[];
}

/**
 * What a rule requires and how to correct the document. The id is a full one (`PINT-AE-ibr-132-ae`,
 * `PINT-MY-XSD-value`), or one without the profile if that is unambiguous. Undefined when unknown.
 *
 *   const explanation = explain('PINT-AE-ibr-132-ae');
 */
export function explain(ruleId: string, language: Language = 'en'): Explanation | undefined {
  const { profile, id } = parted(ruleId);
  if (profile !== undefined) return explainIn(profile, id, ruleId, language);
  const known = profiles.flatMap((each) => explainIn(each, id, ruleId, language) ?? []);
  const [first, ...others] = known;
  if (first === undefined || others.length === 0) return first;
  const { profile: _, ...shared } = first;
  return others.every((each) => each.why === first.why && each.fix === first.fix)
    ? shared
    : undefined;
}

/** The most decimals that a rule, named by its full id, allows; undefined for rules of anything else. */
export function decimalsMaxOf(ruleId: string): number | undefined {
  const { profile, id } = parted(ruleId);
  return profile && rulesOf(profile).get(id)?.decimalsMax;
}

/** Full ids that were perhaps meant, the likeliest first; none when no rule is similar. */
export function suggest(ruleId: string): readonly string[] {
  const asked = ruleId.trim().toLowerCase();
  if (asked === '' || asked.length > askedLengthMax) return [];
  const near = allRuleIds().flatMap((id) => {
    const distance = distanceTo(asked, id);
    return distance === undefined ? [] : [{ id, distance }];
  });
  near.sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1));
  return near.slice(0, suggestionsMax).map(({ id }) => id);
}

/** The most characters of an id to look for; no rule has a longer one. */
const askedLengthMax = 80;
const suggestionsMax = 5;

/** One character in this many may be wrong. */
const wrongPart = 4;

function distanceTo(asked: string, id: string): number | undefined {
  const full = id.toLowerCase();
  const bare = parted(id).id.toLowerCase();
  // An id that was cut off, or has no profile, is nearer than one with a wrong digit.
  if (bare === asked || full === asked) return 0;
  if (bare.startsWith(asked) || full.startsWith(asked)) return 0.5;
  const distance = Math.min(editDistance(asked, full), editDistance(asked, bare));
  return distance <= Math.ceil(asked.length / wrongPart) ? distance : undefined;
}

/**
 * Every id that a report may contain: `<PROFILE>-<rule>` of all rules and of the product's codes.
 */
export function allRuleIds(): readonly string[] {
  const own = Object.keys(textSets.en.stages);
  return profiles.flatMap((profile) =>
    [...rulesOf(profile).keys(), ...own].map((id) => `${profile.id}-${id}`),
  );
}

function explainIn(
  profile: Profile,
  id: string,
  asked: string,
  language: Language,
): Explanation | undefined {
  const rule = rulesOf(profile).get(id);
  // The texts of a family are for its rules only.
  if (rule === undefined && !Object.hasOwn(textSets.en.stages, id)) return undefined;
  const set = textSets[language];
  const text = [...profile.explanations[language], set.stages]
    .map((table) => textOf(set, table, id))
    .find((each) => each !== undefined);
  if (text === undefined) return undefined;
  const known = { rule: asked, profile: profile.id, ...text };
  if (rule === undefined) return { ...known, fields: [] };
  const fields = [...new Set(rule.terms.map((term) => terms[term][0]))];
  return { ...known, severity: rule.flag, message: rule.message, fields };
}

function parted(ruleId: string): { profile: Profile | undefined; id: string } {
  const profile = profiles.find((each) => ruleId.startsWith(`${each.id}-`));
  return { profile, id: profile === undefined ? ruleId : ruleId.slice(profile.id.length + 1) };
}

const rulesByProfile = new Map<Profile, ReadonlyMap<string, Rule>>();

/** Rules by the authority's id: of the newest release, and of billing before self-billing. */
function rulesOf(profile: Profile): ReadonlyMap<string, Rule> {
  const known = rulesByProfile.get(profile);
  if (known !== undefined) return known;
  const found = new Map<string, Rule>();
  for (const { billing, selfBilling } of profile.releases.toReversed()) {
    const patterns = [...billing, ...selfBilling].flatMap((set) => set.patterns);
    for (const rule of patterns.flatMap(({ contexts }) => contexts).flatMap(({ rules }) => rules)) {
      if (!found.has(rule.id)) found.set(rule.id, rule);
    }
  }
  rulesByProfile.set(profile, found);
  return found;
}
