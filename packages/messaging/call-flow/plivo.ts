import { speechFor } from './languages.ts';
import {
  callerIdOf,
  oneFinishKey,
  type Printer,
  type Printing,
  partyOf,
  withEmpty,
} from './printing.ts';
import type { EndOf, SegmentEnd, Step } from './segment.ts';
import { printXml, type XmlElement } from './xml.ts';

const limits = {
  inputSeconds: [5, 60],
  digits: [1, 32],
  limitSeconds: [1, 14_400],
  recordSeconds: [2, 14_400],
  members: [2, 20],
} as const;

/** Plivo XML. */
export const plivo: Printer = {
  contentType: 'text/xml; charset=utf-8',
  sizeMax: 100_000,
  callSecondsMax: 14_400,
  print(printing) {
    const { segment, notes } = printing;
    const [first] = segment.steps;
    if (segment.isFirst && first?.kind === 'pause') {
      notes.tell('W_FIRST_WAIT', first.node, 'an incoming call is answered only after this pause');
    }
    return printXml({
      name: 'Response',
      children: [
        ...segment.steps.map((step) => heard(step, printing)),
        ...ending(segment.end, printing),
      ],
    });
  },
};

function heard(step: Step, printing: Printing): XmlElement {
  switch (step.kind) {
    case 'say': {
      const speech = speechFor('plivo', step, printing.notes);
      if (speech.kind === 'recording') return play(speech.url, step.loop);
      const { voice, language } = speech;
      const attributes = { voice, language, loop: often(step.loop) };
      return { name: 'Speak', attributes, children: step.text };
    }
    case 'play':
      return play(step.url, step.loop);
    case 'pause':
      return { name: 'Wait', attributes: { length: step.seconds } };
  }
}

function play(url: string, loop: number): XmlElement {
  return { name: 'Play', attributes: { loop: often(loop) }, children: url };
}

function often(loop: number): number | undefined {
  return loop === 1 ? undefined : loop;
}

/** With `redirect="true"` whatever follows is dead, unless the action is never called. */
function ending(end: SegmentEnd, printing: Printing): readonly XmlElement[] {
  switch (end.kind) {
    case 'gather':
      return gather(end, printing);
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

function gather(end: EndOf<'gather'>, printing: Printing): readonly XmlElement[] {
  const { node } = end;
  const { notes } = printing;
  const gathered = printing.urlOf(node, 'gathered');
  const key = oneFinishKey(end.finishKeys, node, notes);
  const input: XmlElement = {
    name: 'GetInput',
    attributes: {
      action: gathered,
      method: 'POST',
      inputType: 'dtmf',
      digitEndTimeout: 'auto',
      executionTimeout: notes.clamp(
        node,
        'timeout_seconds',
        end.timeoutSeconds,
        limits.inputSeconds,
      ),
      finishOnKey: key === '' ? 'none' : key,
      numDigits: notes.clamp(node, 'max_digits', end.maxDigits, limits.digits),
      redirect: true,
    },
    children: end.prompt.map((prompt) => heard(prompt, printing)),
  };
  // No input calls no action: Plivo goes on with the next element.
  return [input, redirect(withEmpty(gathered))];
}

function dial(end: EndOf<'dial'>, printing: Printing): XmlElement {
  const { node, to } = end;
  const { notes } = printing;
  return {
    name: 'Dial',
    attributes: {
      action: printing.urlOf(node, 'dialed'),
      method: 'POST',
      timeout: end.ringSeconds,
      timeLimit: notes.clamp(node, 'limit_seconds', end.limitSeconds, limits.limitSeconds),
      callerId: callerIdOf(end.callerId ?? printing.callerId, 'digits', node, notes),
      redirect: true,
      // The action tells no duration: the events of each leg do.
      callbackUrl: printing.urlOf(node, 'leg'),
      callbackMethod: 'POST',
    },
    children: to.map(party),
  };
}

function party(to: string): XmlElement {
  const found = partyOf(to);
  switch (found.kind) {
    case 'number':
      return { name: 'Number', children: found.digits };
    case 'sip':
      return { name: 'User', children: found.uri };
    case 'open':
      return { name: 'Number', children: found.text };
  }
}

function record(end: EndOf<'record'>, printing: Printing): readonly XmlElement[] {
  const { node } = end;
  const { notes } = printing;
  const recorded = printing.urlOf(node, 'recorded');
  const key = oneFinishKey(end.finishKeys, node, notes);
  if (key === '') notes.tell('W_FINISHKEY', node, 'a recording always ends by a key: it is #');
  const attributes = {
    action: recorded,
    method: 'POST',
    timeout: end.silenceSeconds,
    finishOnKey: key === '' ? '#' : key,
    maxLength: notes.clamp(node, 'max_seconds', end.maxSeconds, limits.recordSeconds),
    playBeep: end.beep,
    redirect: true,
    callbackUrl: printing.urlOf(node, 'recording'),
    callbackMethod: 'POST',
  };
  // An empty recording calls no action: the call would fall off the end.
  return [{ name: 'Record', attributes }, redirect(withEmpty(recorded))];
}

function conference(end: EndOf<'conference'>, { notes, urlOf }: Printing): XmlElement {
  const { node, maxMembers, holdMusic } = end;
  if (holdMusic !== undefined) {
    notes.tell('W_HOLD_MUSIC', node, 'Plivo fetches XML there, not a sound file: left out');
  }
  return {
    name: 'Conference',
    attributes: {
      action: urlOf(node, 'left'),
      method: 'POST',
      startConferenceOnEnter: end.startsOnEnter,
      endConferenceOnExit: end.endsOnExit,
      muted: end.isMuted,
      maxMembers:
        maxMembers === undefined
          ? undefined
          : notes.clamp(node, 'max_members', maxMembers, limits.members),
      redirect: true,
    },
    children: end.name,
  };
}

function redirect(url: string): XmlElement {
  return { name: 'Redirect', attributes: { method: 'POST' }, children: url };
}
