import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { faultOf } from '../../../platform/db/errors.ts';
import type { Tx } from '../../../platform/db/tx.ts';
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
import { fail, invalid } from '../../errors.ts';
import { type ContactContext, tag } from '../context.ts';
import { segmentId } from '../schema.ts';
import { listsOf, type SegmentQuery } from './query.ts';
import {
  segmentCount,
  segmentCountRequest,
  segmentDetail,
  segmentPatch,
  segmentRequest,
  segmentView,
} from './schema.ts';
import {
  countQuery,
  countSegment,
  deleteSegment,
  findLists,
  findSegment,
  findSegmentUse,
  insertSegment,
  listSegments,
  type SegmentRow,
  updateSegment,
} from './store.ts';

const path = '/contacts/segments/';
const params = z.strictObject({ id: segmentId });

export function segmentRoutes(context: ContactContext): AnyRoute[] {
  return [
    listRoute(context),
    createRoute(context),
    countRoute(context),
    getRoute(context),
    patchRoute(context),
    deleteRoute(context),
  ];
}

function listRoute({ db }: ContactContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listSegments',
    summary: 'List segments, oldest first',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: {
      200: { description: 'A page of segments.', schema: pageSchema(segmentView, 'SegmentPage') },
    },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(query, 'seg');
      const rows = await db.tenant(scope.tenantId, (tx) => listSegments(tx, scope, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function createRoute({ db, clock, random }: ContactContext) {
  return route({
    method: 'post',
    path,
    operationId: 'createSegment',
    summary: 'Make a segment',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { body: segmentRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The segment.', schema: segmentView } },
    errors: ['segment_exists', 'idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers }) => {
      const scope = scopeOf(principal);
      const { name, query = null } = body;
      const row = { id: newId('seg', clock, random), name, query, created_at: clock() };
      const making = db.tenant(scope.tenantId, (tx) =>
        makeOnce(tx, scope, onceOf(`POST ${path}`, headers, body), {
          id: row.id,
          make: async () => {
            if (query !== null) await requireLists(tx, scope, query);
            await insertSegment(tx, scope, row);
            return row;
          },
          find: (id) => findSegment(tx, scope, id),
        }),
      );
      const made = await making.catch(nameTaken);
      const location = `${path}${made.row.id}/`;
      return { status: 201, body: show(made.row), headers: madeHeaders(location, made) };
    },
  });
}

function countRoute({ db }: ContactContext) {
  return route({
    method: 'post',
    path: `${path}count/`,
    operationId: 'countSegmentQuery',
    summary: 'Count the contacts that fit a query, before a segment is made of it',
    tag,
    auth: { scope: 'contacts:read' },
    unaudited: 'nothing is changed',
    limit: 'read',
    request: { body: segmentCountRequest },
    responses: { 200: { description: 'How many fit.', schema: segmentCount } },
    handler: async ({ body: { query }, principal }) => {
      const scope = scopeOf(principal);
      const contacts = await db.tenant(scope.tenantId, async (tx) => {
        await requireLists(tx, scope, query);
        return countQuery(tx, scope, query);
      });
      return { status: 200, body: { contacts } };
    },
  });
}

function getRoute({ db }: ContactContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getSegment',
    summary: 'Read a segment, and how many contacts it has',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The segment.', schema: segmentDetail } },
    errors: ['segment_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const body = await db.tenant(scope.tenantId, async (tx) => {
        const row = await findSegment(tx, scope, id);
        if (row === undefined) throw notFound(id);
        return { ...show(row), contacts: await countSegment(tx, scope, id) };
      });
      return { status: 200, body };
    },
  });
}

function patchRoute({ db }: ContactContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateSegment',
    summary: 'Rename a segment, or change its query',
    description: 'A list becomes a query only while it is empty.',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { params, body: segmentPatch },
    responses: { 200: { description: 'The segment as it is now.', schema: segmentView } },
    errors: ['segment_not_found', 'segment_exists', 'segment_in_use', 'segment_has_contacts'],
    handler: async ({ params: { id }, body, principal }) => {
      const scope = scopeOf(principal);
      const change = db.tenant(scope.tenantId, async (tx) => {
        const before = await findSegment(tx, scope, id);
        if (before === undefined) throw notFound(id);
        if (body.query != null) {
          await requireLists(tx, scope, body.query);
          if (before.query === null) await requireUnused(tx, scope, before);
        }
        return updateSegment(tx, scope, id, body);
      });
      const row = await change.catch(nameTaken);
      if (row === undefined) throw notFound(id);
      return { status: 200, body: show(row) };
    },
  });
}

function deleteRoute({ db }: ContactContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'deleteSegment',
    summary: 'Delete a segment',
    description:
      'Its contacts stay. One that a query asks for is kept. A broadcast to it whose audience is not ' +
      'fixed yet fails at its time, with the reason `segment_not_found`.',
    tag,
    auth: { scope: 'contacts:delete' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It was removed.' } },
    errors: ['segment_not_found', 'segment_in_use'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const gone = await db.tenant(scope.tenantId, async (tx) => {
        const { isAskedFor } = await findSegmentUse(tx, scope, id);
        if (isAskedFor) throw inUse();
        return deleteSegment(tx, scope, id);
      });
      if (gone === 0) throw notFound(id);
      return { status: 204 };
    },
  });
}

function notFound(id: string) {
  return fail('segment_not_found', `There is no segment "${id}".`);
}

function inUse() {
  const detail = 'The query of another segment asks for this list: change that query first.';
  return fail('segment_in_use', detail);
}

/** A query may only refer to lists, so that queries cannot refer to each other. */
async function requireLists(tx: Tx, scope: TenantScope, query: SegmentQuery): Promise<void> {
  const asked = listsOf(query);
  const lists = await findLists(tx, scope, asked);
  const missing = asked.find((id) => !lists.has(id));
  if (missing !== undefined) throw invalid('query', `there is no list "${missing}"`);
}

async function requireUnused(tx: Tx, scope: TenantScope, { id }: SegmentRow): Promise<void> {
  const { hasContacts, isAskedFor } = await findSegmentUse(tx, scope, id);
  if (isAskedFor) throw inUse();
  if (hasContacts) throw fail('segment_has_contacts', 'Remove the contacts from the list first.');
}

function nameTaken(error: unknown): never {
  if (faultOf(error).code !== 'duplicate') throw error;
  throw fail('segment_exists', 'Another segment has this name.');
}

function show({ created_at, ...row }: SegmentRow) {
  return { ...row, created_at: created_at.toISOString() };
}
