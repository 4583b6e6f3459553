import { toldIssues, wordsOf } from '@drawbridge/input-faults/issue-words.ts';
import type { Channel as ChannelWord } from '@drawbridge/messaging/message.ts';
import { z } from 'zod';
import type { WireResponse } from '../../channels/contract.ts';
import { channelById, channels } from '../../channels/registry.ts';
import { scopeOf, type TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
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
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import { maskedPath, maskSettings } from '../../platform/secrets/masked.ts';
import {
  mergedSettings,
  neededAgain,
  secretSentElsewhere,
} from '../../platform/secrets/merged-settings.ts';
import { fail, invalid } from '../errors.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import { type AppOpener, webhookAddresses } from './app-opener.ts';
import { appId, appPatch, appRequestOf, appView } from './schema.ts';
import { type AppRow, deleteApp, findApp, insertApp, listApps, updateApp } from './store.ts';

export interface AppRoutesContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
}

/** What differs by channel: the path of its apps, and their name. */
interface Kind {
  readonly channel: ChannelWord;
  readonly path: string;
  readonly tag: string;
  /** In operation ids. */
  readonly word: string;
  readonly plural: string;
}

const kinds: readonly Kind[] = [
  { channel: 'wa', path: '/wa/v1/apps/', tag: 'Chat app', word: 'WaApp', plural: 'numbers' },
  { channel: 'sms', path: '/sms/v1/apps/', tag: 'SMS', word: 'SmsApp', plural: 'SMS apps' },
  { channel: 'botchat', path: '/botchat/v1/bots/', tag: 'Bot chat', word: 'Bot', plural: 'bots' },
  { channel: 'rcs', path: '/rcs/v1/apps/', tag: 'RCS', word: 'RcsApp', plural: 'RCS apps' },
];

const params = z.strictObject({ id: appId });
const appPage = pageSchema(appView, 'AppPage');

/** The numbers, bots and agents of every channel: the same routes on four paths. */
export function appRoutes(context: AppRoutesContext): AnyRoute[] {
  return kinds.flatMap((kind) => [
    listRoute(kind, context),
    createRoute(kind, context),
    getRoute(kind, context),
    patchRoute(kind, context),
    deleteRoute(kind, context),
  ]);
}

function listRoute({ channel, path, tag, word, plural }: Kind, context: AppRoutesContext) {
  return route({
    method: 'get',
    path,
    operationId: `list${word}s`,
    summary: `List ${plural}, oldest first`,
    tag,
    auth: { scope: 'channels:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: { 200: { description: 'A page.', schema: appPage } },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(query, 'app');
      const { db } = context;
      const rows = await db.tenant(scope.tenantId, (tx) => listApps(tx, scope, channel, page));
      const shown = (row: AppRow) => show(context, scope, row);
      return { status: 200, body: pageOf(page, rows, (row) => row.id, shown) };
    },
  });
}

function createRoute({ channel, path, tag, word }: Kind, context: AppRoutesContext) {
  const own = channels.filter((each) => each.channel === channel);
  const body = appRequestOf(
    own.map(({ id }) => id),
    `${word}Request`,
  );
  return route({
    method: 'post',
    path,
    operationId: `create${word}`,
    summary: 'Connect an account at a provider',
    description: own.map(({ id, settings }) => settingsHelp(id, settings)).join('\n\n'),
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { body, headers: idempotencyHeaders },
    responses: { 201: { description: 'The app.', schema: appView } },
    errors: ['app_exists', 'provider_refused', 'idempotency_payload_mismatch'],
    handler: async ({ body: request, principal, headers, audit }) => {
      const { db, appOpener, clock, random } = context;
      const scope = scopeOf(principal);
      const { provider, name, allow_unsigned, resend_unknown } = request;
      const defaults = appOpener.defaults(scope.environment, provider);
      const settings = checkSettings(provider, { ...defaults, ...request.settings });
      const id = newId('app', clock, random);
      const sealed = appOpener.seal(id, settings);
      const row = { id, channel, provider, name, settings: sealed, allow_unsigned, resend_unknown };
      const made = await db
        .tenant(scope.tenantId, (tx) =>
          makeOnce(tx, scope, onceOf(`POST ${path}`, headers, request), {
            id,
            make: async () => {
              await insertApp(tx, scope, { ...row, created_at: clock() });
              const added = (await findApp(tx, scope, id))!;
              const after = show(context, scope, added);
              await audit.record(tx, scope.tenantId, { subject: id, after });
              return added;
            },
            find: (known) => findApp(tx, scope, known),
          }),
        )
        .catch(nameTaken);
      // A repeat registers the address again: the provider may have missed the first request.
      await connect(context, scope, made.row);
      return {
        status: 201,
        body: show(context, scope, made.row),
        headers: madeHeaders(`${path}${made.row.id}/`, made),
      };
    },
  });
}

function getRoute({ channel, path, tag, word }: Kind, context: AppRoutesContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: `get${word}`,
    summary: 'Read an app',
    tag,
    auth: { scope: 'channels:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The app.', schema: appView } },
    errors: ['app_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      return {
        status: 200,
        body: show(context, scope, await readApp(context.db, scope, channel, id)),
      };
    },
  });
}

function patchRoute({ channel, path, tag, word }: Kind, context: AppRoutesContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: `update${word}`,
    summary: 'Change an app',
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { params, body: appPatch },
    responses: { 200: { description: 'The app as it is now.', schema: appView } },
    errors: ['app_not_found', 'app_exists', 'provider_refused'],
    handler: async ({ params: { id }, body, principal, audit }) => {
      const { db, appOpener, clock } = context;
      const scope = scopeOf(principal);
      const before = await readApp(db, scope, channel, id);
      const settings =
        body.settings === undefined
          ? undefined
          : changedSettings(before.provider, appOpener.settingsOf(before), body.settings);
      const change = {
        name: body.name ?? null,
        settings: settings === undefined ? null : appOpener.seal(id, settings),
        allow_unsigned: body.allow_unsigned ?? null,
        resend_unknown: body.resend_unknown ?? null,
        state: body.state ?? null,
      };
      const row = await db
        .tenant(scope.tenantId, async (tx) => {
          const after = await updateApp(tx, scope, id, change, clock());
          if (after === undefined) throw appNotFound(id);
          await audit.record(tx, scope.tenantId, {
            subject: id,
            before: show(context, scope, before),
            after: show(context, scope, after),
          });
          return after;
        })
        .catch(nameTaken);
      if (settings !== undefined) await connect(context, scope, row);
      return { status: 200, body: show(context, scope, row) };
    },
  });
}

function deleteRoute({ channel, path, tag, word }: Kind, context: AppRoutesContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: `delete${word}`,
    summary: 'Remove an app',
    description: 'Its credentials are erased and its webhooks refused; its messages stay.',
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It was removed.' } },
    errors: ['app_not_found'],
    handler: async ({ params: { id }, principal, audit }) => {
      const { db, clock } = context;
      const scope = scopeOf(principal);
      const before = show(context, scope, await readApp(db, scope, channel, id));
      await db.tenant(scope.tenantId, async (tx) => {
        await deleteApp(tx, scope, id, clock());
        await audit.record(tx, scope.tenantId, { subject: id, before });
      });
      return { status: 204 };
    },
  });
}

/** The app, or 404, also for one of another tenant, environment or channel. */
async function readApp(
  db: Db,
  scope: TenantScope,
  channel: ChannelWord,
  id: string,
): Promise<AppRow> {
  const row = await db.tenant(scope.tenantId, (tx) => findApp(tx, scope, id));
  if (row?.channel !== channel) throw appNotFound(id);
  return row;
}

export function appNotFound(id: string) {
  return fail('app_not_found', `There is no app "${id}" on this channel.`);
}

/** Registers the webhook address with the provider, where this is a call. */
async function connect({ appOpener, calls }: AppRoutesContext, scope: TenantScope, row: AppRow) {
  const opened = appOpener.open(scope, row);
  await appOpener.prepare(scope, opened);
  const { channel, app } = opened;
  const answers: WireResponse[] = [];
  for (let count = 0; channel.connect !== undefined && count < stepsMax; count += 1) {
    const step = channel.connect(app, answers);
    if (step.kind === 'done') return;
    if (step.kind === 'refused') throw notConnected(row, step.reason);
    const answer = await calls.exchange(scope.environment, row.provider, step.request);
    if (answer.kind !== 'answered') throw notConnected(row, answer.reason);
    if (answer.response.status >= 300) throw notConnected(row, `HTTP ${answer.response.status}`);
    answers.push(answer.response);
  }
}

/** More steps than any provider needs. */
const stepsMax = 5;

function notConnected(row: AppRow, why: string) {
  return fail(
    'provider_refused',
    `The app is kept, but its provider did not take the webhook address: ${why}. ` +
      'Correct the settings with PATCH; this registers the address again.',
    { body: { app_id: row.id } },
  );
}

/** Settings as the provider's schema reads them. Throws `invalid_request`. */
function checkSettings(provider: string, settings: Readonly<Record<string, unknown>>): unknown {
  const shown = maskedPath(settings);
  if (shown !== undefined) {
    throw invalid(`settings.${shown}`, 'is the mask of a secret: send the secret again');
  }
  const { settings: schema } = channelById(provider);
  const known = new Set(Object.keys(z.toJSONSchema(schema, { io: 'input' }).properties ?? {}));
  const unknown = Object.keys(settings).find((name) => !known.has(name));
  if (unknown !== undefined) throw invalid(`settings.${unknown}`, 'is not one of this provider');
  const parsed = schema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const errors: Record<string, string[]> = {};
  for (const issue of toldIssues(parsed.error.issues)) {
    const at = ['settings', ...issue.path.map(String)].join('.');
    errors[at] = [...(errors[at] ?? []), wordsOf(issue)];
  }
  const sentence = Object.entries(errors).map(([at, why]) => `${at}: ${why.join(', ')}`);
  throw fail('invalid_request', sentence.join('; '), { body: { errors } });
}

/** Throws `invalid_request`, also where a secret that is not sent again would go to another address. */
function changedSettings(
  provider: string,
  held: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
): unknown {
  const left = secretSentElsewhere(channelById(provider).settings, held, change);
  if (left !== undefined) throw invalid(`settings.${left.secret}`, neededAgain(left));
  return checkSettings(provider, mergedSettings(held, change));
}

/** The settings of a provider, one sentence each, for the OpenAPI file. */
function settingsHelp(provider: string, schema: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const rows = Object.entries(properties).map(([name, field]) => {
    const { description } = field as { readonly description?: string };
    const isNeeded = required.includes(name) ? '' : ' (optional)';
    return `\`${name}\`${isNeeded}${description === undefined ? '' : `: ${description}`}`;
  });
  return `Settings of \`${provider}\`: ${rows.join('; ')}.`;
}

function nameTaken(error: unknown): never {
  if (faultOf(error).code !== 'duplicate') throw error;
  throw fail('app_exists', 'Another app of this channel has the name.');
}

function show({ appOpener }: AppRoutesContext, scope: TenantScope, row: AppRow) {
  const { channel, app } = appOpener.open(scope, row);
  const { count, perMs } = channel.limits(app).app;
  const addresses = webhookAddresses(row.channel, app);
  const isManual = channel.connect === undefined || channel.connect(app, []).kind === 'done';
  return {
    id: row.id,
    channel: row.channel,
    provider: row.provider,
    name: row.name,
    state: row.state,
    stopped_reason: row.stopped_reason,
    quality: row.health.quality ?? null,
    tier: row.health.tier ?? null,
    settings: maskSettings(channel.settings, app.settings as Record<string, unknown>),
    allow_unsigned: row.allow_unsigned,
    resend_unknown: row.resend_unknown,
    inbound_url: addresses.inbound,
    status_url: channel.farthest === 'sent' ? null : addresses.status,
    url_registration: isManual ? 'manual' : 'automatic',
    url_help: isManual ? (channel.consoleHelp ?? null) : null,
    last_inbound_at: row.last_inbound_at?.toISOString() ?? null,
    last_status_at: row.last_status_at?.toISOString() ?? null,
    guarantee: channel.guarantee.kind,
    messages_per_second: (count * 1_000) / perMs,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
