import { speechFor } from './languages.ts';
import {
  callerIdOf,
  oneFinishKey,
  type Party,
  type Printer,
  type PrintInput,
  partyOf,
  textWithin,
} from './printer.ts';
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

/** Vonage's Nexmo call control object (NCCO): an array of actions, after which the call ends. */
export const ncco: Printer = {
  contentType: 'application/json; charset=utf-8',
  sizeMax: 1_000_000, // Vonage documents no limit
  callSecondsMax: 7_200,
  print(printInput) {
    const { steps, end } = printInput.segment;
    const actions = [
      ...steps.map((step) => stepAction(step, printInput, false)),
      ...endActions(end, printInput),
    ];
    return JSON.stringify(actions);
  },
};

/**
 * With `bargeIn` the next action begins at once and cuts the prompt, so only an `input` may follow.
 */
function stepAction(step: Step, printInput: PrintInput, bargeIn: boolean): Action {
  switch (step.kind) {
    case 'say': {
      const { node, loop } = step;
      const speech = speechFor('ncco', step, printInput.diagnostics);
      if (speech.kind === 'recording') return stream(speech.url, loop, bargeIn);
      const text = literal(textWithin(step.text, limits.text, node, printInput.diagnostics));
      return { action: 'talk', text, language: speech.language, ...interruptible(bargeIn), loop };
    }
    case 'play':
      return stream(step.url, step.loop, bargeIn);
    case 'pause':
      return { action: 'wait', timeout: step.seconds };
  }
}

/** Vonage takes a text that begins like this for speech markup, so values in it are escaped. */
function literal(text: string): string {
  return /^<speak\b/i.test(text) ? printXml({ name: 'speak', children: text }) : text;
}

function stream(url: string, loop: number, bargeIn: boolean): Action {
  return { action: 'stream', streamUrl: [url], ...interruptible(bargeIn), loop };
}

function interruptible(bargeIn: boolean) {
  return bargeIn ? { bargeIn } : {};
}

function endActions(end: SegmentEnd, printInput: PrintInput): readonly Action[] {
  switch (end.kind) {
    case 'gather':
      return [...prompts(end, printInput), input(end, printInput)];
    case 'dial':
      return [...connects(end, printInput), notify(printInput.urlOf(end.node, 'dialed'))];
    case 'record':
      return [record(end, printInput), notify(printInput.urlOf(end.node, 'recorded'))];
    case 'conference':
      return conversation(end, printInput);
    case 'goto':
      return [notify(printInput.urlOf(end.node, 'continued'))];
    case 'hangup':
      return [];
  }
}

function prompts({ node, prompt }: EndOf<'gather'>, printInput: PrintInput): readonly Action[] {
  if (prompt.length > 1) {
    printInput.diagnostics.add('W_BARGE_IN', node, 'keys are heard only from the last prompt on');
  }
  return prompt.map((each: Prompt, index) =>
    stepAction(each, printInput, index === prompt.length - 1),
  );
}

function input(end: EndOf<'gather'>, { diagnostics, urlOf }: PrintInput): Action {
  const { node, finishKeys } = end;
  if (/[^#]/.test(finishKeys)) {
    diagnostics.add('W_FINISHKEY', node, `of ${finishKeys} only # ends the input at once`);
  }
  return {
    action: 'input',
    type: ['dtmf'],
    dtmf: {
      timeOut: diagnostics.clamp(node, 'timeout_seconds', end.timeoutSeconds, limits.inputSeconds),
      maxDigits: diagnostics.clamp(node, 'max_digits', end.maxDigits, limits.digits),
      submitOnHash: finishKeys.includes('#'),
    },
    eventUrl: [urlOf(node, 'gathered')],
    eventMethod: 'POST',
  };
}

/**
 * One endpoint rings at a time, and no result comes back: the status of each leg arrives
 * separately, and the `notify` that follows asks what to do.
 */
function connects(end: EndOf<'dial'>, printInput: PrintInput): readonly Action[] {
  const { node, to } = end;
  const { diagnostics } = printInput;
  if (to.length > 1) {
    const message = 'numbers ring one after another, the next even after one has answered';
    diagnostics.add('E_SIMRING', node, message);
  }
  const from = callerIdOf(end.callerId ?? printInput.callerId, 'digits', node, diagnostics);
  const timeout = diagnostics.clamp(node, 'ring_seconds', end.ringSeconds, limits.ringSeconds);
  const limit = diagnostics.clamp(node, 'limit_seconds', end.limitSeconds, limits.limitSeconds);
  return to.map((each) => ({
    action: 'connect',
    ...(from === undefined ? {} : { from }),
    endpoint: [addressed(partyOf(each))],
    timeout,
    limit,
    eventUrl: [printInput.urlOf(node, 'leg')],
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

/** Without a condition to stop, the recording would go on during the next actions. */
function record(end: EndOf<'record'>, printInput: PrintInput): Action {
  const { diagnostics, urlOf, transcription } = printInput;
  const { node, finishKeys } = end;
  const key = oneFinishKey(finishKeys, node, diagnostics);
  const { silenceSeconds, maxSeconds } = end;
  return {
    action: 'record',
    format: 'mp3',
    endOnSilence: diagnostics.clamp(node, 'silence_seconds', silenceSeconds, limits.recordSilence),
    ...(key === '' ? {} : { endOnKey: key }),
    timeOut: diagnostics.clamp(node, 'max_seconds', maxSeconds, limits.recordSeconds),
    beepStart: end.beep,
    eventUrl: [urlOf(node, 'recording')],
    eventMethod: 'POST',
    ...(transcription === undefined
      ? {}
      : {
          transcription: transcriptionMember({
            ...transcription,
            url: urlOf(node, 'transcription'),
          }),
        }),
  };
}

/** The member of a `record` action that asks for the text; the text has an event of its own. */
export function transcriptionMember(asked: { readonly language: string; readonly url: string }) {
  return { language: asked.language, eventUrl: [asked.url], eventMethod: 'POST' };
}

function conversation(
  end: EndOf<'conference'>,
  { diagnostics, urlOf }: PrintInput,
): readonly Action[] {
  const { node, maxMembers } = end;
  if (maxMembers !== undefined && maxMembers !== limits.members) {
    diagnostics.add('W_CLAMP', node, `max_members ${maxMembers} becomes ${limits.members}`);
  }
  if (end.goesOn) {
    const message = 'a member who leaves goes on; when the owner ends it, calls may end too';
    diagnostics.add('W_AFTER_CONFERENCE', node, message);
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
export function repeatQuestion(url: string): string {
  return JSON.stringify([{ action: 'wait', timeout: 1 }, notify(url)]);
}

function notify(url: string): Action {
  return { action: 'notify', payload: {}, eventUrl: [url], eventMethod: 'POST' };
}
