/** What an order names is held against what is known: everything that can be refused at once is. */
import { diagnose } from '@drawbridge/messaging/call-flow/compile.ts';
import { permitted } from '@drawbridge/messaging/call-flow/consent.ts';
import { destinationsOf } from '@drawbridge/messaging/call-flow/destinations.ts';
import { type Diagnostic, isError } from '@drawbridge/messaging/call-flow/diagnostic.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import {
  begin,
  missingVariables,
  strangeVariables,
} from '@drawbridge/messaging/call-flow/machine.ts';
import { segmentFrom } from '@drawbridge/messaging/call-flow/segment.ts';
import { largestOf, totalOf } from '@drawbridge/messaging/call-rate.ts';
import type { z } from 'zod';
import type { VoiceProvider } from '../../../channels/voice-contract.ts';
import { voiceProviderById } from '../../../channels/voice-registry.ts';
import { readNumber } from '../../contacts/directory.ts';
import { fail, invalid } from '../../errors.ts';
import { shortOfFunds } from '../../tenants/short-of-funds.ts';
import type { ProviderRow } from '../providers/store.ts';
import { type KeptRate, mostOf } from '../rates/price.ts';
import type { TemplateRow } from '../templates/store.ts';
import type { callRequest } from './schema.ts';
import type { NewCall } from './store.ts';

export type Order = z.output<typeof callRequest>;

/** What is known of all that a lot of orders names. */
export interface Known {
  readonly providers: ReadonlyMap<string, ProviderRow>;
  readonly templates: ReadonlyMap<string, TemplateRow>;
  readonly optedOut: ReadonlySet<string>;
  /** What was said last about being recorded, by number. */
  readonly consents: ReadonlyMap<string, boolean>;
  /** Undefined: there is no wallet. */
  readonly currency: string | undefined;
  readonly rates: ReadonlyMap<string, KeptRate>;
}

/** The call that an order makes, with what is to be reserved for it. Throws what the API answers. */
export function callOf(id: string, to: string, order: Order, known: Known, now: Date): NewCall {
  const { provider, codec, flow } = named(to, order, known);
  const { currency } = known;
  if (currency === undefined) throw shortOfFunds('call', undefined, undefined);
  const rate = rateOf(to, known, currency);
  const limitSeconds = Math.min(flow.limits.seconds, codec.limits.callSecondsMax);
  const legs = destinationsOf(flow, order.variables).map(({ number, limitSeconds: most }) =>
    mostOf(Math.min(limitSeconds, most), rateOf(number, known, currency)),
  );
  // One conversation at a time, so the dearest; a dial that comes to more asks for more.
  const legs_reserved = largestOf(legs);
  return {
    ...{ id, provider_id: provider.id, template_id: order.template_id, to_number: to },
    from_number: order.from === undefined ? provider.from_number : numberAt('from', order.from),
    variables: order.variables,
    is_recorded: order.record,
    machine_detection: order.machine_detection,
    limit_seconds: limitSeconds,
    flow_state: { state: begin(flow, order.variables) },
    ...{ rate, currency, legs_reserved },
    reserved: totalOf([mostOf(limitSeconds, rate), legs_reserved]),
    created_at: now,
  };
}

function rateOf(number: string, { rates }: Known, currency: string): KeptRate {
  const rate = rates.get(number);
  if (rate !== undefined) return rate;
  throw fail('no_rate', `No rate card in ${currency} prices calls to ${number}.`);
}

function named(to: string, order: Order, known: Known) {
  const provider = known.providers.get(order.provider_config);
  if (provider === undefined || provider.deleted_at !== null) throw noProvider();
  const template = known.templates.get(order.template_id);
  if (template === undefined || template.removed_at !== null) {
    throw invalid('template_id', 'is none of yours');
  }
  const { flow } = template;
  const [missing] = missingVariables(flow, order.variables);
  if (missing !== undefined) throw invalid(`variables.${missing}`, 'is required by the call flow');
  const [strange] = strangeVariables(flow, order.variables);
  if (strange !== undefined) throw invalid(`variables.${strange}`, 'is none of the call flow');
  if (known.optedOut.has(to)) throw fail('opted_out', `${to} asked not to be called.`);
  const consent = known.consents.get(to);
  const codec = voiceProviderById(provider.provider)!;
  if (codec.kind === 'trunk' && order.machine_detection !== 'off') {
    throw invalid('machine_detection', 'is nothing that a PBX does');
  }
  refuseUnlawful(order, provider, flow, consent);
  refuseUnplayable(codec, provider, flow, order, consent === true);
  return { provider, codec, flow };
}

export function noProvider() {
  return invalid('provider_config', 'is none of yours');
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
  const way = codec.kind === 'markup' ? codec.markup : 'pbx';
  const errors = diagnose(flow, way, {
    base: 'https://callbacks.example/flow',
    recording: { policy: recording_policy, hasConsented: isConsented },
    values: variables,
  }).filter(isError);
  const [first] = errors;
  if (first === undefined) return;
  const detail = `${codec.id} cannot play the flow: ${first.code} at ${first.node}.`;
  throw fail('invalid_flow', detail, { body: { errors: Object.fromEntries(errors.map(entryOf)) } });
}

function entryOf({ node, code, message }: Diagnostic) {
  return [`nodes.${node}`, [`${code}: ${message}`]] as const;
}

/** A number in E.164. Throws `invalid_request`. */
export function numberAt(field: string, text: string): string {
  try {
    return readNumber(text);
  } catch {
    throw invalid(field, 'must be a number in E.164, as +60312345678');
  }
}
