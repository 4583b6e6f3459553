import { type CallFlow, defaultValues, type NodeOf, nodeAt, savedVariables } from './flow.ts';
import { type Entry, emptySegment, type Segment, segmentFrom } from './segment.ts';

/** How a leg that was dialled ended. */
export type DialResult = 'answered' | 'busy' | 'no_answer' | 'failed';

/** The answer to a document, with the node at which the document ended. */
export type WaitAnswer =
  /** `digits` is empty when nothing was pressed. */
  | { readonly kind: 'gathered'; readonly node: string; readonly digits: string }
  | { readonly kind: 'dialed'; readonly node: string; readonly result: DialResult }
  | { readonly kind: 'recorded'; readonly node: string }
  | { readonly kind: 'left'; readonly node: string }
  | { readonly kind: 'continued'; readonly node: string };

/** Every event that moves a call on. */
export type FlowEvent = { readonly kind: 'answered' } | WaitAnswer;

/** Where a call is between two documents: plain JSON, stored with the call. */
export interface FlowState {
  /** The node that waits; absent before the answer and when the flow is over. */
  readonly node?: string;
  readonly isOver: boolean;
  /** How often the question of this gather was asked already. */
  readonly attempts: number;
  /** Which number of this dial rings now, from 0. */
  readonly leg: number;
  readonly documents: number;
  readonly values: Readonly<Record<string, string>>;
}

/** The outcome of an event. */
export type Advance =
  | { readonly kind: 'segment'; readonly segment: Segment; readonly state: FlowState }
  /** The event does not belong here: late, repeated, or forged. The state does not change. */
  | { readonly kind: 'refused'; readonly reason: string };

/** The state of a call before its answer, with its values for the flow's variables. */
export function initialState(flow: CallFlow, values: Readonly<Record<string, string>>): FlowState {
  const notSavedYet = Object.fromEntries(savedVariables(flow).map((name) => [name, '']));
  return {
    isOver: false,
    attempts: 0,
    leg: 0,
    documents: 0,
    values: { ...notSavedYet, ...defaultValues(flow), ...values },
  };
}

/** Variables that must have a value before a call may begin. */
export function missingVariables(
  flow: CallFlow,
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(flow.variables)
    .filter(([name, { default: standIn }]) => standIn === undefined && !Object.hasOwn(values, name))
    .map(([name]) => name);
}

/** Names of values that the flow neither declares nor saves. */
export function unknownVariables(
  flow: CallFlow,
  values: Readonly<Record<string, string>>,
): readonly string[] {
  const known = new Set([...Object.keys(flow.variables), ...savedVariables(flow)]);
  return Object.keys(values).filter((name) => !known.has(name));
}

/**
 * What to do after an event: the next segment, up to the first node that waits. Compilers print the
 * segments as documents; a PBX is driven by the same segments.
 *
 *     let state = initialState(flow, { name: 'Aisha' });
 *     const advance = nextSegment(flow, state, { kind: 'answered' });
 *     if (advance.kind === 'segment') ({ state } = advance);
 */
export function nextSegment(flow: CallFlow, state: FlowState, event: FlowEvent): Advance {
  if (state.isOver) return refused('the flow is over');
  if (event.kind === 'answered') {
    if (state.node !== undefined) return refused('the call was answered already');
    return enter(flow, state, { node: flow.start, isFirst: true });
  }
  if (event.node !== state.node) return refused(`the call does not wait at ${event.node}`);
  return resume(flow, state, event);
}

function resume(flow: CallFlow, state: FlowState, event: WaitAnswer): Advance {
  const node = nodeAt(flow, event.node);
  switch (event.kind) {
    case 'gathered':
      return node?.type === 'gather' ? afterDigits(flow, state, node, event.digits) : misfit(event);
    case 'dialed':
      return node?.type === 'dial' ? afterDial(flow, state, node, event.result) : misfit(event);
    case 'recorded':
      return node?.type === 'record' ? enter(flow, state, { node: node.next }) : misfit(event);
    case 'left':
      return node?.type === 'conference' ? enter(flow, state, { node: node.next }) : misfit(event);
    case 'continued':
      return node?.type === 'goto' ? enter(flow, state, { node: node.next }) : misfit(event);
  }
}

function afterDigits(
  flow: CallFlow,
  state: FlowState,
  node: NodeOf<'gather'>,
  pressed: string,
): Advance {
  const digits = upToFinish(pressed, node.finish_keys);
  const leadsTo = Object.hasOwn(node.branches, digits) ? node.branches[digits] : node.next;
  if (/^[0-9*#]+$/.test(digits) && leadsTo !== undefined) {
    const kept = node.save_as === undefined ? {} : { [node.save_as]: digits };
    return enter(flow, { ...state, values: { ...state.values, ...kept } }, { node: leadsTo });
  }
  if (state.attempts < node.retries) {
    return enter(flow, state, { node: state.node }, state.attempts + 1);
  }
  return enter(flow, state, { node: node.otherwise });
}

/** Some providers know fewer finish keys than the flow names, and pass the others on as digits. */
function upToFinish(pressed: string, finishKeys: string): string {
  const end = [...pressed].findIndex((key) => finishKeys.includes(key));
  return end < 0 ? pressed : pressed.slice(0, end);
}

function afterDial(
  flow: CallFlow,
  state: FlowState,
  node: NodeOf<'dial'>,
  result: DialResult,
): Advance {
  if (result === 'answered') return enter(flow, state, { node: node.next });
  const leg = state.leg + 1;
  if (node.order === 'one_by_one' && leg < node.to.length) {
    return enter(flow, state, { node: state.node, leg });
  }
  return enter(flow, state, { node: node.branches[result] ?? node.next });
}

function enter(flow: CallFlow, state: FlowState, entry: Entry, attempts = 0): Advance {
  const { values } = state;
  const documents = state.documents + 1;
  const isSpent = documents > flow.limits.documents;
  const segment = isSpent ? emptySegment : segmentFrom(flow, entry, values);
  const { end } = segment;
  return {
    kind: 'segment',
    segment,
    state: {
      isOver: end.kind === 'hangup',
      attempts,
      leg: end.kind === 'dial' ? end.leg : 0,
      documents,
      values,
      ...(end.kind === 'hangup' ? {} : { node: end.node }),
    },
  };
}

function misfit(event: WaitAnswer): Advance {
  return refused(`${event.kind} does not fit the node`);
}

function refused(reason: string): Advance {
  return { kind: 'refused', reason };
}
