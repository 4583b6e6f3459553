import { z } from 'zod';
import { faultOf } from '../../platform/db/errors.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import { fail } from '../errors.ts';
import type { TenantRoutesContext } from './context.ts';
import { tag } from './context.ts';
import { tagId, tagPatch, tagRequest, tagView } from './schema.ts';
import { deleteTag, findTag, insertTag, listTags, type TagRow, updateTag } from './store.ts';

const path = '/tenants/tenant-tags/';
const params = z.strictObject({ id: tagId });

export function tagRoutes(context: TenantRoutesContext): AnyRoute[] {
  return [listRoute(context), createRoute(context), patchRoute(context), deleteRoute(context)];
}

function listRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listTags',
    summary: 'List tags, oldest first',
    tag,
    auth: { scope: 'tags:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: { 200: { description: 'A page of tags.', schema: pageSchema(tagView, 'TagPage') } },
    handler: async ({ query, principal: { tenantId } }) => {
      const page = requestedPage(query, 'tag');
      const rows = await db.tenant(tenantId, (tx) => listTags(tx, tenantId, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function createRoute({ db, clock, random }: TenantRoutesContext) {
  return route({
    method: 'post',
    path,
    operationId: 'createTag',
    summary: 'Make a tag',
    tag,
    auth: { scope: 'tags:write' },
    limit: 'write',
    request: { body: tagRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The tag.', schema: tagView } },
    errors: ['tag_exists', 'idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers }) => {
      const { tenantId } = principal;
      const row = { id: newId('tag', clock, random), ...body, created_at: clock() };
      const made = await db
        .tenant(tenantId, (tx) =>
          makeOnce(tx, principal, onceOf(`POST ${path}`, headers, body), {
            id: row.id,
            make: async () => {
              await insertTag(tx, tenantId, row);
              return row;
            },
            find: (id) => findTag(tx, tenantId, id),
          }),
        )
        .catch(nameTaken);
      return { status: 201, body: show(made.row), headers: madeHeaders(undefined, made) };
    },
  });
}

function patchRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateTag',
    summary: 'Change a tag',
    tag,
    auth: { scope: 'tags:write' },
    limit: 'write',
    request: { params, body: tagPatch },
    responses: { 200: { description: 'The tag as it is now.', schema: tagView } },
    errors: ['tag_not_found', 'tag_exists'],
    handler: async ({ params: { id }, body, principal: { tenantId } }) => {
      const row = await db
        .tenant(tenantId, (tx) => updateTag(tx, tenantId, id, body))
        .catch(nameTaken);
      if (row === undefined) throw notFound(id);
      return { status: 200, body: show(row) };
    },
  });
}

function deleteRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'deleteTag',
    summary: 'Remove a tag',
    tag,
    auth: { scope: 'tags:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It was removed.' } },
    errors: ['tag_not_found'],
    handler: async ({ params: { id }, principal: { tenantId } }) => {
      const gone = await db.tenant(tenantId, (tx) => deleteTag(tx, tenantId, id));
      if (gone === 0) throw notFound(id);
      return { status: 204 };
    },
  });
}

function notFound(id: string) {
  return fail('tag_not_found', `There is no tag "${id}".`);
}

function nameTaken(error: unknown): never {
  if (faultOf(error).code !== 'duplicate') throw error;
  throw fail('tag_exists', 'Another tag has this name.');
}

function show({ created_at, ...row }: TagRow) {
  return { ...row, created_at: created_at.toISOString() };
}
