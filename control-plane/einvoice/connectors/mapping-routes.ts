import type { Connector, DescribeOutcome } from '@drawbridge/connectors/contract.ts';
import { type Approver, approve, replace, type Selection } from '@drawbridge/mapping/approve.ts';
import { infer } from '@drawbridge/mapping/infer.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { profileById, profileIds } from '@drawbridge/profiles/registry.ts';
import { z } from 'zod';
import type { RequestAudit } from '../../platform/audit/request-audit.ts';
import { type Principal, permits } from '../../platform/auth/principal.ts';
import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { findCompany } from '../company/store.ts';
import type { DocumentChecker } from '../document-checks/document-checker.ts';
import { settledOr } from '../document-checks/refusal.ts';
import { fail } from '../errors.ts';
import {
  approvalRequest,
  type MappingRequest,
  mappingQuery,
  mappingRequest,
  mappingView,
} from './mapping-schema.ts';
import { type Held, sampleOf, viewOf } from './mapping-view.ts';
import { newestDocuments } from './newest-documents.ts';
import { type ConnectorRoutesContext, readConnector } from './routes.ts';
import { connectorId } from './schema.ts';
import { type ConnectorRow, findMappings, saveMapping } from './store.ts';

const tag = 'Mapping';
const params = z.strictObject({ id: connectorId });
const describeTimeoutMs = 20_000;
/** Documents whose values and sums a proposal is made from. */
const documentsMax = 20;

export interface MappingRoutesContext extends ConnectorRoutesContext {
  readonly checker: DocumentChecker;
}

export function mappingRoutes(context: MappingRoutesContext): AnyRoute[] {
  return [getRoute(context), putRoute(context), approveRoute(context)];
}

function getRoute(context: MappingRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/connectors/{id}/mapping',
    operationId: 'getMapping',
    summary: 'The field-by-field mapping of the source to the model',
    description:
      'With samples from a document of the source, and what the profile asks for and nobody fills. When there is ' +
      'no mapping yet, one is proposed from the columns; it is used once it is approved.',
    tag,
    auth: { scope: 'connectors:read' },
    limit: 'read',
    request: { params, query: mappingQuery },
    responses: { 200: { description: 'The mapping, or a proposal.', schema: mappingView } },
    errors: ['connector_not_found', 'profile_required', 'source_unreachable'],
    handler: async ({ params: { id }, query, principal }) => {
      const { tenantId } = principal;
      const place = await placeOf(context, tenantId, id, query.profile);
      const described = await describe(place.connector);
      const { columns } = described;
      const held = await readMapping(context, tenantId, place, described);
      const sample = await sampleOf(context.checker, tenantId, place.connector, held.document);
      const documents = held.documents ?? (await newestDocuments(place.connector, documentsMax));
      const shown = { ...held, documents };
      const company = await readCompany(context, principal);
      return { status: 200, body: viewOf(id, place.profile, shown, columns, sample, company) };
    },
  });
}

function putRoute(context: MappingRoutesContext) {
  return route({
    method: 'put',
    path: '/v1/connectors/{id}/mapping',
    operationId: 'replaceMapping',
    summary: 'Replace the mapping',
    description:
      'A field that says the same keeps its approval; one that is new or changed is approved when it is sent with ' +
      '`status: approved`, which takes the permission `mappings:approve`.',
    tag,
    auth: { scope: 'connectors:write' },
    limit: 'write',
    request: { params, query: mappingQuery, body: mappingRequest },
    responses: { 200: { description: 'The mapping as it is now.', schema: mappingView } },
    errors: [
      'connector_not_found',
      'profile_required',
      'mapping_changed',
      'mapping_invalid',
      'source_unreachable',
    ],
    handler: ({ params: { id }, query, body, principal, audit }) =>
      replaceMapping(context, { principal, audit }, id, query.profile, body),
    largeBody: async ({ params: { id }, query, principal, audit }, bytes) => {
      const parsed = settledOr(await context.checker.mapping(principal.tenantId, bytes));
      return replaceMapping(context, { principal, audit }, id, query.profile, parsed.request);
    },
  });
}

/** Who changes a mapping, and where that is recorded. */
interface ChangeCaller {
  readonly principal: Principal;
  readonly audit: RequestAudit;
}

async function replaceMapping(
  context: MappingRoutesContext,
  { principal, audit }: ChangeCaller,
  id: string,
  wanted: string | undefined,
  { mapping, version }: MappingRequest,
) {
  const place = await placeOf(context, principal.tenantId, id, wanted);
  const { profile } = mapping;
  if (profile !== undefined && profile !== place.profile.id) {
    throw fail(
      'mapping_invalid',
      `The mapping is for ${profile}, and the call for ${place.profile.id}: add ?profile=${profile}.`,
    );
  }
  return change(context, { principal, audit }, place, version, (current, approver) =>
    replace(current, mapping, approver),
  );
}

function approveRoute(context: MappingRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/connectors/{id}/mapping/approve',
    operationId: 'approveMapping',
    summary: 'Approve fields in bulk',
    description: 'All of them, those named, or those whose proposal has at least this confidence.',
    tag,
    auth: { scope: 'mappings:approve' },
    needsProof: true,
    limit: 'write',
    request: { params, query: mappingQuery, body: approvalRequest.prefault({}) },
    responses: { 200: { description: 'The mapping as it is now.', schema: mappingView } },
    errors: [
      'connector_not_found',
      'profile_required',
      'mapping_changed',
      'mapping_invalid',
      'source_unreachable',
    ],
    handler: async ({ params: { id }, query, body, principal, audit }) => {
      const place = await placeOf(context, principal.tenantId, id, query.profile);
      return change(context, { principal, audit }, place, body.version, (current, approver) => {
        const { mapping, unknown } = approve(current, selectionOf(body), approver);
        if (unknown.length === 0) return mapping;
        throw fail('mapping_invalid', `Not in the mapping: ${unknown.join(', ')}.`);
      });
    },
  });
}

function selectionOf(body: z.output<typeof approvalRequest>): Selection {
  if (body.targets !== undefined) return { kind: 'targets', targets: body.targets };
  if (body.min_confidence !== undefined) {
    return { kind: 'confidence', minimum: body.min_confidence };
  }
  return { kind: 'all' };
}

/** One connector for one profile. */
interface Place {
  readonly row: ConnectorRow;
  readonly connector: Connector;
  readonly profile: Profile;
}

async function placeOf(
  { db, open }: ConnectorRoutesContext,
  tenantId: string,
  id: string,
  wanted: string | undefined,
): Promise<Place> {
  const row = await readConnector(db, tenantId, id);
  const profileId = wanted ?? row.default_profile;
  if (profileId === null) {
    throw fail(
      'profile_required',
      `The connector has no default profile: add ?profile= and one of ${profileIds.join(', ')}.`,
    );
  }
  return { row, connector: await open.use(tenantId, row), profile: profileById(profileId)! };
}

type Described = Extract<DescribeOutcome, { readonly kind: 'described' }>;

async function describe(connector: Connector): Promise<Described> {
  const outcome = await connector.describe(AbortSignal.timeout(describeTimeoutMs));
  if (outcome.kind === 'described') return outcome;
  throw fail('source_unreachable', `The source did not answer: ${outcome.fault.message}`, {
    headers: { 'retry-after': '5' },
  });
}

async function readCompany({ db }: ConnectorRoutesContext, principal: Principal) {
  const scope = scopeOf(principal);
  return (await db.tenant(scope.tenantId, (tx) => findCompany(tx, scope)))?.profile;
}

/** The stored mapping, or a proposal made from the columns and the newest documents. */
async function readMapping(
  { db }: ConnectorRoutesContext,
  tenantId: string,
  { row, profile, connector }: Place,
  { columns, joins }: Described,
): Promise<Held> {
  const mappings = await db.tenant(tenantId, (tx) => findMappings(tx, tenantId, [row.id]));
  const kept = mappings.find((each) => each.profile === profile.id);
  if (kept !== undefined) return kept;
  const documents = await newestDocuments(connector, documentsMax);
  const document = infer(columns, profile.fields, { documents, joins });
  return { document, version: 0, documents };
}

async function change(
  context: MappingRoutesContext,
  { principal, audit }: ChangeCaller,
  place: Place,
  version: number | undefined,
  decide: (current: Mapping, approver: Approver) => Mapping,
) {
  const { tenantId } = principal;
  const { db, clock } = context;
  const described = await describe(place.connector);
  const { columns } = described;
  const held = await readMapping(context, tenantId, place, described);
  if (version !== undefined && version !== held.version) throw changed();
  const now = clock();
  const document = decide(held.document, { by: principal.id, at: now.toISOString() });
  requireApprover(principal, held.document, document);
  const { row, profile } = place;
  const saved = await db.tenant(tenantId, async (tx) => {
    const { version: basis } = held;
    const next = await saveMapping(tx, tenantId, row.id, profile.id, document, basis, now);
    if (next === undefined) throw changed();
    await audit.record(tx, tenantId, {
      subject: `${row.id} ${profile.id}`,
      before: byTarget(held.document, basis),
      after: byTarget(document, next),
    });
    return next;
  });
  const sample = await sampleOf(context.checker, tenantId, place.connector, document);
  const company = await readCompany(context, principal);
  const body = viewOf(row.id, profile, { document, version: saved }, columns, sample, company);
  return { status: 200, body };
}

/** The fields of a mapping as members of a record, so that the audit log keeps those that differ. */
function byTarget({ fields, lists, joins }: Mapping, version: number): Record<string, unknown> {
  const named = fields.map(({ target, ...field }) => [target, field]);
  return { version, lists, joins, ...Object.fromEntries(named) };
}

/** What makes connectors and mappings may not be what approves them. Fields that stay are the same. */
function requireApprover(principal: Principal, before: Mapping, after: Mapping): void {
  const approved = after.fields.find(
    (field) => field.status === 'approved' && !before.fields.includes(field),
  );
  if (approved === undefined || permits(principal, 'mappings:approve')) return;
  throw fail(
    'not_permitted',
    `Approving ${approved.target} takes the permission mappings:approve: send it as a proposal.`,
  );
}

function changed() {
  return fail(
    'mapping_changed',
    'The mapping was changed by someone else meanwhile. Read it again, and send your change once more.',
  );
}
