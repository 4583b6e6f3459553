import { callerIdOf, oneFinishKey, type Printer, type PrintInput, withEmpty } from './printer.ts';
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
  inputSeconds: [5, 60],
  digits: [1, 32],
  limitSeconds: [1, 14_400],
  recordSeconds: [2, 14_400],
  members: [2, 20],
} as const;

/**
 * With `redirect="true"` the elements after this one never run, unless its action is never called.
 */
const markup: XmlMarkup = {
  target: 'plivo',
  speech: { name: 'Speak' },
  pause: 'Wait',
  loopOf: (loop) => (loop === 1 ? undefined : loop),
  party: { sip: 'User', number: 'digits' },
  gather,
  dial,
  record,
  conference,
};

/** Plivo XML. */
export const plivo: Printer = {
  contentType: xmlContentType,
  sizeMax: 100_000,
  callSecondsMax: 14_400,
  print(printInput) {
    const { segment, diagnostics } = printInput;
    const [first] = segment.steps;
    if (segment.isFirst && first?.kind === 'pause') {
      diagnostics.add(
        'W_FIRST_WAIT',
        first.node,
        'an incoming call is answered only after this pause',
      );
    }
    return printResponse(markup, printInput);
  },
};

function gather(end: EndOf<'gather'>, printInput: PrintInput): readonly XmlElement[] {
  const { node } = end;
  const { diagnostics } = printInput;
  const gathered = printInput.urlOf(node, 'gathered');
  const key = oneFinishKey(end.finishKeys, node, diagnostics);
  const input: XmlElement = {
    name: 'GetInput',
    attributes: {
      action: gathered,
      method: 'POST',
      inputType: 'dtmf',
      digitEndTimeout: 'auto',
      executionTimeout: diagnostics.clamp(
        node,
        'timeout_seconds',
        end.timeoutSeconds,
        limits.inputSeconds,
      ),
      finishOnKey: key === '' ? 'none' : key,
      numDigits: diagnostics.clamp(node, 'max_digits', end.maxDigits, limits.digits),
      redirect: true,
    },
    children: end.prompt.map((prompt) => stepElement(prompt, markup, printInput)),
  };
  // Without input the action is not called: Plivo goes on with the next element.
  return [input, redirectElement(withEmpty(gathered))];
}

function dial(end: EndOf<'dial'>, printInput: PrintInput): XmlElement {
  const { node, to } = end;
  const { diagnostics } = printInput;
  return {
    name: 'Dial',
    attributes: {
      action: printInput.urlOf(node, 'dialed'),
      method: 'POST',
      timeout: end.ringSeconds,
      timeLimit: diagnostics.clamp(node, 'limit_seconds', end.limitSeconds, limits.limitSeconds),
      callerId: callerIdOf(end.callerId ?? printInput.callerId, 'digits', node, diagnostics),
      redirect: true,
      // The action reports no duration: the events of each leg do.
      callbackUrl: printInput.urlOf(node, 'leg'),
      callbackMethod: 'POST',
    },
    children: to.map((each) => partyElement(each, markup)),
  };
}

function record(end: EndOf<'record'>, printInput: PrintInput): readonly XmlElement[] {
  const { node } = end;
  const { diagnostics } = printInput;
  const recorded = printInput.urlOf(node, 'recorded');
  const key = oneFinishKey(end.finishKeys, node, diagnostics);
  if (key === '') diagnostics.add('W_FINISHKEY', node, 'Plivo always has a finish key: it is #');
  const attributes = {
    action: recorded,
    method: 'POST',
    timeout: end.silenceSeconds,
    finishOnKey: key === '' ? '#' : key,
    maxLength: diagnostics.clamp(node, 'max_seconds', end.maxSeconds, limits.recordSeconds),
    playBeep: end.beep,
    redirect: true,
    callbackUrl: printInput.urlOf(node, 'recording'),
    callbackMethod: 'POST',
    ...(printInput.transcription === undefined
      ? {}
      : {
          transcriptionType: 'auto', // the only kind that is still sold; it knows no language but English
          transcriptionUrl: printInput.urlOf(node, 'transcription'),
        }),
  };
  // An empty recording calls no action: without this element the call would end.
  return [{ name: 'Record', attributes }, redirectElement(withEmpty(recorded))];
}

function conference(end: EndOf<'conference'>, { diagnostics, urlOf }: PrintInput): XmlElement {
  const { node, maxMembers, holdMusic } = end;
  if (holdMusic !== undefined) {
    diagnostics.add('W_HOLD_MUSIC', node, 'Plivo fetches XML there, not a sound file: left out');
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
          : diagnostics.clamp(node, 'max_members', maxMembers, limits.members),
      redirect: true,
    },
    children: end.name,
  };
}
