import { digitsOf } from '@drawbridge/messaging/phone.ts';
import type { WireResponse } from '../contract.ts';
import { given, instantOf, jsonOf, objectsOf, textOf, within } from '../reading.ts';
import type { LookUp, MarkupProvider, VoiceAccount, VoiceContext } from '../voice-contract.ts';
import { checkOf, durationOf, isOnHosts, partyIn, placedAs } from '../voice-reading.ts';
import { errorOutcome, failureOf } from './errors.ts';
import { bearer, verify } from './jwt.ts';
import { type Settings, settings } from './settings.ts';
import { events, input, statusOf } from './webhook.ts';

/** Calls through Vonage. */
export const vonageVoice: MarkupProvider<Settings> = {
  kind: 'markup',
  id: 'vonage-voice',
  settings,
  endpoint: 'https://api.nexmo.com',
  markup: 'ncco',
  guarantee: { kind: 'at-most-once-unknown', reportsCarryOurId: true },
  limits: {
    calls: { count: 50, perMs: 1_000 },
    callSecondsMax: 7_200,
    ringSecondsMax: 120,
  },
  verify,
  events,
  input,

  place: (call, account, context) =>
    sent(account, context, 'POST', '', {
      to: [{ type: 'phone', number: digitsOf(call.to) }],
      from: { type: 'phone', number: digitsOf(call.from) },
      // By POST, so that the token holds a hash of the body too.
      answer_url: [call.answerUrl],
      answer_method: 'POST',
      event_url: [call.statusUrl],
      event_method: 'POST',
      length_timer: call.limitSeconds,
      ringing_timer: call.ringSeconds,
      // It asks for the flow before it knows who answered, so only it can spare a machine the flow.
      ...(call.machineDetection === 'off' ? {} : { machine_detection: call.machineDetection }),
    }),

  readPlacing(response, now) {
    if (response.status !== 201) return errorOutcome(response, now);
    return placedAs(textOf(jsonOf(response.body)?.uuid), 'uuid');
  },

  hangUp: ({ requestId, callId }, account, context) =>
    sent(account, context, 'PUT', `/${encodeURIComponent(callId ?? requestId)}`, {
      action: 'hangup',
    }),

  // Without a condition to stop, the script goes on at once and the recording runs beside it.
  withRecording: (document, recordingUrl) =>
    JSON.stringify([
      { action: 'record', eventUrl: [recordingUrl], eventMethod: 'POST', format: 'mp3' },
      ...(JSON.parse(document) as object[]),
    ]),

  lookUp: {
    requests: ({ requestId, callId }, account, context) => [
      sent(account, context, 'GET', `/${encodeURIComponent(callId ?? requestId)}`),
    ],
    read: readLookUp,
  },

  search: {
    request: (_, since, account, context) => listSince(since, account, context),
    read(response) {
      const body = jsonOf(response.body);
      if (response.status !== 200 || body === undefined) return undefined;
      return objectsOf(within(body, '_embedded').calls).flatMap((call) => {
        const callId = textOf(call.uuid);
        const to = textOf(within(call, 'to').number);
        const from = textOf(within(call, 'from').number);
        if (callId === undefined || to === undefined || from === undefined) return [];
        const at = instantOf(call.start_time);
        return [{ callId, to: `+${to}`, from: `+${from}`, ...given({ at }) }];
      });
    },
  },

  legs: {
    request: (_, since, account, context) => listSince(since, account, context),
    // A call and its legs share a conversation, which the list tells and the call-backs may not.
    read(response, { requestId, callId = requestId }) {
      const body = jsonOf(response.body);
      if (response.status !== 200 || body === undefined) return undefined;
      const calls = objectsOf(within(body, '_embedded').calls);
      const conversation = calls.find(({ uuid }) => uuid === callId)?.conversation_uuid;
      if (conversation === undefined) return undefined;
      return calls.flatMap((call) => {
        const [legId, status] = [textOf(call.uuid), statusOf(textOf(call.status))];
        const isOther = call.conversation_uuid !== conversation || legId === callId;
        if (isOther || legId === undefined || status === undefined) return [];
        const { number, uri } = within(call, 'to');
        const to = partyIn(textOf(number) ?? textOf(uri));
        const durationSeconds = durationOf(call.duration);
        return [{ legId, status, ...given({ to, durationSeconds, at: instantOf(call.end_time) }) }];
      });
    },
  },

  check: {
    request: (account, context) => sent(account, context, 'GET', '?page_size=1'),
    read: (response, now) =>
      response.status === 200 ? { kind: 'ok' } : checkOf(response, now, failureOf(response)),
  },

  recording(url, account, context) {
    const isOwn = isOnHosts(url, account.endpoint, ['nexmo.com', 'vonage.com']);
    const headers = isOwn ? { authorization: bearer(account, context) } : {};
    return { method: 'GET', url, headers };
  },
};

function readLookUp(response: WireResponse): LookUp {
  if (response.status === 404) return { kind: 'gone' };
  const body = jsonOf(response.body);
  const callId = textOf(body?.uuid);
  const status = statusOf(textOf(body?.status));
  if (response.status !== 200 || callId === undefined || status === undefined) {
    return { kind: 'unclear', reason: `HTTP ${response.status}` };
  }
  const durationSeconds = durationOf(body?.duration);
  const at = instantOf(body?.end_time);
  return { kind: 'report', callId, status, ...given({ durationSeconds, at }) };
}

function listSince(since: Date, account: VoiceAccount<Settings>, context: VoiceContext) {
  const query = new URLSearchParams({ date_start: since.toISOString(), page_size: '100' });
  return sent(account, context, 'GET', `?${query}`);
}

function sent(
  account: VoiceAccount<Settings>,
  context: VoiceContext,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
) {
  const headers = {
    authorization: bearer(account, context),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const url = `${account.endpoint}/v1/calls${path}`;
  return { method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}
