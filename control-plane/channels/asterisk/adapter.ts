import { basicAuthorization } from '../basic-authorization.ts';
import type { WireResponse } from '../contract.ts';
import { jsonOf, rowOf, textOf } from '../untrusted-input.ts';
import type { LookUp, ReportedStatus, TrunkProvider, VoiceAccount } from '../voice-contract.ts';
import { checkOf, placedAs } from '../voice-responses.ts';
import { errorOutcome, failureOf } from './errors.ts';
import { type Settings, settings } from './settings.ts';

const limitVariable = 'TIMEOUT(absolute)';

/**
 * Calls through an Asterisk over ARI. A channel takes our id, so a call that is requested twice is
 * placed once. control-plane/messaging/voice/trunks decides step by step what the call plays.
 */
export const asterisk: TrunkProvider<Settings> = {
  kind: 'trunk',
  id: 'asterisk',
  title: 'Asterisk (ARI)',
  settings,
  guarantee: { kind: 'exactly-once', reportsCarryOurId: true },
  limits: {
    calls: { count: 50, perMs: 1_000 },
    callSecondsMax: 14_400,
    ringSecondsMax: 600,
  },
  endpointOf: ({ url }) => url,

  place: (call, account) => {
    const query = {
      endpoint: dialString(account.settings, call.to),
      app: applicationOf(account),
      appArgs: call.id,
      callerId: call.from,
      timeout: String(call.ringSeconds),
      channelId: channelIdOf(call.id),
    };
    const variables = { [limitVariable]: String(call.limitSeconds) };
    return ari(account, 'POST', 'channels', query, { variables });
  },

  readPlacing(response, now) {
    // 409: the channel exists, because an earlier request of ours arrived after all.
    if (response.status === 409) return { kind: 'placed', requestId: '' };
    if (response.status !== 200) return errorOutcome(response, now);
    return placedAs(textOf(jsonOf(response.body)?.id), 'id');
  },

  hangUp: (handle, account) =>
    ari(account, 'DELETE', `channels/${encodeURIComponent(handle.requestId)}`, {
      reason: 'normal',
    }),

  lookUp: {
    requests: (handle, account) => [
      ari(account, 'GET', `channels/${encodeURIComponent(handle.requestId)}`),
    ],
    read: readLookUp,
  },

  check: {
    request: (account) => ari(account, 'GET', 'asterisk/ping'),
    read(response, now) {
      const failure = failureOf(response);
      const isAsterisk = jsonOf(response.body)?.ping === 'pong';
      if (response.status === 200 && !isAsterisk)
        return { kind: 'unclear', reason: failure.detail };
      return checkOf(response, now, failure);
    },
  },

  recording: (url, account) =>
    ari(account, 'GET', `recordings/stored/${encodeURIComponent(url)}/file`),
};

/** The id of a call's channel: known before the channel exists. */
function channelIdOf(callId: string): string {
  return callId;
}

/**
 * Asterisk allows one listener for each application, so each configuration has its own application.
 */
export function applicationOf({ id, settings }: VoiceAccount<Settings>): string {
  return settings.application ?? `drawbridge-${id}`;
}

/**
 * The text by which Asterisk knows whom to dial: the number through the trunk, or a SIP address.
 */
export function dialString({ technology, trunk }: Settings, to: string): string {
  return /^sips?:/.test(to)
    ? `${technology}/${trunk}/${to}`
    : `${technology}/${to.replace(/[^+\d]/g, '')}@${trunk}`;
}

/** One request to ARI. */
export function ari(
  { endpoint, settings: { username, password } }: VoiceAccount<Settings>,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  query: Readonly<Record<string, string>> = {},
  body?: object,
) {
  const search = new URLSearchParams(query).toString();
  const url = `${endpoint}/ari/${path}${search === '' ? '' : `?${search}`}`;
  const headers = {
    authorization: basicAuthorization(username, password),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return { method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

const states: Readonly<Record<string, ReportedStatus>> = {
  Down: 'queued',
  Rsrved: 'queued',
  OffHook: 'queued',
  Dialing: 'queued',
  Ring: 'ringing',
  Ringing: 'ringing',
  Up: 'in_progress',
  Busy: 'busy',
};

function readLookUp(response: WireResponse): LookUp {
  if (response.status === 404) return { kind: 'gone' };
  const body = jsonOf(response.body);
  const callId = textOf(body?.id);
  const status = rowOf(states, textOf(body?.state));
  if (response.status !== 200 || callId === undefined || status === undefined) {
    return { kind: 'unclear', reason: `HTTP ${response.status}` };
  }
  return { kind: 'report', callId, status };
}
