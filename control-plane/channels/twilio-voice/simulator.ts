import { createHmac } from 'node:crypto';
import { hasBasicAuthorization } from '../../simulation/basic-authorization.ts';
import { type Call, type Endpoint, formOf, type Reply } from '../../simulation/server.ts';
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
import { interpret } from './simulator/interpreter.ts';
import { transcriptEndpoints } from './simulator/transcripts.ts';

/** Settings with which a configuration reaches this simulator. */
export const sandboxSettings = {
  account_sid: 'AC00000000000000000000000000000002',
  auth_token: 'sandbox-voice-token',
  intelligence_service_sid: 'GA00000000000000000000000000000002',
} as const;

const { account_sid: sid, auth_token: token } = sandboxSettings;
const base = '/2010-04-01/Accounts/:sid';

const statuses: Readonly<Record<CallStage, string>> = {
  initiated: 'initiated',
  ringing: 'ringing',
  answered: 'in-progress',
  machine: 'in-progress',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no-answer',
  rejected: 'busy',
  failed: 'failed',
  canceled: 'canceled',
};

/** A loopback Twilio for calls: it fetches and plays our TwiML. */
export function startTwilioVoiceSimulator(
  options: VoiceOptions,
): Promise<ControlledVoiceSimulator> {
  return startVoiceSimulator(
    { kind: 'twilio-voice', settings: sandboxSettings, dialect, endpoints },
    options,
  );
}

export const simulator: VoiceSimulator = {
  kind: 'twilio-voice',
  start: startTwilioVoiceSimulator,
};

function dialect(network: VoiceNetwork): Dialect {
  const common = (call: HeldCall) => ({
    CallSid: call.id,
    AccountSid: sid,
    From: `+${call.from}`,
    To: `+${call.to}`,
    Direction: 'outbound-api',
    ApiVersion: '2010-04-01',
    CallStatus: statuses[call.stage],
    ...(isKnownMachine(call) && call.stage !== 'initiated' ? { AnsweredBy: 'machine_start' } : {}),
  });
  const recordingUrl = (id: string) => `${network.url}/2010-04-01/Accounts/${sid}/Recordings/${id}`;
  return {
    report(call) {
      const url = textIn(call.fields, 'StatusCallback');
      if (url === '' || call.stage === 'machine') return undefined;
      const Timestamp = network.clock.now().toUTCString();
      const CallDuration = isOver(call) ? { CallDuration: String(call.seconds) } : {};
      return postTo(url, { ...common(call), ...CallDuration, Timestamp });
    },
    first: (call) => postTo(textIn(call.fields, 'Url'), common({ ...call, stage: 'answered' })),
    recorded(call, id) {
      const url = textIn(call.fields, 'RecordingStatusCallback');
      if (url === '') return [];
      const recording = {
        CallSid: call.id,
        AccountSid: sid,
        RecordingSid: id,
        RecordingUrl: recordingUrl(id),
        RecordingStatus: 'completed',
        RecordingDuration: String(call.seconds),
        RecordingChannels: '1',
        RecordingSource: 'OutboundAPI',
      };
      return [postTo(url, recording)];
    },
    sign: (request) => signed(request, network),
    interpret: (document, call, RecordingSid, behaviours) => {
      const { CallSid, AccountSid, From, To } = common(call);
      const RecordingUrl = recordingUrl(RecordingSid);
      const shown = { CallSid, AccountSid, From, To, RecordingSid, RecordingUrl };
      const Timestamp = network.clock.now().toUTCString();
      const newLeg = () => `CA${network.hex(32)}`;
      return interpret(document, { ...shown, Timestamp, newLeg }, behaviours);
    },
  };
}

function signed({ method, url, fields }: ProviderRequest, network: VoiceNetwork) {
  const rows = Object.entries(fields)
    .map(([name, value]) => [name, String(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const text = url + (method === 'GET' ? '' : rows.map(([name, value]) => name + value).join(''));
  return {
    method,
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', token).update(text).digest('base64'),
      'i-twilio-idempotency-token': network.hex(32),
    },
    body: new URLSearchParams(Object.fromEntries(rows)).toString(),
  };
}

function endpoints(network: VoiceNetwork): readonly Endpoint[] {
  const guarded = (work: (call: Call) => Reply) => (call: Call) => {
    const isKnown = hasBasicAuthorization(call.headers, sid, token) && call.params.sid === sid;
    return isKnown ? work(call) : refusal(401, 20003, 'Authenticate');
  };
  return [
    {
      method: 'post',
      path: `${base}/Calls.json`,
      handle: (call) => network.place(() => guarded((each) => place(network, each))(call)),
    },
    {
      method: 'get',
      path: `${base}/Calls.json`,
      handle: guarded(({ query }) => {
        const parent = query.get('ParentCallSid');
        if (parent !== null) {
          const of = network.find(parent);
          return pageOf((of?.legs ?? []).map(legOf(parent)), query);
        }
        const day = query.get('StartTime>') ?? '';
        const calls = network.calls.filter(
          ({ to, createdAt }) =>
            `+${to}` === query.get('To') && createdAt.toISOString().slice(0, 10) >= day,
        );
        return pageOf(calls.map(shown).reverse(), query);
      }),
    },
    {
      method: 'get',
      path: `${base}/Calls/:call.json`,
      handle: guarded(({ params }) => {
        const found = network.find(params.call);
        return found === undefined ? notFound() : { status: 200, body: shown(found) };
      }),
    },
    {
      method: 'post',
      path: `${base}/Calls/:call.json`,
      handle: guarded((call) => {
        const found = network.find(call.params.call);
        if (found === undefined) return notFound();
        if (formOf(call.body).Status === 'completed') network.hangUp(found.id);
        return { status: 200, body: shown(found) };
      }),
    },
    {
      method: 'get',
      path: `${base}/Recordings/:recording.json`,
      handle: guarded(({ params }) => {
        const id = params.recording ?? '';
        const call = network.calls.find(({ recordings }) => recordings.includes(id));
        return call === undefined ? notFound() : { status: 200, body: shownRecording(call, id) };
      }),
    },
    {
      method: 'get',
      path: `${base}/Recordings/:recording`,
      handle: guarded(
        ({ params }) => network.recording(params.recording, 'audio/x-wav') ?? notFound(),
      ),
    },
    {
      method: 'get',
      path: `/2010-04-01/Accounts/:sid.json`,
      handle: guarded(() => ({ status: 200, body: { sid, status: 'active', type: 'Full' } })),
    },
    ...transcriptEndpoints(network, sandboxSettings),
  ];
}

function shownRecording({ id, seconds, createdAt, isRecorded }: HeldCall, recordingSid: string) {
  return {
    sid: recordingSid,
    account_sid: sid,
    call_sid: id,
    status: 'completed',
    channels: 1,
    source: isRecorded ? 'OutboundAPI' : 'RecordVerb',
    duration: String(seconds),
    date_created: createdAt.toUTCString(),
    uri: `/2010-04-01/Accounts/${sid}/Recordings/${recordingSid}.json`,
  };
}

/** Newest first; the next page is addressed by its number and by the last call of this one. */
function pageOf(calls: readonly { readonly sid: string }[], query: URLSearchParams): Reply {
  const [size, page] = [Number(query.get('PageSize') ?? 50), Number(query.get('Page') ?? 0)];
  if (!(size >= 1 && size <= 1_000)) return refusal(400, 20006, 'PageSize is out of range');
  const start = calls.findIndex(({ sid: id }) => `PA${id}` === query.get('PageToken')) + 1;
  const shownHere = calls.slice(start, start + size);
  const next = new URLSearchParams(query);
  next.set('Page', String(page + 1));
  next.set('PageToken', `PA${shownHere.at(-1)?.sid}`);
  const next_page_uri =
    start + size < calls.length ? `/2010-04-01/Accounts/${sid}/Calls.json?${next}` : null;
  return { status: 200, body: { calls: shownHere, page, page_size: size, next_page_uri } };
}

function place(network: VoiceNetwork, call: Call): Reply {
  const form = formOf(call.body);
  const { To: to = '', From: from = '', Url: url = '', Timeout = '60', TimeLimit = '14400' } = form;
  if (!/^\+[1-9]\d{6,14}$/.test(to) || invalidNumber.test(to)) {
    return refusal(400, 21211, `The 'To' number ${to} is not a valid phone number.`);
  }
  if (!/^\+[1-9]\d{6,14}$/.test(from)) return refusal(400, 21212, "Invalid 'From' Phone Number");
  if (!URL.canParse(url)) return refusal(400, 21205, 'Url is not a valid URL');
  if (!(Number(Timeout) >= 5 && Number(Timeout) <= 600) || !(Number(TimeLimit) >= 1)) {
    return refusal(400, 20001, 'Timeout or TimeLimit is out of range');
  }
  const id = `CA${network.hex(32)}`;
  const held = network.take({
    id,
    requestId: id,
    to: to.slice(1),
    from: from.slice(1),
    fields: form,
    detectsMachines: form.MachineDetection !== undefined,
    isRecorded: form.Record === 'true',
  });
  return { status: 201, body: { ...shown(held), status: 'queued' } };
}

function shown(call: HeldCall) {
  const isAnswered = !['initiated', 'ringing'].includes(call.stage);
  return {
    sid: call.id,
    account_sid: sid,
    to: `+${call.to}`,
    from: `+${call.from}`,
    status: call.stage === 'initiated' ? 'queued' : statuses[call.stage],
    duration: isOver(call) ? String(call.seconds) : null,
    answered_by: isAnswered && call.behaviour === 'machine' ? 'machine_start' : null,
    date_created: call.createdAt.toUTCString(),
    direction: 'outbound-api',
  };
}

function legOf(parent: string) {
  return ({ id, to, end, seconds }: DialedLeg) => ({
    sid: id,
    account_sid: sid,
    parent_call_sid: parent,
    to,
    status: end,
    duration: String(seconds),
    direction: 'outbound-dial',
  });
}

function notFound(): Reply {
  return refusal(404, 20404, 'The requested resource was not found');
}

function refusal(status: number, code: number, message: string): Reply {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return { status, body: { code, message, more_info, status } };
}
