import { createHmac } from 'node:crypto';
import {
  type Call,
  type Endpoint,
  type Reply,
  type RunningSimulator,
  serve,
} from '../../simulation/server.ts';
import type { DialedLeg, ProviderRequest } from '../simulation/phone-call.ts';
import { formOf } from '../simulation/sms-network.ts';
import {
  type Dialect,
  type HeldCall,
  invalidNumber,
  isOver,
  type Stage,
  textIn,
  type VoiceControl,
  VoiceNetwork,
  type VoiceOptions,
  wav,
} from '../simulation/voice-network.ts';
import { interpret } from './simulator/interpreter.ts';

/** Settings by which a configuration reaches this simulator. */
export const sandboxSettings = {
  account_sid: 'AC00000000000000000000000000000002',
  auth_token: 'sandbox-voice-token',
} as const;

const { account_sid: sid, auth_token: token } = sandboxSettings;
const base = '/2010-04-01/Accounts/:sid';

const statuses: Readonly<Record<Stage, string>> = {
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

/**
 * A loopback Twilio for calls: it fetches and plays our TwiML. Numbers ending in 10001 are busy,
 * 10002 do not answer, 10003 are answered by a machine, 10004 fail, 10005 refuse, 10006 stay on the
 * line, 10400 are no numbers.
 */
export async function startTwilioVoiceSimulator(
  options: VoiceOptions,
): Promise<RunningSimulator & { readonly control: VoiceControl }> {
  const here = { url: '' };
  const network: VoiceNetwork = new VoiceNetwork(
    options,
    dialect(here, () => network),
  );
  const controls = network.controlEndpoints('twilio-voice', () => sandboxSettings);
  const running = await serve([...endpoints(network), ...controls], options.port ?? 0);
  here.url = running.url;
  return {
    url: running.url,
    control: network.control(),
    stop: () => {
      network.stop();
      return running.stop();
    },
  };
}

function dialect(here: { readonly url: string }, network: () => VoiceNetwork): Dialect {
  const common = (call: HeldCall) => ({
    CallSid: call.id,
    AccountSid: sid,
    From: `+${call.from}`,
    To: `+${call.to}`,
    Direction: 'outbound-api',
    ApiVersion: '2010-04-01',
    CallStatus: statuses[call.stage],
    ...(call.fate === 'machine' && call.detectsMachines && call.stage !== 'initiated'
      ? { AnsweredBy: 'machine_start' }
      : {}),
  });
  const recordingUrl = (id: string) => `${here.url}/2010-04-01/Accounts/${sid}/Recordings/${id}`;
  return {
    told(call) {
      const url = textIn(call.fields, 'StatusCallback');
      if (url === '' || call.stage === 'machine') return undefined;
      const Timestamp = network().clock.now().toUTCString();
      const CallDuration = isOver(call) ? { CallDuration: String(call.seconds) } : {};
      return post(url, { ...common(call), ...CallDuration, Timestamp });
    },
    first: (call) => post(textIn(call.fields, 'Url'), common({ ...call, stage: 'answered' })),
    recorded(call, id) {
      const url = textIn(call.fields, 'RecordingStatusCallback');
      if (url === '') return undefined;
      return post(url, {
        ...{ CallSid: call.id, AccountSid: sid, RecordingSid: id, RecordingUrl: recordingUrl(id) },
        ...{ RecordingStatus: 'completed', RecordingDuration: String(call.seconds) },
        ...{ RecordingChannels: '1', RecordingSource: 'OutboundAPI' },
      });
    },
    sign: (request) => signed(request, network()),
    interpret: (document, call, RecordingSid, behaviours) => {
      const { CallSid, AccountSid, From, To } = common(call);
      const RecordingUrl = recordingUrl(RecordingSid);
      const shown = { CallSid, AccountSid, From, To, RecordingSid, RecordingUrl };
      const Timestamp = network().clock.now().toUTCString();
      const newLeg = () => `CA${network().hex(32)}`;
      return interpret(document, { ...shown, Timestamp, newLeg }, behaviours);
    },
  };
}

function post(url: string, fields: Readonly<Record<string, unknown>>): ProviderRequest {
  return { method: 'POST', url, fields };
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
    const expected = `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`;
    const isKnown = call.headers.authorization === expected && call.params.sid === sid;
    return isKnown ? work(call) : refusal(401, 20003, 'Authenticate');
  };
  const find = (call: Call) => network.calls.find((each) => each.id === call.params.call);
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
          const of = network.calls.find(({ id }) => id === parent);
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
      handle: guarded((call) => {
        const found = find(call);
        return found === undefined ? notFound() : { status: 200, body: shown(found) };
      }),
    },
    {
      method: 'post',
      path: `${base}/Calls/:call.json`,
      handle: guarded((call) => {
        const found = find(call);
        if (found === undefined) return notFound();
        if (formOf(call.body).Status === 'completed') network.hangUp(found.id);
        return { status: 200, body: shown(found) };
      }),
    },
    {
      method: 'get',
      path: `${base}/Recordings/:recording`,
      handle: guarded(({ params }) => {
        const of = network.calls.find(({ recordings }) =>
          recordings.includes(params.recording ?? ''),
        );
        if (of === undefined) return notFound();
        return { status: 200, headers: { 'Content-Type': 'audio/x-wav' }, body: wav(of.seconds) };
      }),
    },
    {
      method: 'get',
      path: `/2010-04-01/Accounts/:sid.json`,
      handle: guarded(() => ({ status: 200, body: { sid, status: 'active', type: 'Full' } })),
    },
  ];
}

/** Newest first; the next page is named by the page and by the last call of this one. */
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
    ...{ id, requestId: id, to: to.slice(1), from: from.slice(1), fields: form },
    detectsMachines: form.MachineDetection !== undefined,
    isRecorded: form.Record === 'true',
  });
  return { status: 201, body: { ...shown(held), status: 'queued' } };
}

function shown(call: HeldCall) {
  const isAnswered = !['initiated', 'ringing'].includes(call.stage);
  return {
    ...{ sid: call.id, account_sid: sid, to: `+${call.to}`, from: `+${call.from}` },
    status: call.stage === 'initiated' ? 'queued' : statuses[call.stage],
    duration: isOver(call) ? String(call.seconds) : null,
    answered_by: isAnswered && call.fate === 'machine' ? 'machine_start' : null,
    date_created: call.createdAt.toUTCString(),
    direction: 'outbound-api',
  };
}

function legOf(parent: string) {
  return ({ id, to, end, seconds }: DialedLeg) => ({
    ...{ sid: id, account_sid: sid, parent_call_sid: parent, to, status: end },
    ...{ duration: String(seconds), direction: 'outbound-dial' },
  });
}

function notFound(): Reply {
  return refusal(404, 20404, 'The requested resource was not found');
}

function refusal(status: number, code: number, message: string): Reply {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return { status, body: { code, message, more_info, status } };
}
