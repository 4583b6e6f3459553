import { problemsOf } from '@drawbridge/lifecycle/supplier-response.ts';
import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { type Clock, firstIdAt, newId, type RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { requireConnector } from '../connectors/required.ts';
import { fail } from '../errors.ts';
import { withExplanations } from '../invoices/explanations.ts';
import { type ImportAction, importJob, importQueue } from './import-jobs.ts';
import { readCim } from './reading.ts';
import { takePlace } from './release-duplicate.ts';
import { respond } from './respond.ts';
import { listResponses, type ResponseRow } from './response-store.ts';
import {
  importRequest,
  receivedId,
  receivedPage,
  receivedQuery,
  received as receivedSchema,
  respondRequest,
  responseList,
} from './schema.ts';
import {
  findReceived,
  findReceivedContent,
  isOnItsWay,
  listReceived,
  lockNumber,
  lockReceived,
  type ReceivedRow,
  type ReceivedStatus,
  saveImport,
} from './store.ts';

export interface ReceivedRoutesContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

const tag = 'Received documents';
const params = z.strictObject({ id: receivedId });

/** The documents of suppliers that reached a tenant. */
export function receivedRoutes(context: ReceivedRoutesContext): AnyRoute[] {
  return [
    listRoute(context),
    getRoute(context),
    documentRoute(context),
    importRoute(context),
    undoRoute(context),
    respondRoute(context),
    responsesRoute(context),
  ];
}

function listRoute({ db }: ReceivedRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/received',
    operationId: 'listReceived',
    summary: 'List the documents of suppliers, newest first',
    tag,
    auth: { scope: 'received:read' },
    limit: 'read',
    request: { query: receivedQuery },
    responses: { 200: { description: 'A page of documents.', schema: receivedPage } },
    handler: async ({ query, principal }) => {
      const page = requestedPage(query, 'rcv');
      const scope = scopeOf(principal);
      const { since, until, cancelled, ...other } = query;
      const filter = {
        ...other,
        ...(cancelled && { isCancelled: cancelled === 'true' }),
        ...(since && { from: firstIdAt('rcv', new Date(since)) }),
        ...(until && { to: firstIdAt('rcv', new Date(until)) }),
      };
      const rows = await db.tenant(scope.tenantId, (tx) => listReceived(tx, scope, filter, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function getRoute({ db }: ReceivedRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/received/{id}',
    operationId: 'getReceived',
    summary: 'Read a document of a supplier',
    tag,
    auth: { scope: 'received:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The document.', schema: receivedSchema } },
    errors: ['received_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => readReceived(tx, scope, id));
      return { status: 200, body: { ...show(row), errors: withExplanations(row.errors) } };
    },
  });
}

function documentRoute({ db }: ReceivedRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/received/{id}/document',
    operationId: 'getReceivedDocument',
    summary: 'The document as it came, as the canonical model, or what a draft of it holds',
    tag,
    auth: { scope: 'received:read' },
    limit: 'read',
    request: {
      params,
      query: z.strictObject({ form: z.enum(['document', 'cim', 'draft']).default('document') }),
    },
    responses: {
      200: {
        description: 'The bytes as they came; JSON of the model or the draft.',
        mediaType: ['application/xml', 'application/json'],
      },
    },
    errors: ['received_not_found', 'document_not_found'],
    handler: async ({ params: { id }, query: { form }, principal }) => {
      const scope = scopeOf(principal);
      const content = await db.tenant(scope.tenantId, async (tx) => {
        await readReceived(tx, scope, id);
        return findReceivedContent(tx, scope.tenantId, id);
      });
      if (form === 'cim') return jsonAnswer(content && readCim(content.document));
      if (form === 'document' && content !== undefined) {
        const headers = { 'content-type': 'application/xml; charset=utf-8' };
        return { status: 200, headers, body: content.document };
      }
      return jsonAnswer(content?.draft ?? undefined);
    },
  });
}

function jsonAnswer(value: unknown) {
  if (value === undefined) {
    throw fail(
      'document_not_found',
      'Of what cannot be read there is neither a model nor a draft.',
    );
  }
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status: 200 as const, headers, body: JSON.stringify(value) };
}

function importRoute(context: ReceivedRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/received/{id}/import',
    operationId: 'importReceived',
    summary: 'Put a document of a supplier into the ERP, as a draft',
    description:
      'It is done soon after, once however often it is asked for; `import` says what came of it. A duplicate ' +
      'takes the place of what it repeats, unless that is in the ERP. What cannot be read is not imported.',
    tag,
    auth: { scope: 'received:write' },
    limit: 'write',
    request: { params, body: importRequest.prefault({}) },
    responses: { 202: { description: 'It will be imported.', schema: receivedSchema } },
    errors: ['received_not_found', 'connector_not_found', 'state_conflict'],
    handler: async ({ params: { id }, body, principal, audit }) => {
      const scope = scopeOf(principal);
      const row = await context.db.tenant(scope.tenantId, async (tx) => {
        const before = await lockForImport(context, tx, scope, id);
        requireStatus(before, ['received', 'undone'], 'imported');
        const importTo = body.connector_id ?? before.import_to;
        if (importTo === null) {
          throw fail('invalid_request', '"connector_id" is missing: into which ERP?', {
            body: { errors: { connector_id: ['is missing'] } },
          });
        }
        await requireConnector(tx, scope.tenantId, importTo);
        requireNotOnItsWay(before, importTo);
        const after = await begin(context, tx, scope, before, { action: 'import', importTo });
        await audit.record(tx, scope.tenantId, { subject: id, after: { import_to: importTo } });
        return after;
      });
      return { status: 202, body: show(row) };
    },
  });
}

function undoRoute(context: ReceivedRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/received/{id}/undo',
    operationId: 'undoImport',
    summary: 'Take an imported draft out of the ERP again',
    description:
      'The draft goes only as long as nobody has gone on with it there; else `import` says `conflict`. An import ' +
      'that still waits is taken back.',
    tag,
    auth: { scope: 'received:write' },
    limit: 'write',
    request: { params },
    responses: { 202: { description: 'It will be taken out.', schema: receivedSchema } },
    errors: ['received_not_found', 'state_conflict'],
    handler: async ({ params: { id }, principal, audit }) => {
      const scope = scopeOf(principal);
      const row = await context.db.tenant(scope.tenantId, async (tx) => {
        const before = await lockedReceived(tx, scope, id);
        // Also one that waits for its ERP: whether it has arrived there is not known.
        if (!isOnItsWay(before)) requireStatus(before, ['imported'], 'taken out');
        const importTo = before.import_to!;
        const after = await begin(context, tx, scope, before, { action: 'undo', importTo });
        await audit.record(tx, scope.tenantId, { subject: id, before: { import_to: importTo } });
        return after;
      });
      return { status: 202, body: show(row) };
    },
  });
}

function respondRoute({ db, jobs, clock, random }: ReceivedRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/received/{id}/respond',
    operationId: 'respondToSupplier',
    summary: 'Answer the supplier of a document',
    description:
      'Over Peppol as an Invoice Response; to MyInvois a rejection, before `rejectable_until`. It is sent soon ' +
      'after, once in effect; `response` says how far it is. The same answer again changes nothing.',
    tag,
    auth: { scope: 'received:respond' },
    limit: 'write',
    request: { params, body: respondRequest },
    responses: { 202: { description: 'It will be sent.', schema: receivedSchema } },
    errors: ['received_not_found', 'state_conflict'],
    handler: async ({ params: { id }, body, principal, audit }) => {
      const scope = scopeOf(principal);
      const problems = Object.entries(problemsOf(body));
      if (problems.length > 0) {
        const sentence = problems.map(([field, problem]) => `"${field}" ${problem}`).join('; ');
        const errors = Object.fromEntries(problems.map(([field, problem]) => [field, [problem]]));
        throw fail('invalid_request', `${sentence}.`, { body: { errors } });
      }
      const request = { id, answer: body, by: principal.id, now: clock(), random };
      const row = await db.tenant(scope.tenantId, async (tx) => {
        const outcome = await respond(tx, jobs, scope, request);
        if (outcome.kind === 'missing') throw missing(id);
        if (outcome.kind === 'refused') throw fail('state_conflict', outcome.reason);
        if (outcome.isNew) await audit.record(tx, scope.tenantId, { subject: id, after: body });
        return outcome.row;
      });
      return { status: 202, body: show(row) };
    },
  });
}

function responsesRoute({ db }: ReceivedRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/received/{id}/responses',
    operationId: 'listSupplierResponses',
    summary: 'All answers to the supplier of a document, oldest first',
    tag,
    auth: { scope: 'received:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The answers.', schema: responseList } },
    errors: ['received_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const rows = await db.tenant(scope.tenantId, async (tx) => {
        await readReceived(tx, scope, id);
        return listResponses(tx, scope.tenantId, id);
      });
      return { status: 200, body: { results: rows.map(showResponse), next: null, previous: null } };
    },
  });
}

function showResponse({ id, answer, state, reason, made_by, created_at }: ResponseRow) {
  const why = reason === null ? {} : { reason };
  return { id, ...answer, state, ...why, by: made_by, at: created_at.toISOString() };
}

function missing(id: string) {
  return fail('received_not_found', `There is no received document "${id}".`);
}

async function begin(
  { jobs, clock, random }: ReceivedRoutesContext,
  tx: Tx,
  scope: TenantScope,
  row: ReceivedRow,
  { action, importTo }: { readonly action: ImportAction; readonly importTo: string },
): Promise<ReceivedRow> {
  const now = clock();
  const result = { outcome: 'waiting', action, at: now.toISOString() } as const;
  const { status } = row;
  await saveImport(tx, scope.tenantId, row.id, { status, importTo, result, now });
  const key = newId('imp', clock, random);
  await jobs.enqueue(tx, scope.tenantId, [importJob(row, action, key)]);
  // One that waits becomes the other by its next attempt.
  await jobs.runNow(tx, scope.tenantId, importQueue, [row.id]);
  return { ...row, import_to: importTo, import: result, updated_at: now };
}

function requireStatus(row: ReceivedRow, may: readonly ReceivedStatus[], what: string): void {
  if (may.includes(row.status)) return;
  const instead = row.duplicate_of === null ? '' : ` of ${row.duplicate_of}`;
  throw fail('state_conflict', `${row.id} is ${row.status}${instead}: it cannot be ${what}.`);
}

/** It would be in two places. */
function requireNotOnItsWay(row: ReceivedRow, importTo: string): void {
  if (!isOnItsWay(row) || (row.import?.action !== 'undo' && row.import_to === importTo)) return;
  const why =
    row.import?.action === 'undo'
      ? 'is being taken out of the ERP'
      : `waits for ${row.import_to}; take it back (undo) before it goes elsewhere`;
  throw fail('state_conflict', `${row.id} ${why}.`);
}

function requireUncancelled({ id, cancelled_at }: ReceivedRow): void {
  if (cancelled_at === null) return;
  const when = cancelled_at.toISOString();
  throw fail('state_conflict', `Its supplier cancelled ${id} at ${when}: it cannot be imported.`);
}

/** The document that is to be imported, which is a duplicate no more if it was one. */
async function lockForImport(
  { clock, random }: ReceivedRoutesContext,
  tx: Tx,
  scope: TenantScope,
  id: string,
): Promise<ReceivedRow> {
  const { number } = await readReceived(tx, scope, id);
  // The number before the document, as everywhere.
  await lockNumber(tx, scope.tenantId, number ?? '');
  const row = await lockedReceived(tx, scope, id);
  requireUncancelled(row);
  if (row.status !== 'duplicate') return row;
  const other = await takePlace(tx, scope, row, { now: clock(), random });
  if (other === undefined) return { ...row, status: 'received' };
  const advice = `Take that one out (undo) before this one is imported in its place.`;
  throw fail('state_conflict', `${id} repeats ${other}, which is in the ERP. ${advice}`);
}

async function lockedReceived(tx: Tx, scope: TenantScope, id: string): Promise<ReceivedRow> {
  const row = await lockReceived(tx, scope, id);
  if (row === undefined) throw missing(id);
  return row;
}

async function readReceived(tx: Tx, scope: TenantScope, id: string): Promise<ReceivedRow> {
  const row = await findReceived(tx, scope, id);
  if (row === undefined) throw missing(id);
  return row;
}

function show(row: ReceivedRow) {
  const { id, status, environment, source, network_id, checks, errors, warnings } = row;
  const supplier =
    row.supplier_id === null || row.supplier_name === null
      ? undefined
      : { id: row.supplier_id, name: row.supplier_name };
  const more = {
    participant: row.participant,
    profile: row.profile,
    document_type: row.document_type,
    supplier,
    number: row.number,
    issue_date: row.issue_date,
    currency: row.currency,
    gross: row.gross,
    duplicate_of: row.duplicate_of,
    import_to: row.import_to,
    import: row.import,
    response: row.response,
    rejectable_until: row.rejectable_until?.toISOString(),
    cancelled_at: row.cancelled_at?.toISOString(),
    cancel_reason: row.cancel_reason,
  };
  const known = Object.entries(more).filter(([, value]) => value !== null && value !== undefined);
  return {
    id,
    status,
    environment,
    source,
    network_id,
    checks,
    errors,
    warnings,
    ...Object.fromEntries(known),
    received_at: row.received_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    links: { self: `/v1/received/${id}`, document: `/v1/received/${id}/document` },
  };
}
