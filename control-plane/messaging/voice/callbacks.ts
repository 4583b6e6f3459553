/** Where providers call back: proven by their signature, and in a flow by our own token too. */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { WebhookRequest } from '../../channels/contract.ts';
import type { MarkupProvider, VoiceEvent } from '../../channels/voice-contract.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type AnyRoute, type Reply, route } from '../../platform/http/route.ts';
import { fail } from '../errors.ts';
import { Together } from '../together.ts';
import { isProven } from './calls/addresses.ts';
import { againMax, serveFlow } from './calls/flow.ts';
import { advance } from './calls/progress.ts';
import { callId } from './calls/schema.ts';
import { type CallRow, lockCall } from './calls/store.ts';
import { tag, type VoiceDesk } from './desk.ts';
import { hearLeg } from './legs/progress.ts';
import { type OpenProvider, openProvider } from './providers/account.ts';
import { providerId } from './providers/schema.ts';
import { findProviderPlace, useOnce } from './providers/store.ts';
import { keepRecording } from './recordings/keep.ts';

const path = '/voice/api/callbacks/{config_id}/';
const bodyBytesMax = 256 * 1_024;
const auth = { public: 'Providers call it; each call proves itself by the provider’s signature.' };
const node = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/);
const waits = ['answered', 'gathered', 'dialed', 'recorded', 'left', 'continued'] as const;
const notices = ['leg', 'recording'] as const;
const errors = ['callback_refused', 'callback_not_found', 'payload_too_large'] as const;
const token = z.string().max(64).optional();

/** Configurations by id, looked up as often as they are asked for, but not for each call-back. */
type Configurations = (id: string) => Promise<OpenProvider | undefined>;

/** The call-backs of voice providers. */
export function callbackRoutes(desk: VoiceDesk): AnyRoute[] {
  const together = new Together<OpenProvider | undefined>();
  const configurations = (id: string) => together.get(id, () => openById(desk, id));
  return [callRoute(desk, configurations), flowRoute(desk, configurations)];
}

async function openById(desk: VoiceDesk, id: string): Promise<OpenProvider | undefined> {
  const place = await desk.db.system((tx) => findProviderPlace(tx, id));
  return place === undefined ? undefined : openProvider(desk, place, id);
}

function callRoute(desk: VoiceDesk, configurations: Configurations) {
  return route({
    method: 'post',
    path: `${path}calls/{call_id}/{what}/`,
    operationId: 'receiveCallState',
    summary: 'A provider tells how a call or its recording stands',
    tag,
    auth,
    request: {
      params: z.strictObject({
        config_id: providerId,
        call_id: callId,
        what: z.enum(['status', 'recording']),
      }),
    },
    responses: { 204: { description: 'It was heard.' } },
    errors,
    handler: async ({ params: { config_id, call_id }, raw }) => {
      await receive(desk, configurations, config_id, raw, async (tx, open, request) => {
        await hear(desk, tx, open, call_id, request);
      });
      return { status: 204 };
    },
  });
}

function flowRoute(desk: VoiceDesk, configurations: Configurations) {
  return route({
    method: 'post',
    path: `${path}flow/{call_id}/{count}/{node}/{event}`,
    operationId: 'receiveFlowAnswer',
    summary: 'A provider tells what the caller did, and asks what comes next',
    description: 'The answer is a document in the provider’s markup.',
    tag,
    auth,
    request: {
      params: z.strictObject({
        config_id: providerId,
        call_id: callId,
        count: z.coerce.number().int().min(0).max(10_000),
        node,
        event: z.enum([...waits, ...notices]),
      }),
      query: z.looseObject({
        token,
        again: z.coerce.number().int().min(0).max(againMax).default(0),
      }),
    },
    responses: {
      200: { description: 'The next document.', mediaType: '*/*' },
      204: { description: 'A notice was heard.' },
    },
    errors,
    handler: async ({ params, query, raw }): Promise<Reply> => {
      const { config_id, call_id: call, count, node: at, event } = params;
      const answer = await receive(
        desk,
        configurations,
        config_id,
        raw,
        async (tx, open, request) => {
          if (!isProven(open.flowKey, { call, count, node: at, event }, query.token)) {
            throw fail('callback_refused', 'The address is none of ours.');
          }
          if (event === 'leg' || event === 'recording') {
            await hear(desk, tx, open, call, request, count);
            return { status: 204 };
          }
          const provider = open.provider as MarkupProvider;
          const address = { call, count, node: at, event, again: query.again };
          const served = await serveFlow(desk, tx, open, address, provider.input(request));
          if (served === undefined) return undefined;
          return { status: 200, body: served.document, headers: { 'content-type': served.type } };
        },
      );
      // Thrown here, so that what else was told stays written.
      if (answer === undefined) throw notWaiting();
      return answer;
    },
  });
}

/** Runs `work` for a call-back that has proven itself, in one transaction with all it changes. */
async function receive<T>(
  desk: VoiceDesk,
  configurations: Configurations,
  configId: string,
  raw: IncomingMessage,
  work: (tx: Tx, open: OpenProvider, request: WebhookRequest) => Promise<T>,
): Promise<T> {
  const body = await readBody(raw);
  const open = await configurations(configId);
  if (open === undefined || open.provider.kind !== 'markup') throw notWaiting();
  const { place, provider, account } = open;
  const request = asWebhook(desk, open, raw, body);
  const verdict = provider.verify(request, account as never, desk.clock());
  if (verdict.kind === 'refused') throw fail('callback_refused', refusalOf(verdict.reason));
  return desk.db.tenant(place.tenantId, async (tx) => {
    if (verdict.kind === 'ok' && verdict.once !== undefined) {
      const { once } = verdict;
      const isFirst = await useOnce(tx, place.tenantId, configId, once.slice(0, 200), desk.clock());
      if (!isFirst) throw fail('callback_refused', refusalOf('it came before'));
    }
    return work(tx, open, request);
  });
}

function asWebhook(
  desk: VoiceDesk,
  { place }: OpenProvider,
  raw: IncomingMessage,
  body: Uint8Array,
): WebhookRequest {
  const headers = Object.entries(raw.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return {
    method: 'POST',
    // What was signed is the address by which the provider knows us.
    url: `${desk.publicUrl(place.environment)}${raw.url ?? ''}`,
    headers: Object.fromEntries(headers),
    body,
  };
}

/** Writes down what a call-back told of a call. */
async function hear(
  desk: VoiceDesk,
  tx: Tx,
  open: OpenProvider,
  id: string,
  request: WebhookRequest,
  document?: number,
): Promise<void> {
  let call = await lockCall(tx, open.place, id);
  if (call === undefined || call.provider_id !== open.row.id) throw notWaiting();
  const reading = (open.provider as MarkupProvider).events(request);
  if (reading.kind === 'malformed') {
    throw fail('invalid_request', `The call-back cannot be read: ${reading.reason}.`);
  }
  for (const event of reading.events) call = await hearOne(desk, tx, open, call, event, document);
}

/** The call as it is after that. */
async function hearOne(
  desk: VoiceDesk,
  tx: Tx,
  open: OpenProvider,
  call: CallRow,
  event: VoiceEvent,
  document?: number,
): Promise<CallRow> {
  const { place } = open;
  switch (event.kind) {
    case 'report': {
      const { kind: _, ...told } = event;
      return advance(desk, tx, place, call, told);
    }
    case 'answerer': {
      const { callId: of, answeredBy } = event;
      return advance(desk, tx, place, call, { status: call.status, callId: of, answeredBy });
    }
    case 'leg':
      return hearLeg(desk, tx, place, call, event, document);
    case 'recording':
      await keepRecording(desk, tx, open, call, event);
      return call;
  }
}

async function readBody(raw: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyBytesMax) {
      const headers = { connection: 'close' };
      throw fail('payload_too_large', `More than ${bodyBytesMax} bytes.`, { headers });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function notWaiting() {
  return fail('callback_not_found', 'Nothing waits for this call-back.');
}

function refusalOf(reason: string): string {
  return `The call-back was refused: ${reason}.`;
}
