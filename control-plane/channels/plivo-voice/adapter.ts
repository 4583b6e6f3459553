import { digitsOf } from '@drawbridge/messaging/phone.ts';
import type { WireResponse } from '../contract.ts';
import { basic } from '../encoding.ts';
import { given, instantOf, type JsonObject, jsonOf, rowOf, textOf, within } from '../reading.ts';
import type { LookUp, MarkupProvider, ReportedStatus, VoiceAccount } from '../voice-contract.ts';
import {
  checkOf,
  durationOf,
  isOnHosts,
  listedOn,
  pageAt,
  partyIn,
  placedAs,
} from '../voice-reading.ts';
import { errorOutcome, failureOf } from './errors.ts';
import { type Settings, settings } from './settings.ts';
import { events, input, statusOf, verify } from './webhook.ts';

/** Calls through Plivo. It names the request at first, and the call when it rings. */
export const plivoVoice: MarkupProvider<Settings> = {
  kind: 'markup',
  id: 'plivo-voice',
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

  withRecording: (document, recordingUrl) =>
    document.replace(/<Response>/, () => `<Response>${sessionRecord(recordingUrl)}`),

  lookUp: {
    // A record is there only once the call is over; until then it is asked for as what it is. The
    // record comes last, so that a call that ends meanwhile is not missed.
    requests: ({ requestId, callId }, account) =>
      ['?status=queued', '?status=live', ''].map((query) =>
        sent(account, 'GET', `Call/${encodeURIComponent(callId ?? requestId)}/${query}`),
      ),
    read: readLookUp,
  },

  search: {
    request: (to, since, account) => {
      const stamp = since.toISOString().slice(0, 19).replace('T', ' ');
      const query = new URLSearchParams({ to_number: digitsOf(to), end_time__gte: stamp });
      return sent(account, 'GET', `Call/?${query}`);
    },
    read: (pages) =>
      listedOn(pages, ({ objects }) => objects)?.flatMap((call) => {
        const [callId, to] = [textOf(call.call_uuid), textOf(call.to_number)];
        const from = textOf(call.from_number);
        if (callId === undefined || to === undefined || from === undefined) return [];
        const at = instantOf(call.initiation_time);
        return [{ callId, to: plus(to), from: plus(from), ...given({ at }) }];
      }),
  },

  legs: {
    request: ({ requestId, callId }, _, account) => {
      const query = new URLSearchParams({ parent_call_uuid: callId ?? requestId });
      return sent(account, 'GET', `Call/?${query}`);
    },
    read: (pages) =>
      listedOn(pages, ({ objects }) => objects)?.flatMap((call) => {
        const [legId, status] = [textOf(call.call_uuid), statusIn(call)];
        if (legId === undefined || status === undefined) return [];
        const durationSeconds = durationOf(call.bill_duration);
        const [to, at] = [partyIn(textOf(call.to_number)), instantOf(call.end_time)];
        return [{ legId, status, ...given({ to, at, durationSeconds }) }];
      }),
  },

  nextPage(asked, page, account) {
    const meta = within(jsonOf(page.body), 'meta');
    const url = pageAt(meta.next, asked.url);
    return url === undefined ? undefined : { ...sent(account, 'GET', ''), url };
  },

  check: {
    request: (account) => sent(account, 'GET', ''),
    read: (response, now) =>
      response.status === 200 ? { kind: 'ok' } : checkOf(response, now, failureOf(response)),
  },

  recording(url, account) {
    const { auth_id, auth_token } = account.settings;
    const isOwn = isOnHosts(url, account.endpoint, ['plivo.com']);
    const headers = isOwn ? { authorization: basic(auth_id, auth_token) } : {};
    return { method: 'GET', url, headers };
  },
};

/** How Plivo's own words for the end of a call map, where the record names no state. */
const causes: Readonly<Record<string, ReportedStatus>> = {
  'Normal Hangup': 'completed',
  'Busy Line': 'busy',
  'No Answer': 'no_answer',
  'Ring Timeout Reached': 'no_answer',
  Rejected: 'busy',
  Cancelled: 'canceled',
};

function readLookUp(response: WireResponse): LookUp {
  if (response.status === 404) return { kind: 'gone' };
  const body = jsonOf(response.body);
  const callId = textOf(body?.call_uuid);
  const ended = textOf(body?.hangup_cause_name);
  const status = statusIn(body);
  if (response.status !== 200 || callId === undefined || status === undefined) {
    return { kind: 'unclear', reason: `HTTP ${response.status}` };
  }
  const durationSeconds = durationOf(body?.bill_duration);
  const at = instantOf(body?.end_time);
  return { kind: 'report', callId, status, ...given({ durationSeconds, cause: ended, at }) };
}

function statusIn(call: JsonObject | undefined): ReportedStatus | undefined {
  const ended = textOf(call?.hangup_cause_name);
  const known = statusOf(textOf(call?.call_status));
  return known ?? (ended === undefined ? undefined : (rowOf(causes, ended) ?? 'failed'));
}

/** Goes on at once, and records until the call ends. */
function sessionRecord(url: string): string {
  const address = url.replaceAll('&', '&amp;');
  return (
    `<Record recordSession="true" redirect="false" maxLength="14400" ` +
    `callbackUrl="${address}" callbackMethod="POST"/>`
  );
}

function plus(digits: string): string {
  return digits.startsWith('+') ? digits : `+${digits}`;
}

function sent(
  { endpoint, settings: { auth_id, auth_token } }: VoiceAccount<Settings>,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
) {
  const headers = {
    authorization: basic(auth_id, auth_token),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const url = `${endpoint}/v1/Account/${auth_id}/${path}`;
  return { method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}
