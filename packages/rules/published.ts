import type { RuleSet } from './rule.ts';

/** Flag by id of every rule that a Schematron file publishes, as it is written there. */
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

/** What the published rules have that ours have not, and the other way round. */
export interface ReleaseChanges {
  /** Published and unknown to us, with their flag. */
  readonly added: readonly string[];
  /** Ours, and published no longer. */
  readonly removed: readonly string[];
  readonly flags: readonly string[];
}

/** Compares our rule sets with what an authority publishes, e.g. in its next release. */
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
