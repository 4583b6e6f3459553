/** Turns a request into a call, or refuses it at once when it could never be placed. */
import { diagnose } from '@drawbridge/messaging/call-flow/compile.ts';
import { withoutForbiddenRecording } from '@drawbridge/messaging/call-flow/consent.ts';
import { destinationsOf } from '@drawbridge/messaging/call-flow/destinations.ts';
import { type Diagnostic, isError } from '@drawbridge/messaging/call-flow/diagnostic.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import {
  initialState,
  missingVariables,
  unknownVariables,
} from '@drawbridge/messaging/call-flow/machine.ts';
import { segmentFrom } from '@drawbridge/messaging/call-flow/segment.ts';
import { largestOf, totalOf } from '@drawbridge/messaging/call-rate.ts';
import type { z } from 'zod';
import type { VoiceProvider } from '../../../channels/voice-contract.ts';
import { voiceProviderById } from '../../../channels/voice-registry.ts';
import { fail, invalid } from '../../errors.ts';
import { insufficientFunds } from '../../tenants/wallet/insufficient-funds.ts';
import { numberAt } from '../e164-number.ts';
import type { ProviderRow } from '../providers/store.ts';
import { type CallRateTerms, maxCost } from '../rates/price.ts';
import type { TemplateRow } from '../templates/store.ts';
import type { callRequest } from './schema.ts';
import type { NewCall } from './store.ts';

export type CallRequest = z.output<typeof callRequest>;

/** Everything that a batch of requests refers to. */
export interface CallReferences {
  readonly providers: ReadonlyMap<string, ProviderRow>;
  readonly templates: ReadonlyMap<string, TemplateRow>;
  readonly optedOut: ReadonlySet<string>;
  /** The latest consent to recording, by number. */
  readonly consents: ReadonlyMap<string, boolean>;
  /** Undefined: there is no wallet. */
  readonly currency: string | undefined;
  readonly rates: ReadonlyMap<string, CallRateTerms>;
}

/** The call for a request, with the amount to reserve. Throws the API's error. */
export function newCallOf(
  id: string,
  to: string,
  request: CallRequest,
  references: CallReferences,
  now: Date,
): NewCall {
  const { provider, codec, template } = resolveRequest(to, request, references);
  const { flow } = template;
  const { currency } = references;
  if (currency === undefined) throw insufficientFunds('call', undefined, undefined);
  const rate = rateOf(to, references, currency);
  const limitSeconds = Math.min(flow.limits.seconds, codec.limits.callSecondsMax);
  const legs = destinationsOf(flow, request.variables).map(({ number, limitSeconds: most }) =>
    maxCost(Math.min(limitSeconds, most), rateOf(number, references, currency)),
  );
  // Only one leg talks at a time, so the most expensive is reserved; a dial reserves more if
  // needed.
  const legs_reserved = largestOf(legs);
  return {
    id,
    provider_id: provider.id,
    template_id: template.id,
    template_version: template.version,
    to_number: to,
    from_number: request.from === undefined ? provider.from_number : numberAt('from', request.from),
    variables: request.variables,
    is_recorded: request.record,
    machine_detection: request.machine_detection,
    limit_seconds: limitSeconds,
    flow_state: { state: initialState(flow, request.variables) },
    rate,
    currency,
    legs_reserved,
    reserved: totalOf([maxCost(limitSeconds, rate), legs_reserved]),
    created_at: now,
  };
}

function rateOf(number: string, { rates }: CallReferences, currency: string): CallRateTerms {
  const rate = rates.get(number);
  if (rate !== undefined) return rate;
  throw fail('no_rate', `No rate card in ${currency} prices calls to ${number}.`);
}

function resolveRequest(to: string, request: CallRequest, references: CallReferences) {
  const provider = references.providers.get(request.provider_config);
  if (provider === undefined || provider.deleted_at !== null) throw noProvider();
  const template = references.templates.get(request.template_id);
  if (template === undefined || template.removed_at !== null) {
    throw invalid('template_id', 'is not one of yours');
  }
  const { flow } = template;
  const [missing] = missingVariables(flow, request.variables);
  if (missing !== undefined) throw invalid(`variables.${missing}`, 'is required by the call flow');
  const [strange] = unknownVariables(flow, request.variables);
  if (strange !== undefined) throw invalid(`variables.${strange}`, 'is not in the call flow');
  if (references.optedOut.has(to)) throw fail('opted_out', `${to} has opted out of calls.`);
  const consent = references.consents.get(to);
  const codec = voiceProviderById(provider.provider)!;
  if (codec.kind === 'trunk' && request.machine_detection !== 'off') {
    throw invalid('machine_detection', 'is not available on a PBX');
  }
  refuseForbiddenRecording(request, provider, flow, consent);
  refuseUnplayable(codec, provider, flow, request, consent === true);
  return { provider, codec, template };
}

export function noProvider() {
  return invalid('provider_config', 'is not one of yours');
}

/** A recording of the whole call begins before any announcement, so it needs a consent or policy `free`. */
function refuseForbiddenRecording(
  { record }: CallRequest,
  { recording_policy }: ProviderRow,
  flow: CallFlow,
  consent: boolean | undefined,
): void {
  const records = Object.values(flow.nodes).some((node) => node.type === 'record');
  if (consent === false && (record || records)) {
    throw fail('no_recording_consent', 'The person withdrew the consent to recording.');
  }
  const isAllowed = recording_policy === 'free' || consent === true;
  if (record && !isAllowed) {
    throw fail('no_recording_consent', 'To record the call, log the consent of the person first.');
  }
  const lawful = { policy: recording_policy, hasConsented: consent === true };
  const node = Object.keys(flow.nodes).find(
    (name) =>
      withoutForbiddenRecording(flow, segmentFrom(flow, { node: name }, {}), lawful).refused ===
      name,
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
  { variables }: CallRequest,
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
