import type { Element } from '../../../simulation/xml-tree.ts';
import {
  absoluteUrl,
  type Behaviour,
  type DialedLeg,
  DocumentFault,
  type Line,
  must,
  type Outcome,
  type ProviderRequest,
  wholeNumber,
} from '../../simulation/voice/phone-call.ts';
import {
  collect,
  interpretXml,
  partiesOf,
  type XmlMarkup,
} from '../../simulation/voice/xml-document.ts';

/** What Plivo sends about the call in every request, and about a recording made in it. */
export interface PlivoCall {
  readonly CallUUID: string;
  readonly From: string;
  readonly To: string;
  readonly RecordingID: string;
  readonly RecordUrl: string;
  newLeg(): string;
}

/** The languages of Plivo's own voices; any other needs a voice of Polly. */
const languages =
  'da-DK nl-NL en-AU en-GB en-US fr-FR fr-CA de-DE it-IT pl-PL pt-PT pt-BR ru-RU es-ES es-US sv-SE';
/** Why a leg ended: the network's word, Plivo's number and Plivo's name for it. */
const legCauses: Readonly<Record<DialedLeg['end'], readonly [string, string, string]>> = {
  completed: ['NORMAL_CLEARING', '4000', 'Normal Hangup'],
  busy: ['USER_BUSY', '3010', 'Busy Line'],
  'no-answer': ['NO_ANSWER', '6010', 'Ring Timeout Reached'],
  failed: ['NORMAL_TEMPORARY_FAILURE', '5020', 'Network Error'],
  canceled: ['ORIGINATOR_CANCEL', '1000', 'Cancelled'],
};

const yesNo = /^(true|false)$/;
const whole = /^\d+$/;
const web = /^https?:\/\/\S+$/;
const method = /^(GET|POST)$/;

const attributesOf: XmlMarkup['attributesOf'] = {
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
    transcriptionType: /^auto$/,
    transcriptionUrl: web,
    transcriptionMethod: method,
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

const markup: XmlMarkup = {
  bytesMax: 100_000,
  attributesOf,
  speech: {
    name: 'Speak',
    voiceOf({ attributes: { language = 'en-US', voice = 'WOMAN' } }) {
      const isSpoken = voice.startsWith('Polly.') || languages.split(' ').includes(language);
      must(isSpoken, `${voice} does not speak ${language}`);
      return { language, voice };
    },
  },
  pause: { name: 'Wait', secondsMax: 86_400 },
  party: { sip: 'User', number: /^\d{7,15}$/, form: 'country code and digits' },
};

/** Runs one document of Plivo XML as Plivo does. */
export function interpret(
  document: string,
  call: PlivoCall,
  behaviours: readonly Behaviour[],
): Outcome {
  return interpretXml(document, markup, behaviours, (element, line) =>
    perform(element, call, line),
  );
}

function perform(element: Element, call: PlivoCall, line: Line): ProviderRequest | undefined {
  switch (element.name) {
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

function getInput(element: Element, call: PlivoCall, line: Line): ProviderRequest | undefined {
  const { attributes } = element;
  must(attributes.action !== undefined, 'GetInput needs an action');
  must(attributes.inputType !== undefined, 'only digits are simulated');
  const finish = attributes.finishOnKey ?? '#';
  const finishKeys = finish === 'none' ? '' : finish;
  const digits = collect(element, markup, { finishKeys, digitsMax: 32 }, line);
  if (digits === '') return undefined; // without input the action is not called
  const fields = { Digits: digits, InputType: 'dtmf' };
  return redirected(element, request(attributes.method, attributes.action, call, fields), line);
}

function dial(element: Element, call: PlivoCall, line: Line): ProviderRequest | undefined {
  const { attributes } = element;
  const { id, end } = line.dial(partiesOf(element, markup), call.newLeg, (leg, at) =>
    progress(attributes, leg, at + 1, call),
  );
  if (attributes.action === undefined) return undefined;
  const fields = {
    DialStatus: end,
    DialRingStatus: String(end !== 'failed'),
    DialHangupCause: legCauses[end][0],
    DialALegUUID: call.CallUUID,
    // The field is empty when nobody answered.
    DialBLegUUID: end === 'completed' ? id : '',
  };
  return redirected(element, request(attributes.method, attributes.action, call, fields), line);
}

/** The events of a leg; only its hang-up has the duration. */
function progress(
  { callbackUrl: url, callbackMethod, callerId }: Element['attributes'],
  { id, to, end, seconds }: DialedLeg,
  position: number,
  call: PlivoCall,
): readonly ProviderRequest[] {
  if (url === undefined) return [];
  const [cause, code, name] = legCauses[end];
  const callback = (Event: string, action: string, more: Readonly<Record<string, string>> = {}) =>
    request(callbackMethod, url, call, {
      Event,
      DialAction: action,
      DialBLegStatus: action,
      DialALegUUID: call.CallUUID,
      DialBLegUUID: id,
      DialBLegFrom: callerId ?? call.From,
      DialBLegTo: to,
      DialBLegPosition: String(position),
      ...more,
    });
  const over = callback('DialHangup', 'hangup', {
    DialBLegDuration: String(seconds),
    DialBLegBillDuration: String(Math.ceil(seconds / 60) * 60),
    DialBLegHangupCause: cause,
    DialBLegHangupCauseCode: code,
    DialBLegHangupCauseName: name,
    DialBLegHangupSource: end === 'completed' ? 'Callee' : 'Plivo',
  });
  if (end !== 'completed') return [over];
  return [callback('DialAnswer', 'answer'), callback('DialConnected', 'connected'), over];
}

function record(element: Element, call: PlivoCall, line: Line): ProviderRequest | undefined {
  const { attributes } = element;
  if (attributes.recordSession === 'true') {
    line.effects.push({ kind: 'record-call' });
    return undefined;
  }
  const max = wholeNumber(attributes.maxLength, 'maxLength', [2, 86_400], 60);
  const { callbackMethod, callbackUrl, transcriptionType, transcriptionUrl } = attributes;
  const { seconds, key } = line.record(max, (recorded) => {
    if (recorded.seconds === 0) return [];
    const ready =
      callbackUrl === undefined
        ? []
        : [request(callbackMethod, callbackUrl, call, made(recorded.seconds))];
    const isTranscribed = transcriptionType !== undefined && transcriptionUrl !== undefined;
    return isTranscribed
      ? [...ready, transcribed(transcriptionUrl, call, recorded.seconds)]
      : ready;
  });
  // Nothing was said: Plivo does not call the action, and goes on.
  if (seconds === 0 || attributes.action === undefined) return undefined;
  const fields = { ...made(seconds), Digits: key === (attributes.finishOnKey ?? '#') ? key : '' };
  return redirected(element, request(attributes.method, attributes.action, call, fields), line);

  function made(length: number) {
    return {
      RecordingID: call.RecordingID,
      RecordUrl: call.RecordUrl,
      RecordingDuration: String(length),
      RecordingDurationMs: String(length * 1_000),
    };
  }
}

/** The longest recording that is transcribed. */
const transcribedSecondsMax = 14_400;

/** Tells the text of a recording; every recording says the same. */
export function transcribed(
  url: string,
  { CallUUID, RecordingID }: Pick<PlivoCall, 'CallUUID' | 'RecordingID'>,
  seconds: number,
): ProviderRequest {
  const about = { call_uuid: CallUUID, recording_id: RecordingID, duration: String(seconds) };
  const result =
    seconds > transcribedSecondsMax
      ? { error: 'Recording duration too long for transcription' }
      : {
          transcription: 'This is the bakery, the cake is ready.',
          transcription_charge: '0.05000',
          transcription_rate: '0.05000',
        };
  return { method: 'POST', url, fields: { ...about, ...result } };
}

function conference(element: Element, call: PlivoCall, line: Line): ProviderRequest | undefined {
  const { attributes, text } = element;
  must(text !== '', 'Conference needs a name');
  line.meet(text);
  if (attributes.action === undefined) return undefined;
  const fields = { ConferenceName: text, ConferenceAction: 'exit' };
  return redirected(element, request(attributes.method, attributes.action, call, fields), line);
}

/** With `redirect="false"` the action is only notified, and the document goes on. */
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
