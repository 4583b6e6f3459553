import { approve, replace, type Selection, type Sender } from '@drawbridge/mapping/approve.ts';
import { approvedAfter } from '@drawbridge/mapping/changes.ts';
import { fingerprint } from '@drawbridge/mapping/fingerprint.ts';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import { z } from 'zod';
import type { RequestAudit } from '../../platform/audit/request-audit.ts';
import { type Principal, permits } from '../../platform/auth/principal.ts';
import { requireProof } from '../../platform/auth/proof.ts';
import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { settledOr } from '../document-checks/refusal.ts';
import { fail } from '../errors.ts';
import { countWaitingDocuments } from '../pipeline/changed-documents/store.ts';
import { actorOf, isPerson, requireSecondPerson } from './approval-policy/second-person.ts';
import { mappedDocumentRoute } from './mapped-document/route.ts';
import {
  type Described,
  describe,
  documentsMax,
  type MappingRoutesContext,
  type Place,
  placeOf,
  readCompany,
  readMapping,
} from './mapping-place.ts';
import {
  approvalRequest,
  documentsWaitingMax,
  type MappingRequest,
  mappingQuery,
  mappingRequest,
  mappingView,
} from './mapping-schema.ts';
import { type Held, sampleOf, viewOf } from './mapping-view.ts';
import { newestDocuments } from './newest-documents.ts';
import { type AcceptedObjection, answerObjections } from './preview/answers.ts';
import { examineAll } from './preview/examination.ts';
import { previewRoute } from './preview/routes.ts';
import { connectorId } from './schema.ts';
import { saveMapping } from './store.ts';
import { unansweredErrors } from './unanswered.ts';

const tag = 'Mapping';
const params = z.strictObject({ id: connectorId });

export function mappingRoutes(context: MappingRoutesContext): AnyRoute[] {
  return [
    getRoute(context),
    putRoute(context),
    approveRoute(context),
    previewRoute(context),
    mappedDocumentRoute(context),
  ];
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
    errors: ['connector_not_found', 'profile_required', ...unansweredErrors],
    handler: async ({ params: { id }, query, principal }) => {
      const { tenantId } = principal;
      const place = await placeOf(context, tenantId, id, query.profile);
      const described = await describe(place.connector);
      const held = await readMapping(context, tenantId, place, described);
      return { status: 200, body: await show(context, principal, place, described, held) };
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
      'A field that says the same keeps its approval, as long as lists and joins find its rows as before; one that is new ' +
      'or changed is approved when it is sent with `status: approved`, which takes the permission `mappings:approve`.',
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
      'objections_open',
      'person_required',
      'proof_needed',
      'second_person_needed',
      ...unansweredErrors,
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
  return change(context, { principal, audit }, place, { version }, (current, sender) =>
    replace(current, mapping, sender),
  );
}

function approveRoute(context: MappingRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/connectors/{id}/mapping/approve',
    operationId: 'approveMapping',
    summary: 'Approve fields in bulk',
    description:
      'All of them, those named, or those whose proposal has at least this confidence. What the newest preview of this ' +
      'very mapping objects to has to be accepted, each with a reason; without a preview there is nothing to answer.',
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
      'objections_open',
      'person_required',
      'second_person_needed',
      ...unansweredErrors,
    ],
    handler: async ({ params: { id }, query, body, principal, audit }) => {
      const place = await placeOf(context, principal.tenantId, id, query.profile);
      return change(context, { principal, audit }, place, body, (current, sender) => {
        const { mapping, unknown } = approve(current, selectionOf(body), sender);
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

interface ChangeTerms {
  /** The version that was read. */
  readonly version?: number | undefined;
  readonly accepted_objections?: readonly AcceptedObjection[] | undefined;
}

async function change(
  context: MappingRoutesContext,
  { principal, audit }: ChangeCaller,
  place: Place,
  { version, accepted_objections: answers = [] }: ChangeTerms,
  decide: (current: Mapping, sender: Sender) => Mapping,
) {
  const { tenantId } = principal;
  const { db, clock } = context;
  const described = await describe(place.connector);
  const held = await readMapping(context, tenantId, place, described);
  if (version !== undefined && version !== held.version) throw changed();
  const now = clock();
  const actor = await db.tenant(tenantId, (tx) => actorOf(tx, principal));
  const approver = { by: principal.id, at: now.toISOString() };
  const document = decide(held.document, { ...approver, actor, isPerson });
  const approved = newlyApproved(held.document, document);
  const isApproval = approved.length > 0;
  if (isApproval) requireApprover(principal, approved[0]!, now);
  const last = approvedAfter(held.approved ?? undefined, document);
  const { row, profile } = place;
  const saved = await db.tenant(tenantId, async (tx) => {
    const { version: basis } = held;
    const isSame = fingerprint(document) === fingerprint(held.document);
    const changedBy = isSame ? held.changed_by : actor;
    if (isApproval) await requireSecondPerson(tx, tenantId, actor, approved);
    const kept = { document, approved: last, version: basis, changed_by: changedBy };
    const mapping = { connectorId: row.id, profile: profile.id, mapping: document };
    const accepted =
      !isApproval && answers.length === 0
        ? []
        : await answerObjections(tx, scopeOf(principal), mapping, answers, approver);
    const next = await saveMapping(tx, tenantId, row.id, profile.id, kept, now);
    if (next === undefined) throw changed();
    await audit.record(tx, tenantId, {
      subject: `${row.id} ${profile.id}`,
      before: byTarget(held.document, basis),
      after: {
        ...byTarget(document, next),
        ...(accepted.length === 0 ? {} : { accepted_objections: accepted }),
      },
    });
    return { ...kept, version: next };
  });
  const shown = { ...held, ...saved };
  return { status: 200, body: await show(context, principal, place, described, shown) };
}

/** The mapping beside what the newest documents would come to by it. */
async function show(
  context: MappingRoutesContext,
  principal: Principal,
  { row, profile, connector }: Place,
  { columns }: Described,
  held: Held,
) {
  const { tenantId } = principal;
  const sample = await sampleOf(context.checker, tenantId, connector, held.document);
  const documents = held.documents ?? (await newestDocuments(connector, documentsMax));
  const company = await readCompany(context, principal);
  const examined = { row, profile, mapping: held.document, company };
  const examinations = await examineAll(context, tenantId, examined, documents);
  const documentsWaiting = await context.db.tenant(tenantId, (tx) =>
    countWaitingDocuments(tx, tenantId, row.id, documentsWaitingMax),
  );
  const found = { documents, examinations, columns, sample, company, documentsWaiting };
  return viewOf(row.id, profile, { ...held, ...found });
}

/** The fields of a mapping as members of a record, so that the audit log keeps those that differ. */
function byTarget({ fields, lists, joins }: Mapping, version: number): Record<string, unknown> {
  const named = fields.map(({ target, ...field }) => [target, field]);
  return { version, lists, joins, ...Object.fromEntries(named) };
}

/** Fields that were not approved before. Those that stay are the same. */
function newlyApproved(before: Mapping, after: Mapping): readonly MappingField[] {
  const known = new Set(before.fields);
  return after.fields.filter((field) => field.status === 'approved' && !known.has(field));
}

/** What makes connectors and mappings may not be what approves them. */
function requireApprover(principal: Principal, { target }: MappingField, now: Date): void {
  if (!permits(principal, 'mappings:approve')) {
    throw fail(
      'not_permitted',
      `Approving ${target} takes the permission mappings:approve: send it as a proposal.`,
    );
  }
  requireProof(principal, now);
}

function changed() {
  return fail(
    'mapping_changed',
    'The mapping was changed by someone else meanwhile. Read it again, and send your change once more.',
  );
}
