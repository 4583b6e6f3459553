import { digitsOf } from '@drawbridge/messaging/phone.ts';
import { basicAuthorization } from '../basic-authorization.ts';
import type { WireRequest } from '../contract.ts';
import { instantOf, type JsonObject, jsonOf, rowOf, textOf, within } from '../untrusted-input.ts';
import type {
  MarkupProvider,
  ReportedStatus,
  VoiceAccount,
  WholeCallRecording,
} from '../voice-contract.ts';
import {
  checkOf,
  durationOf,
  jsonRequest,
  listedCalls,
  listedLegs,
  lookedUp,
  pageAt,
  partyIn,
  placedAs,
  recordingRequest,
} from '../voice-responses.ts';
import { errorOutcome, failureOf } from './errors.ts';
import { type Settings, settings } from './settings.ts';
import { events, input, statusOf, verify } from './webhook.ts';

/** Calls through Plivo, which first names the request, and the call once it rings. */
export const plivoVoice: MarkupProvider<Settings> = {
  kind: 'markup',
  id: 'plivo-voice',
  title: 'Plivo Voice',
  settings,
  endpoint: 'https://api.plivo.com',
  markup: 'plivo',
  guarantee: { kind: 'at-most-once-unknown', reportsCarryOurId: true },
  limits: {
    calls: { count: 50, perMs: 1_000 },
    callSecondsMax: 14_400,
    ringSecondsMax: 120,
  },
  verify,
  events,
  input,

  place: (call, account) =>
    sent(account, 'POST', 'Call/', {
      from: digitsOf(call.from),
      to: digitsOf(call.to),
      answer_url: call.answerUrl,
      answer_method: 'POST',
      ring_url: call.statusUrl,
      ring_method: 'POST',
      hangup_url: call.statusUrl,
      hangup_method: 'POST',
      time_limit: call.limitSeconds,
      ring_timeout: call.ringSeconds,
      ...(call.machineDetection === 'off'
        ? {}
        : { machine_detection: call.machineDetection === 'hangup' ? 'hangup' : 'true' }),
    }),

  readPlacing(response, now) {
    if (response.status !== 201) return errorOutcome(response, now);
    return placedAs(textOf(jsonOf(response.body)?.request_uuid), 'request_uuid');
  },

  hangUp: ({ requestId, callId }, account) =>
    callId === undefined
      ? sent(account, 'DELETE', `Request/${encodeURIComponent(requestId)}/`)
      : sent(account, 'DELETE', `Call/${encodeURIComponent(callId)}/`),

  withRecording: (document, recording) =>
    document.replace(/<Response>/, () => `<Response>${sessionRecord(recording)}`),

  transcription: {
    kind: 'reported',
    isUsedBy: ({ settings }) => settings.transcription !== undefined,
    languageOf: () => 'en-US',
  },

  lookUp: {
    // Plivo lists a call as queued, then as live, and as a record once it is over. The record is
    // asked for last, so that a call that ends meanwhile is not missed.
    requests: ({ requestId, callId }, account) =>
      ['?status=queued', '?status=live', ''].map((query) =>
        sent(account, 'GET', `Call/${encodeURIComponent(callId ?? requestId)}/${query}`),
      ),
    read: (response) =>
      lookedUp(response, (call) => ({
        callId: textOf(call.call_uuid),
        status: statusIn(call),
        durationSeconds: durationOf(call.bill_duration),
        cause: textOf(call.hangup_cause_name),
        at: instantOf(call.end_time),
      })),
  },

  search: {
    request: (to, since, account) => {
      const stamp = since.toISOString().slice(0, 19).replace('T', ' ');
      const query = new URLSearchParams({ to_number: digitsOf(to), end_time__gte: stamp });
      return sent(account, 'GET', `Call/?${query}`);
    },
    read: (pages) =>
      listedCalls(pages, callsOn, (call) => ({
        callId: textOf(call.call_uuid),
        to: partyIn(textOf(call.to_number)),
        from: partyIn(textOf(call.from_number)),
        at: instantOf(call.initiation_time),
      })),
  },

  legs: {
    request: ({ requestId, callId }, _, account) => {
      const query = new URLSearchParams({ parent_call_uuid: callId ?? requestId });
      return sent(account, 'GET', `Call/?${query}`);
    },
    read: (pages) =>
      listedLegs(pages, callsOn, (call) => ({
        legId: textOf(call.call_uuid),
        status: statusIn(call),
        to: partyIn(textOf(call.to_number)),
        at: instantOf(call.end_time),
        durationSeconds: durationOf(call.bill_duration),
      })),
  },

  nextPage(asked, page, account) {
    const meta = within(jsonOf(page.body), 'meta');
    const url = pageAt(meta.next, asked.url);
    return url === undefined ? undefined : { ...sent(account, 'GET', ''), url };
  },

  check: {
    request: (account) => sent(account, 'GET', ''),
    read: (response, now) => checkOf(response, now, failureOf(response)),
  },

  recording: (url, account) =>
    recordingRequest(url, account.endpoint, ['plivo.com'], () => authorizationOf(account)),
};

/** Plivo's hang-up causes as our statuses, where the record has no state. */
const causes: Readonly<Record<string, ReportedStatus>> = {
  'Normal Hangup': 'completed',
  'Busy Line': 'busy',
  'No Answer': 'no_answer',
  'Ring Timeout Reached': 'no_answer',
  Rejected: 'busy',
  Cancelled: 'canceled',
};

function callsOn({ objects }: JsonObject): unknown {
  return objects;
}

function statusIn(call: JsonObject): ReportedStatus | undefined {
  const ended = textOf(call.hangup_cause_name);
  const known = statusOf(textOf(call.call_status));
  return known ?? (ended === undefined ? undefined : (rowOf(causes, ended) ?? 'failed'));
}

/** Goes on at once, and records until the call ends. */
function sessionRecord({ url, transcription }: WholeCallRecording): string {
  const text =
    transcription === undefined
      ? ''
      : ` transcriptionType="auto" transcriptionUrl="${escaped(transcription.url)}"`;
  return (
    `<Record recordSession="true" redirect="false" maxLength="14400" ` +
    `callbackUrl="${escaped(url)}" callbackMethod="POST"${text}/>`
  );
}

function escaped(url: string): string {
  return url.replaceAll('&', '&amp;');
}

function authorizationOf({ settings: { auth_id, auth_token } }: VoiceAccount<Settings>): string {
  return basicAuthorization(auth_id, auth_token);
}

function sent(
  account: VoiceAccount<Settings>,
  method: WireRequest['method'],
  path: string,
  body?: object,
): WireRequest {
  const url = `${account.endpoint}/v1/Account/${account.settings.auth_id}/${path}`;
  return jsonRequest(method, url, authorizationOf(account), body);
}
