import { parse } from '@drawbridge/binding/xml/parse.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { type CompiledRules, compileRules } from '@drawbridge/rules/engine/compile.ts';
import { runRules } from '@drawbridge/rules/engine/run.ts';
import type { Flag } from '@drawbridge/rules/rule.ts';
import { StructureStage } from '@drawbridge/validation/structure.ts';
import type { Case } from './cases.ts';

/** The part of a profile that the measurement needs. */
type MeasuredProfile = Pick<Profile, 'id' | 'bindings' | 'releases' | 'codeLists'>;

interface Disagreement {
  readonly document: string;
  readonly flag: Flag;
  /** Rules that only the authority found broken. */
  readonly missing: readonly string[];
  /** Rules that only this product found broken. */
  readonly extra: readonly string[];
  /** Set when the document could not be read. */
  readonly refused?: string;
}

/** A document on which stage 1 and the official schema disagree. */
interface SchemaDisagreement {
  readonly document: string;
  readonly official: 'valid' | 'invalid';
  /** The first fault of stage 1, if any. */
  readonly fault?: string;
}

interface RuleTally {
  matched: number;
  missing: number;
  extra: number;
}

export interface Agreement {
  readonly profile: string;
  documents: number;
  /** Documents on which the authority gave no verdict. */
  stopped: number;
  /** All documents, also those on which its rules stopped. */
  readonly schema: {
    documents: number;
    agreed: number;
    readonly disagreements: SchemaDisagreement[];
  };
  agreed: { fatal: number; warning: number };
  readonly rules: Map<string, RuleTally>;
  readonly disagreements: Disagreement[];
}

/** Runs the profile's newest rules over every case and compares the sets of rule ids. */
export function measure(profile: MeasuredProfile, cases: Iterable<Case>, rule?: string): Agreement {
  const agreement: Agreement = {
    profile: profile.id,
    documents: 0,
    stopped: 0,
    schema: { documents: 0, agreed: 0, disagreements: [] },
    agreed: { fatal: 0, warning: 0 },
    rules: new Map(),
    disagreements: [],
  };
  const judge = judgeOf(profile);
  for (const each of cases) {
    const found = judge(each);
    compareSchema(agreement.schema, each, found.schemaFault);
    if (each.stopped) {
      agreement.stopped++;
      continue;
    }
    agreement.documents++;
    for (const flag of ['fatal', 'warning'] as const) {
      compare(agreement, each, flag, found, rule);
    }
  }
  return agreement;
}

interface Found {
  readonly fatal: ReadonlySet<string>;
  readonly warning: ReadonlySet<string>;
  readonly refused?: string;
  /** The first fault of stage 1, if any. */
  readonly schemaFault?: string | undefined;
}

function judgeOf(profile: MeasuredProfile): (each: Case) => Found {
  const release = profile.releases.at(-1)!;
  const bindings = Object.values(profile.bindings);
  const compiled = new Map<string, CompiledRules>();
  const stages = new Map(
    bindings.map((each) => [
      each,
      new StructureStage(`conformance/${profile.id}/${each.table.root}`, each),
    ]),
  );
  return (each) => {
    const outcome = parse(bindings, each.xml);
    if (outcome.kind === 'refused') {
      const { message } = outcome.fault;
      return { fatal: new Set(), warning: new Set(), refused: message, schemaFault: message };
    }
    const xml = typeof each.xml === 'string' ? each.xml : new TextDecoder().decode(each.xml);
    const [fault] = stages.get(outcome.binding)!.check({ ...outcome, xml });
    const process = each.selfBilling ? 'selfBilling' : 'billing';
    const key = `${process} ${outcome.binding.table.root}`;
    const rules = compiled.get(key) ?? compileRules(outcome.binding.root, release[process]);
    compiled.set(key, rules);
    const breaches = runRules(rules, outcome.root, profile.codeLists[process]);
    const ids = (flag: Flag): Set<string> =>
      new Set(breaches.filter((one) => one.rule.flag === flag).map((one) => one.rule.id));
    const schemaFault = fault && `${fault.field}: ${fault.message}`;
    return { fatal: ids('fatal'), warning: ids('warning'), schemaFault };
  };
}

function compareSchema(schema: Agreement['schema'], each: Case, fault: string | undefined): void {
  schema.documents++;
  if ((fault === undefined) === each.schemaValid) {
    schema.agreed++;
    return;
  }
  schema.disagreements.push({
    document: each.id,
    official: each.schemaValid ? 'valid' : 'invalid',
    ...(fault === undefined ? {} : { fault }),
  });
}

function compare(
  agreement: Agreement,
  each: Case,
  flag: Flag,
  found: Found,
  rule: string | undefined,
): void {
  const wanted = (id: string): boolean => rule === undefined || rule === id;
  const missing = [...each[flag]].filter((id) => wanted(id) && !found[flag].has(id));
  const extra = [...found[flag]].filter((id) => wanted(id) && !each[flag].has(id));
  for (const id of each[flag]) if (found[flag].has(id)) tally(agreement, id).matched++;
  for (const id of missing) tally(agreement, id).missing++;
  for (const id of extra) tally(agreement, id).extra++;
  if (missing.length === 0 && extra.length === 0 && found.refused === undefined) {
    agreement.agreed[flag]++;
    return;
  }
  const { refused } = found;
  agreement.disagreements.push({
    document: each.id,
    flag,
    missing,
    extra,
    ...(refused === undefined ? {} : { refused }),
  });
}

function tally({ rules }: Agreement, id: string): RuleTally {
  let known = rules.get(id);
  if (known === undefined) {
    known = { matched: 0, missing: 0, extra: 0 };
    rules.set(id, known);
  }
  return known;
}
