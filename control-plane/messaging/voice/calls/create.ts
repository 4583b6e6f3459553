/** A call is ordered: everything that can be refused at once is, and what it may cost is reserved. */
import { compileEvery } from '@drawbridge/messaging/call-flow/compile.ts';
import { permitted } from '@drawbridge/messaging/call-flow/consent.ts';
import { type Diagnostic, isError } from '@drawbridge/messaging/call-flow/diagnostic.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import { begin, missingVariables } from '@drawbridge/messaging/call-flow/machine.ts';
import { segmentFrom } from '@drawbridge/messaging/call-flow/segment.ts';
import type { z } from 'zod';
import type { VoiceProvider } from '../../../channels/voice-contract.ts';
import { voiceProviderById } from '../../../channels/voice-registry.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type Made, makeOnce, type Once } from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { optedOut } from '../../contacts/consent-store.ts';
import { readNumber } from '../../contacts/directory.ts';
import type { Place } from '../../contacts/store.ts';
import { fail, invalid } from '../../errors.ts';
import { findWallet, reserve } from '../../tenants/wallet-store.ts';
import type { VoiceDesk } from '../desk.ts';
import { findProvider, type ProviderRow } from '../providers/store.ts';
import { placeQueue } from '../queues.ts';
import { type KeptRate, mostOf, rateOf } from '../rates/price.ts';
import { hasConsented } from '../recordings/consent-store.ts';
import { findTemplate } from '../templates/store.ts';
import type { callRequest } from './schema.ts';
import { type CallRow, findCall, insertCall } from './store.ts';

type Order = z.output<typeof callRequest>;

/** What the specification grants a tenant and provider, in any second. */
export const ordersPerSecond = { max: 50, windowMs: 1_000 };

/** Throws what the API answers. The job that places it is in the same transaction as the call. */
export async function createCall(
  desk: VoiceDesk,
  place: Place,
  order: Order,
  once: Once | undefined,
): Promise<Made<CallRow>> {
  const to = numberAt('to', order.to);
  const read = await desk.db.tenant(place.tenantId, (tx) => readOrder(tx, place, order, to));
  await countOrder(desk, read.provider.id);
  const id = newId('call', desk.clock, desk.random);
  return desk.db.tenant(place.tenantId, (tx) =>
    makeOnce(tx, place, once, {
      id,
      make: () => writeCall(tx, desk, place, { id, to, order, read }),
      find: (known) => findCall(tx, place, known),
    }),
  );
}

interface NewCall {
  readonly id: string;
  readonly to: string;
  readonly order: Order;
  readonly read: ReadOrder;
}

async function writeCall(
  tx: Tx,
  desk: VoiceDesk,
  place: Place,
  { id, to, order, read }: NewCall,
): Promise<CallRow> {
  const now = desk.clock();
  const { provider, flow, codec } = read;
  const limitSeconds = Math.min(flow.limits.seconds, codec.limits.callSecondsMax);
  const paid = await hold(tx, place, { id, to, limitSeconds, now });
  const call = await insertCall(tx, place, {
    ...{ id, provider_id: provider.id, template_id: order.template_id, to_number: to },
    from_number: order.from === undefined ? provider.from_number : numberAt('from', order.from),
    variables: order.variables,
    is_recorded: order.record,
    machine_detection: order.machine_detection,
    limit_seconds: limitSeconds,
    flow_state: { state: begin(flow, order.variables) },
    ...paid,
    created_at: now,
  });
  const payload = { environment: place.environment };
  await desk.jobs.enqueue(tx, place.tenantId, [{ queue: placeQueue, key: id, payload }]);
  return call;
}

interface ReadOrder {
  readonly provider: ProviderRow;
  readonly codec: VoiceProvider;
  readonly flow: CallFlow;
}

async function readOrder(tx: Tx, place: Place, order: Order, to: string): Promise<ReadOrder> {
  const provider = await findProvider(tx, place, order.provider_config);
  if (provider === undefined || provider.deleted_at !== null) {
    throw invalid('provider_config', 'is none of yours');
  }
  const template = await findTemplate(tx, place, order.template_id);
  if (template === undefined || template.removed_at !== null) {
    throw invalid('template_id', 'is none of yours');
  }
  const { flow } = template;
  const [missing] = missingVariables(flow, order.variables);
  if (missing !== undefined) throw invalid(`variables.${missing}`, 'is required by the call flow');
  if ((await optedOut(tx, place, 'voice', [to])).has(to)) {
    throw fail('opted_out', `${to} asked not to be called.`);
  }
  const consent = await hasConsented(tx, place, to, null);
  const codec = voiceProviderById(provider.provider)!;
  if (codec.kind === 'trunk' && order.machine_detection !== 'off') {
    throw invalid('machine_detection', 'is nothing that a PBX does');
  }
  refuseUnlawful(order, provider, flow, consent);
  refuseUnplayable(codec, provider, flow, order, consent === true);
  return { provider, codec, flow };
}

/** What records the whole call begins before anything is said, so that no announcement precedes it. */
function refuseUnlawful(
  { record }: Order,
  { recording_policy }: ProviderRow,
  flow: CallFlow,
  consent: boolean | undefined,
): void {
  const records = Object.values(flow.nodes).some((node) => node.type === 'record');
  if (consent === false && (record || records)) {
    throw fail('no_recording_consent', 'The person took back the consent to be recorded.');
  }
  const isAllowed = recording_policy === 'free' || consent === true;
  if (record && !isAllowed) {
    throw fail('no_recording_consent', 'To record the call, log the consent of the person first.');
  }
  const lawful = { policy: recording_policy, hasConsented: consent === true };
  const node = Object.keys(flow.nodes).find(
    (name) => permitted(flow, segmentFrom(flow, { node: name }, {}), lawful).refused === name,
  );
  if (node !== undefined) {
    const detail = `The node ${node} records, and neither an announcement nor a consent allows it.`;
    throw fail('no_recording_consent', detail);
  }
}

function refuseUnplayable(
  codec: VoiceProvider,
  { recording_policy }: ProviderRow,
  flow: CallFlow,
  { variables }: Order,
  isConsented: boolean,
): void {
  if (codec.kind !== 'markup') return void refuseUnspoken(flow);
  const { diagnostics } = compileEvery(flow, codec.markup, {
    base: 'https://callbacks.example/flow',
    recording: { policy: recording_policy, hasConsented: isConsented },
    values: variables,
  });
  const [first] = diagnostics.filter(isError);
  if (first === undefined) return;
  const errors = Object.fromEntries(diagnostics.filter(isError).map(named));
  const detail = `${codec.id} cannot play the flow: ${first.code} at ${first.node}.`;
  throw fail('invalid_flow', detail, { body: { errors } });
}

/** A PBX has no voice: all that is said needs a recording of it. */
function refuseUnspoken(flow: CallFlow): void {
  const silent = Object.entries(flow.nodes).find(([, node]) => {
    const said = node.type === 'gather' ? node.prompt : [node];
    return said.some((each) => each.type === 'say' && each.recording === undefined);
  });
  if (silent === undefined) return;
  const message = 'E_SPEECH: a PBX cannot speak; give a recording of the text';
  throw fail('invalid_flow', `asterisk cannot play the flow: E_SPEECH at ${silent[0]}.`, {
    body: { errors: { [`nodes.${silent[0]}`]: [message] } },
  });
}

function named({ node, code, message }: Diagnostic) {
  return [`nodes.${node}`, [`${code}: ${message}`]] as const;
}

async function countOrder({ limits }: VoiceDesk, providerId: string): Promise<void> {
  const verdict = await limits.count(`voice ${providerId}`, ordersPerSecond);
  if (verdict.isGranted) return;
  const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1_000));
  throw fail('rate_limited', 'More than 50 calls in a second through this provider: slow down.', {
    headers: { 'retry-after': String(seconds) },
  });
}

/** Reserves what the longest call allowed would cost. */
async function hold(
  tx: Tx,
  place: Place,
  call: { id: string; to: string; limitSeconds: number; now: Date },
): Promise<{ rate: KeptRate; currency: string; reserved: string }> {
  const { tenantId, environment } = place;
  const wallet = await findWallet(tx, tenantId, environment);
  const empty = fail('insufficient_funds', 'The wallet does not hold what the call may cost.');
  if (wallet === undefined) throw empty;
  const { currency } = wallet;
  const rate = await rateOf(tx, place, call.to, currency, call.now);
  if (rate === undefined) {
    throw fail('no_rate', `No rate card in ${currency} prices calls to ${call.to}.`);
  }
  const reserved = mostOf(call.limitSeconds, rate);
  const promise = { environment, reference: call.id, amount: reserved };
  if (!(await reserve(tx, tenantId, promise, call.now))) throw empty;
  return { rate, currency, reserved };
}

function numberAt(field: string, text: string): string {
  try {
    return readNumber(text);
  } catch {
    throw invalid(field, 'must be a number in E.164, as +60312345678');
  }
}
