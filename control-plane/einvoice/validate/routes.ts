import { parse } from '@drawbridge/binding/parse.ts';
import type { CimObject } from '@drawbridge/cim/json.ts';
import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import type { Profile, ProfileId } from '@drawbridge/profiles/contract.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { Finding, Report, Validator } from '@drawbridge/validation/validate.ts';
import type { z } from 'zod';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { type ConnectorRoutesContext, readConnector } from '../connectors/routes.ts';
import { findMappings } from '../connectors/store.ts';
import { fail } from '../errors.ts';
import { explained } from '../invoices/explained.ts';
import type { InvoiceError } from '../invoices/store.ts';
import { judge, refusal, type Verdict } from '../pipeline/verdict.ts';
import { validationReport, validationRequest } from './schema.ts';

export interface ValidateRoutesContext {
  readonly connectors: ConnectorRoutesContext;
  readonly validator: Validator;
}

type Body = z.output<typeof validationRequest>;

const readTimeoutMs = 30_000;
/** An invoice of 10,000 lines as JSON or XML. */
const bodyBytesMax = 20_000_000;

export function validateRoutes(context: ValidateRoutesContext): AnyRoute[] {
  return [validateRoute(context)];
}

function validateRoute(context: ValidateRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/validate',
    operationId: 'validateInvoice',
    summary: 'Check an invoice without submitting it',
    description:
      'The same engine as a submission: both stages, every fault with its place. Nothing is created and nothing is sent.',
    tag: 'Validation',
    auth: { scope: 'invoices:read' },
    limit: 'submit',
    bodyBytesMax,
    request: { body: validationRequest },
    responses: { 200: { description: 'The full report.', schema: validationReport } },
    errors: ['connector_not_found', 'profile_required', 'source_not_found', 'source_unreachable'],
    handler: async ({ body, principal: { tenantId } }) => ({
      status: 200,
      body: await reportOf(context, tenantId, body),
    }),
  });
}

async function reportOf(context: ValidateRoutesContext, tenantId: string, body: Body) {
  const { validator } = context;
  if (body.connector_id !== undefined) return sourceReport(context, tenantId, body);
  const profile = requireProfile(body.profile);
  if (body.xml !== undefined) return xmlReport(validator, profile, body.xml);
  const given = body.invoice as CimObject;
  const {
    xml,
    type: _,
    ...report
  } = validator.validate(profile, body.complete ? profile.complete(given) : given);
  return shown(profile, report, xml);
}

/** A document of the ERP, through its mapping: what a submission would say. */
async function sourceReport(context: ValidateRoutesContext, tenantId: string, body: Body) {
  const { db, open, clock } = context.connectors;
  const row = await readConnector(db, tenantId, body.connector_id!);
  const profile = requireProfile(body.profile ?? row.default_profile ?? undefined);
  const connector = await open.use(tenantId, row);
  const outcome = await connector.read(body.source_ref!, AbortSignal.timeout(readTimeoutMs));
  if (outcome.kind === 'missing') {
    throw fail('source_not_found', `The source has no document "${body.source_ref}".`);
  }
  if (outcome.kind === 'unusable') {
    const { code, message } = outcome.fault;
    return verdictReport(profile, refusal(profile, `SOURCE-${code}`, message));
  }
  if (outcome.kind === 'unreachable') {
    throw fail('source_unreachable', outcome.fault.message, { headers: { 'retry-after': '5' } });
  }
  const mappings = await db.tenant(tenantId, (tx) => findMappings(tx, tenantId, [row.id]));
  const verdict = judge({
    ...{ validator: context.validator, profile, source: outcome.document },
    mapping: mappings.find((each) => each.profile === profile.id)?.document,
    ...{ connectorId: row.id, now: clock() },
  });
  return verdictReport(profile, verdict);
}

function verdictReport(profile: Profile, verdict: Verdict) {
  const { warnings } = verdict;
  const xml = verdict.document === undefined ? {} : { xml: verdict.document };
  if (verdict.kind === 'passed') {
    const checks: Checks = { schema: 'passed', business_rules: 'passed' };
    return { valid: true, profile: profile.id, checks, errors: [], warnings, ...xml };
  }
  const checks: Checks =
    verdict.stage === 'schema'
      ? { schema: 'failed', business_rules: 'skipped' }
      : { schema: 'passed', business_rules: 'failed' };
  return {
    valid: false,
    profile: profile.id,
    checks,
    errors: explained(verdict.errors),
    warnings,
    ...xml,
  };
}

function xmlReport(validator: Validator, profile: Profile, xml: string) {
  const read = parse(Object.values(profile.bindings), xml);
  if (read.kind === 'parsed') {
    return shown(profile, validator.judge(profile, { ...read, xml }));
  }
  const { code, message, line, column } = read.fault;
  const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
  const error = { field: '/', rule: `${profile.id}-XSD-${code}`, message: `${message}${place}` };
  return shown(profile, {
    ...{ schema: 'failed', business_rules: 'skipped', warnings: [] },
    errors: [{ ...error, severity: 'fatal' }],
  });
}

function shown(profile: Profile, report: Report, xml?: string) {
  const { schema, business_rules, errors, warnings } = report;
  return {
    valid: errors.length === 0,
    profile: profile.id,
    checks: { schema, business_rules },
    errors: explained(errors.map(withoutPath)),
    warnings: warnings.map(withoutPath),
    ...(xml === undefined ? {} : { xml }),
  };
}

function withoutPath({ path: _, ...error }: Finding): InvoiceError {
  return error;
}

function requireProfile(id: ProfileId | undefined): Profile {
  if (id !== undefined) return profileById(id)!;
  throw fail('profile_required', 'Give "profile": one of PINT-AE, PINT-MY, BIS-3.0.', {
    body: { errors: { profile: ['is missing'] } },
  });
}
