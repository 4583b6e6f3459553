/** Templates of channels whose networks review none: we fill them in ourselves. */
import { type Template, variablesOf } from '@drawbridge/messaging/template.ts';
import { z } from 'zod';
import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import type { TemplateRoutesContext } from './context.ts';
import { nameTaken, requireTemplate } from './faults.ts';
import type { TemplateKind } from './kinds.ts';
import { checkRegistration } from './registration.ts';
import {
  type OwnTemplatePatch,
  type OwnTemplateRequest,
  ownTemplatePatch,
  ownTemplateRequest,
  templateId,
  templateView,
} from './schema.ts';
import { show, showRegistration } from './show.ts';
import { changeTemplate, findTemplate, insertTemplate, type TemplateRow } from './store.ts';

export function ownTemplateRoutes(kind: TemplateKind, context: TemplateRoutesContext): AnyRoute[] {
  return [createRoute(kind, context), changeRoute(kind, context)];
}

function createRoute({ channel, path, tag, word }: TemplateKind, context: TemplateRoutesContext) {
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

function changeRoute(
  { channel, path, tag, word }: TemplateKind,
  { db, clock }: TemplateRoutesContext,
) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: `update${word}`,
    summary: 'Change a template',
    description:
      'Messages that wait to be sent keep their words. A broadcast that waits for its time goes out ' +
      'in the new words, and fails when it does not say where a new variable comes from.',
    tag,
    auth: { scope: 'templates:write' },
    limit: 'write',
    request: { params: z.strictObject({ id: templateId }), body: ownTemplatePatch },
    responses: { 200: { description: 'The template as it is now.', schema: templateView } },
    errors: ['template_not_found', 'template_exists'],
    handler: async ({ params: { id }, body, principal, audit }) => {
      const scope = scopeOf(principal);
      const change = db.tenant(scope.tenantId, async (tx) => {
        const found = await findTemplate(tx, scope, id, 'for update');
        const before = requireTemplate(found, channel, id);
        const request = merged(before, body);
        const registration = checkRegistration(request);
        const definition = ownDefinition(request);
        const wanted = { ...before, definition, registration };
        const after = await changeTemplate(tx, scope, wanted, clock());
        await audit.record(tx, scope.tenantId, {
          subject: id,
          before: show(before),
          after: show(after),
        });
        return after;
      });
      return { status: 200, body: show(await change.catch(nameTaken)) };
    },
  });
}

/** The request that would make the template as it shall be. */
function merged(before: TemplateRow, patch: OwnTemplatePatch): OwnTemplateRequest {
  const { name, language, category, definition } = before;
  const kept = before.registration === null ? undefined : showRegistration(before.registration);
  const { registration = kept } = patch;
  return {
    name: patch.name ?? name,
    language: patch.language ?? language,
    category: patch.category ?? category,
    body: patch.body ?? definition.body,
    registration: registration ?? undefined,
  };
}

function ownDefinition({ name, language, category, body }: OwnTemplateRequest): Template {
  const isPositional = variablesOf(body).every((variable) => /^\d+$/.test(variable));
  const parameterFormat = isPositional ? 'positional' : 'named';
  return { name, language, category, parameterFormat, body };
}
