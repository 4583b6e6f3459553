import type { Binding } from '@drawbridge/binding/compile.ts';
import { type BuildIssue, type Built, build } from '@drawbridge/binding/json/build.ts';
import { locate } from '@drawbridge/binding/locate.ts';
import { emit } from '@drawbridge/binding/xml/emit.ts';
import type { CimObject } from '@drawbridge/cim/json.ts';
import { findTarget, first, type Node, value } from '@drawbridge/cim/node.ts';
import type { CheckValue } from '@drawbridge/lifecycle/transitions.ts';
import type { DocumentType, Profile, RuleRelease } from '@drawbridge/profiles/contract.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import { type CompiledRules, compileRules } from '@drawbridge/rules/engine/compile.ts';
import { type Breach, runRules } from '@drawbridge/rules/engine/run.ts';
import type { Flag } from '@drawbridge/rules/rule.ts';
import { tooManySubtotals } from './bounds.ts';
import { missingElements } from './missing-elements.ts';
import { type Origins, placeOf } from './place.ts';
import { StructureStage, type WrittenDocument } from './structure.ts';
import { type SchemaFault, schemaFaultsMax } from './xsd.ts';

/** One fault, as the 422 body shows it (specification, "Validation error object"). */
export interface Finding {
  /** XPath in the emitted document. */
  readonly field: string;
  /** `<PROFILE>-<authority's rule id>`. */
  readonly rule: string;
  readonly message: string;
  readonly severity: Flag;
  /**
   * Path in the JSON form of the CIM, positions counted from 1, when the document was built from
   * it.
   */
  readonly path?: string;
}

/** The result of each stage for a document, and the findings. */
export interface Report {
  readonly schema: CheckValue;
  readonly business_rules: CheckValue;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** The report on a CIM, with its document. */
export interface Validation extends Report {
  readonly type: DocumentType;
  readonly xml: string;
}

interface Engine {
  readonly structure: StructureStage;
  /** Compiled on first use, by profile, release, and billing or self-billing. */
  readonly rules: Map<string, CompiledRules>;
}

/**
 * Validates documents. It compiles schemas when it is made, and rules when a release is first used,
 * so make one and keep it.
 *
 *   const validator = new Validator();
 *   const { errors, warnings, xml } = validator.validate(profile, profile.complete(cim));
 */
export class Validator {
  readonly #engines = new Map<Binding, Engine>();

  constructor() {
    for (const profile of profiles) {
      for (const [type, binding] of Object.entries(profile.bindings)) {
        // Profiles share their syntax, so most schemas are the same.
        if (this.#engines.has(binding)) continue;
        const name = `${profile.id}/${type}`;
        const structure = new StructureStage(name, binding);
        this.#engines.set(binding, { structure, rules: new Map() });
      }
    }
  }

  /** CIM → emit → schema → rules. The CIM is validated as it is: complete it first. */
  validate(profile: Profile, cim: CimObject): Validation {
    const type = documentType(profile, cim);
    const binding = profile.bindings[type];
    const built = build(binding, cim);
    const { root, issues } = built;
    const xml = emit(binding, root);
    const report =
      issues.length > 0
        ? notBuilt(profile, issues)
        : this.validateDocument(profile, { binding, root, xml, isPlain: true }, built);
    return { ...report, type, xml };
  }

  /** Runs the stages on a document; `built` has the JSON paths of its values. */
  validateDocument(
    profile: Profile,
    document: WrittenDocument,
    built?: Pick<Built, 'origins'>,
  ): Report {
    const { binding, root } = document;
    const engine = this.#engines.get(binding)!;
    const faults = engine.structure.check(document);
    if (faults.length > 0) {
      return failsSchema(profile, document, faults, built?.origins);
    }
    const tooMany = tooManySubtotals(root);
    if (tooMany !== undefined) return beyondBounds(profile, tooMany, root, built?.origins);
    const breaches = this.#breaches(profile, engine, root);
    const flagged = (flag: Flag): Finding[] => {
      const those = breaches.filter(({ rule }) => rule.flag === flag);
      const listed = those.slice(0, listedMax);
      return [
        ...listed.map((breach) => finding(profile, breach, built?.origins)),
        ...further(profile, root, flag, those.length - listed.length),
      ];
    };
    const errors = flagged('fatal');
    return {
      schema: 'passed',
      business_rules: errors.length > 0 ? 'failed' : 'passed',
      errors,
      warnings: flagged('warning'),
    };
  }

  #breaches(profile: Profile, engine: Engine, root: Node): Breach[] {
    const selfBilling = isSelfBilling(root);
    const release = releaseFor(profile, text(root, 'issue_date'));
    const key = `${profile.id}/${release.version}/${selfBilling}`;
    const sets = selfBilling ? release.selfBilling : release.billing;
    const known = engine.rules.get(key);
    const rules = known ?? compileRules(root.shape, sets);
    if (known === undefined) engine.rules.set(key, rules);
    const lists = selfBilling ? profile.codeLists.selfBilling : profile.codeLists.billing;
    return runRules(rules, root, lists);
  }
}

/** The document type of a CIM, by its type code. */
export function documentType(profile: Profile, cim: CimObject): DocumentType {
  return profile.creditNoteTypeCodes.includes(String(cim.type_code)) ? 'credit-note' : 'invoice';
}

/** The release in force on the issue date; the newest without a valid date. */
export function releaseFor(profile: Profile, issueDate: string | undefined): RuleRelease {
  const inForce = profile.releases.findLast(
    ({ from, until }) =>
      issueDate !== undefined && from <= issueDate && (until === undefined || issueDate <= until),
  );
  return inForce ?? profile.releases.at(-1)!;
}

function isSelfBilling(root: Node): boolean {
  return text(root, 'specification_id')?.includes('selfbilling') ?? false;
}

/** The text of the document's member of that name; undefined if the syntax has no such row. */
function text(root: Node, name: string): string | undefined {
  return findTarget(root.shape, name) && value(root, name)?.trim();
}

function notBuilt(profile: Profile, issues: readonly BuildIssue[]): Report {
  return {
    schema: 'failed',
    business_rules: 'skipped',
    errors: issues.map(({ code, path, message }) => ({
      field: path,
      rule: `${profile.id}-MAP-${code}`,
      message,
      severity: 'fatal',
      path,
    })),
    warnings: [],
  };
}

/**
 * The report on a document that fails its schema. Where all stands in the order of the table, nothing can be
 * wrong with the order but that something is missing, and that is told.
 */
function failsSchema(
  profile: Profile,
  { root, isPlain }: WrittenDocument,
  faults: readonly SchemaFault[],
  origins?: Origins,
): Report {
  const paths = origins && byLocation(origins);
  const missing = isPlain ? missingElements(root, schemaFaultsMax, origins) : [];
  const others = faults.filter(({ code }) => missing.length === 0 || !faultsOfOrder.has(code));
  return {
    schema: 'failed',
    business_rules: 'skipped',
    errors: [
      ...missing.map((each): Finding => {
        return { ...each, rule: `${profile.id}-XSD-missing-element`, severity: 'fatal' };
      }),
      ...others.map(
        ({ code, field, message }): Finding => ({
          field,
          rule: `${profile.id}-XSD-${code}`,
          message,
          severity: 'fatal',
          ...(paths && nearest(paths, field)),
        }),
      ),
    ],
    warnings: [],
  };
}

const faultsOfOrder: ReadonlySet<SchemaFault['code']> = new Set([
  'unexpected-element',
  'missing-element',
]);

/** The most broken rules of one severity in a report, because a document can break a million. */
const listedMax = 1_000;

function further(profile: Profile, root: Node, severity: Flag, count: number): Finding[] {
  if (count === 0) return [];
  const rule = `${profile.id}-LIMIT-findings`;
  const message = `${count} more are not listed. Mend those that are, and check again.`;
  return [{ field: locate(root), rule, message, severity }];
}

function beyondBounds(profile: Profile, message: string, root: Node, origins?: Origins): Report {
  const place = placeOf(first(root, 'tax_totals')!, [], origins);
  const rule = `${profile.id}-LIMIT-tax-subtotals`;
  return {
    schema: 'passed',
    business_rules: 'failed',
    errors: [{ ...place, rule, message, severity: 'fatal' }],
    warnings: [],
  };
}

function finding(
  profile: Profile,
  { rule, node, diagnostic }: Breach,
  origins: Origins | undefined,
): Finding {
  const { field, path } = placeOf(node, rule.terms, origins);
  return {
    field,
    rule: `${profile.id}-${rule.id}`,
    message: diagnostic === undefined ? rule.message : `${rule.message} (${diagnostic})`,
    severity: rule.flag,
    ...(path === undefined ? {} : { path }),
  };
}

/** JSON paths by XPath, because a schema fault has only an XPath. */
function byLocation(origins: Origins): Map<string, string> {
  const found = new Map<string, string>();
  for (const [node, path] of origins) found.set(withoutFirst(locate(node)), path);
  return found;
}

/** The JSON path of the element at `field`, or of the nearest element around it. */
function nearest(paths: ReadonlyMap<string, string>, field: string): { path?: string } {
  let xpath = withoutFirst(field);
  while (xpath !== '') {
    const path = paths.get(xpath);
    if (path !== undefined) return path === '' ? {} : { path };
    xpath = xpath.slice(0, xpath.lastIndexOf('/'));
  }
  return {};
}

/** Removes `[1]`, because the schema stage does not know whether an element may repeat. */
function withoutFirst(xpath: string): string {
  return xpath.replaceAll('[1]', '');
}
