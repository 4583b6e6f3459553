import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, type TestContext, test } from 'vitest';
import { publishedRules } from './published.ts';
import type { RuleSet } from './rule.ts';
import { idsOf } from './rule-cases.suite.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of the authorities' artefacts: DRAWBRIDGE_AUTHORITY, else next to the project. */
export const authority =
  process.env.DRAWBRIDGE_AUTHORITY ?? join(root, '..', 'shared', 'authority');

/** The reason for skipping a test that reads them. */
export const withoutArtefacts =
  "the authorities' artefacts are not here: name their folder in DRAWBRIDGE_AUTHORITY";

/** A profile's folder of them; the test is skipped where the authority's verdicts are not in it. */
export function artefactsOf({ id }: { readonly id: string }, context: TestContext): string {
  const folder = join(authority, id);
  const reason = existsSync(authority)
    ? `no verdicts of ${id} are in ${authority}`
    : withoutArtefacts;
  context.skip(!existsSync(join(folder, 'verdicts.jsonl')), reason);
  return folder;
}

/**
 * Tests that the set covers every published rule: each id is a rule of the set with the published
 * flag, or not applicable for a reason. Skipped, with that reason, when the artefacts are missing.
 */
export function ruleCoverageSuite(name: string, file: string, set: RuleSet): void {
  const path = join(authority, file);
  const needsFile = (context: TestContext): void => {
    if (!existsSync(path)) context.skip(withoutArtefacts);
  };
  describe(`rule coverage of ${name}`, () => {
    test(`every rule of ${file} is covered once`, (context) => {
      needsFile(context);
      const published = publishedRules(readFileSync(path, 'utf8'));
      const ours = idsOf(set);
      expect(ours.length, 'an id stands twice').toBe(new Set(ours).size);
      expect([...ours, ...Object.keys(set.notApplicable ?? {})].sort()).toEqual(
        [...published.keys()].sort(),
      );
    });

    test('every rule has the published flag', (context) => {
      needsFile(context);
      const published = publishedRules(readFileSync(path, 'utf8'));
      const rules = set.patterns.flatMap((pattern) =>
        pattern.contexts.flatMap((context) => context.rules),
      );
      const flags = rules.map(({ id, flag }) => [id, flag]);
      expect(flags).toEqual(rules.map(({ id }) => [id, published.get(id)]));
    });
  });
}
