import { basicAuthorization } from '../basic-authorization.ts';
import type { WireRequest } from '../contract.ts';
import { retries } from '../twilio-signature.ts';
import { instantOf, type JsonObject, jsonOf, textOf } from '../untrusted-input.ts';
import type { CallHandle, MarkupProvider, VoiceAccount } from '../voice-contract.ts';
import {
  checkOf,
  durationOf,
  listedCalls,
  listedLegs,
  lookedUp,
  pageAt,
  placedAs,
  recordingRequest,
} from '../voice-responses.ts';
import { errorOutcome, failureOf } from './errors.ts';
import { type Settings, settings } from './settings.ts';
import { transcription } from './transcription.ts';
import { answererOf, events, input, statusOf, verify } from './webhook.ts';

const reportedStages = ['initiated', 'ringing', 'answered', 'completed'];

/** Calls through Twilio. */
export const twilioVoice: MarkupProvider<Settings> = {
  kind: 'markup',
  id: 'twilio-voice',
  title: 'Twilio Voice',
  settings,
  endpoint: 'https://api.twilio.com',
  markup: 'twiml',
  guarantee: { kind: 'at-most-once-unknown', reportsCarryOurId: true },
  limits: {
    calls: { count: 50, perMs: 1_000 },
    callSecondsMax: 14_400,
    ringSecondsMax: 600,
  },
  verify,
  events,
  input,

  place(call, account) {
    const fields = new URLSearchParams({
      To: call.to,
      From: call.from,
      Url: call.answerUrl + retries,
      Method: 'POST',
      StatusCallback: call.statusUrl + retries,
      StatusCallbackMethod: 'POST',
      Timeout: String(call.ringSeconds),
      TimeLimit: String(call.limitSeconds),
      // Twilio asks for the flow once it knows who answered: our answer hangs up on a machine.
      ...(call.machineDetection === 'off' ? {} : { MachineDetection: 'Enable' }),
      ...(call.recordingUrl === undefined
        ? {}
        : { Record: 'true', RecordingStatusCallback: call.recordingUrl + retries }),
    });
    for (const event of reportedStages) fields.append('StatusCallbackEvent', event);
    return post(account, `${callsOf(account)}.json`, fields);
  },

  readPlacing(response, now) {
    if (response.status !== 201) return errorOutcome(response, now);
    return placedAs(textOf(jsonOf(response.body)?.sid), 'sid');
  },

  hangUp: (handle, account) =>
    post(account, callOf(handle, account), new URLSearchParams({ Status: 'completed' })),

  lookUp: {
    requests: (handle, account) => [get(account, callOf(handle, account))],
    read: (response) =>
      lookedUp(response, (call) => ({
        callId: textOf(call.sid),
        status: statusOf(textOf(call.status)),
        durationSeconds: durationOf(call.duration),
        answeredBy: answererOf(textOf(call.answered_by)),
        at: instantOf(call.end_time),
      })),
  },

  search: {
    request: (to, since, account) => {
      const day = since.toISOString().slice(0, 10);
      const query = new URLSearchParams({ To: to, 'StartTime>': day, PageSize: '100' });
      return get(account, `${callsOf(account)}.json?${query}`);
    },
    read: (pages) =>
      listedCalls(pages, callsOn, (call) => ({
        callId: textOf(call.sid),
        to: textOf(call.to),
        from: textOf(call.from),
        at: instantOf(call.date_created),
      })),
  },

  legs: {
    request: ({ requestId, callId }, _, account) => {
      const query = new URLSearchParams({ ParentCallSid: callId ?? requestId, PageSize: '100' });
      return get(account, `${callsOf(account)}.json?${query}`);
    },
    read: (pages) =>
      listedLegs(pages, callsOn, (call) => ({
        legId: textOf(call.sid),
        status: statusOf(textOf(call.status)),
        to: textOf(call.to),
        at: instantOf(call.end_time),
        durationSeconds: durationOf(call.duration),
      })),
  },

  transcription,

  nextPage(_, page, account) {
    const url = pageAt(jsonOf(page.body)?.next_page_uri, `${callsOf(account)}.json`);
    return url === undefined ? undefined : get(account, url);
  },

  check: {
    request: (account) => get(account, `${accountOf(account)}.json`),
    read: (response, now) => checkOf(response, now, failureOf(response)),
  },

  recording: (url, account) =>
    recordingRequest(url, account.endpoint, ['twilio.com'], () => authorizationOf(account)),
};

function callsOn({ calls }: JsonObject): unknown {
  return calls;
}

function accountOf({ endpoint, settings: { account_sid } }: VoiceAccount<Settings>): string {
  return `${endpoint}/2010-04-01/Accounts/${account_sid}`;
}

function callsOf(account: VoiceAccount<Settings>): string {
  return `${accountOf(account)}/Calls`;
}

function callOf(handle: CallHandle, account: VoiceAccount<Settings>): string {
  return `${callsOf(account)}/${encodeURIComponent(handle.callId ?? handle.requestId)}.json`;
}

function authorizationOf({ settings }: VoiceAccount<Settings>): string {
  return basicAuthorization(settings.account_sid, settings.auth_token);
}

function get(account: VoiceAccount<Settings>, url: string): WireRequest {
  return { method: 'GET', url, headers: { authorization: authorizationOf(account) } };
}

function post(account: VoiceAccount<Settings>, url: string, fields: URLSearchParams): WireRequest {
  const headers = {
    authorization: authorizationOf(account),
    'content-type': 'application/x-www-form-urlencoded',
  };
  return { method: 'POST', url, headers, body: fields.toString() };
}
