import { interpret as interpretPlivo } from '../../../control-plane/channels/plivo-voice/simulator/interpreter.ts';
import {
  type Behaviour,
  type Effect,
  Line,
  type Outcome,
  type ProviderRequest,
} from '../../../control-plane/channels/simulation/phone-call.ts';
import { interpret as interpretTwilio } from '../../../control-plane/channels/twilio-voice/simulator/interpreter.ts';
import { interpret as interpretVonage } from '../../../control-plane/channels/vonage-voice/simulator/interpreter.ts';
import { readAnswer } from './answer.ts';
import { type CompileContext, compileSegment } from './compile.ts';
import type { Target } from './diagnostic.ts';
import type { CallFlow } from './flow.ts';
import { begin, type FlowEvent, nextSegment, type WaitAnswer } from './machine.ts';
import type { WaitEvent } from './printing.ts';
import { recordings } from './random-flow.sample.ts';
import type { EndOf, Segment, SegmentEnd, Step } from './segment.ts';

/** A whole call: what was heard and done, and what the flow remembers at its end. */
export interface Trace {
  readonly effects: readonly unknown[];
  readonly values: Readonly<Record<string, string>>;
}

/** Runs what one segment says, given how people behave; an answer if the flow goes on. */
type Play = (
  segment: Segment,
  behaviours: readonly Behaviour[],
) => { readonly effects: readonly Effect[]; readonly used: number; readonly answer?: WaitAnswer };

const facts = {
  From: '+14155550100',
  To: '+919800000009',
  from: '14155550100',
  to: '919800000009',
};
const leg = { newLeg: () => 'leg1', timestamp: '2026-11-21T08:00:00Z', Timestamp: 'now' };
const twilioCall = { ...facts, ...leg, CallSid: 'CA1', AccountSid: 'AC1', RecordingSid: 'RE1' };
const plivoCall = { ...facts, ...leg, CallUUID: 'p1', RecordingID: 'r1' };
const vonageCall = {
  ...{ ...facts, ...leg, uuid: 'v1', conversation_uuid: 'CON-1', recording_uuid: 'r1' },
};
const RecordingUrl = 'https://recordings.example.test/1';

/** Runs a document as the target's provider does. */
export function interpret(
  target: Target,
  document: string,
  behaviours: readonly Behaviour[],
): Outcome {
  switch (target) {
    case 'twiml':
      return interpretTwilio(document, { ...twilioCall, RecordingUrl }, behaviours);
    case 'plivo':
      return interpretPlivo(document, { ...plivoCall, RecordUrl: RecordingUrl }, behaviours);
    case 'ncco': {
      const call = { ...vonageCall, recording_url: RecordingUrl };
      return interpretVonage(document, call, behaviours);
    }
  }
}

/** The call by way of documents and the provider's own reading of them. */
export function traceOn(
  target: Target,
  flow: CallFlow,
  context: CompileContext,
  behaviours: readonly Behaviour[],
): Trace {
  return trace(flow, context, behaviours, (segment, rest) => {
    const { document } = compileSegment(flow, segment, target, context);
    const { effects, used, next, notices, fault } = interpret(target, document, rest);
    if (fault !== undefined) throw new Error(`${target}: ${fault} in ${document}`);
    if (next === undefined) return { effects, used };
    return { effects, used, answer: answerIn(target, next, notices, context) };
  });
}

/** The call by way of the state machine alone, as a driver of a PBX would run it. */
export function traceDirect(
  flow: CallFlow,
  context: CompileContext,
  behaviours: readonly Behaviour[],
): Trace {
  return trace(flow, context, behaviours, (segment, rest) => {
    const line = new Line(rest);
    let answer: WaitAnswer | undefined;
    const { effects, used } = line.run(() => {
      for (const step of segment.steps) line.effects.push(heard(step));
      answer = finish(segment.end, line);
      return undefined;
    });
    if (answer === undefined) return { effects, used };
    return { effects: effects.slice(0, -1), used, answer };
  });
}

function trace(
  flow: CallFlow,
  context: CompileContext,
  behaviours: readonly Behaviour[],
  play: Play,
): Trace {
  const effects: unknown[] = [];
  let state = begin(flow, context.values ?? {});
  let event: FlowEvent = { kind: 'answered' };
  let rest = behaviours;
  for (;;) {
    const advance = nextSegment(flow, state, event);
    if (advance.kind === 'refused') throw new Error(advance.reason);
    state = advance.state;
    const played = play(advance.segment, rest);
    effects.push(...played.effects.map(alike));
    rest = rest.slice(played.used);
    if (played.answer === undefined) return { effects, values: state.values };
    event = played.answer;
  }
}

function answerIn(
  target: Target,
  { url, fields }: ProviderRequest,
  notices: readonly ProviderRequest[],
  { base, sign }: CompileContext,
): WaitAnswer {
  const { origin, pathname, searchParams } = new URL(url);
  const [node, event] = (origin + pathname).slice(base.length + 1).split('/') as [
    string,
    WaitEvent,
  ];
  const token = searchParams.get('token') ?? undefined;
  if (token !== sign?.(node, event)) throw new Error(`${url} is not signed`);
  const legStatuses = notices
    .filter((notice) => new URL(notice.url).pathname.endsWith(`/${node}/leg`))
    .map((notice) => String(notice.fields.status));
  return readAnswer(target, { node, event, fields, legStatuses });
}

function heard(step: Step): Effect {
  const isInterrupted = false;
  switch (step.kind) {
    case 'say':
      return { kind: 'say', text: step.text, loop: step.loop, isInterrupted };
    case 'play':
      return { kind: 'play', url: step.url, loop: step.loop, isInterrupted };
    case 'pause':
      return { kind: 'pause', seconds: step.seconds };
  }
}

const results = {
  answers: 'answered',
  'is-busy': 'busy',
  'does-not-answer': 'no_answer',
  fails: 'failed',
} as const;

/** What comes of a segment's end; nothing when the flow hangs up. */
function finish(end: SegmentEnd, line: Line): WaitAnswer | undefined {
  switch (end.kind) {
    case 'hangup':
      return undefined;
    case 'goto':
      return { kind: 'continued', node: end.node };
    case 'gather':
      for (const prompt of end.prompt) line.effects.push(heard(prompt));
      return { kind: 'gathered', node: end.node, digits: collected(end, line) };
    case 'dial': {
      const behaviour = line.behave();
      const isAnswered = behaviour.leg === 'answers';
      happen(line, behaviour, { kind: 'dial', to: end.to, isAnswered });
      return { kind: 'dialed', node: end.node, result: results[behaviour.leg] };
    }
    case 'record': {
      const behaviour = line.behave();
      happen(line, behaviour, { kind: 'record', seconds: behaviour.seconds });
      return { kind: 'recorded', node: end.node };
    }
    case 'conference':
      happen(line, line.behave(), { kind: 'conference', name: end.name });
      return { kind: 'left', node: end.node };
  }
}

function happen(line: Line, { hangsUp }: Behaviour, effect: Effect): void {
  line.effects.push(effect);
  if (hangsUp) line.end('caller');
}

function collected(end: EndOf<'gather'>, line: Line): string {
  const behaviour = line.behave();
  if (behaviour.hangsUp) line.end('caller');
  const keys = [...line.keysPressed(behaviour, end.prompt.length > 0 ? 'interrupt' : 'ignore')];
  const stop = keys.findIndex((key) => end.finishKeys.includes(key));
  const digits = (stop < 0 ? keys : keys.slice(0, stop)).slice(0, end.maxDigits).join('');
  line.effects.push({ kind: 'collect', digits });
  return digits;
}

/** An effect without what may differ: the form of numbers, voices, clamped times, late keys. */
function alike(effect: Effect): unknown {
  switch (effect.kind) {
    case 'say':
      return said(effect.text, effect);
    case 'play': {
      if (!effect.url.startsWith(recordings)) return effect;
      const text = decodeURIComponent(effect.url.slice(recordings.length));
      return said(text, effect);
    }
    case 'collect':
      return { kind: 'collect' };
    case 'dial':
      return { ...effect, to: effect.to.map((each) => each.replace(/^\+/, '')) };
    case 'record':
      return { kind: 'record', isEmpty: effect.seconds === 0 };
    case 'pause':
    case 'record-call':
    case 'conference':
    case 'hangup':
      return effect;
  }
}

function said(text: string, { loop, isInterrupted }: { loop: number; isInterrupted: boolean }) {
  return { kind: 'say', text: text.trim(), loop, isInterrupted };
}
