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

/** What Twilio tells of the call in every request, and of a recording made in it. */
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

const sizeMax = 65_536;
const legEvents = ['initiated', 'ringing', 'answered', 'completed'];
const legAttributes = ['statusCallback', 'statusCallbackEvent', 'statusCallbackMethod'] as const;

/** Attributes of each verb and noun; any other is refused. */
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  Response: [],
  Say: ['voice', 'language', 'loop'],
  Play: ['loop', 'digits'],
  Pause: ['length'],
  Gather: [
    'input',
    'numDigits',
    'timeout',
    'finishOnKey',
    'action',
    'method',
    'actionOnEmptyResult',
  ],
  Dial: ['action', 'method', 'timeout', 'timeLimit', 'callerId', 'hangupOnStar'],
  Number: ['sendDigits', ...legAttributes],
  Sip: legAttributes,
  Conference: [
    'startConferenceOnEnter',
    'endConferenceOnExit',
    'muted',
    'beep',
    'maxParticipants',
    'waitUrl',
    'waitMethod',
  ],
  Record: [
    'action',
    'method',
    'timeout',
    'finishOnKey',
    'maxLength',
    'playBeep',
    'trim',
    'recordingStatusCallback',
    'recordingStatusCallbackMethod',
  ],
  Redirect: ['method'],
  Hangup: [],
};

/** Runs one TwiML document as Twilio does. */
export function interpret(
  document: string,
  call: TwilioCall,
  behaviours: readonly Behaviour[],
): Outcome {
  const line = new Line(behaviours);
  return line.run(() => {
    must(Buffer.byteLength(document) <= sizeMax, 'the document is too large');
    const root = readTree(document);
    if ('fault' in root) throw new DocumentFault(root.fault);
    must(root.name === 'Response', 'the root is not Response');
    for (const verb of root.children) {
      const next = perform(verb, call, line);
      if (next !== undefined) return { next };
    }
    return undefined;
  });
}

/** A verb that asks for another document ends this one: what follows it is dead. */
function perform(verb: Element, call: TwilioCall, line: Line): ProviderRequest | undefined {
  checkAttributes(verb);
  switch (verb.name) {
    case 'Say':
    case 'Play':
    case 'Pause':
      hear(verb, line);
      return undefined;
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

function hear(verb: Element, line: Line): void {
  checkAttributes(verb);
  const { attributes, text } = verb;
  const loop = wholeNumber(attributes.loop, 'loop', [0, 1_000], 1);
  if (verb.name === 'Say') {
    must(text !== '' && text.length <= 4_096, 'Say needs 1 to 4096 characters');
    const { language, voice } = attributes;
    line.effects.push({
      kind: 'say',
      text,
      loop,
      isInterrupted: false,
      ...(language === undefined ? {} : { language }),
      ...(voice === undefined ? {} : { voice }),
    });
  } else if (verb.name === 'Play') {
    line.effects.push({ kind: 'play', url: absoluteUrl(text, 'Play'), loop, isInterrupted: false });
  } else {
    must(verb.name === 'Pause', `${verb.name} does not nest here`);
    const seconds = wholeNumber(attributes.length, 'length', [1, 3_600], 1);
    line.effects.push({ kind: 'pause', seconds });
  }
}

function gather(verb: Element, call: TwilioCall, line: Line): ProviderRequest | undefined {
  const { attributes } = verb;
  must((attributes.input ?? 'dtmf') === 'dtmf', 'only digits are simulated');
  const max = wholeNumber(attributes.numDigits, 'numDigits', [1, 1_000], 1_000);
  wholeNumber(attributes.timeout, 'timeout', [1, 600], 5);
  const finish = attributes.finishOnKey ?? '#';
  must(/^[0-9*#]*$/.test(finish), 'finishOnKey is no set of keys');
  for (const prompt of verb.children) hear(prompt, line);
  const behaviour = line.behave();
  if (behaviour.hangsUp) line.end('caller');
  const lets = verb.children.length > 0 ? 'interrupt' : 'ignore';
  const keys = [...line.keysPressed(behaviour, lets)];
  const ending = keys.findIndex((key) => finish.includes(key));
  const digits = (ending < 0 ? keys : keys.slice(0, ending)).slice(0, max).join('');
  line.effects.push({ kind: 'collect', digits });
  if (digits === '' && attributes.actionOnEmptyResult !== 'true') return undefined;
  return request(attributes.method, attributes.action, call, { Digits: digits });
}

function dial(verb: Element, call: TwilioCall, line: Line): ProviderRequest | undefined {
  const { attributes, children } = verb;
  wholeNumber(attributes.timeout, 'timeout', [1, 600], 30);
  wholeNumber(attributes.timeLimit, 'timeLimit', [1, 86_400], 14_400);
  must(/^(\+[1-9]\d{6,14})?$/.test(attributes.callerId ?? ''), 'callerId is not E.164');
  must(children.length > 0, 'Dial calls nobody');
  for (const noun of children) checkAttributes(noun);
  const room = children.find((noun) => noun.name === 'Conference');
  const behaviour = line.behave();
  if (room !== undefined) {
    line.effects.push(conference(room));
    if (behaviour.hangsUp) line.end('caller');
    return after(attributes, call, { DialCallStatus: 'answered' });
  }
  const legs = line.dial(children.map(party), behaviour, call.newLeg);
  for (const [at, leg] of legs.entries()) {
    line.notices.push(...progress(children[at]!, leg, attributes.callerId ?? call.From, call));
  }
  if (behaviour.hangsUp) line.end('caller');
  const [first] = legs;
  return after(attributes, call, {
    DialCallStatus: first!.end,
    DialCallSid: first!.id,
    ...(first!.end === 'completed' ? { DialCallDuration: String(first!.seconds) } : {}),
  });
}

function after(
  { action, method }: Element['attributes'],
  call: TwilioCall,
  fields: Readonly<Record<string, string>>,
): ProviderRequest | undefined {
  return action === undefined ? undefined : request(method, action, call, fields);
}

/** What is told of a leg, of the events that were asked for. */
function progress(
  { attributes }: Element,
  { id, to, end, seconds }: DialedLeg,
  from: string,
  call: TwilioCall,
): readonly ProviderRequest[] {
  const { statusCallback: url, statusCallbackMethod: method } = attributes;
  if (url === undefined) return [];
  const wanted = (attributes.statusCallbackEvent ?? 'completed').split(' ');
  must(
    wanted.every((event) => legEvents.includes(event)),
    'statusCallbackEvent is no list of events',
  );
  const statuses: Readonly<Record<string, string>> = {
    ...{ initiated: 'initiated', ringing: 'ringing', completed: end },
    ...(end === 'completed' ? { answered: 'in-progress' } : {}),
  };
  const told = legEvents.filter((event) => wanted.includes(event) && event in statuses);
  return told.map((event, sequence) =>
    request(method, url, call, {
      ...{ CallSid: id, ParentCallSid: call.CallSid, From: from, To: to },
      ...{ CallStatus: statuses[event]!, Direction: 'outbound-dial', Timestamp: call.Timestamp },
      ...{ CallbackSource: 'call-progress-events', SequenceNumber: String(sequence) },
      ...(event === 'completed' ? { CallDuration: String(seconds) } : {}),
    }),
  );
}

function party(noun: Element): string {
  if (noun.name === 'Sip') must(/^sips?:[^\s@]+@\S+$/.test(noun.text), 'Sip is no SIP address');
  else {
    must(noun.name === 'Number', `${noun.name} does not nest in Dial`);
    must(/^\+[1-9]\d{6,14}$/.test(noun.text), 'Number is not E.164');
  }
  return noun.text;
}

function conference(noun: Element) {
  wholeNumber(noun.attributes.maxParticipants, 'maxParticipants', [2, 250], 250);
  must(noun.text !== '', 'Conference needs a name');
  return { kind: 'conference', name: noun.text } as const;
}

function record(verb: Element, call: TwilioCall, line: Line): ProviderRequest | undefined {
  const { attributes } = verb;
  const max = wholeNumber(attributes.maxLength, 'maxLength', [1, 14_400], 3_600);
  wholeNumber(attributes.timeout, 'timeout', [0, 600], 5);
  const finish = attributes.finishOnKey ?? '1234567890*#';
  const behaviour = line.behave();
  const seconds = Math.min(behaviour.seconds, max);
  line.effects.push({ kind: 'record', seconds });
  const key = behaviour.keys[0] ?? '';
  const { RecordingSid, RecordingUrl } = call;
  const made = { RecordingSid, RecordingUrl, RecordingDuration: String(seconds) };
  const action = (Digits: string) =>
    request(attributes.method, attributes.action, call, { ...made, Digits });
  if (seconds > 0 && attributes.recordingStatusCallback !== undefined) {
    const { recordingStatusCallbackMethod: method, recordingStatusCallback: url } = attributes;
    const ready = { RecordingStatus: 'completed', RecordingSource: 'RecordVerb' };
    line.notices.push(request(method, url, call, { ...made, ...ready }));
  }
  if (behaviour.hangsUp) {
    if (seconds > 0) line.notices.push(action('hangup'));
    line.end('caller');
  }
  // Nothing was said: Twilio does not call the action, and goes on.
  return seconds === 0 ? undefined : action(finish.includes(key) ? key : '');
}

function request(
  method: string | undefined,
  url: string | undefined,
  { CallSid, AccountSid, From, To }: TwilioCall,
  fields: Readonly<Record<string, string>>,
): ProviderRequest {
  const verb = method ?? 'POST';
  must(verb === 'GET' || verb === 'POST', `method ${verb}`);
  const common = {
    CallSid,
    AccountSid,
    From,
    To,
    CallStatus: 'in-progress',
    ApiVersion: '2010-04-01',
  };
  return {
    method: verb,
    url: absoluteUrl(url, 'action'),
    fields: { ...common, Direction: 'outbound-api', ...fields },
  };
}

function checkAttributes({ name, attributes }: Element): void {
  const known = Object.hasOwn(attributesOf, name) ? attributesOf[name]! : undefined;
  must(known !== undefined, `${name} is unknown`);
  for (const attribute of Object.keys(attributes)) {
    must(known.includes(attribute), `${name} has no attribute ${attribute}`);
  }
}
