import { digitsOf } from '@drawbridge/messaging/phone.ts';
import type { WireResponse } from '../contract.ts';
import {
  given,
  instantOf,
  type JsonObject,
  jsonOf,
  objectsOf,
  textOf,
  within,
} from '../reading.ts';
import type { LookUp, MarkupProvider, VoiceAccount, VoiceContext } from '../voice-contract.ts';
import { checkOf, durationOf, isOnHosts, listedOn, partyIn, placedAs } from '../voice-reading.ts';
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
    request: (_, since, account, context) =>
      list(account, context, { date_start: since.toISOString() }),
    read: (pages) =>
      listedOn(pages, callsOn)?.flatMap((call) => {
        const callId = textOf(call.uuid);
        const to = textOf(within(call, 'to').number);
        const from = textOf(within(call, 'from').number);
        if (callId === undefined || to === undefined || from === undefined) return [];
        const at = instantOf(call.start_time);
        return [{ callId, to: `+${to}`, from: `+${from}`, ...given({ at }) }];
      }),
  },

  legs: {
    // A call and its legs share a conversation, which the call tells and the call-backs may not.
    request: ({ requestId, callId }, _, account, context) =>
      sent(account, context, 'GET', `/${encodeURIComponent(callId ?? requestId)}`),
    read: ([own, ...pages], { requestId, callId = requestId }) => {
      if (own === undefined || conversationIn(own) === undefined) return undefined;
      return listedOn(pages, callsOn)?.flatMap((call) => {
        const [legId, status] = [textOf(call.uuid), statusOf(textOf(call.status))];
        if (legId === callId || legId === undefined || status === undefined) return [];
        const { number, uri } = within(call, 'to');
        const to = partyIn(textOf(number) ?? textOf(uri));
        const durationSeconds = durationOf(call.duration);
        return [{ legId, status, ...given({ to, durationSeconds, at: instantOf(call.end_time) }) }];
      });
    },
  },

  // A full page may be the last: the next is then empty, whatever `count` counts.
  nextPage(asked, page, account, context) {
    const conversation_uuid = conversationIn(page);
    if (conversation_uuid !== undefined) return list(account, context, { conversation_uuid });
    const calls = jsonOf(page.body);
    const count = calls === undefined ? 0 : objectsOf(callsOn(calls)).length;
    if (count < pageSize) return undefined;
    const query = Object.fromEntries(new URL(asked.url).searchParams);
    const index = Number(query.record_index ?? 0) + count;
    return list(account, context, { ...query, record_index: String(index) });
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

/** As many as it allows. */
const pageSize = 100;

/** Oldest first, so that what comes meanwhile moves none to another page. */
function list(
  account: VoiceAccount<Settings>,
  context: VoiceContext,
  which: Readonly<Record<string, string>>,
) {
  const query = new URLSearchParams({ ...which, order: 'asc', page_size: String(pageSize) });
  return sent(account, context, 'GET', `?${query}`);
}

function callsOn(page: JsonObject): unknown {
  return within(page, '_embedded').calls;
}

/** Of one call; a list of calls names none. */
function conversationIn({ status, body }: WireResponse): string | undefined {
  return status === 200 ? textOf(jsonOf(body)?.conversation_uuid) : undefined;
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
