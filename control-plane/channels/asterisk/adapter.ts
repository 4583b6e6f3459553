import type { WireResponse } from '../contract.ts';
import { basic } from '../encoding.ts';
import { jsonOf, rowOf, textOf } from '../reading.ts';
import type { LookUp, ReportedStatus, TrunkProvider, VoiceAccount } from '../voice-contract.ts';
import { checkOf, placedAs } from '../voice-reading.ts';
import { errorOutcome, failureOf } from './errors.ts';
import { type Settings, settings } from './settings.ts';

const limitVariable = 'TIMEOUT(absolute)';

/**
 * Calls through an Asterisk over ARI. A channel takes our id, so a call asked for twice is one. What
 * it plays is driven by us, in control-plane/messaging/voice/trunks.
 */
export const asterisk: TrunkProvider<Settings> = {
  kind: 'trunk',
  id: 'asterisk',
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
    // Taken already: an earlier request of ours arrived after all.
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
    read: (response, now) =>
      response.status === 200 && jsonOf(response.body)?.ping === 'pong'
        ? { kind: 'ok' }
        : checkOf(response, now, failureOf(response)),
  },

  recording: (url, account) =>
    ari(account, 'GET', `recordings/stored/${encodeURIComponent(url)}/file`),
};

/** The channel of a call: known before it is there. */
export function channelIdOf(callId: string): string {
  return callId;
}

/** Asterisk lets one listener in for each application, so each configuration has its own. */
export function applicationOf({ id, settings }: VoiceAccount<Settings>): string {
  return settings.application ?? `drawbridge-${id}`;
}

/** How the PBX is told whom to dial: the number through the trunk, or a SIP address. */
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
    authorization: basic(username, password),
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
