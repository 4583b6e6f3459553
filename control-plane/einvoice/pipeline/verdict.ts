import type { CimObject } from '@drawbridge/binding/build.ts';
import { apply } from '@drawbridge/mapping/apply.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { Finding, Validator } from '@drawbridge/validation/validate.ts';
import type { ErrorSource, InvoiceError } from '../invoices/store.ts';
import { columnOf, errorSource, type Ground } from './error-source.ts';

/** What the checks say of one source document. */
export type Verdict =
  | {
      readonly kind: 'passed';
      readonly cim: CimObject;
      readonly provenance: unknown;
      readonly document: string;
      /** The clearance authority's own document, for a clearance market. */
      readonly clearance: string | undefined;
      readonly warnings: readonly InvoiceError[];
    }
  | {
      readonly kind: 'failed';
      readonly stage: 'schema' | 'business_rules';
      readonly errors: readonly InvoiceError[];
      readonly warnings: readonly InvoiceError[];
      readonly cim: CimObject | undefined;
      readonly provenance: unknown;
      readonly document: string | undefined;
    };

export interface Judging {
  readonly validator: Validator;
  readonly profile: Profile;
  readonly mapping: Mapping | undefined;
  readonly source: SourceDocument;
  readonly connectorId: string;
  /** The instant of first emission; what is emitted then is frozen. */
  readonly now: Date;
}

/** Source document → model → both stages. Pure: what it needs is given. */
export function judge(judging: Judging): Verdict {
  const { validator, profile, mapping, source, connectorId, now } = judging;
  const isApproved = mapping?.fields.some((field) => field.status === 'approved') ?? false;
  if (mapping === undefined || !isApproved) return notApproved(profile, connectorId);
  const applied = apply(source, mapping);
  const ground = { connectorId, profile, source, mapping, applied };
  if (applied.issues.length > 0) return unmapped(ground);
  const { route } = profile;
  const completed = profile.complete(applied.cim);
  const cim = route === 'exchange' ? completed : route.stamp(completed, now);
  const validation = validator.validate(profile, cim);
  const made = {
    cim,
    provenance: Object.fromEntries(applied.provenance),
    document: validation.xml,
  };
  const warnings = validation.warnings.map((each) => located(ground, each));
  const errors = validation.errors.map((each) => located(ground, each));
  if (errors.length > 0) {
    const stage = validation.schema === 'failed' ? 'schema' : 'business_rules';
    return { kind: 'failed', stage, errors, warnings, ...made };
  }
  if (route === 'exchange') return { kind: 'passed', clearance: undefined, warnings, ...made };
  const clearance = route.document(cim, validation.type);
  if (clearance.kind === 'emitted') {
    return { kind: 'passed', clearance: clearance.xml, warnings, ...made };
  }
  return {
    kind: 'failed',
    stage: 'business_rules',
    errors: clearance.missing.map((each) => incomplete(ground, each)),
    warnings,
    ...made,
  };
}

/**
 * A verdict of one fault that is not the document's: no mapping, no such document, no answer from
 * the source.
 */
export function refusal(profile: Profile, code: string, message: string): Verdict {
  return {
    kind: 'failed',
    stage: 'schema',
    errors: [{ field: '/', rule: `${profile.id}-${code}`, message, severity: 'fatal' }],
    warnings: [],
    cim: undefined,
    provenance: undefined,
    document: undefined,
  };
}

function notApproved(profile: Profile, connectorId: string): Verdict {
  return refusal(
    profile,
    'MAPPING-NOT-APPROVED',
    `No mapping of this connector is approved for ${profile.id}. Look at it with GET ` +
      `/v1/connectors/${connectorId}/mapping?profile=${profile.id}, then approve it with POST ` +
      `/v1/connectors/${connectorId}/mapping/approve and submit again.`,
  );
}

function unmapped({ profile, applied, connectorId }: Ground): Verdict {
  return {
    kind: 'failed',
    stage: 'schema',
    errors: applied.issues.map(({ code, path, message, provenance }) => ({
      field: path,
      rule: `${profile.id}-MAP-${code}`,
      message,
      severity: 'fatal',
      ...optional(columnOf(connectorId, provenance)),
    })),
    warnings: [],
    cim: applied.cim,
    provenance: Object.fromEntries(applied.provenance),
    document: undefined,
  };
}

/** What the clearance authority asks for and the document lacks. */
function incomplete(ground: Ground, { path, message }: { path: string; message: string }) {
  const rule = `${ground.profile.id}-CLEARANCE-INCOMPLETE`;
  return located(ground, { field: path, rule, message, severity: 'fatal', path });
}

function located(ground: Ground, finding: Finding): InvoiceError {
  const { path, ...error } = finding;
  return { ...error, ...optional(path === undefined ? undefined : errorSource(ground, path)) };
}

function optional(source: ErrorSource | undefined): Pick<InvoiceError, 'source'> {
  return source === undefined ? {} : { source };
}
