import { type Element, readTree } from '../../../simulation/tree.ts';
import {
  absoluteUrl,
  type Behaviour,
  type DialedLeg,
  DocumentFault,
  Line,
  must,
  type Outcome,
  type ProviderRequest,
  wholeNumber,
} from '../../simulation/phone-call.ts';

/** What Plivo tells of the call in every request, and of a recording made in it. */
export interface PlivoCall {
  readonly CallUUID: string;
  readonly From: string;
  readonly To: string;
  readonly RecordingID: string;
  readonly RecordUrl: string;
  newLeg(): string;
}

const sizeMax = 100_000;
/** What its own voices speak; any other language needs a voice of Polly. */
const languages =
  'da-DK nl-NL en-AU en-GB en-US fr-FR fr-CA de-DE it-IT pl-PL pt-PT pt-BR ru-RU es-ES es-US sv-SE';
/** Why a leg was over: the network's word, Plivo's number and Plivo's name for it. */
const legCauses: Readonly<Record<DialedLeg['end'], readonly [string, string, string]>> = {
  completed: ['NORMAL_CLEARING', '4000', 'Normal Hangup'],
  busy: ['USER_BUSY', '3010', 'Busy Line'],
  'no-answer': ['NO_ANSWER', '6010', 'Ring Timeout Reached'],
  failed: ['NORMAL_TEMPORARY_FAILURE', '5020', 'Network Error'],
  canceled: ['ORIGINATOR_CANCEL', '1000', 'Cancelled'],
};

type Attributes = Readonly<Record<string, RegExp>>;
const yesNo = /^(true|false)$/;
const whole = /^\d+$/;
const web = /^https?:\/\/\S+$/;
const method = /^(GET|POST)$/;

/** Attributes of each element and what they may say; any other is refused. */
const attributesOf: Readonly<Record<string, Attributes>> = {
  Response: {},
  Speak: {
    voice: /^(WOMAN|MAN|Polly\.[A-Z][a-z]+)$/,
    language: /^[a-z]{2,3}(-[A-Z]{2})?$/,
    loop: whole,
  },
  Play: { loop: whole },
  Wait: { length: whole, silence: yesNo, minSilence: whole, beep: yesNo },
  GetInput: {
    action: web,
    method,
    inputType: /^dtmf$/,
    executionTimeout: /^([5-9]|[1-5]\d|60)$/,
    digitEndTimeout: /^([2-9]|10|auto)$/,
    finishOnKey: /^([0-9*#]|none)$/,
    numDigits: /^([1-9]|[12]\d|3[0-2])$/,
    redirect: yesNo,
    log: yesNo,
  },
  Dial: {
    action: web,
    method,
    timeout: whole,
    timeLimit: whole,
    callerId: /^\d{7,15}$/,
    hangupOnStar: yesNo,
    redirect: yesNo,
    callbackUrl: web,
    callbackMethod: method,
  },
  Number: { sendDigits: /^[0-9w*#]+$/ },
  User: {},
  Record: {
    action: web,
    method,
    timeout: /^[1-9]\d*$/,
    maxLength: /^([2-9]|[1-9]\d+)$/,
    finishOnKey: /^[0-9*#]$/,
    playBeep: yesNo,
    fileFormat: /^(mp3|wav)$/,
    redirect: yesNo,
    callbackUrl: web,
    callbackMethod: method,
    recordSession: yesNo,
  },
  Conference: {
    action: web,
    method,
    startConferenceOnEnter: yesNo,
    endConferenceOnExit: yesNo,
    muted: yesNo,
    maxMembers: /^([2-9]|1\d|20)$/,
    waitSound: web,
    redirect: yesNo,
  },
  Redirect: { method },
  Hangup: { reason: /^(rejected|busy)$/, schedule: whole },
};

/** Runs one document of Plivo XML as Plivo does. */
export function interpret(
  document: string,
  call: PlivoCall,
  behaviours: readonly Behaviour[],
): Outcome {
  const line = new Line(behaviours);
  return line.run(() => {
    must(Buffer.byteLength(document) <= sizeMax, 'the document is too large');
    const root = readTree(document);
    if ('fault' in root) throw new DocumentFault(root.fault);
    must(root.name === 'Response', 'the root is not Response');
    for (const element of root.children) {
      const next = perform(element, call, line);
      if (next !== undefined) return { next };
    }
    return undefined;
  });
}

function perform(element: Element, call: PlivoCall, line: Line): ProviderRequest | undefined {
  checkAttributes(element);
  switch (element.name) {
    case 'Speak':
    case 'Play':
    case 'Wait':
      hear(element, line);
      return undefined;
    case 'GetInput':
      return getInput(element, call, line);
    case 'Dial':
      return dial(element, call, line);
    case 'Record':
      return record(element, call, line);
    case 'Conference':
      return conference(element, call, line);
    case 'Redirect':
      return request(element.attributes.method, element.text, call, {});
    case 'Hangup':
      return line.end('flow');
    default:
      throw new DocumentFault(`${element.name} does not stand in a Response`);
  }
}

function hear(element: Element, line: Line): void {
  checkAttributes(element);
  const { attributes, text } = element;
  const loop = wholeNumber(attributes.loop, 'loop', [0, 1_000], 1);
  if (element.name === 'Speak') {
    const { language = 'en-US', voice = 'WOMAN' } = attributes;
    must(text !== '', 'Speak says nothing');
    const isSpoken = voice.startsWith('Polly.') || languages.split(' ').includes(language);
    must(isSpoken, `${voice} does not speak ${language}`);
    line.effects.push({ kind: 'say', text, loop, language, voice, isInterrupted: false });
  } else if (element.name === 'Play') {
    line.effects.push({ kind: 'play', url: absoluteUrl(text, 'Play'), loop, isInterrupted: false });
  } else {
    must(element.name === 'Wait', `${element.name} does not nest here`);
    const seconds = wholeNumber(attributes.length, 'length', [1, 86_400], 1);
    line.effects.push({ kind: 'pause', seconds });
  }
}

function getInput(element: Element, call: PlivoCall, line: Line): ProviderRequest | undefined {
  const { attributes } = element;
  must(attributes.action !== undefined, 'GetInput needs an action');
  must(attributes.inputType !== undefined, 'only digits are simulated');
  const max = wholeNumber(attributes.numDigits, 'numDigits', [1, 32], 32);
  const finish = attributes.finishOnKey ?? '#';
  for (const prompt of element.children) hear(prompt, line);
  const behaviour = line.behave();
  if (behaviour.hangsUp) line.end('caller');
  const lets = element.children.length > 0 ? 'interrupt' : 'ignore';
  const keys = line.keysPressed(behaviour, lets);
  const end = finish === 'none' ? -1 : keys.indexOf(finish);
  const digits = (end < 0 ? keys : keys.slice(0, end)).slice(0, max);
  line.effects.push({ kind: 'collect', digits });
  if (digits === '') return undefined; // no input calls no action
  const fields = { Digits: digits, InputType: 'dtmf' };
  return redirected(element, request(attributes.method, attributes.action, call, fields), line);
}

function dial(element: Element, call: PlivoCall, line: Line): ProviderRequest | undefined {
  const { attributes, children } = element;
  must(children.length > 0, 'Dial calls nobody');
  for (const child of children) checkAttributes(child);
  const behaviour = line.behave();
  const legs = line.dial(children.map(party), behaviour, call.newLeg);
  for (const [at, leg] of legs.entries()) {
    line.notices.push(...progress(attributes, leg, at + 1, call));
  }
  if (behaviour.hangsUp) line.end('caller');
  if (attributes.action === undefined) return undefined;
  const [{ id, end }] = legs as [DialedLeg];
  const fields = {
    DialStatus: end,
    DialRingStatus: String(end !== 'failed'),
    DialHangupCause: legCauses[end][0],
    DialALegUUID: call.CallUUID,
    // Nobody is named when nobody answered.
    DialBLegUUID: end === 'completed' ? id : '',
  };
  return redirected(element, request(attributes.method, attributes.action, call, fields), line);
}

/** What is told of a leg while it goes; only its hang-up says how long it lasted. */
function progress(
  { callbackUrl: url, callbackMethod, callerId }: Element['attributes'],
  { id, to, end, seconds }: DialedLeg,
  position: number,
  call: PlivoCall,
): readonly ProviderRequest[] {
  if (url === undefined) return [];
  const [cause, code, name] = legCauses[end];
  const told = (Event: string, action: string, more: Readonly<Record<string, string>> = {}) =>
    request(callbackMethod, url, call, {
      ...{ Event, DialAction: action, DialBLegStatus: action, DialALegUUID: call.CallUUID },
      ...{ DialBLegUUID: id, DialBLegFrom: callerId ?? call.From, DialBLegTo: to },
      ...{ DialBLegPosition: String(position), ...more },
    });
  const over = told('DialHangup', 'hangup', {
    DialBLegDuration: String(seconds),
    DialBLegBillDuration: String(Math.ceil(seconds / 60) * 60),
    DialBLegHangupCause: cause,
    DialBLegHangupCauseCode: code,
    DialBLegHangupCauseName: name,
    DialBLegHangupSource: end === 'completed' ? 'Callee' : 'Plivo',
  });
  if (end !== 'completed') return [over];
  return [told('DialAnswer', 'answer'), told('DialConnected', 'connected'), over];
}

function party(child: Element): string {
  if (child.name === 'User') must(/^sips?:[^\s@]+@\S+$/.test(child.text), 'User is no SIP address');
  else {
    must(child.name === 'Number', `${child.name} does not nest in Dial`);
    must(/^\d{7,15}$/.test(child.text), 'Number is not country code and digits');
  }
  return child.text;
}

function record(element: Element, call: PlivoCall, line: Line): ProviderRequest | undefined {
  const { attributes } = element;
  if (attributes.recordSession === 'true') {
    line.effects.push({ kind: 'record-call' });
    return undefined;
  }
  const max = wholeNumber(attributes.maxLength, 'maxLength', [2, 86_400], 60);
  const behaviour = line.behave();
  const seconds = Math.min(behaviour.seconds, max);
  line.effects.push({ kind: 'record', seconds });
  const { RecordingID, RecordUrl } = call;
  const made = {
    RecordingID,
    RecordUrl,
    RecordingDuration: String(seconds),
    RecordingDurationMs: String(seconds * 1_000),
  };
  if (seconds > 0 && attributes.callbackUrl !== undefined) {
    const { callbackMethod, callbackUrl } = attributes;
    line.notices.push(request(callbackMethod, callbackUrl, call, made));
  }
  if (behaviour.hangsUp) line.end('caller');
  // Nothing was said: Plivo does not call the action, and goes on.
  if (seconds === 0 || attributes.action === undefined) return undefined;
  const key = behaviour.keys[0];
  const Digits = key === (attributes.finishOnKey ?? '#') ? key : '';
  const fields = { ...made, Digits };
  return redirected(element, request(attributes.method, attributes.action, call, fields), line);
}

function conference(element: Element, call: PlivoCall, line: Line): ProviderRequest | undefined {
  const { attributes, text } = element;
  must(text !== '', 'Conference needs a name');
  const behaviour = line.behave();
  line.effects.push({ kind: 'conference', name: text });
  if (behaviour.hangsUp) line.end('caller');
  if (attributes.action === undefined) return undefined;
  const fields = { ConferenceName: text, ConferenceAction: 'exit' };
  return redirected(element, request(attributes.method, attributes.action, call, fields), line);
}

/** With `redirect="false"` the action is only told, and the document goes on. */
function redirected(
  { attributes }: Element,
  action: ProviderRequest,
  line: Line,
): ProviderRequest | undefined {
  if (attributes.redirect !== 'false') return action;
  line.notices.push(action);
  return undefined;
}

function request(
  verb: string | undefined,
  url: string | undefined,
  { CallUUID, From, To }: PlivoCall,
  fields: Readonly<Record<string, string>>,
): ProviderRequest {
  const common = { CallUUID, From, To, CallStatus: 'in-progress', Direction: 'outbound' };
  return {
    method: verb === 'GET' ? 'GET' : 'POST',
    url: absoluteUrl(url, 'action'),
    fields: { ...common, ALegUUID: CallUUID, ...fields },
  };
}

function checkAttributes({ name, attributes }: Element): void {
  const known = Object.hasOwn(attributesOf, name) ? attributesOf[name]! : undefined;
  must(known !== undefined, `${name} is unknown`);
  for (const [attribute, value] of Object.entries(attributes)) {
    const shape = Object.hasOwn(known, attribute) ? known[attribute]! : undefined;
    must(shape !== undefined, `${name} has no attribute ${attribute}`);
    must(shape.test(value), `${attribute} of ${name} is ${JSON.stringify(value)}`);
  }
}
