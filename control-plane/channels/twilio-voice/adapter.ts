import { basic } from '../encoding.ts';
import { given, instantOf, jsonOf, textOf } from '../reading.ts';
import { retries } from '../twilio-signature.ts';
import type { CallHandle, LookUp, MarkupProvider, VoiceAccount } from '../voice-contract.ts';
import { checkOf, durationOf, isOnHosts, listedOn, pageAt, placedAs } from '../voice-reading.ts';
import { errorOutcome } from './errors.ts';
import { type Settings, settings } from './settings.ts';
import { answererOf, events, input, statusOf, verify } from './webhook.ts';

const told = ['initiated', 'ringing', 'answered', 'completed'];

/** Calls through Twilio. */
export const twilioVoice: MarkupProvider<Settings> = {
  kind: 'markup',
  id: 'twilio-voice',
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
      // Asks for the flow once it knows who answered: a machine is hung up by the answer.
      ...(call.machineDetection === 'off' ? {} : { MachineDetection: 'Enable' }),
      ...(call.recordingUrl === undefined
        ? {}
        : { Record: 'true', RecordingStatusCallback: call.recordingUrl + retries }),
    });
    for (const event of told) fields.append('StatusCallbackEvent', event);
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
    read: readLookUp,
  },

  search: {
    request: (to, since, account) => {
      const day = since.toISOString().slice(0, 10);
      const query = new URLSearchParams({ To: to, 'StartTime>': day, PageSize: '100' });
      return get(account, `${callsOf(account)}.json?${query}`);
    },
    read: (pages) =>
      listedOn(pages, ({ calls }) => calls)?.flatMap((call) => {
        const [callId, to, from] = [textOf(call.sid), textOf(call.to), textOf(call.from)];
        if (callId === undefined || to === undefined || from === undefined) return [];
        return [{ callId, to, from, ...given({ at: instantOf(call.date_created) }) }];
      }),
  },

  legs: {
    request: ({ requestId, callId }, _, account) => {
      const query = new URLSearchParams({ ParentCallSid: callId ?? requestId, PageSize: '100' });
      return get(account, `${callsOf(account)}.json?${query}`);
    },
    read: (pages) =>
      listedOn(pages, ({ calls }) => calls)?.flatMap((call) => {
        const [legId, status] = [textOf(call.sid), statusOf(textOf(call.status))];
        if (legId === undefined || status === undefined) return [];
        const durationSeconds = durationOf(call.duration ?? undefined);
        const [to, at] = [textOf(call.to), instantOf(call.end_time)];
        return [{ legId, status, ...given({ to, at, durationSeconds }) }];
      }),
  },

  nextPage(_, page, account) {
    const url = pageAt(jsonOf(page.body)?.next_page_uri, `${callsOf(account)}.json`);
    return url === undefined ? undefined : get(account, url);
  },

  check: {
    request: (account) => get(account, `${accountOf(account)}.json`),
    read(response, now) {
      if (response.status === 200) return { kind: 'ok' };
      const body = jsonOf(response.body);
      const code = textOf(body?.code) ?? String(response.status);
      return checkOf(response, now, { code, detail: textOf(body?.message) ?? code });
    },
  },

  recording(url, account) {
    const { account_sid, auth_token } = account.settings;
    const isOwn = isOnHosts(url, account.endpoint, ['twilio.com']);
    const headers = isOwn ? { authorization: basic(account_sid, auth_token) } : {};
    return { method: 'GET', url, headers };
  },
};

function readLookUp(response: Parameters<MarkupProvider['lookUp']['read']>[0]): LookUp {
  if (response.status === 404) return { kind: 'gone' };
  const body = jsonOf(response.body);
  const callId = textOf(body?.sid);
  const status = statusOf(textOf(body?.status));
  if (response.status !== 200 || callId === undefined || status === undefined) {
    return { kind: 'unclear', reason: `HTTP ${response.status}` };
  }
  const more = given({
    durationSeconds: durationOf(body?.duration ?? undefined),
    answeredBy: answererOf(textOf(body?.answered_by)),
    at: instantOf(body?.end_time),
  });
  return { kind: 'report', callId, status, ...more };
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

function get({ settings: { account_sid, auth_token } }: VoiceAccount<Settings>, url: string) {
  return {
    method: 'GET',
    url,
    headers: { authorization: basic(account_sid, auth_token) },
  } as const;
}

function post(account: VoiceAccount<Settings>, url: string, fields: URLSearchParams) {
  const { headers } = get(account, url);
  const type = 'application/x-www-form-urlencoded';
  return {
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': type },
    body: fields.toString(),
  } as const;
}
