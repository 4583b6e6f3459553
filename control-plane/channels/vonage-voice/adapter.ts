import { transcriptionMember } from '@drawbridge/messaging/call-flow/ncco.ts';
import { digitsOf } from '@drawbridge/messaging/phone.ts';
import type { WireRequest, WireResponse } from '../contract.ts';
import {
  instantOf,
  type JsonObject,
  jsonOf,
  numberOf,
  objectsOf,
  textOf,
  within,
} from '../untrusted-input.ts';
import type { MarkupProvider, VoiceAccount, VoiceContext } from '../voice-contract.ts';
import {
  checkOf,
  durationOf,
  jsonRequest,
  listedCalls,
  listedLegs,
  lookedUp,
  partyIn,
  placedAs,
  recordingRequest,
} from '../voice-responses.ts';
import { errorOutcome, failureOf } from './errors.ts';
import { bearer, verify } from './jwt.ts';
import { type Settings, settings } from './settings.ts';
import { events, input, statusOf } from './webhook.ts';

/** Calls through Vonage. */
export const vonageVoice: MarkupProvider<Settings> = {
  kind: 'markup',
  id: 'vonage-voice',
  title: 'Vonage Voice',
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
      // By POST, so that the token also contains a hash of the body.
      answer_url: [call.answerUrl],
      answer_method: 'POST',
      event_url: [call.statusUrl],
      event_method: 'POST',
      length_timer: call.limitSeconds,
      ringing_timer: call.ringSeconds,
      // Vonage asks for the flow before it knows who answered, so only Vonage can hang up on a
      // machine.
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

  // Without a condition to stop, the script goes on at once, and the recording runs at the same
  // time.
  withRecording: (document, { url, transcription }) =>
    JSON.stringify([
      {
        action: 'record',
        eventUrl: [url],
        eventMethod: 'POST',
        format: 'mp3',
        ...(transcription === undefined
          ? {}
          : { transcription: transcriptionMember(transcription) }),
      },
      ...(JSON.parse(document) as object[]),
    ]),

  transcription: {
    kind: 'reported',
    isUsedBy: ({ settings }) => settings.transcription_language !== undefined,
    languageOf: ({ settings }) => settings.transcription_language ?? 'en-US',
    fetched: {
      text: (url, account, context) => fileRequest(url, account, context),
      readText: ({ status, body }) => (status === 200 ? sentencesIn(jsonOf(body)) : undefined),
    },
  },

  lookUp: {
    requests: ({ requestId, callId }, account, context) => [
      sent(account, context, 'GET', `/${encodeURIComponent(callId ?? requestId)}`),
    ],
    read: (response) =>
      lookedUp(response, (call) => ({
        callId: textOf(call.uuid),
        status: statusOf(textOf(call.status)),
        durationSeconds: durationOf(call.duration),
        at: instantOf(call.end_time),
      })),
  },

  search: {
    request: (_, since, account, context) =>
      list(account, context, { date_start: since.toISOString() }),
    read: (pages) =>
      listedCalls(pages, callsOn, (call) => ({
        callId: textOf(call.uuid),
        to: partyIn(textOf(within(call, 'to').number)),
        from: partyIn(textOf(within(call, 'from').number)),
        at: instantOf(call.start_time),
      })),
  },

  legs: {
    // A call and its legs share a conversation; the call names it, and call-backs may not.
    request: ({ requestId, callId }, _, account, context) =>
      sent(account, context, 'GET', `/${encodeURIComponent(callId ?? requestId)}`),
    read: ([own, ...pages], { requestId, callId = requestId }) => {
      if (own === undefined || conversationIn(own) === undefined) return undefined;
      const legs = listedLegs(pages, callsOn, (call) => ({
        legId: textOf(call.uuid),
        status: statusOf(textOf(call.status)),
        to: partyIn(textOf(within(call, 'to').number) ?? textOf(within(call, 'to').uri)),
        at: instantOf(call.end_time),
        durationSeconds: durationOf(call.duration),
      }));
      return legs?.filter(({ legId }) => legId !== callId);
    },
  },

  // A full page may be the last; the next page is then empty, whatever `count` says.
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
    read: (response, now) => checkOf(response, now, failureOf(response)),
  },

  recording: fileRequest,
};

function fileRequest(url: string, account: VoiceAccount<Settings>, context: VoiceContext) {
  const hosts = ['nexmo.com', 'vonage.com'];
  return recordingRequest(url, account.endpoint, hosts, () => bearer(account, context));
}

/** The sentences of all channels, in the order in which they were said. */
function sentencesIn(file: JsonObject | undefined): string | undefined {
  if (!Array.isArray(file?.channels)) return undefined;
  return objectsOf(file.channels)
    .flatMap(({ transcript }) => objectsOf(transcript))
    .map(({ sentence, timestamp }) => ({ at: numberOf(timestamp) ?? 0, text: textOf(sentence) }))
    .sort((a, b) => a.at - b.at)
    .flatMap(({ text }) => text ?? [])
    .join(' ');
}

/** The largest page that Vonage allows. */
const pageSize = 100;

/** Oldest first, so that later calls do not move others to another page. */
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

/** The conversation of one call; a list of calls names none. */
function conversationIn({ status, body }: WireResponse): string | undefined {
  return status === 200 ? textOf(jsonOf(body)?.conversation_uuid) : undefined;
}

function sent(
  account: VoiceAccount<Settings>,
  context: VoiceContext,
  method: WireRequest['method'],
  path: string,
  body?: object,
): WireRequest {
  const url = `${account.endpoint}/v1/calls${path}`;
  return jsonRequest(method, url, bearer(account, context), body);
}
