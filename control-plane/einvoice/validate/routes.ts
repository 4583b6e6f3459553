import { rejection } from '@drawbridge/validation/source/verdict.ts';
import type { Validator } from '@drawbridge/validation/validate.ts';
import { scopeOf, type TenantScope } from '../../platform/auth/tenant-scope.ts';
import { type AnyRoute, type Reply, route } from '../../platform/http/route.ts';
import { findCompany } from '../company/store.ts';
import { type ConnectorRoutesContext, readConnector } from '../connectors/routes.ts';
import { findMappings } from '../connectors/store.ts';
import { unanswered, unansweredErrors } from '../connectors/unanswered.ts';
import type { DocumentChecker } from '../document-checks/document-checker.ts';
import { settledOr } from '../document-checks/refusal.ts';
import { fail } from '../errors.ts';
import { correctedBy } from '../invoices/corrected-invoices.ts';
import { reportOf, requireProfile, type ValidationRequest, verdictReport } from './report.ts';
import { validationReport, validationRequest } from './schema.ts';

export interface ValidateRoutesContext {
  readonly connectors: ConnectorRoutesContext;
  readonly validator: Validator;
  readonly checker: DocumentChecker;
}

const readTimeoutMs = 30_000;
/** An invoice of 30,000 lines as JSON, or of 10,000 as XML: as much as is read of a document. */
const bodyBytesMax = 20_000_000;
const bodyValuesMax = 500_000;

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
    unaudited: 'it changes nothing',
    limit: 'submit',
    bodyBytesMax,
    bodyValuesMax,
    request: { body: validationRequest },
    responses: { 200: { description: 'The full report.', schema: validationReport } },
    errors: ['connector_not_found', 'profile_required', 'source_not_found', ...unansweredErrors],
    handler: async ({ body, principal }) => answer(context, scopeOf(principal), body),
    largeBody: async ({ principal }, bytes) => answerLarge(context, scopeOf(principal), bytes),
  });
}

async function answer(
  context: ValidateRoutesContext,
  scope: TenantScope,
  request: ValidationRequest,
): Promise<Reply> {
  const body =
    request.connector_id === undefined
      ? reportOf(context.validator, request)
      : await sourceReport(context, scope, request);
  return { status: 200, body };
}

/** The bytes are parsed on the thread that judges what they hold. */
async function answerLarge(
  context: ValidateRoutesContext,
  scope: TenantScope,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Reply> {
  const answered = settledOr(await context.checker.report(scope.tenantId, bytes));
  if (answered.kind === 'source') return answer(context, scope, answered.request);
  return { status: 200, body: answered.json };
}

/** The report on a document of the ERP, mapped as in a submission. */
async function sourceReport(
  context: ValidateRoutesContext,
  scope: TenantScope,
  body: ValidationRequest,
) {
  const { tenantId } = scope;
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
    return verdictReport(profile, rejection(profile, `SOURCE-${code}`, message));
  }
  if (outcome.kind === 'unreachable') {
    throw unanswered(outcome.fault);
  }
  const [mappings, company] = await db.tenant(tenantId, async (tx) => [
    await findMappings(tx, tenantId, [row.id]),
    await findCompany(tx, scope),
  ]);
  const mapping = mappings.find((each) => each.profile === profile.id)?.document;
  const note = { ...scope, profile, connectorId: row.id, id: undefined };
  const { cleared } = await correctedBy(db, note, outcome.document, mapping);
  const report = await context.checker.sourceReport(tenantId, {
    profile,
    source: outcome.document,
    mapping,
    cleared,
    company: company?.profile,
    connectorId: row.id,
    now: clock(),
  });
  return settledOr(report);
}
