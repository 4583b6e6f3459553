import { z } from 'zod';
import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { TemplateRoutesContext } from './context.ts';
import { requireTemplate } from './faults.ts';
import { own, reviewed, type TemplateKind } from './kinds.ts';
import { ownTemplateRoutes } from './own-templates.ts';
import { removalJobs } from './registrar.ts';
import { reviewedTemplateRoutes } from './reviewed-templates.ts';
import { templateId, templateView } from './schema.ts';
import { show } from './show.ts';
import { findTemplate, listTemplates, templateStatuses, updateTemplate } from './store.ts';

export function templateRoutes(context: TemplateRoutesContext): AnyRoute[] {
  return [
    ...[reviewed, ...own].flatMap((kind) => [
      listRoute(kind, context),
      getRoute(kind, context),
      deleteRoute(kind, context),
    ]),
    ...reviewedTemplateRoutes(context),
    ...own.flatMap((kind) => ownTemplateRoutes(kind, context)),
  ];
}

const query = pageQuery.extend({
  name: z.string().max(512).optional(),
  status: z.enum(templateStatuses).optional(),
});

const templatePage = pageSchema(templateView, 'TemplatePage');

function listRoute({ channel, path, tag, word }: TemplateKind, { db }: TemplateRoutesContext) {
  return route({
    method: 'get',
    path,
    operationId: `list${word}s`,
    summary: 'List templates and how each stands, newest first',
    tag,
    auth: { scope: 'templates:read' },
    limit: 'read',
    request: { query },
    responses: { 200: { description: 'A page.', schema: templatePage } },
    handler: async ({ query: { name = null, status = null, ...asked }, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(asked, 'tpl');
      const rows = await db.tenant(scope.tenantId, (tx) =>
        listTemplates(tx, scope, channel, { name, status }, page),
      );
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

const params = z.strictObject({ id: templateId });

function getRoute({ channel, path, tag, word }: TemplateKind, { db }: TemplateRoutesContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: `get${word}`,
    summary: 'Read a template',
    tag,
    auth: { scope: 'templates:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The template.', schema: templateView } },
    errors: ['template_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findTemplate(tx, scope, id));
      return { status: 200, body: show(requireTemplate(row, channel, id)) };
    },
  });
}

function deleteRoute({ channel, path, tag, word }: TemplateKind, context: TemplateRoutesContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: `delete${word}`,
    summary: 'Remove a template',
    description:
      'What is on its way with it is still sent, but for broadcasts of templates that a network reviews: they pause. The network is told too.',
    tag,
    auth: { scope: 'templates:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It may not be sent any more.' } },
    errors: ['template_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const { db, jobs, clock } = context;
      const scope = scopeOf(principal);
      await db.tenant(scope.tenantId, async (tx) => {
        const found = await findTemplate(tx, scope, id);
        const row = requireTemplate(found, channel, id);
        await updateTemplate(tx, scope, { id }, { ...nothing, status: 'deleted' }, clock());
        await jobs.enqueue(tx, scope.tenantId, removalJobs(scope, row));
      });
      return { status: 204 };
    },
  });
}

const nothing = { provider_id: null, status: null, category: null, quality: null, reason: null };
