/** Templates of the channel whose network reviews each before it may be sent. */
import { type Template, variablesOf } from '@drawbridge/messaging/template.ts';
import { lintTemplate } from '@drawbridge/messaging/template-lint.ts';
import { z } from 'zod';
import type { TemplateRegistry } from '../../channels/contract.ts';
import { given } from '../../channels/untrusted-input.ts';
import { scopeOf, type TenantScope } from '../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import { findAppOrSuccessor } from '../apps/app-or-successor.ts';
import { appNotFound } from '../apps/routes.ts';
import { type AppRow, findApp, listApps } from '../apps/store.ts';
import { fail, invalid } from '../errors.ts';
import type { TemplateRoutesContext } from './context.ts';
import { nameTaken, requireTemplate } from './faults.ts';
import { reviewed } from './kinds.ts';
import { templateQueue } from './registrar.ts';
import {
  type NetworkTemplatePatch,
  type NetworkTemplateRequest,
  networkTemplatePatch,
  networkTemplateRequest,
  templateCheck,
  templateId,
  templateView,
} from './schema.ts';
import { show } from './show.ts';
import {
  changeAnswerMs,
  changeTemplate,
  countTemplates,
  findTemplate,
  insertTemplate,
  type TemplateRow,
} from './store.ts';

const { channel, path, tag } = reviewed;

export function reviewedTemplateRoutes(context: TemplateRoutesContext): AnyRoute[] {
  return [submitRoute(context), checkRoute(context), changeRoute(context)];
}

function submitRoute(context: TemplateRoutesContext) {
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
      ? await listApps(tx, scope, channel, firstRows(2))
      : [await findApp(tx, scope, body.app_id)].filter((row) => row?.channel === channel);
  const [app] = rows;
  if (app === undefined) throw appNotFound(body.app_id ?? '');
  if (rows.length > 1) throw invalid('app_id', 'is needed: there is more than one number');
  refuseFaults(definition, await countTemplates(tx, scope, app.id));
  await insertTemplate(tx, scope, {
    id,
    channel,
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

function changeRoute(context: TemplateRoutesContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateWaTemplate',
    summary: 'Change a template, and submit it for approval again',
    description:
      'What is not named stays as it is, null takes a part away; name and language never change. The ' +
      'network takes changes of approved, rejected and paused templates, of an approved one once a day, ' +
      'ten times a month and never of its category. The template is `pending` until the verdict: a ' +
      'broadcast whose time comes meanwhile fails, and one under way pauses. Both wait for half a minute first, ' +
      'as the network may refuse the change.',
    tag,
    auth: { scope: 'templates:write' },
    limit: 'write',
    request: { params: z.strictObject({ id: templateId }), body: networkTemplatePatch },
    responses: { 200: { description: 'The template, pending.', schema: templateView } },
    errors: [
      'template_not_found',
      'template_in_review',
      'template_refused',
      'app_not_found',
      'network_unreachable',
    ],
    handler: async ({ params: { id }, body, principal }) => {
      const scope = scopeOf(principal);
      const { before, after, app } = await keepChange(context, scope, id, body);
      // What the network never had is submitted as a new one is, by the registrar.
      if (before.provider_id !== null) {
        await sendChange(context, scope, { before, after, app });
      }
      return { status: 200, body: show(after) };
    },
  });
}

interface KeptChange {
  readonly before: TemplateRow;
  readonly after: TemplateRow;
  readonly app: AppRow;
}

const changeable: readonly string[] = ['approved', 'rejected', 'paused'];

/**
 * Stores the change as pending before the network is asked, so that another one has to wait; a job asks
 * the network how the template stands, also when this process ends before it has an answer.
 */
async function keepChange(
  { db, jobs, clock }: TemplateRoutesContext,
  scope: TenantScope,
  id: string,
  patch: NetworkTemplatePatch,
): Promise<KeptChange> {
  return db.tenant(scope.tenantId, async (tx) => {
    const before = requireTemplate(await findTemplate(tx, scope, id, 'for update'), channel, id);
    if (!changeable.includes(before.status)) {
      const detail = `The network takes no change of a template that is ${before.status}.`;
      throw fail('template_in_review', detail);
    }
    const app = await findAppOrSuccessor(tx, scope, channel, before.app_id ?? '');
    if (app === undefined) throw appNotFound(before.app_id ?? '');
    const definition = changed(before.definition, patch);
    if (before.status === 'approved' && definition.category !== before.category) {
      throw invalid('category', 'of an approved template never changes');
    }
    refuseFaults(definition, 0);
    const now = clock();
    const wanted = { ...before, definition, status: 'pending', reason: null } as const;
    const after = await changeTemplate(tx, scope, wanted, now);
    const isHeld = before.provider_id !== null;
    const runAt = isHeld ? new Date(now.getTime() + changeAnswerMs) : now;
    const payload = { environment: scope.environment };
    await jobs.enqueue(tx, scope.tenantId, [{ queue: templateQueue, key: id, payload, runAt }]);
    return { before, after, app };
  });
}

function changed(template: Template, patch: NetworkTemplatePatch): Template {
  const { body, category, header, footer, buttons, body_examples: examples } = patch;
  const { name, language, parameterFormat, ...parts } = template;
  return {
    name,
    language,
    parameterFormat,
    body: body ?? parts.body,
    category: category ?? parts.category,
    ...given({
      header: header === undefined ? parts.header : header === null ? undefined : given(header),
      footer: footer === undefined ? parts.footer : (footer ?? undefined),
      buttons: buttons === undefined ? parts.buttons : buttons?.map((button) => given(button)),
      bodyExamples: examples === undefined ? parts.bodyExamples : (examples ?? undefined),
    }),
  };
}

/** Throws, with everything as it was before, when the network does not say that it took the change. */
async function sendChange(
  { db, appOpener, calls, clock }: TemplateRoutesContext,
  scope: TenantScope,
  { before, after, app: appRow }: KeptChange,
): Promise<void> {
  const { channel: adapter, app } = appOpener.open(scope, appRow);
  const registry = adapter.templates as TemplateRegistry<unknown>;
  const request = registry.change(before.provider_id!, after.definition, app);
  const answer = await calls.exchange(scope.environment, adapter.id, request);
  const outcome =
    answer.kind === 'answered'
      ? registry.readChange(answer.response, clock())
      : ({ kind: 'retry', reason: answer.reason } as const);
  if (outcome.kind === 'done' || outcome.kind === 'held') return;
  await db.tenant(scope.tenantId, (tx) => changeTemplate(tx, scope, before, clock()));
  if (outcome.kind === 'refused') {
    throw fail('template_refused', `The network refused it: ${outcome.code}: ${outcome.detail}`);
  }
  const unknown = answer.kind === 'unsent' ? '' : ' Whether it took the change is not known.';
  const detail = `The network did not answer as it should (${outcome.reason}).${unknown} Send it again.`;
  throw fail('network_unreachable', detail);
}
