import type { CimObject } from '@drawbridge/binding/json/build.ts';
import { parseDecimal } from '@drawbridge/decimal/decimal.ts';
import { apply, type MappingIssue } from '@drawbridge/mapping/apply.ts';
import { withCompany } from '@drawbridge/mapping/company.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { Finding, Report, Validator } from '../validate.ts';
import { type ClearedInvoice, withIdentifiers } from './corrected-invoices.ts';
import { columnOf, type ErrorSource, errorSource, type MappedSource } from './error-source.ts';
import { type MissingValue, missingValues } from './missing-values.ts';

/**
 * A fault as the client sees it (specification, "Validation error object"), and where its value
 * came from.
 */
export interface InvoiceError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  readonly severity: 'fatal' | 'warning';
  readonly source?: ErrorSource;
  /** The authority's own text in other languages, unchanged. */
  readonly translations?: Readonly<Record<string, string>>;
}

/** What each stage came to. */
type StageChecks = Pick<Report, 'schema' | 'business_rules'>;

/** Of a document that was not looked at. */
const uncheckedStages: StageChecks = { schema: 'skipped', business_rules: 'skipped' };
const schemaFailed: StageChecks = { schema: 'failed', business_rules: 'skipped' };
const rulesFailed: StageChecks = { schema: 'passed', business_rules: 'failed' };
/** Of a document without a fault. */
export const stagesPassed: StageChecks = { schema: 'passed', business_rules: 'passed' };

/** The verdict of both validation stages on one source document. */
export type Verdict<Cim = CimObject, Origins = unknown, Xml = string> =
  | {
      readonly kind: 'passed';
      readonly identity: DocumentIdentity;
      readonly cim: Cim;
      readonly provenance: Origins;
      readonly document: Xml;
      /** The clearance authority's own document, for a clearance market. */
      readonly clearance: Xml | undefined;
      readonly warnings: readonly InvoiceError[];
    }
  | {
      readonly kind: 'failed';
      readonly identity: DocumentIdentity;
      readonly checks: StageChecks;
      readonly errors: readonly InvoiceError[];
      /** Those of the errors that are of a field without a value, where it was judged by rules. */
      readonly missing?: readonly MissingValue[];
      readonly warnings: readonly InvoiceError[];
      readonly cim: Cim | undefined;
      readonly provenance: Origins | undefined;
      readonly document: Xml | undefined;
    };

/**
 * What makes two submissions the same document: a credit note may have the number of its invoice, and
 * a series may begin anew each year. Buyer and amount are how people know it.
 */
export interface DocumentIdentity {
  readonly buyer?: string;
  readonly currency?: string;
  readonly gross?: string;
  readonly seller?: string;
  readonly number?: string;
  readonly documentType?: string;
  /** 0 for a document without a day of issue. */
  readonly issueYear?: number;
  /** Why not all of it could be mapped: what is not said here may be in the source all the same. */
  readonly mappingFault?: string;
}

export interface VerdictInput {
  readonly validator: Validator;
  readonly profile: Profile;
  readonly mapping: Mapping | undefined;
  /** What the tenant's company says of itself; fills what the mapping lacks. */
  readonly company?: Company | undefined;
  /** Of those that it may correct. */
  readonly cleared?: readonly ClearedInvoice[] | undefined;
  readonly source: SourceDocument;
  readonly connectorId: string;
  /** The instant of the first emission; what is emitted then never changes. */
  readonly now: Date;
}

/** Maps a source document to the model and validates it in both stages. */
export function decideVerdict(judging: VerdictInput): Verdict {
  const { validator, profile, source, connectorId, now } = judging;
  const isApproved = judging.mapping?.fields.some(({ status }) => status === 'approved') ?? false;
  if (judging.mapping === undefined || !isApproved) return notApproved(profile, connectorId);
  const mapping = withCompany(judging.mapping, judging.company, profile.id);
  const applied = apply(source, mapping);
  const mapped = { connectorId, profile, source, mapping, applied };
  if (applied.issues.length > 0) return unmapped(mapped);
  const { route } = profile;
  const completed = profile.complete(applied.cim);
  const { seller } = identityOf(completed);
  const identified = withIdentifiers(completed, seller, judging.cleared ?? []);
  const cim = route === 'exchange' ? completed : route.stamp(identified, now);
  const validation = validator.validate(profile, cim);
  const made = {
    identity: identityOf(cim),
    cim,
    provenance: Object.fromEntries(applied.provenance),
    document: validation.xml,
  };
  const warnings = validation.warnings.map((each) => located(mapped, each));
  const errors = validation.errors.map((each) => located(mapped, each));
  if (errors.length > 0) {
    const checks = validation.schema === 'failed' ? schemaFailed : rulesFailed;
    const missing = missingValues(cim, validation.errors);
    return { kind: 'failed', checks, errors, missing, warnings, ...made };
  }
  if (route === 'exchange') return { kind: 'passed', clearance: undefined, warnings, ...made };
  const clearance = route.document(cim, validation.type);
  if (clearance.kind === 'emitted') {
    return { kind: 'passed', clearance: clearance.xml, warnings, ...made };
  }
  const lacks = clearance.missing.map((each) => incomplete(profile, each));
  return {
    kind: 'failed',
    checks: rulesFailed,
    errors: lacks.map((each) => located(mapped, each)),
    missing: missingValues(cim, lacks),
    warnings,
    ...made,
  };
}

/** What makes the document known, as `decideVerdict` finds it, without validating it. */
export function identify(
  judging: Pick<VerdictInput, 'profile' | 'mapping' | 'company' | 'source'>,
): DocumentIdentity {
  const { profile, source } = judging;
  if (judging.mapping === undefined) return {};
  const { cim, issues } = apply(source, withCompany(judging.mapping, judging.company, profile.id));
  return issues.length > 0 ? unmappedIdentity(cim, issues) : identityOf(profile.complete(cim));
}

function unmappedIdentity(cim: CimObject, [first]: readonly MappingIssue[]): DocumentIdentity {
  return { ...identityOf(cim), ...(first && { mappingFault: first.message }) };
}

/**
 * A verdict of one fault that is outside the document: no mapping, no such document, no answer from
 * the source, or the same document before. Unless `checks` says otherwise no stage has looked at it.
 */
export function rejection(
  profile: Profile,
  code: string,
  message: string,
  checks: StageChecks = uncheckedStages,
): Verdict<never> {
  return {
    kind: 'failed',
    checks,
    errors: [{ field: '/', rule: `${profile.id}-${code}`, message, severity: 'fatal' }],
    warnings: [],
    identity: {},
    cim: undefined,
    provenance: undefined,
    document: undefined,
  };
}

function notApproved(profile: Profile, connectorId: string): Verdict<never> {
  return rejection(
    profile,
    'MAPPING-NOT-APPROVED',
    `No mapping of this connector is approved for ${profile.id}. Look at it with GET ` +
      `/v1/connectors/${connectorId}/mapping?profile=${profile.id}, then approve it with POST ` +
      `/v1/connectors/${connectorId}/mapping/approve and submit again.`,
  );
}

function unmapped({ profile, applied, connectorId }: MappedSource): Verdict {
  return {
    kind: 'failed',
    checks: schemaFailed,
    errors: applied.issues.map(({ code, path, message, provenance }) => ({
      field: path,
      rule: `${profile.id}-MAP-${code}`,
      message,
      severity: 'fatal',
      ...optional(columnOf(connectorId, provenance)),
    })),
    warnings: [],
    identity: unmappedIdentity(applied.cim, applied.issues),
    cim: applied.cim,
    provenance: Object.fromEntries(applied.provenance),
    document: undefined,
  };
}

function identityOf(cim: CimObject): DocumentIdentity {
  const seller = cim.seller as Readonly<Record<string, unknown>> | undefined;
  const name =
    seller?.trn ?? seller?.tin ?? seller?.registration_id ?? seller?.endpoint ?? seller?.name;
  const { number } = cim;
  return {
    ...(name === undefined ? {} : { seller: String(name) }),
    ...(number === undefined ? {} : { number: shortened(String(number), numberMax) }),
    ...knownBy(cim),
    documentType: String(cim.type_code ?? ''),
    issueYear: Number(/^\d{4}(?=-)/.exec(String(cim.issue_date))?.[0] ?? 0),
  };
}

/** The longest number by which documents are found: an index takes no long text. */
const numberMax = 200;
/** The longest name that lists show. */
const buyerMax = 300;

function shortened(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).toWellFormed();
}

/** A document that was refused may have any text there. */
function knownBy(cim: CimObject): Pick<DocumentIdentity, 'buyer' | 'currency' | 'gross'> {
  const buyer = shortened(textOf(cim.buyer, 'name'), buyerMax);
  const currency = textOf(cim, 'currency');
  const gross = textOf(cim.totals, 'gross');
  return {
    ...(buyer === '' ? {} : { buyer }),
    ...(/^[A-Z]{3}$/.test(currency) ? { currency } : {}),
    ...(parseDecimal(gross) === undefined ? {} : { gross }),
  };
}

function textOf(group: unknown, member: string): string {
  const value = (group as Readonly<Record<string, unknown>> | undefined)?.[member];
  return typeof value === 'string' ? value : '';
}

/** The error for a value that the clearance authority requires and the document lacks. */
function incomplete(
  { id }: Profile,
  { path, message }: { path: string; message: string },
): Finding {
  return { field: path, rule: `${id}-CLEARANCE-INCOMPLETE`, message, severity: 'fatal', path };
}

function located(mapped: MappedSource, finding: Finding): InvoiceError {
  const { path, ...error } = finding;
  return { ...error, ...optional(path === undefined ? undefined : errorSource(mapped, path)) };
}

function optional(source: ErrorSource | undefined): Pick<InvoiceError, 'source'> {
  return source === undefined ? {} : { source };
}
