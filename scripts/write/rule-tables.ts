import type { Profile, RuleRelease } from '@drawbridge/profiles/contract.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import type { Rule, RuleSet } from '@drawbridge/rules/rule.ts';
import { profileFolder } from './profile-folder.ts';
import type { Written } from './written.ts';

/** The rules of each profile as a table, for clients who see them in `errors` and `warnings`. */
export function ruleTables(): Written {
  return Object.fromEntries(
    profiles.map((profile) => [`${profileFolder(profile)}/rules.md`, ruleTable(profile)]),
  );
}

function ruleTable(profile: Profile): string {
  const sections = profile.releases.flatMap((release) => [
    `## Release ${release.version}, for issue dates ${windowOf(release)}`,
    '',
    ...tablesOf(profile, release),
  ]);
  const lines = [
    `# Rules of ${profile.id}, ${profile.title}`,
    '',
    'Printed by `npm run write` from the rule-sets. A fatal rule stops the document; a warning is',
    'reported and never stops it. A rule concerns the business terms named; the first says where',
    'the fault is shown.',
    '',
    ...sections,
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function windowOf({ from, until }: RuleRelease): string {
  return until === undefined ? `from ${from}` : `from ${from} to ${until}`;
}

/**
 * The tables of a release; sets with the same rules, as billing and self-billing often, share one.
 */
function tablesOf(profile: Profile, { billing, selfBilling }: RuleRelease): string[] {
  const sets = [...new Set([...billing, ...selfBilling])];
  const byRows = Map.groupBy(sets, (set) => rowsOf(profile, set).join('\n'));
  return [...byRows].flatMap(([rows, same]) => [
    `### ${same.map(({ id, version }) => `${id} ${version}`).join(' and ')}`,
    '',
    usesOf(same, billing, selfBilling),
    '',
    '| rule | flag | terms | message |',
    '|---|---|---|---|',
    rows,
    '',
  ]);
}

function usesOf(
  same: readonly RuleSet[],
  billing: readonly RuleSet[],
  selfBilling: readonly RuleSet[],
): string {
  const isIn = (sets: readonly RuleSet[]): boolean => same.some((set) => sets.includes(set));
  if (isIn(billing) && isIn(selfBilling)) return 'Billing and self-billing.';
  return isIn(billing) ? 'Billing.' : 'Self-billing.';
}

function rowsOf(profile: Profile, set: RuleSet): string[] {
  return rulesOf(set).map(({ id, flag, terms, message }) => {
    const cells = [`\`${profile.id}-${id}\``, flag, terms.join(', '), cell(message)];
    return `| ${cells.join(' | ')} |`;
  });
}

/** Each rule once, also one in two contexts. */
function rulesOf(set: RuleSet): readonly Rule[] {
  const rules = set.patterns.flatMap(({ contexts }) => contexts.flatMap((each) => each.rules));
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
