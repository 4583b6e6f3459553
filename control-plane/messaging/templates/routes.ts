import type { Channel } from '@drawbridge/messaging/message.ts';
import { type Template, variablesOf } from '@drawbridge/messaging/template.ts';
import { lintTemplate } from '@drawbridge/messaging/template-lint.ts';
import { z } from 'zod';
import { given } from '../../channels/untrusted-input.ts';
import { scopeOf, type TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { faultOf } from '../../platform/db/errors.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { afterCursor, pageQuery, pageSchema } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { appNotFound } from '../apps/routes.ts';
import { findApp, listApps } from '../apps/store.ts';
import { fail, invalid } from '../errors.ts';
import { templateQueue } from './registrar.ts';
import { checkRegistration } from './registration.ts';
import {
  type NetworkTemplateRequest,
  networkTemplateRequest,
  type OwnTemplateRequest,
  ownTemplateRequest,
  templateCheck,
  templateId,
  templateView,
} from './schema.ts';
import {
  countTemplates,
  findTemplate,
  insertTemplate,
  listTemplates,
  type TemplateRow,
  templateStatuses,
  updateTemplate,
} from './store.ts';

export interface TemplateRoutesContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

interface Kind {
  readonly channel: Channel;
  readonly path: string;
  readonly tag: string;
  /** In operation ids. */
  readonly word: string;
}

const wa: Kind = { channel: 'wa', path: '/wa/v1/templates/', tag: 'Chat app', word: 'WaTemplate' };
/** Channels whose networks do not review templates: we fill them in ourselves. */
const own: readonly Kind[] = [
  { channel: 'sms', path: '/sms/v1/templates/', tag: 'SMS', word: 'SmsTemplate' },
  { channel: 'botchat', path: '/botchat/v1/templates/', tag: 'Bot chat', word: 'BotTemplate' },
  { channel: 'rcs', path: '/rcs/v1/templates/', tag: 'RCS', word: 'RcsTemplate' },
];

export function templateRoutes(context: TemplateRoutesContext): AnyRoute[] {
  return [
    ...[wa, ...own].flatMap((kind) => [
      listRoute(kind, context),
      getRoute(kind, context),
      deleteRoute(kind, context),
    ]),
    submitRoute(context),
    checkRoute(context),
    ...own.map((kind) => createRoute(kind, context)),
  ];
}

const query = pageQuery.extend({
  name: z.string().max(512).optional(),
  status: z.enum(templateStatuses).optional(),
});

function listRoute({ channel, path, tag, word }: Kind, { db }: TemplateRoutesContext) {
  const page = pageSchema(templateView, 'TemplatePage');
  return route({
    method: 'get',
    path,
    operationId: `list${word}s`,
    summary: 'List templates and how each stands, newest first',
    tag,
    auth: { scope: 'templates:read' },
    limit: 'read',
    request: { query },
    responses: { 200: { description: 'A page.', schema: page } },
    handler: async ({ query: { name = null, status = null, cursor, limit }, principal }) => {
      const scope = scopeOf(principal);
      const filter = { name, status, before: afterCursor(cursor, 'tpl') ?? null };
      const rows = await db.tenant(scope.tenantId, (tx) =>
        listTemplates(tx, scope, channel, filter, limit + 1),
      );
      return { status: 200, body: pageOf(rows, limit, (row) => row.id, show) };
    },
  });
}

const params = z.strictObject({ id: templateId });

function getRoute({ channel, path, tag, word }: Kind, { db }: TemplateRoutesContext) {
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
      const row = await readTemplate(db, scopeOf(principal), channel, id);
      return { status: 200, body: show(row) };
    },
  });
}

function deleteRoute({ channel, path, tag, word }: Kind, context: TemplateRoutesContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: `delete${word}`,
    summary: 'Remove a template',
    description: 'What is on its way with it is still sent. The network is told too.',
    tag,
    auth: { scope: 'templates:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It may not be sent any more.' } },
    errors: ['template_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const { db, jobs, clock } = context;
      const scope = scopeOf(principal);
      const { app_id, name } = await readTemplate(db, scope, channel, id);
      await db.tenant(scope.tenantId, async (tx) => {
        await updateTemplate(tx, scope, { id }, { ...nothing, status: 'deleted' }, clock());
        if (app_id === null) return;
        const payload = { environment: scope.environment, remove: { appId: app_id, name } };
        const job = { queue: templateQueue, key: `${id}/remove`, payload };
        await jobs.enqueue(tx, scope.tenantId, [job]);
      });
      return { status: 204 };
    },
  });
}

const nothing = { provider_id: null, status: null, category: null, quality: null, reason: null };

async function readTemplate(
  db: Db,
  scope: TenantScope,
  channel: Channel,
  id: string,
): Promise<TemplateRow> {
  const row = await db.tenant(scope.tenantId, (tx) => findTemplate(tx, scope, id));
  if (row?.channel !== channel) {
    throw fail('template_not_found', `There is no template "${id}" on this channel.`);
  }
  return row;
}

function submitRoute(context: TemplateRoutesContext) {
  const { path, tag } = wa;
  return route({
    method: 'post',
    path,
    operationId: 'submitWaTemplate',
    summary: 'Submit a template for the network’s approval',
    description:
      'What the network is known to refuse is refused here at once, with its code. The verdict ' +
      'takes minutes to a day: the event template.approved or template.rejected tells.',
    tag,
    auth: { scope: 'templates:write' },
    limit: 'write',
    request: { body: networkTemplateRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The template, pending.', schema: templateView } },
    errors: [
      'template_exists',
      'template_refused',
      'app_not_found',
      'idempotency_payload_mismatch',
    ],
    handler: async ({ body, principal, headers }) => {
      const { db, clock, random } = context;
      const scope = scopeOf(principal);
      const id = newId('tpl', clock, random);
      const made = await db
        .tenant(scope.tenantId, (tx) =>
          makeOnce(tx, scope, onceOf(`POST ${path}`, headers, body), {
            id,
            make: () => submit(tx, context, scope, id, body),
            find: (known) => findTemplate(tx, scope, known),
          }),
        )
        .catch(nameTaken);
      return {
        status: 201,
        body: show(made.row),
        headers: madeHeaders(`${path}${made.row.id}/`, made),
      };
    },
  });
}

function checkRoute({ db }: TemplateRoutesContext) {
  const { path, tag } = wa;
  return route({
    method: 'post',
    path: `${path}check/`,
    operationId: 'checkWaTemplate',
    summary: 'See what the network would refuse of a template, before it is submitted',
    description:
      'Nothing is kept. How many templates a number has is looked at where `app_id` names it.',
    tag,
    auth: { scope: 'templates:read' },
    unaudited: 'nothing is changed',
    limit: 'read',
    request: { body: networkTemplateRequest },
    responses: { 200: { description: 'What was found.', schema: templateCheck } },
    handler: async ({ body, principal }) => {
      const scope = scopeOf(principal);
      const { app_id: app } = body;
      const count =
        app === undefined
          ? 0
          : await db.tenant(scope.tenantId, (tx) => countTemplates(tx, scope, app));
      const definition = definitionOf(body);
      const found = lintTemplate(definition, { count, isVerified: false });
      const findings = found.map(({ field, message, code }) => ({ field, message, code }));
      return { status: 200, body: { findings, variables: [...variablesOf(definition.body)] } };
    },
  });
}

/** Stores the template, with a job that submits it. */
async function submit(
  tx: Tx,
  { jobs, clock }: TemplateRoutesContext,
  scope: TenantScope,
  id: string,
  body: NetworkTemplateRequest,
): Promise<TemplateRow> {
  const definition = definitionOf(body);
  const rows =
    body.app_id === undefined
      ? await listApps(tx, scope, 'wa', { after: '', limit: 2 })
      : [await findApp(tx, scope, body.app_id)].filter((row) => row?.channel === 'wa');
  const [app] = rows;
  if (app === undefined) throw appNotFound(body.app_id ?? '');
  if (rows.length > 1) throw invalid('app_id', 'is needed: there is more than one number');
  refuseFaults(definition, await countTemplates(tx, scope, app.id));
  await insertTemplate(tx, scope, {
    id,
    channel: 'wa',
    app_id: app.id,
    name: body.name,
    language: body.language,
    category: body.category,
    definition,
    registration: null,
    status: 'pending',
    created_at: clock(),
  });
  const payload = { environment: scope.environment };
  await jobs.enqueue(tx, scope.tenantId, [{ queue: templateQueue, key: id, payload }]);
  return (await findTemplate(tx, scope, id))!;
}

function definitionOf(body: NetworkTemplateRequest): Template {
  const { name, language, category, parameter_format, header, footer, buttons } = body;
  return {
    name,
    language,
    category,
    parameterFormat: parameter_format,
    body: body.body,
    ...given({
      header: header === undefined ? undefined : given(header),
      footer,
      buttons: buttons?.map((button) => given(button)),
      bodyExamples: body.body_examples,
    }),
  };
}

function refuseFaults(definition: Template, count: number): void {
  const findings = lintTemplate(definition, { count, isVerified: false });
  if (findings.length === 0) return;
  const errors: Record<string, string[]> = {};
  for (const { field, message, code } of findings) {
    errors[field] = [...(errors[field] ?? []), `${message} (${code})`];
  }
  const all = findings.map(({ field, message }) => `${field}: ${message}`);
  const detail = `The network would refuse it: ${all.join('; ')}.`;
  throw fail('template_refused', detail, { body: { errors } });
}

function createRoute({ channel, path, tag, word }: Kind, context: TemplateRoutesContext) {
  return route({
    method: 'post',
    path,
    operationId: `create${word}`,
    summary: 'Keep a text with places for values',
    description:
      channel === 'sms'
        ? 'For numbers in India it needs the registration under which the carriers know it.'
        : 'It may be sent at once: the network does not review it.',
    tag,
    auth: { scope: 'templates:write' },
    limit: 'write',
    request: { body: ownTemplateRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The template.', schema: templateView } },
    errors: ['template_exists', 'idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers }) => {
      const { db, clock, random } = context;
      const scope = scopeOf(principal);
      const registration = checkRegistration(body);
      const id = newId('tpl', clock, random);
      const made = await db
        .tenant(scope.tenantId, (tx) =>
          makeOnce(tx, scope, onceOf(`POST ${path}`, headers, body), {
            id,
            make: async () => {
              await insertTemplate(tx, scope, {
                id,
                channel,
                app_id: null,
                name: body.name,
                language: body.language,
                category: body.category,
                definition: ownDefinition(body),
                registration,
                status: 'approved',
                created_at: clock(),
              });
              return (await findTemplate(tx, scope, id))!;
            },
            find: (known) => findTemplate(tx, scope, known),
          }),
        )
        .catch(nameTaken);
      return {
        status: 201,
        body: show(made.row),
        headers: madeHeaders(`${path}${made.row.id}/`, made),
      };
    },
  });
}

function ownDefinition({ name, language, category, body }: OwnTemplateRequest): Template {
  const isPositional = variablesOf(body).every((variable) => /^\d+$/.test(variable));
  const parameterFormat = isPositional ? 'positional' : 'named';
  return { name, language, category, parameterFormat, body };
}

function nameTaken(error: unknown): never {
  if (faultOf(error).code !== 'duplicate') throw error;
  throw fail('template_exists', 'A template with this name and language already exists.');
}

function show(row: TemplateRow) {
  const { registration, definition } = row;
  return {
    id: row.id,
    channel: row.channel,
    app_id: row.app_id,
    name: row.name,
    language: row.language,
    category: row.category,
    status: row.status,
    reason: row.reason,
    quality: row.quality,
    body: definition.body,
    variables: [...variablesOf(definition.body)],
    definition: definition as unknown as Record<string, unknown>,
    registration:
      registration === null
        ? null
        : {
            entity_id: registration.entityId,
            template_id: registration.templateId,
            header: registration.header,
            type: registration.type,
          },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
