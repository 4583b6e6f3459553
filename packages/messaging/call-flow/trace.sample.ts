import { interpret as interpretPlivo } from '../../../control-plane/channels/plivo-voice/simulator/interpreter.ts';
import {
  type Behaviour,
  type Effect,
  Line,
  type Outcome,
  type ProviderRequest,
} from '../../../control-plane/channels/simulation/voice/phone-call.ts';
import { interpret as interpretTwilio } from '../../../control-plane/channels/twilio-voice/simulator/interpreter.ts';
import { interpret as interpretVonage } from '../../../control-plane/channels/vonage-voice/simulator/interpreter.ts';
import { readAnswer } from './answer.ts';
import { type CompileContext, compileSegment } from './compile.ts';
import type { Target } from './diagnostic.ts';
import type { CallFlow } from './flow.ts';
import { type FlowEvent, initialState, nextSegment, type WaitAnswer } from './machine.ts';
import type { WaitEvent } from './printer.ts';
import { recordings } from './random-flow.sample.ts';
import type { Segment, SegmentEnd, Step } from './segment.ts';

/** A whole call: what was heard and done, and what the flow remembers at the end. */
export interface Trace {
  readonly effects: readonly unknown[];
  readonly values: Readonly<Record<string, string>>;
}

/** Plays one segment, given how people behave; returns an answer if the flow goes on. */
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
  ...facts,
  ...leg,
  uuid: 'v1',
  conversation_uuid: 'CON-1',
  recording_uuid: 'r1',
};
const RecordingUrl = 'https://recordings.example.test/1';

/** Runs a document as the target's provider would. */
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
      const transcription_url = `${RecordingUrl}/text`;
      const call = { ...vonageCall, recording_url: RecordingUrl, transcription_url };
      return interpretVonage(document, call, behaviours);
    }
  }
}

/** The call through documents, read as the provider reads them. */
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

/** The call through the state machine alone, as the driver of a PBX runs it. */
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
  let state = initialState(flow, context.values ?? {});
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
  completed: 'answered',
  busy: 'busy',
  'no-answer': 'no_answer',
  failed: 'failed',
  canceled: 'failed',
} as const;

/** The answer to a segment's end; undefined when the flow hangs up. */
function finish(end: SegmentEnd, line: Line): WaitAnswer | undefined {
  switch (end.kind) {
    case 'hangup':
      return undefined;
    case 'goto':
      return { kind: 'continued', node: end.node };
    case 'gather': {
      for (const prompt of end.prompt) line.effects.push(heard(prompt));
      const lets = end.prompt.length > 0 ? 'interrupt' : 'ignore';
      const { digits } = line.collect(end.finishKeys, end.maxDigits, lets);
      return { kind: 'gathered', node: end.node, digits };
    }
    case 'dial': {
      const leg = line.dial(
        end.to,
        () => 'leg',
        () => [],
      );
      return { kind: 'dialed', node: end.node, result: results[leg.end] };
    }
    case 'record':
      line.record(Number.POSITIVE_INFINITY);
      return { kind: 'recorded', node: end.node };
    case 'conference':
      line.meet(end.name);
      return { kind: 'left', node: end.node };
  }
}

/**
 * An effect without what may differ between targets: the form of numbers, voices, clamped times,
 * late keys.
 */
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
