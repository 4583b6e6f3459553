/** Transcripts of recordings by Conversational Intelligence, an API of Twilio beside its main one. */
import { basicAuthorization } from '../basic-authorization.ts';
import type { WireRequest, WireResponse } from '../contract.ts';
import { type JsonObject, jsonOf, textOf } from '../untrusted-input.ts';
import type { FoundTranscription, OrderedTranscription, VoiceAccount } from '../voice-contract.ts';
import type { Settings } from './settings.ts';

const mainEndpoint = 'https://api.twilio.com';
const intelligenceEndpoint = 'https://intelligence.twilio.com';
const sentencesMax = 1_000;

export const transcription: OrderedTranscription<Settings> = {
  kind: 'ordered',
  isUsedBy: ({ settings }) => settings.intelligence_service_sid !== undefined,

  find: (recordingId, account) =>
    get(account, `?${new URLSearchParams({ SourceSid: recordingId, PageSize: '1' })}`),

  readFound(response) {
    const list = response.status === 200 ? jsonOf(response.body)?.transcripts : undefined;
    if (!Array.isArray(list)) return refusal(response);
    const [first] = list as readonly JsonObject[];
    return first === undefined ? { kind: 'none' } : stateOf(first);
  },

  begin(recordingId, account) {
    const { intelligence_service_sid = '' } = account.settings;
    const fields = new URLSearchParams({
      ServiceSid: intelligence_service_sid,
      Channel: JSON.stringify({ media_properties: { source_sid: recordingId } }),
    });
    return {
      method: 'POST',
      url: transcriptsOf(account),
      headers: {
        authorization: authorizationOf(account),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: fields.toString(),
    };
  },

  readBegun: (response) => (response.status === 201 ? { kind: 'pending' } : refusal(response)),

  text: (id, account) =>
    get(account, `/${encodeURIComponent(id)}/Sentences?PageSize=${sentencesMax}`),

  readText(response) {
    const list = response.status === 200 ? jsonOf(response.body)?.sentences : undefined;
    if (!Array.isArray(list)) return undefined;
    return (list as readonly JsonObject[])
      .map(({ transcript }) => textOf(transcript) ?? '')
      .filter((sentence) => sentence !== '')
      .join(' ');
  },
};

function stateOf({ sid, status, language_code }: JsonObject): FoundTranscription {
  const id = textOf(sid);
  switch (status) {
    case 'completed':
      return id === undefined
        ? { kind: 'unclear', reason: 'the transcript has no sid' }
        : { kind: 'done', id, language: textOf(language_code) };
    case 'failed':
    case 'canceled':
    case 'error':
      return { kind: 'failed', reason: `the provider's transcript is ${status}` };
    default:
      return { kind: 'pending' };
  }
}

/** A refusal for what was asked is final; one for when it was asked is not. */
function refusal({ status, body }: WireResponse) {
  const reason = textOf(jsonOf(body)?.message) ?? `the provider answered ${status}`;
  const isFinal = status >= 400 && status < 500 && status !== 429 && status !== 408;
  return { kind: isFinal ? ('failed' as const) : ('unclear' as const), reason };
}

function transcriptsOf({ endpoint }: VoiceAccount<Settings>): string {
  return `${endpoint === mainEndpoint ? intelligenceEndpoint : endpoint}/v2/Transcripts`;
}

function authorizationOf({ settings }: VoiceAccount<Settings>): string {
  return basicAuthorization(settings.account_sid, settings.auth_token);
}

function get(account: VoiceAccount<Settings>, rest: string): WireRequest {
  return {
    method: 'GET',
    url: `${transcriptsOf(account)}${rest}`,
    headers: { authorization: authorizationOf(account) },
  };
}
