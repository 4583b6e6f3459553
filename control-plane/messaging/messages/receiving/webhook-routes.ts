/**
 * The webhook endpoints: each request is authenticated by the network's signature, not by our keys.
 */
import type { Channel as ChannelWord } from '@drawbridge/messaging/message.ts';
import { z } from 'zod';
import type { WebhookRequest } from '../../../channels/contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Db } from '../../../platform/db/database.ts';
import { commonFail } from '../../../platform/http/errors.ts';
import {
  type AnyRoute,
  type Reply,
  type RequestCall,
  route,
} from '../../../platform/http/route.ts';
import { AppOwners } from '../../apps/owners.ts';
import { appNotFound } from '../../apps/routes.ts';
import { appId } from '../../apps/schema.ts';
import { fail } from '../../errors.ts';
import type { IntakeOutcome, WebhookIntake } from './webhook-intake.ts';

export interface WebhooksContext {
  readonly db: Db;
  readonly intake: WebhookIntake;
  readonly publicUrl: (environment: Environment) => string;
}

/** The chat app sends batches of up to 3 MB. */
const bodyBytesMax = 4_000_000;
const reason = 'Networks call it; each request is proven by the network’s own signature.';

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
  const owners = new AppOwners(context.db);
  return [
    ...kinds.flatMap((kind) => [
      appRoute('post', kind, context, owners),
      // Some gateways report by GET.
      ...(kind.channel === 'sms' ? [appRoute('get', kind, context, owners)] : []),
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
  { intake, publicUrl }: WebhooksContext,
  owners: AppOwners,
) {
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
    handler: async ({ params: { app_id: id }, environment, ...call }): Promise<Reply> => {
      const scope = await owners.of(id);
      // An app of one environment does not exist in the other.
      if (scope?.environment !== environment) throw appNotFound(id);
      const request = await received(call, publicUrl(environment));
      return replyTo(await intake.take(scope, { channel, appId: id, request }));
    },
  });
}

function waRoute(method: 'get' | 'post', { intake, publicUrl }: WebhooksContext) {
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
    handler: async ({ params, environment, ...call }): Promise<Reply> => {
      const scope = { tenantId: params.tenant_id.toLowerCase(), environment };
      const request = await received(call, publicUrl(environment));
      return replyTo(await intake.take(scope, { channel: 'wa', request }));
    },
  });
}

async function received(
  { raw, readRaw }: Pick<RequestCall, 'raw' | 'readRaw'>,
  base: string,
): Promise<WebhookRequest> {
  const { method, url = '/' } = raw;
  const headers = Object.entries(raw.headers).map(([name, value]) => {
    return [name, Array.isArray(value) ? value.join(', ') : value] as const;
  });
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    url: base + url,
    headers: Object.fromEntries(headers),
    body: method === 'GET' ? new Uint8Array() : await readRaw(bodyBytesMax),
  };
}

function replyTo(outcome: IntakeOutcome): Reply {
  switch (outcome.kind) {
    case 'taken':
      return { status: 200, body: '' };
    case 'answer':
      return { status: 200, body: outcome.body };
    case 'malformed':
      throw commonFail('invalid_request', `The webhook cannot be read: ${outcome.reason}.`);
    case 'refused':
      throw fail(outcome.isToken ? 'verify_token_wrong' : 'webhook_refused', outcome.reason);
    case 'repeated':
      throw fail('webhook_refused', 'The proof of this webhook was used before.');
    case 'no_app':
      throw appNotFound(outcome.appId);
  }
}
