import { parse } from '@drawbridge/binding/xml/parse.ts';
import type { CimObject } from '@drawbridge/cim/json.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { profileById, profileIds } from '@drawbridge/profiles/registry.ts';
import {
  type InvoiceError,
  stagesPassed,
  type Verdict,
} from '@drawbridge/validation/source/verdict.ts';
import type { Finding, Report, Validator } from '@drawbridge/validation/validate.ts';
import type { z } from 'zod';
import { fail } from '../errors.ts';
import { withExplanations } from '../invoices/explanations.ts';
import type { validationRequest } from './schema.ts';

export type ValidationRequest = z.output<typeof validationRequest>;

/** The report on an invoice or XML that a request holds itself. Throws `ApiError`. */
export function reportOf(validator: Validator, request: ValidationRequest) {
  const profile = requireProfile(request.profile);
  if (request.xml !== undefined) return xmlReport(validator, profile, request.xml);
  const given = request.invoice as CimObject;
  const cim = request.complete ? profile.complete(given) : given;
  const { xml, type: _, ...report } = validator.validate(profile, cim);
  return shown(profile, report, xml);
}

/** The report on a document of a source: what a submission would be told. */
export function verdictReport(profile: Profile, verdict: Verdict) {
  const { warnings } = verdict;
  const xml = verdict.document === undefined ? {} : { xml: verdict.document };
  if (verdict.kind === 'passed') {
    return { valid: true, profile: profile.id, checks: stagesPassed, errors: [], warnings, ...xml };
  }
  return {
    valid: false,
    profile: profile.id,
    checks: verdict.checks,
    errors: withExplanations(verdict.errors),
    warnings,
    ...xml,
  };
}

/** The profile that a request names. Throws `ApiError` when it names none. */
export function requireProfile(id: string | undefined): Profile {
  if (id !== undefined) return profileById(id)!;
  throw fail('profile_required', `Give "profile": one of ${profileIds.join(', ')}.`, {
    body: { errors: { profile: ['is missing'] } },
  });
}

function xmlReport(validator: Validator, profile: Profile, xml: string) {
  const read = parse(Object.values(profile.bindings), xml);
  if (read.kind === 'parsed') {
    return shown(profile, validator.validateDocument(profile, { ...read, xml }));
  }
  const { code, message, line, column } = read.fault;
  const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
  const error = { field: '/', rule: `${profile.id}-XSD-${code}`, message: `${message}${place}` };
  return shown(profile, {
    schema: 'failed',
    business_rules: 'skipped',
    warnings: [],
    errors: [{ ...error, severity: 'fatal' }],
  });
}

function shown(profile: Profile, report: Report, xml?: string) {
  const { schema, business_rules, errors, warnings } = report;
  return {
    valid: errors.length === 0,
    profile: profile.id,
    checks: { schema, business_rules },
    errors: withExplanations(errors.map(withoutPath)),
    warnings: warnings.map(withoutPath),
    ...(xml === undefined ? {} : { xml }),
  };
}

function withoutPath({ path: _, ...error }: Finding): InvoiceError {
  return error;
}
