/**
 * The call-backs of voice providers, proven by the provider's signature, and in a flow also by our
 * token.
 */

import type { IncomingMessage } from 'node:http';
import { SingleFlight } from '@drawbridge/concurrency/single-flight.ts';
import { z } from 'zod';
import type { WebhookRequest } from '../../channels/contract.ts';
import type { MarkupProvider, VoiceEvent } from '../../channels/voice-contract.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type AnyRoute, type Reply, type RequestCall, route } from '../../platform/http/route.ts';
import { fail } from '../errors.ts';
import { isProven } from './calls/addresses.ts';
import { applyCallUpdate } from './calls/call-updates.ts';
import { repeatsMax, serveFlow } from './calls/flow.ts';
import { callId } from './calls/schema.ts';
import { type CallRow, lockCall } from './calls/store.ts';
import { type CallingContext, tag } from './context.ts';
import { applyLegUpdate } from './legs/leg-updates.ts';
import {
  type OpenProvider,
  type OpenProviderTransaction,
  openProvider,
} from './providers/account.ts';
import { providerId } from './providers/schema.ts';
import { findProviderScope, useToken } from './providers/store.ts';
import { addRecording } from './recordings/fetch.ts';
import { receiveTranscription } from './transcription/reported.ts';

const path = '/voice/api/callbacks/{config_id}/';
/** The text of a call of four hours comes in one call-back. */
const bodyBytesMax = 1_024 * 1_024;
const auth = { public: 'Providers call it; each call proves itself by the provider’s signature.' };
const node = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/);
const flowEvents = ['answered', 'gathered', 'dialed', 'recorded', 'left', 'continued'] as const;
const notifications = ['leg', 'recording', 'transcription'] as const;
const errors = ['callback_refused', 'callback_not_found', 'payload_too_large'] as const;
const token = z.string().max(64).optional();

/** Looks up a configuration by its id; concurrent call-backs share one look-up. */
type Configurations = (id: string) => Promise<OpenProvider | undefined>;

/** The endpoints that voice providers call. */
export function callbackRoutes(context: CallingContext): AnyRoute[] {
  const lookUps = new SingleFlight<OpenProvider | undefined>();
  const configurations = (id: string) => lookUps.fresh(id, () => openById(context, id));
  return [callRoute(context, configurations), flowRoute(context, configurations)];
}

async function openById(context: CallingContext, id: string): Promise<OpenProvider | undefined> {
  const scope = await context.db.system((tx) => findProviderScope(tx, id));
  return scope === undefined ? undefined : openProvider(context, scope, id);
}

function callRoute(context: CallingContext, configurations: Configurations) {
  return route({
    method: 'post',
    path: `${path}calls/{call_id}/{what}/`,
    operationId: 'receiveCallState',
    summary: 'Status callback of a provider, for a call, its recording or the text of it',
    tag,
    auth,
    request: {
      params: z.strictObject({
        config_id: providerId,
        call_id: callId,
        what: z.enum(['status', 'recording', 'transcription']),
      }),
    },
    responses: { 204: { description: 'Accepted.' } },
    errors,
    handler: async ({ params: { config_id, call_id }, ...http }) => {
      await receive(context, configurations, config_id, http, async (tx, open, request) => {
        await applyEvents({ context, tx, open }, call_id, request);
      });
      return { status: 204 };
    },
  });
}

function flowRoute(context: CallingContext, configurations: Configurations) {
  return route({
    method: 'post',
    path: `${path}flow/{call_id}/{count}/{node}/{event}`,
    operationId: 'receiveFlowAnswer',
    summary: 'Callback of a provider for the next step of a call',
    description: 'The answer is a document in the provider’s markup.',
    tag,
    auth,
    request: {
      params: z.strictObject({
        config_id: providerId,
        call_id: callId,
        count: z.coerce.number().int().min(0).max(10_000),
        node,
        event: z.enum([...flowEvents, ...notifications]),
      }),
      query: z.looseObject({
        token,
        again: z.coerce.number().int().min(0).max(repeatsMax).default(0),
      }),
    },
    responses: {
      200: { description: 'The next document.', mediaType: '*/*' },
      204: { description: 'Accepted; there is no next step.' },
    },
    errors,
    handler: async ({ params, query, ...http }): Promise<Reply> => {
      const { config_id, call_id: call, count, node: at, event } = params;
      const answer = await receive(
        context,
        configurations,
        config_id,
        http,
        async (tx, open, request) => {
          if (!isProven(open.flowKey, { call, count, node: at, event }, query.token)) {
            throw fail('callback_refused', 'The address is not one of ours.');
          }
          if (event === 'leg' || event === 'recording' || event === 'transcription') {
            await applyEvents({ context, tx, open }, call, request, count);
            return { status: 204 };
          }
          const provider = open.provider as MarkupProvider;
          const address = { call, count, node: at, event, repeats: query.again };
          const served = await serveFlow(context, tx, open, address, provider.input(request));
          if (served === undefined) return undefined;
          return { status: 200, body: served.document, headers: { 'content-type': served.type } };
        },
      );
      // Thrown after the commit, so that the other changes of the call-back are saved.
      if (answer === undefined) throw notWaiting();
      return answer;
    },
  });
}

/** Verifies a call-back and runs `work` for it in one transaction. */
async function receive<T>(
  context: CallingContext,
  configurations: Configurations,
  configId: string,
  { raw, readRaw }: Pick<RequestCall, 'raw' | 'readRaw'>,
  work: (tx: Tx, open: OpenProvider, request: WebhookRequest) => Promise<T>,
): Promise<T> {
  const body = await readRaw(bodyBytesMax);
  const open = await configurations(configId);
  if (open === undefined || open.provider.kind !== 'markup') throw notWaiting();
  const { scope, provider, account } = open;
  const request = webhookRequestOf(context, open, raw, body);
  const verdict = provider.verify(request, account as never, context.clock());
  if (verdict.kind === 'refused') throw fail('callback_refused', refusalOf(verdict.reason));
  return context.db.tenant(scope.tenantId, async (tx) => {
    if (verdict.kind === 'ok' && verdict.once !== undefined) {
      const use = { token: verdict.once.slice(0, 200), address: raw.url ?? '' };
      if (!(await useToken(tx, scope.tenantId, configId, use, context.clock()))) {
        throw fail('callback_refused', refusalOf('its token was used at another address'));
      }
    }
    return work(tx, open, request);
  });
}

function webhookRequestOf(
  context: CallingContext,
  { scope }: OpenProvider,
  raw: IncomingMessage,
  body: Uint8Array,
): WebhookRequest {
  const headers = Object.entries(raw.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return {
    method: 'POST',
    // The provider signs the public address.
    url: `${context.publicUrl(scope.environment)}${raw.url ?? ''}`,
    headers: Object.fromEntries(headers),
    body,
  };
}

/** Applies the events that a call-back reports about a call. */
async function applyEvents(
  { context, tx, open }: OpenProviderTransaction,
  id: string,
  request: WebhookRequest,
  document?: number,
): Promise<void> {
  let call = await lockCall(tx, open.scope, id);
  if (call === undefined || call.provider_id !== open.row.id) throw notWaiting();
  const reading = (open.provider as MarkupProvider).events(request);
  if (reading.kind === 'malformed') {
    throw fail('invalid_request', `The call-back cannot be read: ${reading.reason}.`);
  }
  for (const event of reading.events)
    call = await applyEvent({ context, tx, open }, call, event, document);
}

/** Applies one event; returns the call after it. */
async function applyEvent(
  { context, tx, open }: OpenProviderTransaction,
  call: CallRow,
  event: VoiceEvent,
  document?: number,
): Promise<CallRow> {
  const { scope } = open;
  switch (event.kind) {
    case 'report': {
      const { kind: _, ...told } = event;
      return applyCallUpdate(context, tx, scope, call, told);
    }
    case 'answerer': {
      const { callId: of, answeredBy } = event;
      return applyCallUpdate(context, tx, scope, call, {
        status: call.status,
        callId: of,
        answeredBy,
      });
    }
    case 'leg':
      return applyLegUpdate({ context, tx, scope, call }, event, document);
    case 'recording':
      await addRecording(context, tx, open, call, event);
      return call;
    case 'transcription':
      await receiveTranscription(context, tx, open, call, event);
      return call;
  }
}

function notWaiting() {
  return fail('callback_not_found', 'No call expects this callback.');
}

function refusalOf(reason: string): string {
  return `The call-back was refused: ${reason}.`;
}
