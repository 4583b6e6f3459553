import { speechFor } from './languages.ts';
import {
  callerIdOf,
  oneFinishKey,
  type Party,
  type Printer,
  type Printing,
  partyOf,
  textWithin,
} from './printing.ts';
import type { EndOf, Prompt, SegmentEnd, Step } from './segment.ts';
import { printXml } from './xml.ts';

const limits = {
  text: 1_500,
  digits: [1, 20],
  inputSeconds: [1, 10],
  ringSeconds: [5, 120],
  limitSeconds: [1, 7_200],
  recordSilence: [3, 10],
  recordSeconds: [3, 7_200],
  members: 50,
} as const;

type Action = { readonly action: string } & Readonly<Record<string, unknown>>;

/** A Nexmo call control object, which Vonage takes: an array of actions; its end hangs up. */
export const ncco: Printer = {
  contentType: 'application/json; charset=utf-8',
  sizeMax: 1_000_000, // none is documented
  callSecondsMax: 7_200,
  print(printing) {
    const { steps, end } = printing.segment;
    const actions = [
      ...steps.map((step) => heard(step, printing, false)),
      ...ending(end, printing),
    ];
    return JSON.stringify(actions);
  },
};

/** With `bargeIn` the next action begins at once: only an `input` may follow, or it is cut. */
function heard(step: Step, printing: Printing, bargeIn: boolean): Action {
  switch (step.kind) {
    case 'say': {
      const { node, loop } = step;
      const speech = speechFor('ncco', step, printing.notes);
      if (speech.kind === 'recording') return stream(speech.url, loop, bargeIn);
      const text = literal(textWithin(step.text, limits.text, node, printing.notes));
      return { action: 'talk', text, language: speech.language, ...interruptible(bargeIn), loop };
    }
    case 'play':
      return stream(step.url, step.loop, bargeIn);
    case 'pause':
      return { action: 'wait', timeout: step.seconds };
  }
}

/** What begins so is taken for speech markup: a value must not bring any, so it is escaped in it. */
function literal(text: string): string {
  return /^<speak\b/i.test(text) ? printXml({ name: 'speak', children: text }) : text;
}

function stream(url: string, loop: number, bargeIn: boolean): Action {
  return { action: 'stream', streamUrl: [url], ...interruptible(bargeIn), loop };
}

function interruptible(bargeIn: boolean) {
  return bargeIn ? { bargeIn } : {};
}

function ending(end: SegmentEnd, printing: Printing): readonly Action[] {
  switch (end.kind) {
    case 'gather':
      return [...prompts(end, printing), input(end, printing)];
    case 'dial':
      return [...connects(end, printing), notify(printing.urlOf(end.node, 'dialed'))];
    case 'record':
      return [record(end, printing), notify(printing.urlOf(end.node, 'recorded'))];
    case 'conference':
      return conversation(end, printing);
    case 'goto':
      return [notify(printing.urlOf(end.node, 'continued'))];
    case 'hangup':
      return [];
  }
}

function prompts({ node, prompt }: EndOf<'gather'>, printing: Printing): readonly Action[] {
  if (prompt.length > 1) {
    printing.notes.tell('W_BARGE_IN', node, 'keys are heard only from the last prompt on');
  }
  return prompt.map((each: Prompt, index) => heard(each, printing, index === prompt.length - 1));
}

function input(end: EndOf<'gather'>, { notes, urlOf }: Printing): Action {
  const { node, finishKeys } = end;
  if (/[^#]/.test(finishKeys)) {
    notes.tell('W_FINISHKEY', node, `of ${finishKeys} only # ends the input at once`);
  }
  return {
    action: 'input',
    type: ['dtmf'],
    dtmf: {
      timeOut: notes.clamp(node, 'timeout_seconds', end.timeoutSeconds, limits.inputSeconds),
      maxDigits: notes.clamp(node, 'max_digits', end.maxDigits, limits.digits),
      submitOnHash: finishKeys.includes('#'),
    },
    eventUrl: [urlOf(node, 'gathered')],
    eventMethod: 'POST',
  };
}

/**
 * One endpoint rings at a time, and no result comes back: how each leg stands is told beside, and the
 * `notify` that follows asks what to do.
 */
function connects(end: EndOf<'dial'>, printing: Printing): readonly Action[] {
  const { node, to } = end;
  const { notes } = printing;
  if (to.length > 1) {
    const message = 'numbers ring one after another, the next even after one has answered';
    notes.tell('E_SIMRING', node, message);
  }
  const from = callerIdOf(end.callerId ?? printing.callerId, 'digits', node, notes);
  const timeout = notes.clamp(node, 'ring_seconds', end.ringSeconds, limits.ringSeconds);
  const limit = notes.clamp(node, 'limit_seconds', end.limitSeconds, limits.limitSeconds);
  return to.map((each) => ({
    action: 'connect',
    ...(from === undefined ? {} : { from }),
    endpoint: [addressed(partyOf(each))],
    timeout,
    limit,
    eventUrl: [printing.urlOf(node, 'leg')],
    eventMethod: 'POST',
  }));
}

function addressed(party: Party) {
  switch (party.kind) {
    case 'number':
      return { type: 'phone', number: party.digits };
    case 'sip':
      return { type: 'sip', uri: party.uri };
    case 'open':
      return { type: 'phone', number: party.text };
  }
}

/** Without a condition to stop it would record on beneath what follows, instead of a message. */
function record(end: EndOf<'record'>, { notes, urlOf }: Printing): Action {
  const { node, finishKeys } = end;
  const key = oneFinishKey(finishKeys, node, notes);
  const { silenceSeconds, maxSeconds } = end;
  return {
    action: 'record',
    format: 'mp3',
    endOnSilence: notes.clamp(node, 'silence_seconds', silenceSeconds, limits.recordSilence),
    ...(key === '' ? {} : { endOnKey: key }),
    timeOut: notes.clamp(node, 'max_seconds', maxSeconds, limits.recordSeconds),
    beepStart: end.beep,
    eventUrl: [urlOf(node, 'recording')],
    eventMethod: 'POST',
  };
}

function conversation(end: EndOf<'conference'>, { notes, urlOf }: Printing): readonly Action[] {
  const { node, maxMembers } = end;
  if (maxMembers !== undefined && maxMembers !== limits.members) {
    notes.tell('W_CLAMP', node, `max_members ${maxMembers} becomes ${limits.members}`);
  }
  if (end.goesOn) {
    const message = 'who leaves goes on; when its owner ends the conference, calls may end with it';
    notes.tell('W_AFTER_CONFERENCE', node, message);
  }
  return [
    {
      action: 'conversation',
      name: end.name,
      startOnEnter: end.startsOnEnter,
      endOnExit: end.endsOnExit,
      mute: end.isMuted,
      ...(end.holdMusic === undefined ? {} : { musicOnHoldUrl: [end.holdMusic] }),
    },
    notify(urlOf(node, 'left')),
  ];
}

/** Waits a moment, then asks the address again. */
export function askAgain(url: string): string {
  return JSON.stringify([{ action: 'wait', timeout: 1 }, notify(url)]);
}

function notify(url: string): Action {
  return { action: 'notify', payload: {}, eventUrl: [url], eventMethod: 'POST' };
}
