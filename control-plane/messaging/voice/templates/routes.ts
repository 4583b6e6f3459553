import { readFlow } from '@drawbridge/messaging/call-flow/check.ts';
import { compileEvery, diagnose } from '@drawbridge/messaging/call-flow/compile.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import { z } from 'zod';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { fail } from '../../errors.ts';
import { type CallingContext, tag } from '../context.ts';
import {
  markupProviders,
  templateId,
  templateItem,
  templatePatch,
  templateRequest,
  templateView,
  trunkProviders,
} from './schema.ts';
import {
  findTemplate,
  insertTemplate,
  listTemplates,
  lockTemplate,
  removeTemplate,
  type TemplateRow,
  updateTemplate,
} from './store.ts';

const path = '/voice/api/templates/';
const params = z.strictObject({ id: templateId });
const query = z.strictObject({
  provider: z
    .enum(markupProviders.map(({ id }) => id))
    .optional()
    .describe('Shows the markup for this provider'),
});
const missing = ['call_template_not_found'] as const;

/** Call flows, and the documents to which they compile. */
export function templateRoutes(context: CallingContext): AnyRoute[] {
  return [
    listRoute(context),
    createRoute(context),
    getRoute(context),
    patchRoute(context),
    deleteRoute(context),
  ];
}

function listRoute({ db }: CallingContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listVoiceTemplates',
    summary: 'List call flows, newest first',
    tag,
    auth: { scope: 'templates:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: {
      200: { description: 'A page.', schema: pageSchema(templateItem, 'VoiceTemplatePage') },
    },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(query, 'vtp');
      const rows = await db.tenant(scope.tenantId, (tx) => listTemplates(tx, scope, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, showItem) };
    },
  });
}

function createRoute({ db, clock, random }: CallingContext) {
  return route({
    method: 'post',
    path,
    operationId: 'createVoiceTemplate',
    summary: 'Create a call flow',
    description:
      'It compiles to each provider’s markup; what one cannot say is a diagnostic with a code. ' +
      'It may be changed later; a call keeps to the flow it began with.',
    tag,
    auth: { scope: 'templates:write' },
    limit: 'write',
    request: { query, body: templateRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The call flow.', schema: templateView } },
    errors: ['invalid_flow', 'idempotency_payload_mismatch'],
    handler: async ({ query: { provider }, body, headers, principal }) => {
      const scope = scopeOf(principal);
      const now = clock();
      const id = newId('vtp', () => now, random);
      const row = { id, name: body.name, flow: checked(body.flow), created_at: now };
      const made = await db.tenant(scope.tenantId, (tx) =>
        makeOnce(tx, scope, onceOf(`POST ${path}`, headers, body), {
          id,
          make: async () => {
            await insertTemplate(tx, scope, row);
            return { ...row, version: 1, updated_at: now, removed_at: null };
          },
          find: (known) => findTemplate(tx, scope, known),
        }),
      );
      return {
        status: 201,
        body: show(made.row, provider),
        headers: madeHeaders(`${path}${made.row.id}/`, made),
      };
    },
  });
}

function getRoute({ db }: CallingContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getVoiceTemplate',
    summary: 'Read a call flow, and what it compiles to',
    tag,
    auth: { scope: 'templates:read' },
    limit: 'read',
    request: { params, query },
    responses: { 200: { description: 'The call flow.', schema: templateView } },
    errors: missing,
    handler: async ({ params: { id }, query: { provider }, principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findTemplate(tx, scope, id));
      if (row === undefined || row.removed_at !== null) throw templateNotFound(id);
      return { status: 200, body: show(row, provider) };
    },
  });
}

function patchRoute({ db, clock }: CallingContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateVoiceTemplate',
    summary: 'Rename a call flow, or change its flow',
    description:
      'Calls that were made before keep to the flow they began with; those that are made later ' +
      'play the new one.',
    tag,
    auth: { scope: 'templates:write' },
    limit: 'write',
    request: { params, query, body: templatePatch },
    responses: { 200: { description: 'The call flow as it is now.', schema: templateView } },
    errors: ['call_template_not_found', 'invalid_flow'],
    handler: async ({ params: { id }, query: { provider }, body, principal, audit }) => {
      const scope = scopeOf(principal);
      const flow = body.flow === undefined ? undefined : checked(body.flow);
      const row = await db.tenant(scope.tenantId, async (tx) => {
        const before = await lockTemplate(tx, scope, id);
        if (before === undefined) throw templateNotFound(id);
        const after = await updateTemplate(tx, scope, id, { name: body.name, flow }, clock());
        const change = { before: recorded(before), after: recorded(after) };
        await audit.record(tx, scope.tenantId, { subject: id, ...change });
        return after;
      });
      return { status: 200, body: show(row, provider) };
    },
  });
}

function deleteRoute({ db, clock }: CallingContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'deleteVoiceTemplate',
    summary: 'Remove a call flow',
    description: 'Calls under way use it to their end.',
    tag,
    auth: { scope: 'templates:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It was removed.' } },
    errors: missing,
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const gone = await db.tenant(scope.tenantId, (tx) => removeTemplate(tx, scope, id, clock()));
      if (gone === 0) throw templateNotFound(id);
      return { status: 204 };
    },
  });
}

/** The 404 of a call flow. */
function templateNotFound(id: string) {
  return fail('call_template_not_found', `There is no call flow "${id}".`);
}

function checked(input: unknown): CallFlow {
  const reading = readFlow(input);
  if (reading.kind === 'flow') return reading.flow;
  const errors: Record<string, string[]> = {};
  for (const { path: at, code, message } of reading.faults) {
    (errors[`flow.${at}`.replace(/\.$/, '')] ??= []).push(`${code}: ${message}`);
  }
  const [[field, problems] = ['flow', ['is wrong']]] = Object.entries(errors);
  throw fail('invalid_flow', `${field}: ${problems![0]}`, { body: { errors } });
}

function showItem({ id, name, version, created_at, updated_at }: TemplateRow) {
  return {
    id,
    name,
    version,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/** What the audit log keeps of a template: nothing that follows from its flow. */
function recorded(row: TemplateRow) {
  return { ...showItem(row), flow: row.flow };
}

function show(row: TemplateRow, provider: string | undefined) {
  const each = markupProviders.map(
    ({ id, markup }) => [id, compileEvery(row.flow, markup, preview)] as const,
  );
  const pbx = diagnose(row.flow, 'pbx', preview);
  const [, shown] = each.find(([id]) => id === provider) ?? [];
  return {
    ...showItem(row),
    flow: row.flow,
    diagnostics: {
      ...Object.fromEntries(each.map(([name, { diagnostics }]) => [name, diagnostics])),
      ...Object.fromEntries(trunkProviders.map(({ id }) => [id, pbx])),
    },
    compiled:
      shown === undefined
        ? null
        : {
            content_type: shown.contentType,
            documents: shown.documents,
            diagnostics: shown.diagnostics,
          },
  };
}

/** A flow without a call, so without consent and addresses. */
const preview = {
  base: 'https://callbacks.example/flow/CALL',
  recording: { policy: 'announced', hasConsented: false },
} as const;
