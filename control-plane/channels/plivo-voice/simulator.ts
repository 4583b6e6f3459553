import { createHmac } from 'node:crypto';
import { hasBasicAuthorization } from '../../simulation/basic-authorization.ts';
import { type Call, type Endpoint, jsonObject, type Reply } from '../../simulation/server.ts';
import type { VoiceSimulator } from '../simulation/contract.ts';
import {
  type CallStage,
  type Dialect,
  type HeldCall,
  invalidNumber,
  isKnownMachine,
  isOver,
  textIn,
  type VoiceNetwork,
  type VoiceOptions,
} from '../simulation/voice/network.ts';
import { type DialedLeg, type ProviderRequest, postTo } from '../simulation/voice/phone-call.ts';
import {
  type ControlledVoiceSimulator,
  startVoiceSimulator,
} from '../simulation/voice/simulator.ts';
import { interpret, transcribed } from './simulator/interpreter.ts';

/** Settings with which a configuration reaches this simulator. */
export const sandboxSettings = {
  auth_id: 'MASANDBOXVOICE000001',
  auth_token: 'sandbox-voice-token',
  transcription: 'auto',
} as const;

const { auth_id: authId, auth_token: token } = sandboxSettings;
const base = '/v1/Account/:account';

const statuses: Readonly<Record<CallStage, string>> = {
  initiated: 'queued',
  ringing: 'ringing',
  answered: 'in-progress',
  machine: 'in-progress',
  completed: 'completed',
  busy: 'busy',
  rejected: 'busy',
  'no-answer': 'no-answer',
  failed: 'failed',
  canceled: 'cancel',
};
const causes: Readonly<Partial<Record<CallStage, readonly [string, string]>>> = {
  completed: ['NORMAL_CLEARING', 'Normal Hangup'],
  busy: ['USER_BUSY', 'Busy Line'],
  rejected: ['CALL_REJECTED', 'Rejected'],
  'no-answer': ['NO_ANSWER', 'No Answer'],
  failed: ['NORMAL_TEMPORARY_FAILURE', 'Network Error'],
  canceled: ['ORIGINATOR_CANCEL', 'Cancelled'],
};

/** A loopback Plivo for calls: it fetches and plays our XML. */
export function startPlivoVoiceSimulator(options: VoiceOptions): Promise<ControlledVoiceSimulator> {
  return startVoiceSimulator(
    { kind: 'plivo-voice', settings: sandboxSettings, dialect, endpoints },
    options,
  );
}

export const simulator: VoiceSimulator = {
  kind: 'plivo-voice',
  start: startPlivoVoiceSimulator,
};

function dialect(network: VoiceNetwork): Dialect {
  const common = (call: HeldCall) => ({
    CallUUID: call.id,
    RequestUUID: call.requestId,
    ALegUUID: call.id,
    ALegRequestUUID: call.requestId,
    From: call.from,
    To: call.to,
    Direction: 'outbound',
    CallStatus: statuses[call.stage],
  });
  const recordUrl = (id: string) => `${network.url}/recordings/${authId}/${id}.mp3`;
  return {
    report(call) {
      if (call.stage === 'ringing') {
        return postTo(textIn(call.fields, 'ring_url'), { ...common(call), Event: 'Ring' });
      }
      if (!isOver(call)) return undefined;
      const [HangupCause, HangupCauseName] = causes[call.stage]!;
      return postTo(textIn(call.fields, 'hangup_url'), {
        ...common(call),
        Event: 'Hangup',
        HangupCause,
        HangupCauseName,
        HangupSource: 'Callee',
        Duration: call.seconds,
        BillDuration: call.seconds,
        ...(isKnownMachine(call) ? { Machine: 'true' } : {}),
      });
    },
    first: (call) =>
      postTo(textIn(call.fields, 'answer_url'), {
        ...common({ ...call, stage: 'answered' }),
        Event: 'StartApp',
        ...(isKnownMachine(call) ? { Machine: 'true' } : {}),
      }),
    recorded: (call, RecordingID) => {
      const { sessionCallback: url, sessionTranscription: textUrl } = call.fields;
      if (typeof url !== 'string') return [];
      const recording = {
        CallUUID: call.id,
        RecordingID,
        RecordUrl: recordUrl(RecordingID),
        RecordingDuration: call.seconds,
        RecordingDurationMs: call.seconds * 1_000,
      };
      const of = { CallUUID: call.id, RecordingID };
      return [
        postTo(url, recording),
        ...(typeof textUrl === 'string' ? [transcribed(textUrl, of, call.seconds)] : []),
      ];
    },
    sign: (request) => signed(request, network),
    interpret: (document, call, RecordingID, behaviours) => {
      noteSession(document, call);
      const RecordUrl = recordUrl(RecordingID);
      const { CallUUID, From, To } = common(call);
      const shown = { CallUUID, From, To, RecordingID, RecordUrl };
      return interpret(document, { ...shown, newLeg: () => network.uuid() }, behaviours);
    },
  };
}

/** The addresses for a recording of the whole session are in the document that began it. */
function noteSession(document: string, call: HeldCall): void {
  const [record] = /<Record [^>]*recordSession="true"[^>]*>/.exec(document) ?? [];
  if (record === undefined) return;
  const address = (name: string) =>
    new RegExp(`${name}="([^"]+)"`).exec(record)?.[1]?.replaceAll('&amp;', '&');
  Object.assign(call.fields, {
    sessionCallback: address('callbackUrl'),
    sessionTranscription: address('transcriptionUrl'),
  });
}

/** Signature V3: address, sorted query, sorted fields, nonce. */
function signed({ method, url, fields }: ProviderRequest, network: VoiceNetwork) {
  const address = new URL(url);
  const query = sorted([...address.searchParams], (name, value) => `${name}=${value}`).join('&');
  const rows = Object.entries(fields).map(([name, value]) => [name, String(value)] as const);
  const form = sorted(rows, (name, value) => name + value).join('');
  const nonce = network.hex(20);
  const body = form === '' ? '' : `${query === '' ? '' : '.'}${form}`;
  const mark = query === '' && form === '' ? '' : '?';
  const text = `${address.origin}${address.pathname}${mark}${query}${body}.${nonce}`;
  return {
    method,
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-plivo-signature-v3': createHmac('sha256', token).update(text).digest('base64'),
      'x-plivo-signature-v3-nonce': nonce,
    },
    body: new URLSearchParams(Object.fromEntries(rows)).toString(),
  };
}

function sorted(
  rows: readonly (readonly [string, string])[],
  print: (name: string, value: string) => string,
): readonly string[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => print(name, value));
}

function endpoints(network: VoiceNetwork): readonly Endpoint[] {
  const isKnown = ({ headers }: Call, account: string | undefined) =>
    hasBasicAuthorization(headers, authId, token) && account === authId;
  const guarded = (work: (call: Call) => Reply) => (call: Call) =>
    isKnown(call, call.params.account) ? work(call) : refusal(401, 'authentication failed');
  const remove = guarded(({ params }) =>
    network.hangUp(params.call ?? '') ? { status: 204 } : refusal(404, 'call not found'),
  );
  return [
    {
      method: 'post',
      path: `${base}/Call/`,
      handle: (call) => network.place(() => guarded((each) => place(network, each))(call)),
    },
    { method: 'delete', path: `${base}/Call/:call/`, handle: remove },
    { method: 'delete', path: `${base}/Request/:call/`, handle: remove },
    {
      method: 'get',
      path: `${base}/Call/`,
      handle: guarded(({ query }) => {
        const parent = query.get('parent_call_uuid');
        if (parent !== null) {
          const of = network.find(parent);
          return pageOf(network.uuid(), (of?.legs ?? []).map(legOf(parent)), query);
        }
        const calls = network.calls.filter(
          (each) => each.to === query.get('to_number') && isOver(each),
        );
        return pageOf(network.uuid(), calls.map(shown).reverse(), query);
      }),
    },
    {
      method: 'get',
      path: `${base}/Call/:call/`,
      handle: guarded(({ params, query }) => {
        const found = network.find(params.call);
        return found === undefined || placeOf(found) !== query.get('status')
          ? refusal(404, 'call not found')
          : { status: 200, body: isOver(found) ? shown(found) : shownLive(found) };
      }),
    },
    {
      method: 'get',
      path: '/recordings/:account/:file',
      handle: ({ params }) => {
        const id = (params.file ?? '').replace(/\.mp3$/, '');
        return network.recording(id, 'audio/mpeg') ?? refusal(404, 'not found');
      },
    },
    {
      method: 'get',
      path: `${base}/`,
      handle: guarded(() => ({ status: 200, body: { auth_id: authId, account_type: 'standard' } })),
    },
  ];
}

/** Newest first, at most twenty; `next` is the address of the next page. */
function pageOf(api_id: string, calls: readonly object[], query: URLSearchParams): Reply {
  const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
  if (!(limit >= 1 && limit <= 20) || !(offset >= 0)) return refusal(400, 'limit is out of range');
  const more = new URLSearchParams(query);
  more.set('limit', String(limit));
  more.set('offset', String(offset + limit));
  const next = offset + limit < calls.length ? `/v1/Account/${authId}/Call/?${more}` : null;
  const meta = { limit, offset, next, total_count: calls.length };
  return { status: 200, body: { api_id, meta, objects: calls.slice(offset, offset + limit) } };
}

function place(network: VoiceNetwork, call: Call): Reply {
  const body = jsonObject(call);
  if (body === undefined) return refusal(400, 'not JSON');
  const [to, from] = [textIn(body, 'to'), textIn(body, 'from')];
  if (!/^[1-9]\d{6,14}$/.test(to) || invalidNumber.test(to)) {
    return refusal(400, `${to} is not a valid phone number`);
  }
  if (!/^[1-9]\d{6,14}$/.test(from)) return refusal(400, 'from is not a valid phone number');
  if (!URL.canParse(textIn(body, 'answer_url')))
    return refusal(400, 'answer_url parameter missing');
  const requestId = network.uuid();
  network.take({
    id: network.uuid(),
    requestId,
    to,
    from,
    fields: { ...body },
    detectsMachines: body.machine_detection !== undefined,
    sparesMachines: body.machine_detection === 'hangup',
  });
  const answer = { api_id: network.uuid(), message: 'call fired', request_uuid: requestId };
  return { status: 201, body: answer };
}

/** The `status` under which a call is listed; a record has none. */
function placeOf(call: HeldCall): 'queued' | 'live' | null {
  if (isOver(call)) return null;
  return call.stage === 'initiated' ? 'queued' : 'live';
}

function shownLive(call: HeldCall) {
  return {
    call_uuid: call.id,
    request_uuid: call.requestId,
    to: call.to,
    from: call.from,
    call_status: statuses[call.stage],
    direction: 'outbound',
    caller_name: '',
  };
}

function shown(call: HeldCall) {
  return {
    call_uuid: call.id,
    to_number: call.to,
    from_number: call.from,
    bill_duration: call.seconds,
    call_duration: call.seconds,
    hangup_cause_name: causes[call.stage]?.[1],
    initiation_time: call.createdAt.toISOString(),
    call_direction: 'outbound',
  };
}

function legOf(parent: string) {
  return ({ id, to, end, seconds }: DialedLeg) => ({
    call_uuid: id,
    parent_call_uuid: parent,
    to_number: to,
    call_direction: 'outbound',
    bill_duration: seconds,
    call_duration: seconds,
    hangup_cause_name: causes[end]?.[1],
  });
}

function refusal(status: number, error: string): Reply {
  return { status, body: { api_id: '0', error } };
}
