/**
 * Drives one call on a PBX through its flow, with the state machine that also makes the documents.
 */
import {
  mayRecordWholeCall,
  type RecordingConsent,
  recordingConsent,
  withoutForbiddenRecording,
} from '@drawbridge/messaging/call-flow/consent.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import {
  type FlowEvent,
  type FlowState,
  nextSegment,
} from '@drawbridge/messaging/call-flow/machine.ts';
import { type Segment, type Step, segmentFrom } from '@drawbridge/messaging/call-flow/segment.ts';
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import { applicationOf } from '../../../channels/asterisk/adapter.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { LeaseLost } from '../../../platform/jobs/job.ts';
import { recordFlowEvent } from '../calls/flow-events.ts';
import { type CallRow, lockCall, updateFlow } from '../calls/store.ts';
import type { CallingContext } from '../context.ts';
import { endUnreportedLegs } from '../legs/leg-updates.ts';
import { type NextSegment, nextAffordableSegment, resumeSegment } from '../legs/reserve-dial.ts';
import type { OpenProvider } from '../providers/account.ts';
import { hasConsented } from '../recordings/consent-store.ts';
import { type CallChannel, ChannelEnded, ListenerLost } from './call-channel.ts';
import { dial, type Unreported } from './dial.ts';
import { conference, gather, record } from './interactions.ts';

export interface SessionOptions {
  readonly context: CallingContext;
  readonly open: OpenProvider;
  readonly call: CallRow;
  readonly flow: CallFlow;
  readonly callChannel: CallChannel;
  /** Throws `LeaseLost` when another node drives the call now. */
  checkLease(tx: Tx): Promise<void>;
  /** Resolves when all events of the call so far are saved. */
  updatesWritten(): Promise<void>;
}

/** Drives the call to its end, from its answer or from the wait at which another node left it. */
export async function runSession(options: SessionOptions): Promise<void> {
  const { call, callChannel, context } = options;
  const limit = setTimeout(() => {
    callChannel.hangUp().catch(() => {}); // the channel has ended already
  }, leftMs(options));
  try {
    if (call.is_recorded && mayRecordWholeCall(await consentOf(options)))
      await recordWholeCall(callChannel);
    await playFlow(options);
    await callChannel.hangUp();
  } catch (error) {
    if (error instanceof ChannelEnded || error instanceof ListenerLost) return;
    if (error instanceof LeaseLost) return;
    context.log.error({ err: error, callId: call.id }, 'a call on a PBX failed');
    await callChannel.hangUp().catch(() => {}); // the channel may have ended already
  } finally {
    clearTimeout(limit);
  }
}

/** The time left since the answer, whichever nodes drove the call. */
function leftMs({ call, context }: SessionOptions): number {
  const talkedMs = context.clock().getTime() - (call.answered_at ?? context.clock()).getTime();
  return Math.max(0, call.limit_seconds * 1_000 - talkedMs);
}

/** From one wait to the next, until the flow is over. */
async function playFlow(options: SessionOptions): Promise<void> {
  const { call, flow } = options;
  const { state } = call.flow_state;
  const begun = resumedSegment(flow, state);
  let next = await advanceFlow(options, state, begun ?? { kind: 'answered' });
  for (let isResumed = begun !== undefined; next !== undefined; isResumed = false) {
    const document = { number: next.state.documents, isResumed };
    const { state: at, segment } = next;
    const back = await playSegment(options, segment, document);
    const event = back?.kind === 'unheard' ? ({ kind: 'again', segment } as const) : back;
    next = event === undefined ? undefined : await advanceFlow(options, at, event);
  }
}

async function consentOf(
  { context, open, call }: SessionOptions,
  tx?: Tx,
): Promise<RecordingConsent> {
  const { scope, row } = open;
  const ask = (by: Tx) => hasConsented(by, scope, call.to_number, call.id);
  const said = await (tx === undefined ? context.db.tenant(scope.tenantId, ask) : ask(tx));
  return recordingConsent(row.recording_policy, said);
}

/** The segment at which another node left the call; it is played again. */
function resumedSegment(flow: CallFlow, state: FlowState): ResumedSegment | undefined {
  if (state.node === undefined) return undefined;
  const segment = segmentFrom(flow, { node: state.node, leg: state.leg }, state.values);
  return { kind: 'begun', segment };
}

/** A dial whose legs ended while no node listened: it is dialled once more. */
interface RedialSegment {
  readonly kind: 'again';
  readonly segment: Segment;
}

/** A segment that another node began to play. */
interface ResumedSegment {
  readonly kind: 'begun';
  readonly segment: Segment;
}

/**
 * Saves what the caller did and the new state of the flow, and reserves what it dials next. Undefined
 * when the call has ended, or is to end.
 */
async function advanceFlow(
  options: SessionOptions,
  state: FlowState,
  back: FlowEvent | ResumedSegment | RedialSegment,
): Promise<NextSegment | undefined> {
  const { context, open, call, updatesWritten: written } = options;
  const { scope } = open;
  // Reports about the legs arrived before the end of their dial, so they are saved first.
  await written();
  return context.db.tenant(scope.tenantId, async (tx) => {
    const locked = await lockCall(tx, scope, call.id);
    if (locked === undefined || isFinal(locked.status) || locked.hangup_asked) return undefined;
    const next = await nextSegmentOf(options, tx, locked, state, back);
    if (next === undefined) return undefined;
    await updateFlow(tx, scope, call.id, { state: next.state });
    const consent = await consentOf(options, tx);
    // Last, so that a node that takes over waits as short as possible.
    await options.checkLease(tx);
    return {
      ...next,
      segment: withoutForbiddenRecording(options.flow, next.segment, consent).segment,
    };
  });
}

async function nextSegmentOf(
  { context, open, flow }: SessionOptions,
  tx: Tx,
  call: CallRow,
  state: FlowState,
  back: FlowEvent | ResumedSegment | RedialSegment,
): Promise<NextSegment | undefined> {
  if (back.kind === 'again') {
    const changed = await endUnreportedLegs(context, tx, open.scope, call, state.documents);
    // A new document, so that its legs have their own ids and are charged separately.
    const anew = { ...state, documents: state.documents + 1 };
    const segment = { ...back.segment, steps: [] };
    return nextAffordableSegment({ context, tx, open, call: changed }, flow, {
      kind: 'segment',
      segment,
      state: anew,
    });
  }
  if (back.kind !== 'begun') {
    const advance = nextSegment(flow, state, back);
    if (advance.kind === 'refused') return undefined;
    const changed = await recordFlowEvent(
      { context, tx, scope: open.scope, call },
      back,
      state.documents,
    );
    return nextAffordableSegment({ context, tx, open, call: changed }, flow, advance);
  }
  const segment = await resumeSegment(tx, open, call, back.segment, state.documents);
  if (segment !== undefined) return { call, segment, state };
  const { segment: again } = back;
  return nextAffordableSegment({ context, tx, open, call }, flow, {
    kind: 'segment',
    segment: again,
    state,
  });
}

/** One document of a call; resumed: another node began it. */
interface Document {
  readonly number: number;
  readonly isResumed: boolean;
}

async function playSegment(
  { callChannel, call, open }: SessionOptions,
  { steps, end }: Segment,
  { number, isResumed }: Document,
): Promise<FlowEvent | Unreported | undefined> {
  for (const step of steps) await playStep(callChannel, step);
  switch (end.kind) {
    case 'gather':
      return gather(callChannel, end);
    case 'dial':
      return dial(callChannel, end, { callerId: call.from_number, document: number, isResumed });
    case 'record':
      return record(callChannel, end, number);
    case 'conference':
      return conference(callChannel, end, { tenantId: open.scope.tenantId, isResumed });
    case 'goto':
      return { kind: 'continued', node: end.node };
    case 'hangup':
      return undefined;
  }
}

/** A PBX cannot speak, so the recording of a text is played. */
async function playStep(callChannel: CallChannel, step: Step): Promise<void> {
  if (step.kind === 'pause') return void (await callChannel.pause(step.seconds));
  const url = step.kind === 'play' ? step.url : step.recording;
  if (url === undefined) return;
  for (let time = 0; time < step.loop; time += 1) await callChannel.play(url);
}

/** Records the whole call through a snoop channel. */
async function recordWholeCall(callChannel: CallChannel): Promise<void> {
  const { callId, account } = callChannel.options;
  const spy = `${callId}-spy`;
  const app = applicationOf(account);
  await callChannel.command('POST', `channels/${callId}/snoop/${spy}`, {
    spy: 'both',
    app,
    appArgs: 'spy',
  });
  const name = callRecordingName(callId);
  await callChannel.command('POST', `channels/${spy}/record`, {
    name,
    format: 'wav',
    ifExists: 'fail',
  });
}

/** The name of the whole call's recording on the PBX. */
export function callRecordingName(callId: string): string {
  return `${callId}-whole`;
}
