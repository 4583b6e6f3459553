import { callerIdOf, type Printer, type PrintInput, withEmpty } from './printer.ts';
import type { EndOf } from './segment.ts';
import type { XmlElement } from './xml.ts';
import {
  partyElement,
  printResponse,
  redirectElement,
  stepElement,
  type XmlMarkup,
  xmlContentType,
} from './xml-response.ts';

const limits = {
  ringSeconds: [5, 600],
  limitSeconds: [1, 14_400],
} as const;

const markup: XmlMarkup = {
  target: 'twiml',
  speech: { name: 'Say', textMax: 4_096 },
  pause: 'Pause',
  loopOf: (loop) => loop,
  party: { sip: 'Sip', number: 'e164' },
  gather: (end, printInput) => [gather(end, printInput)],
  dial,
  record,
  conference,
};

/** TwiML, which Twilio takes. */
export const twiml: Printer = {
  contentType: xmlContentType,
  sizeMax: 65_536,
  callSecondsMax: 14_400,
  inlineMax: 4_000,
  print: (printInput) => printResponse(markup, printInput),
};

function gather(end: EndOf<'gather'>, printInput: PrintInput): XmlElement {
  return {
    name: 'Gather',
    attributes: {
      input: 'dtmf',
      numDigits: end.maxDigits,
      timeout: end.timeoutSeconds,
      finishOnKey: end.finishKeys,
      action: printInput.urlOf(end.node, 'gathered'),
      method: 'POST',
      actionOnEmptyResult: true,
    },
    children: end.prompt.map((prompt) => stepElement(prompt, markup, printInput)),
  };
}

function dial(end: EndOf<'dial'>, printInput: PrintInput): XmlElement {
  const { node, to } = end;
  const { diagnostics } = printInput;
  // The status of each leg is reported separately: the action names only one leg, and only when it
  // is called.
  const progress = {
    statusCallback: printInput.urlOf(node, 'leg'),
    statusCallbackEvent: 'answered completed',
    statusCallbackMethod: 'POST',
  };
  return {
    name: 'Dial',
    attributes: {
      action: printInput.urlOf(node, 'dialed'),
      method: 'POST',
      timeout: diagnostics.clamp(node, 'ring_seconds', end.ringSeconds, limits.ringSeconds),
      timeLimit: diagnostics.clamp(node, 'limit_seconds', end.limitSeconds, limits.limitSeconds),
      callerId: callerIdOf(end.callerId ?? printInput.callerId, 'e164', node, diagnostics),
    },
    children: to.map((each) => partyElement(each, markup, progress)),
  };
}

function record(end: EndOf<'record'>, printInput: PrintInput): readonly XmlElement[] {
  const recorded = printInput.urlOf(end.node, 'recorded');
  const attributes = {
    action: recorded,
    method: 'POST',
    timeout: end.silenceSeconds,
    finishOnKey: end.finishKeys,
    maxLength: end.maxSeconds,
    playBeep: end.beep,
    recordingStatusCallback: printInput.urlOf(end.node, 'recording'),
    recordingStatusCallbackMethod: 'POST',
  };
  // An empty recording calls no action: without this element the call would end.
  return [{ name: 'Record', attributes }, redirectElement(withEmpty(recorded))];
}

function conference(end: EndOf<'conference'>, printInput: PrintInput): XmlElement {
  const room: XmlElement = {
    name: 'Conference',
    attributes: {
      startConferenceOnEnter: end.startsOnEnter,
      endConferenceOnExit: end.endsOnExit,
      muted: end.isMuted,
      beep: false,
      maxParticipants: end.maxMembers,
      waitUrl: end.holdMusic,
      waitMethod: end.holdMusic === undefined ? undefined : 'GET',
    },
    children: end.name,
  };
  const attributes = { action: printInput.urlOf(end.node, 'left'), method: 'POST' };
  return { name: 'Dial', attributes, children: [room] };
}
