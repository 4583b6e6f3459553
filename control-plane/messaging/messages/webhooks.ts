/** Where networks call in: each is known by its own signature, never by a key of ours. */
import type { IncomingMessage } from 'node:http';
import type { Channel as ChannelWord } from '@drawbridge/messaging/message.ts';
import { z } from 'zod';
import type { Verification, WebhookRequest } from '../../channels/contract.ts';
import { given } from '../../channels/reading.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import { commonFail } from '../../platform/http/errors.ts';
import { readBytes } from '../../platform/http/json-body.ts';
import { type AnyRoute, type Reply, route } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/ids.ts';
import type { AppDesk, OpenedApp } from '../apps/desk.ts';
import { appNotFound } from '../apps/routes.ts';
import { appId } from '../apps/schema.ts';
import { findApp, findOwner, listApps } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import { fail } from '../errors.ts';
import { Together } from '../together.ts';
import type { Intake } from './intake.ts';

export interface WebhooksContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly desk: AppDesk;
  readonly intake: Intake;
  readonly publicUrl: (environment: Environment) => string;
}

/** The chat app sends batches of up to 3 MB. */
const bodyBytesMax = 4_000_000;
const reason = 'Networks call it; each request is proven by the network’s own signature.';
/** Numbers of one tenant that share an address on the chat app. */
const appsMax = 200;

interface Kind {
  readonly channel: ChannelWord;
  readonly path: string;
  readonly tag: string;
  readonly word: string;
}

const kinds: readonly Kind[] = [
  { channel: 'sms', path: '/sms/v1/webhooks/{app_id}/inbound/', tag: 'SMS', word: 'InboundSms' },
  { channel: 'sms', path: '/sms/v1/webhooks/{app_id}/dlr/', tag: 'SMS', word: 'SmsReport' },
  {
    channel: 'botchat',
    path: '/botchat/v1/webhooks/{app_id}/',
    tag: 'Bot chat',
    word: 'BotUpdate',
  },
  { channel: 'rcs', path: '/rcs/v1/webhooks/{app_id}/', tag: 'RCS', word: 'RcsEvent' },
];

export function webhookRoutes(context: WebhooksContext): AnyRoute[] {
  return [
    ...kinds.flatMap((kind) => [
      appRoute('post', kind, context),
      // Some gateways report by GET.
      ...(kind.channel === 'sms' ? [appRoute('get', kind, context)] : []),
    ]),
    waRoute('get', context),
    waRoute('post', context),
  ];
}

const responses = {
  200: { description: 'It is written down.', mediaType: 'text/plain; charset=utf-8' },
};
const errors = ['webhook_refused', 'verify_token_wrong', 'app_not_found', 'payload_too_large'];

function appRoute(
  method: 'get' | 'post',
  { channel, path, tag, word }: Kind,
  context: WebhooksContext,
) {
  const together = new Together<Known | undefined>();
  return route({
    method,
    path,
    operationId: method === 'post' ? `receive${word}` : `receive${word}ByGet`,
    summary: 'A provider tells of messages or reports',
    tag,
    auth: { public: reason },
    request: { params: z.strictObject({ app_id: appId }) },
    responses,
    errors,
    handler: async ({ params: { app_id: id }, environment, raw }): Promise<Reply> => {
      const known = await together.get(id, () => knownApp(context, id));
      // An app of one environment is not there in the other.
      const isHere = known?.place.environment === environment;
      if (!isHere || known.opened.row.channel !== channel) throw appNotFound(id);
      const request = await received(raw, context.publicUrl(environment));
      return take(context, known.place, [known.opened], request);
    },
  });
}

interface Known {
  readonly place: Place;
  readonly opened: OpenedApp;
}

async function knownApp({ db, desk }: WebhooksContext, id: string): Promise<Known | undefined> {
  const owner = await db.system((tx) => findOwner(tx, id));
  if (owner === undefined) return undefined;
  const { tenant_id: tenantId, environment } = owner;
  const place = { tenantId, environment };
  const row = await db.tenant(tenantId, (tx) => findApp(tx, place, id));
  return row === undefined ? undefined : { place, opened: desk.open(place, row) };
}

function waRoute(method: 'get' | 'post', context: WebhooksContext) {
  const together = new Together<readonly OpenedApp[]>();
  return route({
    method,
    path: '/wa/v1/webhooks/{tenant_id}/',
    operationId: method === 'post' ? 'receiveWaWebhook' : 'verifyWaWebhook',
    summary: method === 'post' ? 'The network tells of messages' : 'The network tries the address',
    tag: 'Chat app',
    auth: { public: reason },
    request: { params: z.strictObject({ tenant_id: z.uuid() }) },
    responses,
    errors,
    handler: async ({ params, environment, raw }): Promise<Reply> => {
      const place = { tenantId: params.tenant_id.toLowerCase(), environment };
      const key = `${place.tenantId} ${environment}`;
      const opened = await together.get(key, () => knownNumbers(context, place));
      // A tenant that is not there is answered as one whose signature does not fit.
      const request = await received(raw, context.publicUrl(environment));
      return take(context, place, opened, request);
    },
  });
}

async function knownNumbers({ db, desk }: WebhooksContext, place: Place): Promise<OpenedApp[]> {
  const rows = await db.tenant(place.tenantId, (tx) =>
    listApps(tx, place, 'wa', { after: '', limit: appsMax }),
  );
  return rows.map((row) => desk.open(place, row));
}

async function received(raw: IncomingMessage, base: string): Promise<WebhookRequest> {
  const { method, url = '/' } = raw;
  const headers = Object.entries(raw.headers).map(([name, value]) => {
    return [name, Array.isArray(value) ? value.join(', ') : value] as const;
  });
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    url: base + url,
    headers: Object.fromEntries(headers),
    body: method === 'GET' ? new Uint8Array() : await readBytes(raw, bodyBytesMax),
  };
}

/** Takes it for the first of the apps that it is proven for. */
async function take(
  { clock, intake }: WebhooksContext,
  place: Place,
  apps: readonly OpenedApp[],
  request: WebhookRequest,
): Promise<Reply> {
  const verdicts = apps.map((opened) => {
    return { opened, verdict: opened.channel.verify(request, opened.app, clock()) };
  });
  const proven = verdicts.find(({ verdict }) => verdict.kind !== 'refused');
  const lenient = verdicts.find(({ opened }) => opened.row.allow_unsigned);
  const { opened, verdict } = proven ?? lenient ?? refuse(verdicts[0]?.verdict, request.method);
  if (verdict.kind === 'answer') return { status: 200, body: verdict.body };
  if (request.method === 'GET' && verdict.kind === 'refused') return refuse(verdict, 'GET');
  const reading = opened.channel.events(request);
  if (reading.kind === 'malformed') {
    throw commonFail('invalid_request', `The webhook cannot be read: ${reading.reason}.`);
  }
  const once = verdict.kind === 'ok' ? verdict.once : undefined;
  for (const [own, events] of ofApps(apps, opened, reading.events)) {
    const isNew = await intake.take(place, { opened: own, events, ...given({ once }) });
    if (!isNew) throw fail('webhook_refused', 'The proof of this webhook was used before.');
  }
  return { status: 200, body: '' };
}

type Events = Parameters<Intake['take']>[1]['events'];

/** On the chat app one address serves several numbers: a message names the one it was sent to. */
function ofApps(
  apps: readonly OpenedApp[],
  proven: OpenedApp,
  events: Events,
): ReadonlyMap<OpenedApp, Events> {
  const numbers = new Map(apps.flatMap((opened) => numberOf(opened).map((id) => [id, opened])));
  return Map.groupBy(events, (event) => {
    const to = event.kind === 'inbound' ? event.to : undefined;
    return (to === undefined ? undefined : numbers.get(to)) ?? proven;
  });
}

function numberOf({ app }: OpenedApp): string[] {
  const { phone_number_id: id } = app.settings as { readonly phone_number_id?: string };
  return id === undefined ? [] : [id];
}

function refuse(verdict: Verification | undefined, method: string): never {
  const why = verdict?.kind === 'refused' ? verdict.reason : 'no app takes it';
  const isToken = verdict?.kind === 'refused' ? verdict.status === 403 : method === 'GET';
  throw isToken ? fail('verify_token_wrong', why) : fail('webhook_refused', why);
}
