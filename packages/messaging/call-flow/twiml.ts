import { speechFor } from './languages.ts';
import {
  callerIdOf,
  type Printer,
  type Printing,
  partyOf,
  textWithin,
  withEmpty,
} from './printing.ts';
import type { EndOf, SegmentEnd, Step } from './segment.ts';
import { printXml, type XmlElement } from './xml.ts';

const limits = {
  text: 4_096,
  ringSeconds: [5, 600],
  limitSeconds: [1, 14_400],
} as const;

/** TwiML, which Twilio takes. */
export const twiml: Printer = {
  contentType: 'text/xml; charset=utf-8',
  sizeMax: 65_536,
  callSecondsMax: 14_400,
  inlineMax: 4_000,
  print: (printing) =>
    printXml({
      name: 'Response',
      children: [
        ...printing.segment.steps.map((step) => heard(step, printing)),
        ...ending(printing.segment.end, printing),
      ],
    }),
};

function heard(step: Step, printing: Printing): XmlElement {
  switch (step.kind) {
    case 'say': {
      const { node, loop } = step;
      const speech = speechFor('twiml', step, printing.notes);
      if (speech.kind === 'recording') return play(speech.url, loop);
      const { voice, language } = speech;
      const text = textWithin(step.text, limits.text, node, printing.notes);
      return { name: 'Say', attributes: { voice, language, loop }, children: text };
    }
    case 'play':
      return play(step.url, step.loop);
    case 'pause':
      return { name: 'Pause', attributes: { length: step.seconds } };
  }
}

function play(url: string, loop: number): XmlElement {
  return { name: 'Play', attributes: { loop }, children: url };
}

/** Whatever follows an element with an `action` is dead, unless the action is never called. */
function ending(end: SegmentEnd, printing: Printing): readonly XmlElement[] {
  switch (end.kind) {
    case 'gather':
      return [gather(end, printing)];
    case 'dial':
      return [dial(end, printing)];
    case 'record':
      return record(end, printing);
    case 'conference':
      return [conference(end, printing)];
    case 'goto':
      return [redirect(printing.urlOf(end.node, 'continued'))];
    case 'hangup':
      return [{ name: 'Hangup' }];
  }
}

function gather(end: EndOf<'gather'>, printing: Printing): XmlElement {
  return {
    name: 'Gather',
    attributes: {
      input: 'dtmf',
      numDigits: end.maxDigits,
      timeout: end.timeoutSeconds,
      finishOnKey: end.finishKeys,
      action: printing.urlOf(end.node, 'gathered'),
      method: 'POST',
      actionOnEmptyResult: true,
    },
    children: end.prompt.map((prompt) => heard(prompt, printing)),
  };
}

function dial(end: EndOf<'dial'>, printing: Printing): XmlElement {
  const { node, to } = end;
  const { notes } = printing;
  return {
    name: 'Dial',
    attributes: {
      action: printing.urlOf(node, 'dialed'),
      method: 'POST',
      timeout: notes.clamp(node, 'ring_seconds', end.ringSeconds, limits.ringSeconds),
      timeLimit: notes.clamp(node, 'limit_seconds', end.limitSeconds, limits.limitSeconds),
      callerId: callerIdOf(end.callerId ?? printing.callerId, 'e164', node, notes),
    },
    children: to.map((each) => party(each, printing.urlOf(node, 'leg'))),
  };
}

/** How each leg stands is told beside: the action names one of them, and only when it is called. */
function party(to: string, told: string): XmlElement {
  const found = partyOf(to);
  const attributes = {
    statusCallback: told,
    statusCallbackEvent: 'answered completed',
    statusCallbackMethod: 'POST',
  };
  switch (found.kind) {
    case 'number':
      return { name: 'Number', attributes, children: found.e164 };
    case 'sip':
      return { name: 'Sip', attributes, children: found.uri };
    case 'open':
      return { name: 'Number', attributes, children: found.text };
  }
}

function record(end: EndOf<'record'>, printing: Printing): readonly XmlElement[] {
  const recorded = printing.urlOf(end.node, 'recorded');
  const attributes = {
    action: recorded,
    method: 'POST',
    timeout: end.silenceSeconds,
    finishOnKey: end.finishKeys,
    maxLength: end.maxSeconds,
    playBeep: end.beep,
    recordingStatusCallback: printing.urlOf(end.node, 'recording'),
    recordingStatusCallbackMethod: 'POST',
  };
  // An empty recording calls no action: the call would fall off the end.
  return [{ name: 'Record', attributes }, redirect(withEmpty(recorded))];
}

function conference(end: EndOf<'conference'>, printing: Printing): XmlElement {
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
  const attributes = { action: printing.urlOf(end.node, 'left'), method: 'POST' };
  return { name: 'Dial', attributes, children: [room] };
}

function redirect(url: string): XmlElement {
  return { name: 'Redirect', attributes: { method: 'POST' }, children: url };
}
