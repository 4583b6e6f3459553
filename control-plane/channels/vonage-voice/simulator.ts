import {
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  verify as isSignature,
  type KeyObject,
} from 'node:crypto';
import { type Call, type Endpoint, jsonObject, type Reply } from '../../simulation/server.ts';
import type { VoiceSimulator } from '../simulation/contract.ts';
import {
  type CallStage,
  type Dialect,
  type HeldCall,
  invalidNumber,
  isOver,
  type VoiceNetwork,
  type VoiceOptions,
} from '../simulation/voice/network.ts';
import { type DialedLeg, type ProviderRequest, postTo } from '../simulation/voice/phone-call.ts';
import {
  type ControlledVoiceSimulator,
  startVoiceSimulator,
} from '../simulation/voice/simulator.ts';
import { interpret, transcribed } from './simulator/interpreter.ts';

const applicationId = 'aaaaaaaa-bbbb-4ccc-8ddd-0000000000aa';
const secret = 'sandbox-voice-signature-secret';
const base = '/v1/calls';
const ageMaxSeconds = 900;

/** The status reported at each stage; an answer is reported at `answered`, not before. */
const statuses: Readonly<Record<CallStage, string>> = {
  initiated: 'started',
  ringing: 'ringing',
  answered: 'answered',
  machine: 'machine',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'unanswered',
  rejected: 'rejected',
  failed: 'failed',
  canceled: 'cancelled',
};

/**
 * A key for an application, PEM; it must be stored when a configuration is to outlive this process.
 */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return privateKey;
}

/** A loopback Vonage for calls: it fetches and plays our NCCO. */
export function startVonageVoiceSimulator(
  options: VoiceOptions & { readonly privateKey?: string },
): Promise<ControlledVoiceSimulator> {
  const { privateKey = newPrivateKey() } = options;
  const key = createPublicKey(privateKey);
  const settings = {
    application_id: applicationId,
    private_key: privateKey,
    signature_secret: secret,
    transcription_language: 'en-US',
  };
  return startVoiceSimulator(
    { kind: 'vonage-voice', settings, dialect, endpoints: (network) => endpoints(network, key) },
    options,
  );
}

export const simulator: VoiceSimulator = {
  kind: 'vonage-voice',
  secret: { file: 'sandbox-vonage.pem', make: newPrivateKey },
  start: ({ secret, ...options }) =>
    startVonageVoiceSimulator({
      ...options,
      ...(secret === undefined ? {} : { privateKey: secret }),
    }),
};

function dialect(network: VoiceNetwork): Dialect {
  const common = (call: HeldCall) => ({
    uuid: call.id,
    conversation_uuid: `CON-${call.id}`,
    from: call.from,
    to: call.to,
    direction: 'outbound',
    timestamp: network.clock.now().toISOString(),
  });
  const recordingUrl = (id: string) => `${network.url}/v1/files/${id}`;
  return {
    report(call) {
      const seconds = isOver(call) ? { duration: String(call.seconds), rate: '0.00720000' } : {};
      return postTo(first(call.fields.event_url), {
        ...common(call),
        status: statuses[call.stage],
        ...seconds,
        ...(call.stage === 'failed' ? { detail: 'cannot_route' } : {}),
      });
    },
    first: (call) => {
      const { timestamp: _, direction: __, ...fields } = common(call);
      const method = call.fields.answer_method === 'POST' ? 'POST' : 'GET';
      return { method, url: first(call.fields.answer_url), fields };
    },
    recorded: (call, id) => {
      const { sessionCallback: url, sessionTranscription: textUrl } = call.fields;
      if (typeof url !== 'string') return [];
      const end = network.clock.now();
      const start = new Date(end.getTime() - call.seconds * 1_000);
      const about = { recording_uuid: id, conversation_uuid: `CON-${call.id}` };
      const recording = {
        ...about,
        recording_url: recordingUrl(id),
        size: 8_044,
        start_time: start.toISOString(),
        end_time: end.toISOString(),
      };
      const text = { ...about, transcription_url: recordingUrl(textIdOf(id)) };
      return [
        postTo(url, recording),
        ...(typeof textUrl === 'string' ? [transcribed(textUrl, text)] : []),
      ];
    },
    sign: (request) => signed(request, network),
    interpret: (document, call, recording_uuid, behaviours) => {
      noteSession(document, call);
      const { uuid, conversation_uuid, from, to } = common(call);
      const recording_url = recordingUrl(recording_uuid);
      const transcription_url = recordingUrl(textIdOf(recording_uuid));
      const about = { uuid, conversation_uuid, from, to };
      const shown = { ...about, recording_uuid, recording_url, transcription_url };
      const timestamp = network.clock.now().toISOString();
      const newLeg = () => network.uuid();
      return interpret(document, { ...shown, timestamp, newLeg }, behaviours);
    },
  };
}

/** The id of the file with the text of a recording. */
function textIdOf(recordingId: string): string {
  return recordingId.replace(/^RE/, 'TR');
}

/** The addresses for a recording of the whole call are in the action that began it. */
function noteSession(document: string, call: HeldCall): void {
  try {
    const [action] = JSON.parse(document) as Readonly<Record<string, unknown>>[];
    const isSession = action?.action === 'record' && action.timeOut === undefined;
    if (!isSession) return;
    const { eventUrl } = (action.transcription ?? {}) as { readonly eventUrl?: unknown };
    Object.assign(call.fields, {
      sessionCallback: first(action.eventUrl),
      ...(eventUrl === undefined ? {} : { sessionTranscription: first(eventUrl) }),
    });
  } catch {} // the interpreter reports what is wrong with the document
}

function first(urls: unknown): string {
  return Array.isArray(urls) ? String(urls[0] ?? '') : '';
}

function signed({ method, url, fields }: ProviderRequest, network: VoiceNetwork) {
  const body = method === 'GET' ? '' : JSON.stringify(fields);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    iss: 'Vonage',
    iat: Math.floor(network.clock.now().getTime() / 1_000),
    jti: network.uuid(),
    application_id: applicationId,
    api_key: 'sandbox',
    ...(method === 'GET' ? {} : { payload_hash: createHash('sha256').update(body).digest('hex') }),
  };
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  const proof = createHmac('sha256', secret).update(text).digest('base64url');
  const headers = { authorization: `Bearer ${text}.${proof}`, 'content-type': 'application/json' };
  return { method, url, headers, body };
}

function endpoints(network: VoiceNetwork, key: KeyObject): readonly Endpoint[] {
  const guarded = (work: (call: Call) => Reply) => (call: Call) =>
    isAuthorized(call, key, network.clock.now())
      ? work(call)
      : problem(401, 'unauthorized', 'You did not provide correct credentials.');
  return [
    {
      method: 'post',
      path: base,
      handle: (call) => network.place(() => guarded((each) => place(network, each))(call)),
    },
    {
      method: 'get',
      path: base,
      handle: guarded(({ query }) => {
        const since = new Date(query.get('date_start') ?? 0);
        const conversation = query.get('conversation_uuid');
        const size = Number(query.get('page_size') ?? 10);
        const index = Number(query.get('record_index') ?? 0);
        if (!(size >= 1 && size <= 100) || !(index >= 0)) {
          return problem(400, 'invalid-params', 'The page is out of range');
        }
        const records = network.calls
          .filter(({ createdAt }) => createdAt >= since)
          .flatMap((call) => [shown(call), ...call.legs.map(legOf(call))])
          .filter((each) => conversation === null || each.conversation_uuid === conversation);
        if (query.get('order') === 'desc') records.reverse();
        const calls = records.slice(index, index + size);
        const page = { count: records.length, page_size: size, record_index: index };
        return { status: 200, body: { ...page, _embedded: { calls } } };
      }),
    },
    {
      method: 'get',
      path: `${base}/:call`,
      handle: guarded(({ params }) => {
        const found = network.find(params.call);
        return found === undefined ? notFound() : { status: 200, body: shown(found) };
      }),
    },
    {
      method: 'put',
      path: `${base}/:call`,
      handle: guarded((call) => {
        const found = network.find(call.params.call);
        if (found === undefined || isOver(found)) return notFound();
        if (jsonObject(call)?.action === 'hangup') network.hangUp(found.id);
        return { status: 204 };
      }),
    },
    {
      method: 'get',
      path: '/v1/files/:file',
      handle: guarded(({ params: { file = '' } }) => {
        const recording = network.recording(file.replace(/^TR/, 'RE'), 'audio/mpeg');
        if (recording === undefined) return notFound();
        return file.startsWith('TR') ? { status: 200, body: transcript } : recording;
      }),
    },
  ];
}

/** Every recording says the same, the caller in the first channel. */
const transcript = {
  ver: '1.0.2',
  request_id: '0f14d0ab-9605-4a62-a9e4-5ed26688389b',
  channels: [
    {
      transcript: [
        {
          sentence: 'My order has not come.',
          raw_sentence: 'my order has not come',
          duration: 1_850,
          timestamp: 1_200,
          words: [{ word: 'my', start_time: 1_200, end_time: 1_400, confidence: 0.98 }],
        },
        {
          sentence: 'Thank you.',
          raw_sentence: 'thank you',
          duration: 600,
          timestamp: 6_100,
          words: [{ word: 'thank', start_time: 6_100, end_time: 6_300, confidence: 0.99 }],
        },
      ],
      duration: 7_000,
    },
    {
      transcript: [
        {
          sentence: 'It comes tomorrow.',
          raw_sentence: 'it comes tomorrow',
          duration: 1_300,
          timestamp: 4_000,
          words: [{ word: 'it', start_time: 4_000, end_time: 4_150, confidence: 0.97 }],
        },
      ],
      duration: 7_000,
    },
  ],
};

function isAuthorized({ headers }: Call, key: KeyObject, now: Date): boolean {
  const [head = '', payload = '', proof = ''] =
    /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]?.split('.') ?? [];
  const text = Buffer.from(`${head}.${payload}`);
  if (!isSignature('RSA-SHA256', text, key, Buffer.from(proof, 'base64url'))) return false;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const age = now.getTime() / 1_000 - Number(claims.iat);
  return claims.application_id === applicationId && Math.abs(age) <= ageMaxSeconds && claims.jti;
}

function place(network: VoiceNetwork, call: Call): Reply {
  const body = jsonObject(call);
  const to = Array.isArray(body?.to) ? (body.to[0] as Record<string, unknown>) : undefined;
  const from = body?.from as Record<string, unknown> | undefined;
  const [number, by] = [String(to?.number ?? ''), String(from?.number ?? '')];
  if (!/^[1-9]\d{6,14}$/.test(number) || invalidNumber.test(number)) {
    return problem(400, 'invalid-params', 'Invalid `to` number');
  }
  if (!/^[1-9]\d{6,14}$/.test(by)) return problem(400, 'invalid-params', 'Invalid `from` number');
  if (!URL.canParse(first(body?.answer_url))) {
    return problem(400, 'invalid-params', 'One of ncco and answer_url is needed');
  }
  const timers = [Number(body?.ringing_timer ?? 60), Number(body?.length_timer ?? 7_200)];
  if (!(timers[0]! >= 1 && timers[0]! <= 120) || !(timers[1]! >= 1 && timers[1]! <= 7_200)) {
    return problem(400, 'invalid-params', 'A timer is out of range');
  }
  const id = network.uuid();
  network.take({
    id,
    requestId: id,
    to: number,
    from: by,
    fields: { ...body },
    detectsMachines: body?.machine_detection !== undefined,
    sparesMachines: body?.machine_detection === 'hangup',
  });
  const answer = { uuid: id, status: 'started', direction: 'outbound' };
  return { status: 201, body: { ...answer, conversation_uuid: `CON-${id}` } };
}

function shown(call: HeldCall) {
  return {
    uuid: call.id,
    conversation_uuid: `CON-${call.id}`,
    status: statuses[call.stage],
    to: { type: 'phone', number: call.to },
    from: { type: 'phone', number: call.from },
    direction: 'outbound',
    duration: String(call.seconds),
    start_time: call.createdAt.toISOString(),
  };
}

/** A leg of the conversation, as the list shows it. */
function legOf(call: HeldCall) {
  return ({ id, to, end, seconds }: DialedLeg) => ({
    uuid: id,
    conversation_uuid: `CON-${call.id}`,
    status: statuses[end],
    to: to.startsWith('sip') ? { type: 'sip', uri: to } : { type: 'phone', number: to },
    from: { type: 'phone', number: call.from },
    direction: 'outbound',
    duration: String(seconds),
    start_time: call.createdAt.toISOString(),
  });
}

function notFound(): Reply {
  return problem(404, 'not-found', 'Call was not found');
}

function problem(status: number, type: string, detail: string): Reply {
  const address = `https://developer.vonage.com/api-errors#${type}`;
  return { status, body: { type: address, title: type, detail, instance: '0' } };
}
