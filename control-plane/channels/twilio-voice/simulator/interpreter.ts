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
  checkAttributes,
  collect,
  interpretXml,
  partiesOf,
  type XmlMarkup,
} from '../../simulation/voice/xml-document.ts';

/** What Twilio sends about the call in every request, and about a recording made in it. */
export interface TwilioCall {
  readonly CallSid: string;
  readonly AccountSid: string;
  readonly From: string;
  readonly To: string;
  readonly RecordingSid: string;
  readonly RecordingUrl: string;
  /** RFC 2822 */
  readonly Timestamp: string;
  newLeg(): string;
}

const legEvents = ['initiated', 'ringing', 'answered', 'completed'];

/** Any value; numbers are checked where they are read. */
const any = /^/;
const method = /^(GET|POST)$/;
const legAttributes = {
  statusCallback: any,
  statusCallbackEvent: new RegExp(`^(${legEvents.join('|')})( (${legEvents.join('|')}))*$`),
  statusCallbackMethod: method,
};

const markup: XmlMarkup = {
  bytesMax: 65_536,
  attributesOf: {
    Response: {},
    Say: { voice: any, language: any, loop: any },
    Play: { loop: any, digits: any },
    Pause: { length: any },
    Gather: {
      input: /^dtmf$/,
      numDigits: any,
      timeout: any,
      finishOnKey: /^[0-9*#]*$/,
      action: any,
      method,
      actionOnEmptyResult: any,
    },
    Dial: {
      action: any,
      method,
      timeout: any,
      timeLimit: any,
      callerId: /^(\+[1-9]\d{6,14})?$/,
      hangupOnStar: any,
    },
    Number: { sendDigits: any, ...legAttributes },
    Sip: legAttributes,
    Conference: {
      startConferenceOnEnter: any,
      endConferenceOnExit: any,
      muted: any,
      beep: any,
      maxParticipants: any,
      waitUrl: any,
      waitMethod: any,
    },
    Record: {
      action: any,
      method,
      timeout: any,
      finishOnKey: any,
      maxLength: any,
      playBeep: any,
      trim: any,
      recordingStatusCallback: any,
      recordingStatusCallbackMethod: method,
    },
    Redirect: { method },
    Hangup: {},
  },
  speech: {
    name: 'Say',
    voiceOf({ text, attributes: { language, voice } }) {
      must(text.length <= 4_096, 'Say needs 1 to 4096 characters');
      return {
        ...(language === undefined ? {} : { language }),
        ...(voice === undefined ? {} : { voice }),
      };
    },
  },
  pause: { name: 'Pause', secondsMax: 3_600 },
  party: { sip: 'Sip', number: /^\+[1-9]\d{6,14}$/, form: 'E.164' },
};

/** Runs one TwiML document as Twilio does. */
export function interpret(
  document: string,
  call: TwilioCall,
  behaviours: readonly Behaviour[],
): Outcome {
  return interpretXml(document, markup, behaviours, (verb, line) => perform(verb, call, line));
}

function perform(verb: Element, call: TwilioCall, line: Line): ProviderRequest | undefined {
  switch (verb.name) {
    case 'Gather':
      return gather(verb, call, line);
    case 'Dial':
      return dial(verb, call, line);
    case 'Record':
      return record(verb, call, line);
    case 'Redirect':
      return request(verb.attributes.method, verb.text, call, {});
    case 'Hangup':
      return line.end('flow');
    default:
      throw new DocumentFault(`${verb.name} is no verb`);
  }
}

function gather(verb: Element, call: TwilioCall, line: Line): ProviderRequest | undefined {
  const { attributes } = verb;
  wholeNumber(attributes.timeout, 'timeout', [1, 600], 5);
  const finishKeys = attributes.finishOnKey ?? '#';
  const digits = collect(verb, markup, { finishKeys, digitsMax: 1_000 }, line);
  if (digits === '' && attributes.actionOnEmptyResult !== 'true') return undefined;
  return request(attributes.method, attributes.action, call, { Digits: digits });
}

function dial(verb: Element, call: TwilioCall, line: Line): ProviderRequest | undefined {
  const { attributes, children } = verb;
  wholeNumber(attributes.timeout, 'timeout', [1, 600], 30);
  wholeNumber(attributes.timeLimit, 'timeLimit', [1, 86_400], 14_400);
  const room = children.find((noun) => noun.name === 'Conference');
  if (room !== undefined) {
    for (const noun of children) checkAttributes(noun, markup);
    wholeNumber(room.attributes.maxParticipants, 'maxParticipants', [2, 250], 250);
    must(room.text !== '', 'Conference needs a name');
    line.meet(room.text);
    return after(attributes, call, { DialCallStatus: 'answered' });
  }
  const from = attributes.callerId ?? call.From;
  const { id, end, seconds } = line.dial(partiesOf(verb, markup), call.newLeg, (leg, at) =>
    progress(children[at]!, leg, from, call),
  );
  return after(attributes, call, {
    DialCallStatus: end,
    DialCallSid: id,
    ...(end === 'completed' ? { DialCallDuration: String(seconds) } : {}),
  });
}

function after(
  { action, method }: Element['attributes'],
  call: TwilioCall,
  fields: Readonly<Record<string, string>>,
): ProviderRequest | undefined {
  return action === undefined ? undefined : request(method, action, call, fields);
}

/** The events of a leg that the document asked for. */
function progress(
  { attributes }: Element,
  { id, to, end, seconds }: DialedLeg,
  from: string,
  call: TwilioCall,
): readonly ProviderRequest[] {
  const { statusCallback: url, statusCallbackMethod: method } = attributes;
  if (url === undefined) return [];
  const wanted = (attributes.statusCallbackEvent ?? 'completed').split(' ');
  const statuses: Readonly<Record<string, string>> = {
    initiated: 'initiated',
    ringing: 'ringing',
    completed: end,
    ...(end === 'completed' ? { answered: 'in-progress' } : {}),
  };
  const reported = legEvents.filter((event) => wanted.includes(event) && event in statuses);
  return reported.map((event, sequence) =>
    request(method, url, call, {
      CallSid: id,
      ParentCallSid: call.CallSid,
      From: from,
      To: to,
      CallStatus: statuses[event]!,
      Direction: 'outbound-dial',
      Timestamp: call.Timestamp,
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(sequence),
      ...(event === 'completed' ? { CallDuration: String(seconds) } : {}),
    }),
  );
}

function record(verb: Element, call: TwilioCall, line: Line): ProviderRequest | undefined {
  const { attributes } = verb;
  const max = wholeNumber(attributes.maxLength, 'maxLength', [1, 14_400], 3_600);
  wholeNumber(attributes.timeout, 'timeout', [0, 600], 5);
  const finish = attributes.finishOnKey ?? '1234567890*#';
  const { recordingStatusCallbackMethod, recordingStatusCallback: ready } = attributes;
  const { seconds, key } = line.record(max, (recorded) => {
    if (recorded.seconds === 0) return [];
    const told = {
      ...made(recorded.seconds),
      RecordingStatus: 'completed',
      RecordingSource: 'RecordVerb',
    };
    return [
      ...(ready === undefined ? [] : [request(recordingStatusCallbackMethod, ready, call, told)]),
      ...(recorded.isHungUp ? [action(recorded.seconds, 'hangup')] : []),
    ];
  });
  // Nothing was said: Twilio does not call the action, and goes on.
  return seconds === 0 ? undefined : action(seconds, finish.includes(key) ? key : '');

  function action(length: number, Digits: string) {
    return request(attributes.method, attributes.action, call, { ...made(length), Digits });
  }

  function made(length: number) {
    const { RecordingSid, RecordingUrl } = call;
    return { RecordingSid, RecordingUrl, RecordingDuration: String(length) };
  }
}

function request(
  verb: string | undefined,
  url: string | undefined,
  { CallSid, AccountSid, From, To }: TwilioCall,
  fields: Readonly<Record<string, string>>,
): ProviderRequest {
  const common = {
    CallSid,
    AccountSid,
    From,
    To,
    CallStatus: 'in-progress',
    ApiVersion: '2010-04-01',
  };
  return {
    method: verb === 'GET' ? 'GET' : 'POST',
    url: absoluteUrl(url, 'action'),
    fields: { ...common, Direction: 'outbound-api', ...fields },
  };
}
