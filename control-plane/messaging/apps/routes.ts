import type { Channel as ChannelWord } from '@drawbridge/messaging/message.ts';
import { z } from 'zod';
import { channelById, channels } from '../../channels/registry.ts';
import type { Db } from '../../platform/db/database.ts';
import { faultOf } from '../../platform/db/errors.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import { maskedPath, maskSettings } from '../../platform/secrets/masked.ts';
import { placeOf } from '../contacts/place.ts';
import type { Place } from '../contacts/store.ts';
import { fail, invalid } from '../errors.ts';
import { afterCursor, pageQuery, pageSchema } from '../paging.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import type { AppDesk } from './desk.ts';
import { appId, appPatch, appRequestOf, appView } from './schema.ts';
import { type AppRow, deleteApp, findApp, insertApp, listApps, updateApp } from './store.ts';

export interface AppRoutesContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly desk: AppDesk;
  readonly calls: ProviderCalls;
}

/** What is told apart by channel: where its apps are, and what they are called. */
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
const page = pageSchema(appView, 'AppPage');

/** The numbers, bots and agents of every channel: the same routes at four paths. */
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
    responses: { 200: { description: 'A page.', schema: page } },
    handler: async ({ query: { cursor, limit }, principal }) => {
      const place = placeOf(principal);
      const after = { after: afterCursor(cursor, 'app') ?? '', limit: limit + 1 };
      const { db } = context;
      const rows = await db.tenant(place.tenantId, (tx) => listApps(tx, place, channel, after));
      const shown = (row: AppRow) => show(context, place, row);
      return { status: 200, body: pageOf(rows, limit, (row) => row.id, shown) };
    },
  });
}

function createRoute({ channel, path, tag, word }: Kind, context: AppRoutesContext) {
  const own = channels.filter((each) => each.channel === channel);
  const body = appRequestOf(...([own.map(({ id }) => id), `${word}Request`] as const));
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
    handler: async ({ body: request, principal, headers }) => {
      const { db, desk, clock, random } = context;
      const place = placeOf(principal);
      const { provider, name, allow_unsigned, resend_unknown } = request;
      const defaults = desk.defaults(place.environment, provider);
      const settings = checkSettings(provider, { ...defaults, ...request.settings });
      const id = newId('app', clock, random);
      const sealed = desk.seal(id, settings);
      const row = { id, channel, provider, name, settings: sealed, allow_unsigned, resend_unknown };
      const made = await db
        .tenant(place.tenantId, (tx) =>
          makeOnce(tx, place, onceOf(`POST ${path}`, headers, request), {
            id,
            make: async () => {
              await insertApp(tx, place, { ...row, created_at: clock() });
              return (await findApp(tx, place, id))!;
            },
            find: (known) => findApp(tx, place, known),
          }),
        )
        .catch(nameTaken);
      // A repeat tells the provider again: the first time it may not have taken it.
      await connect(context, place, made.row);
      return {
        status: 201,
        body: show(context, place, made.row),
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
      const place = placeOf(principal);
      return {
        status: 200,
        body: show(context, place, await readApp(context.db, place, channel, id)),
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
    handler: async ({ params: { id }, body, principal }) => {
      const { db, desk, clock } = context;
      const place = placeOf(principal);
      const before = await readApp(db, place, channel, id);
      const settings =
        body.settings === undefined
          ? undefined
          : checkSettings(before.provider, { ...desk.settingsOf(before), ...body.settings });
      const change = {
        name: body.name ?? null,
        settings: settings === undefined ? null : desk.seal(id, settings),
        allow_unsigned: body.allow_unsigned ?? null,
        resend_unknown: body.resend_unknown ?? null,
        state: body.state ?? null,
      };
      const row = await db
        .tenant(place.tenantId, (tx) => updateApp(tx, place, id, change, clock()))
        .catch(nameTaken);
      if (row === undefined) throw appNotFound(id);
      if (settings !== undefined) await connect(context, place, row);
      return { status: 200, body: show(context, place, row) };
    },
  });
}

function deleteRoute({ channel, path, tag, word }: Kind, { db, clock }: AppRoutesContext) {
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
    responses: { 204: { description: 'It is gone.' } },
    errors: ['app_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const place = placeOf(principal);
      await readApp(db, place, channel, id);
      await db.tenant(place.tenantId, (tx) => deleteApp(tx, place, id, clock()));
      return { status: 204 };
    },
  });
}

/** The app, or 404: one of another tenant, environment or channel is as missing as none. */
export async function readApp(
  db: Db,
  place: Place,
  channel: ChannelWord,
  id: string,
): Promise<AppRow> {
  const row = await db.tenant(place.tenantId, (tx) => findApp(tx, place, id));
  if (row?.channel !== channel) throw appNotFound(id);
  return row;
}

export function appNotFound(id: string) {
  return fail('app_not_found', `There is no app "${id}" on this channel.`);
}

/** Tells the provider where webhooks go, where that is a call. */
async function connect({ desk, calls }: AppRoutesContext, place: Place, row: AppRow) {
  const opened = desk.open(place, row);
  await desk.prepare(place, opened);
  const request = opened.channel.connect?.(opened.app);
  if (request === undefined) return;
  const answer = await calls.exchange(place.environment, row.provider, request);
  if (answer.kind === 'answered' && answer.response.status < 300) return;
  const why = answer.kind === 'answered' ? `HTTP ${answer.response.status}` : answer.reason;
  throw fail(
    'provider_refused',
    `The app is kept, but its provider did not take the webhook address: ${why}. ` +
      'Mend the settings with PATCH; that tells the provider again.',
    { body: { app_id: row.id } },
  );
}

/** Settings as the provider's schema reads them. Throws `invalid_request`. */
function checkSettings(provider: string, settings: Readonly<Record<string, unknown>>): unknown {
  const shown = maskedPath(settings);
  if (shown !== undefined) {
    throw invalid(`settings.${shown}`, 'holds the mask that stands for a secret: send it anew');
  }
  const { settings: schema } = channelById(provider);
  const known = new Set(Object.keys(z.toJSONSchema(schema, { io: 'input' }).properties ?? {}));
  const unknown = Object.keys(settings).find((name) => !known.has(name));
  if (unknown !== undefined) throw invalid(`settings.${unknown}`, 'is none of this provider');
  const parsed = schema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const errors: Record<string, string[]> = {};
  for (const { path, message } of parsed.error.issues) {
    const at = ['settings', ...path.map(String)].join('.');
    errors[at] = [...(errors[at] ?? []), message];
  }
  const sentence = Object.entries(errors).map(([at, why]) => `${at}: ${why.join(', ')}`);
  throw fail('invalid_request', sentence.join('; '), { body: { errors } });
}

/** A provider's settings in a sentence each, for the OpenAPI file. */
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

function show({ desk }: AppRoutesContext, place: Place, row: AppRow) {
  const { channel, app } = desk.open(place, row);
  const { count, perMs } = channel.limits(app).app;
  return {
    id: row.id,
    channel: row.channel,
    provider: row.provider,
    name: row.name,
    state: row.state,
    stopped_reason: row.stopped_reason,
    quality: row.standing.quality ?? null,
    tier: row.standing.tier ?? null,
    settings: maskSettings(channel.settings, desk.settingsOf(row) as Record<string, unknown>),
    allow_unsigned: row.allow_unsigned,
    resend_unknown: row.resend_unknown,
    webhook_url: app.callbackUrl,
    guarantee: channel.guarantee.kind,
    messages_per_second: (count * 1_000) / perMs,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
