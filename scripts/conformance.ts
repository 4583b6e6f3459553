/**
 * Compares the rule sets with an authority's artefacts and prints the agreement, rule by rule: `npm
 * run conformance -- DIR [--profile ID] [--rule ID] [--all] [--json]`. DIR has one folder for each
 * profile with schematron/ (added, removed and changed rules of a release are listed),
 * verdicts.jsonl, tests/ and, if any, mutants.jsonl.zst. Exits with 1 when a fatal rule disagrees
 * on any document or is missing here, with 2 when there is nothing to measure.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { profiles as registered } from '@drawbridge/profiles/registry.ts';
import {
  publishedRules,
  type ReleaseChanges,
  releaseChanges,
} from '@drawbridge/rules/published.ts';
import { argumentsOf } from './arguments.ts';
import { casesOf } from './conformance/cases.ts';
import { type Agreement, measure } from './conformance/measure.ts';

/** Disagreements shown without `--all`. */
const shownMax = 20;

const usage = `Usage: npm run conformance -- DIR [--profile ID] [--rule ID] [--all] [--json]

  DIR            a folder for each profile, with schematron/, verdicts.jsonl and tests/
  --profile ID   this one only: ${registered.map(({ id }) => id).join(', ')}
  --rule ID      what this rule says of the documents, beside the authority
  --all          every disagreement, not the first ${shownMax}
  --json         a line of JSON for each profile

  npm run conformance -- ../shared/authority
  npm run conformance -- next-release --profile PINT-AE

Exits with 1 when a fatal rule disagrees or is not ours, with 2 when there is nothing to measure.`;

const { values: options, positionals } = argumentsOf(usage, {
  options: {
    profile: { type: 'string' },
    rule: { type: 'string' },
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
process.exitCode = main(positionals[0]);

function main(folder: string | undefined): number {
  if (folder === undefined) {
    console.error(usage);
    return 2;
  }
  const profiles = registered.filter(
    ({ id }) =>
      (options.profile === undefined || options.profile === id) && existsSync(join(folder, id)),
  );
  if (profiles.length === 0) {
    console.error(`${folder} has a folder for none of the profiles.`);
    return 2;
  }
  const isRight = profiles.map((profile) => hold(profile, join(folder, profile.id)));
  return isRight.every(Boolean) ? 0 : 1;
}

function hold(profile: Profile, folder: string): boolean {
  const changes = changesIn(profile, folder);
  const hasVerdicts = existsSync(join(folder, 'verdicts.jsonl'));
  const agreement = hasVerdicts ? measure(profile, casesOf(folder), options.rule) : undefined;
  if (options.json) {
    const rules = agreement && Object.fromEntries(agreement.rules);
    console.log(JSON.stringify({ profile: profile.id, changes, ...agreement, rules }));
  } else {
    printChanges(profile, changes);
    if (agreement !== undefined) print(agreement);
  }
  const isAgreed = agreement === undefined || agreement.agreed.fatal === agreement.documents;
  return isAgreed && !changes?.added.some((id) => id.endsWith('(fatal)'));
}

/** The changes of the release in the folder; undefined when it has no rules. */
function changesIn(profile: Profile, folder: string): ReleaseChanges | undefined {
  const published = join(folder, 'schematron');
  if (!existsSync(published)) return undefined;
  const files = readdirSync(published, { recursive: true, encoding: 'utf8' });
  const rules = files
    .filter((file) => file.endsWith('.sch'))
    .flatMap((file) => [...publishedRules(readFileSync(join(published, file), 'utf8'))]);
  const { billing, selfBilling } = profile.releases.at(-1)!;
  return releaseChanges(new Map(rules), [...billing, ...selfBilling]);
}

function printChanges({ id, releases }: Profile, changes: ReleaseChanges | undefined): void {
  if (changes === undefined) return;
  const lines = Object.entries({
    'not among our rules': changes.added,
    'no longer published': changes.removed,
    'of another flag': changes.flags,
  }).filter(([, ids]) => ids.length > 0);
  const { version } = releases.at(-1)!;
  if (lines.length === 0) console.log(`${id}: the published rules are those of our ${version}`);
  for (const [what, ids] of lines) console.log(`${id}: ${what}: ${ids.join(', ')}`);
}

function print(agreement: Agreement): void {
  const { profile, documents, stopped, agreed, schema, rules, disagreements } = agreement;
  console.log(`${profile}: ${documents} documents with a verdict, ${stopped} without`);
  console.log(`  schema   ${share(schema.agreed, schema.documents)}`);
  for (const each of schema.disagreements.slice(0, options.all ? undefined : shownMax)) {
    console.log(`    ${each.document}: officially ${each.official}. ${each.fault ?? ''}`);
  }
  console.log(`  fatal    ${share(agreed.fatal, documents)}`);
  console.log(`  warning  ${share(agreed.warning, documents)}`);
  console.log('  rule                           matched  missing    extra');
  for (const [id, { matched, missing, extra }] of [...rules].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!options.all && missing + extra === 0) continue;
    const columns = [matched, missing, extra].map((count) => String(count).padStart(9)).join('');
    console.log(`  ${id.padEnd(29)}${columns}`);
  }
  const right = [...rules.values()].filter((each) => each.missing + each.extra === 0).length;
  console.log(`  ${right} of the ${rules.size} rules that fired agree on every document`);
  for (const each of disagreements.slice(0, options.all ? undefined : shownMax)) {
    const parts = [
      ...each.missing.map((id) => `-${id}`),
      ...each.extra.map((id) => `+${id}`),
      ...(each.refused === undefined ? [] : [each.refused]),
    ];
    console.log(`  ${each.document}: ${parts.join(' ')}`);
  }
  const hidden = disagreements.length - shownMax;
  if (!options.all && hidden > 0) console.log(`  … ${hidden} more (--all shows them)`);
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} agree (${((100 * part) / whole).toFixed(3)} %)`;
}
