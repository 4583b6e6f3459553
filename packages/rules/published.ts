import type { RuleSet } from './rule.ts';

/** The flags, by rule id, in a Schematron file. */
export function publishedRules(schematron: string): Map<string, string> {
  const live = schematron.replace(/<!--[\s\S]*?-->/g, '');
  const asserts = live.matchAll(/<assert\b([^>"]|"[^"]*")*>/g);
  return new Map(
    [...asserts].map(([tag]) => [
      /\bid="([^"]*)"/.exec(tag)![1]!,
      /\bflag="([^"]*)"/.exec(tag)![1]!,
    ]),
  );
}

/** The differences between the published rules and this product's. */
export interface ReleaseChanges {
  /** Published rules that this product does not have, with their flag. */
  readonly added: readonly string[];
  /** Rules of this product that are no longer published. */
  readonly removed: readonly string[];
  readonly flags: readonly string[];
}

/** Compares this product's rule sets with an authority's publication, e.g. its next release. */
export function releaseChanges(
  published: ReadonlyMap<string, string>,
  sets: readonly RuleSet[],
): ReleaseChanges {
  const rules = sets.flatMap(({ patterns }) =>
    patterns.flatMap(({ contexts }) => contexts.flatMap((context) => context.rules)),
  );
  const flags = new Map(rules.map(({ id, flag }): [string, string] => [id, flag]));
  const silent = new Set(sets.flatMap(({ notApplicable = {} }) => Object.keys(notApplicable)));
  return {
    added: [...published]
      .filter(([id]) => !flags.has(id) && !silent.has(id))
      .map(([id, flag]) => `${id} (${flag})`),
    removed: [...flags.keys(), ...silent].filter((id) => !published.has(id)),
    flags: [...flags]
      .filter(([id, flag]) => published.has(id) && published.get(id) !== flag)
      .map(([id, flag]) => `${id} (${flag} → ${published.get(id)})`),
  };
}
