import { readTree } from '../../../simulation/xml-tree.ts';
import {
  absoluteUrl,
  type Behaviour,
  type DialedLeg,
  DocumentFault,
  isSipAddress,
  Line,
  must,
  type Outcome,
  type ProviderRequest,
  wholeNumber,
} from '../../simulation/voice/phone-call.ts';

/** What Vonage sends about the call in every request, and about a recording made in it. */
export interface VonageCall {
  readonly uuid: string;
  readonly conversation_uuid: string;
  readonly from: string;
  readonly to: string;
  readonly recording_uuid: string;
  readonly recording_url: string;
  readonly transcription_url: string;
  /** ISO 8601 */
  readonly timestamp: string;
  newLeg(): string;
}

type Action = Readonly<Record<string, unknown>>;

/** The members of each action; any other is refused. */
const membersOf: Readonly<Record<string, string>> = {
  talk: 'text bargeIn loop level language style premium',
  stream: 'streamUrl level bargeIn loop',
  wait: 'timeout',
  input: 'type dtmf eventUrl eventMethod mode',
  connect:
    'endpoint from timeout limit eventType eventUrl eventMethod machineDetection ringbackTone',
  record:
    'format split channels endOnSilence endOnKey timeOut beepStart eventUrl eventMethod transcription',
  conversation: 'name startOnEnter endOnExit mute musicOnHoldUrl record canSpeak canHear',
  notify: 'payload eventUrl eventMethod',
};

/** The statuses of a dialled leg, in order. */
const legStatuses: Readonly<Record<DialedLeg['end'], readonly string[]>> = {
  completed: ['started', 'ringing', 'answered', 'completed'],
  busy: ['started', 'busy'],
  'no-answer': ['started', 'ringing', 'timeout'],
  failed: ['started', 'failed'],
  canceled: ['started', 'ringing', 'cancelled'],
};

/** Runs one NCCO as Vonage does. */
export function interpret(
  document: string,
  call: VonageCall,
  behaviours: readonly Behaviour[],
): Outcome {
  const line = new Line(behaviours);
  return line.run(() => {
    const actions = readActions(document);
    for (const index of actions.keys()) {
      const next = perform(actions, index, call, line);
      if (next !== undefined) return { next, rest: JSON.stringify(actions.slice(index + 1)) };
    }
    return undefined;
  });
}

function readActions(document: string): readonly Action[] {
  let actions: unknown;
  try {
    actions = JSON.parse(document);
  } catch {
    throw new DocumentFault('not JSON'); // the words of Vonage
  }
  must(Array.isArray(actions), 'an NCCO is an array');
  for (const action of actions) checkMembers(action);
  return actions;
}

/** `input` and `notify` ask for another NCCO; without one the next action runs. */
function perform(
  actions: readonly Action[],
  index: number,
  call: VonageCall,
  line: Line,
): ProviderRequest | undefined {
  const action = actions[index]!;
  switch (action.action) {
    case 'talk':
    case 'stream':
      return hear(action, actions[index + 1], line);
    case 'wait':
      return wait(action, line);
    case 'input':
      return input(action, actions[index - 1], call, line);
    case 'connect':
      return connect(action, call, line);
    case 'record':
      return record(action, call, line);
    case 'conversation':
      return conversation(action, line);
    case 'notify':
      return request(action, call, { payload: action.payload });
    default:
      throw new DocumentFault(`no action ${String(action.action)}`);
  }
}

/** With `bargeIn` the next action begins at once: unless it takes input, the sound is cut. */
function hear(action: Action, following: Action | undefined, line: Line): undefined {
  const loop = wholeNumber(action.loop, 'loop', [0, 1_000], 1);
  const isInterrupted = action.bargeIn === true && following?.action !== 'input';
  if (action.action === 'talk') {
    const { language = 'en-US' } = action;
    const text = spokenIn(action.text);
    must(text !== '' && text.length <= 1_500, 'text of 1 to 1500');
    must(typeof language === 'string', 'language is a string');
    line.effects.push({ kind: 'say', text, loop, language, isInterrupted });
  } else {
    const url = onlyUrl(action.streamUrl, 'streamUrl');
    line.effects.push({ kind: 'play', url, loop, isInterrupted });
  }
}

/** A text wholly within `<speak>` is speech markup: its elements act, and are not spoken. */
function spokenIn(text: unknown): string {
  must(typeof text === 'string', 'text is a string');
  if (!/^\s*<speak\b/i.test(text)) return text;
  const root = readTree(text);
  if ('fault' in root) throw new DocumentFault(`speech markup: ${root.fault}`);
  return root.text;
}

function wait(action: Action, line: Line): undefined {
  const seconds = action.timeout ?? 10;
  must(typeof seconds === 'number' && seconds >= 0.1 && seconds <= 7_200, 'timeout of wait');
  line.effects.push({ kind: 'pause', seconds });
}

/** Always answers, with the keys pressed. Only the key # can end it, if `submitOnHash` is set. */
function input(
  action: Action,
  before: Action | undefined,
  call: VonageCall,
  line: Line,
): ProviderRequest {
  must(JSON.stringify(action.type) === '["dtmf"]', 'only digits are simulated');
  const dtmf = objectIn(action.dtmf ?? {}, 'dtmf', 'timeOut maxDigits submitOnHash');
  wholeNumber(dtmf.timeOut, 'timeOut', [0, 10], 3);
  const max = wholeNumber(dtmf.maxDigits, 'maxDigits', [1, 20], 4);
  const finishKeys = dtmf.submitOnHash === true ? '#' : '';
  const lets = before?.bargeIn === true ? 'interrupt' : 'ignore';
  const { digits, isFinished } = line.collect(finishKeys, max, lets);
  const timed_out = !isFinished && digits.length < max;
  return request(action, call, { dtmf: { digits, timed_out } });
}

/** Rings one endpoint; the leg's state is only reported separately. The next action always runs. */
function connect(action: Action, call: VonageCall, line: Line): undefined {
  const { endpoint, from } = action;
  must(Array.isArray(endpoint) && endpoint.length === 1, 'connect takes one endpoint');
  must(from === undefined || isNumber(from), 'from is not digits');
  wholeNumber(action.timeout, 'timeout', [1, 120], 60);
  wholeNumber(action.limit, 'limit', [1, 7_200], 7_200);
  line.dial([party(endpoint[0])], call.newLeg, (leg) =>
    action.eventUrl === undefined ? [] : progress(action, leg, call),
  );
}

function progress(
  action: Action,
  { id, to, end, seconds }: DialedLeg,
  call: VonageCall,
): readonly ProviderRequest[] {
  const { timestamp } = call;
  const summary = {
    duration: String(seconds),
    start_time: timestamp,
    end_time: timestamp,
    rate: '0.00720000',
    price: '0.00084000',
    network: 'GB-FIXED',
  };
  const leg = { uuid: id, from: action.from ?? call.from, to, direction: 'outbound', timestamp };
  return legStatuses[end].map((status) =>
    request(action, call, { ...leg, status, ...(status === 'completed' ? summary : {}) }),
  );
}

function party(endpoint: unknown): string {
  const { type, number, uri } = objectIn(endpoint, 'endpoint', 'type number uri dtmfAnswer');
  if (type === 'sip') {
    must(typeof uri === 'string' && isSipAddress(uri), 'uri is no SIP address');
    return uri;
  }
  must(type === 'phone' && isNumber(number), 'number is not 7 to 15 digits');
  return number;
}

/**
 * With a condition to stop, a message is recorded; otherwise the rest of the call. The address of
 * the recording is reported separately, after the next action runs.
 */
function record(action: Action, call: VonageCall, line: Line): undefined {
  const { endOnSilence, endOnKey, timeOut, format = 'mp3' } = action;
  must(['mp3', 'wav', 'ogg'].includes(String(format)), 'format of record');
  wholeNumber(endOnSilence, 'endOnSilence', [3, 10], 3);
  const max = wholeNumber(timeOut, 'timeOut', [3, 7_200], 7_200);
  must(endOnKey === undefined || /^[0-9*#]$/.test(String(endOnKey)), 'endOnKey is one key');
  const textUrl = action.transcription === undefined ? undefined : textUrlOf(action.transcription);
  if (endOnSilence === undefined && endOnKey === undefined && timeOut === undefined) {
    line.effects.push({ kind: 'record-call' });
    return;
  }
  line.record(max, ({ seconds }) => {
    if (action.eventUrl === undefined) return [];
    const { recording_uuid, recording_url, timestamp: end_time } = call;
    const start_time = new Date(Date.parse(end_time) - seconds * 1_000).toISOString();
    const times = { start_time, end_time };
    return [
      request(action, call, { recording_uuid, recording_url, size: 1_024, ...times }),
      ...(textUrl === undefined ? [] : [transcribed(textUrl, call)]),
    ];
  });
}

/** Where the text of a recording is told. */
function textUrlOf(transcription: unknown): string {
  const members = 'language eventUrl eventMethod sentimentAnalysis';
  const { language = 'en-US', eventUrl } = objectIn(transcription, 'transcription', members);
  must(/^[a-z]{2,3}(-[A-Z][A-Za-z]{3})?-[A-Z]{2}$/.test(String(language)), 'no such language');
  return onlyUrl(eventUrl, 'eventUrl of transcription');
}

/** The notice that the text of a recording can be fetched. */
export function transcribed(
  url: string,
  call: Pick<VonageCall, 'conversation_uuid' | 'recording_uuid' | 'transcription_url'>,
): ProviderRequest {
  const { conversation_uuid, recording_uuid, transcription_url } = call;
  const about = { conversation_uuid, type: 'record', recording_uuid };
  return { method: 'POST', url, fields: { ...about, status: 'transcribed', transcription_url } };
}

function conversation(action: Action, line: Line): undefined {
  const { name, musicOnHoldUrl } = action;
  must(typeof name === 'string' && name !== '', 'conversation needs a name');
  if (musicOnHoldUrl !== undefined) onlyUrl(musicOnHoldUrl, 'musicOnHoldUrl');
  line.meet(name);
}

function request(
  { eventUrl, eventMethod = 'POST' }: Action,
  { uuid, conversation_uuid, from, to }: VonageCall,
  fields: Readonly<Record<string, unknown>>,
): ProviderRequest {
  must(eventMethod === 'POST' || eventMethod === 'GET', 'eventMethod');
  return {
    method: eventMethod,
    url: onlyUrl(eventUrl, 'eventUrl'),
    fields: { uuid, conversation_uuid, from, to, ...fields },
  };
}

function onlyUrl(value: unknown, name: string): string {
  must(Array.isArray(value) && value.length === 1, `${name} is not an array of one address`);
  return absoluteUrl(value[0], name);
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && /^\d{7,15}$/.test(value);
}

function checkMembers(action: unknown): void {
  must(typeof action === 'object' && action !== null && 'action' in action, 'no action');
  const name = String(action.action);
  must(Object.hasOwn(membersOf, name), `no action ${name}`);
  objectIn(action, name, `action ${membersOf[name]}`);
}

function objectIn(value: unknown, name: string, members: string): Action {
  must(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `${name} is no object`,
  );
  const known = members.split(' ');
  for (const member of Object.keys(value)) {
    must(known.includes(member), `${name} has no ${member}`);
  }
  return value as Action;
}
