/** One call on a PBX, driven through its flow: the same state machine that the documents print. */
import {
  mayRecordAll,
  permitted,
  type RecordingConsent,
  recordingConsent,
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
import { tellStep } from '../calls/step.ts';
import { type CallRow, lockCall, updateFlow } from '../calls/store.ts';
import type { VoiceDesk } from '../desk.ts';
import { goOn, type Next, takeUp } from '../legs/dial.ts';
import { endUnheard } from '../legs/progress.ts';
import type { OpenProvider } from '../providers/account.ts';
import { hasConsented } from '../recordings/consent-store.ts';
import { dial, type Unheard } from './dial.ts';
import { type Line, LineLost, LineOver } from './line.ts';
import { conference, gather, record } from './waits.ts';

export interface SessionOptions {
  readonly desk: VoiceDesk;
  readonly open: OpenProvider;
  readonly call: CallRow;
  readonly flow: CallFlow;
  readonly line: Line;
  /** Throws `LeaseLost` when another node drives the call by now. */
  hold(tx: Tx): Promise<void>;
  /** When all that the PBX told of the call so far is written down. */
  written(): Promise<void>;
}

/** Drives the call to its end. It was answered just now, or another node left it at a wait. */
export async function runSession(options: SessionOptions): Promise<void> {
  const { call, line, desk } = options;
  const limit = setTimeout(() => {
    line.hangUp().catch(() => {}); // it has ended by itself
  }, leftMs(options));
  try {
    if (call.is_recorded && mayRecordAll(await consentOf(options))) await recordWhole(line);
    await walk(options);
    await line.hangUp();
  } catch (error) {
    if (error instanceof LineOver || error instanceof LineLost) return;
    if (error instanceof LeaseLost) return;
    desk.log.error({ err: error, callId: call.id }, 'a call on a PBX broke off');
    await line.hangUp().catch(() => {}); // it may have ended by itself
  } finally {
    clearTimeout(limit);
  }
}

/** From the answer on, whichever nodes drove it. */
function leftMs({ call, desk }: SessionOptions): number {
  const talkedMs = desk.clock().getTime() - (call.answered_at ?? desk.clock()).getTime();
  return Math.max(0, call.limit_seconds * 1_000 - talkedMs);
}

/** From one wait to the next, until the flow is over. */
async function walk(options: SessionOptions): Promise<void> {
  const { call, flow } = options;
  const { state } = call.flow_state;
  const begun = resumed(flow, state);
  let next = await stepOn(options, state, begun ?? { kind: 'answered' });
  for (let isResumed = begun !== undefined; next !== undefined; isResumed = false) {
    const document = { number: next.state.documents, isResumed };
    const { state: at, segment } = next;
    const back = await perform(options, segment, document);
    const event = back?.kind === 'unheard' ? ({ kind: 'again', segment } as const) : back;
    next = event === undefined ? undefined : await stepOn(options, at, event);
  }
}

async function consentOf({ desk, open, call }: SessionOptions, tx?: Tx): Promise<RecordingConsent> {
  const { place, row } = open;
  const ask = (by: Tx) => hasConsented(by, place, call.to_number, call.id);
  const said = await (tx === undefined ? desk.db.tenant(place.tenantId, ask) : ask(tx));
  return recordingConsent(row.recording_policy, said);
}

/** Where another node left the call: the question is put again. */
function resumed(flow: CallFlow, state: FlowState): Begun | undefined {
  if (state.node === undefined) return undefined;
  const segment = segmentFrom(flow, { node: state.node, leg: state.leg }, state.values);
  return { kind: 'begun', segment };
}

/** The legs of a dial that ended while nobody listened: it is dialled once more. */
interface Again {
  readonly kind: 'again';
  readonly segment: Segment;
}

/** What another node began to play. */
interface Begun {
  readonly kind: 'begun';
  readonly segment: Segment;
}

/**
 * Writes down what the caller did and where the flow stands now; what it dials next is paid for first.
 * Undefined when the call is over.
 */
async function stepOn(
  options: SessionOptions,
  state: FlowState,
  back: FlowEvent | Begun | Again,
): Promise<Next | undefined> {
  const { desk, open, call, written } = options;
  const { place } = open;
  // What the PBX told of legs came before the end of their dial.
  await written();
  return desk.db.tenant(place.tenantId, async (tx) => {
    const locked = await lockCall(tx, place, call.id);
    if (locked === undefined || isFinal(locked.status)) return undefined;
    const next = await nextOf(options, tx, locked, state, back);
    if (next === undefined) return undefined;
    await updateFlow(tx, place, call.id, { state: next.state });
    const consent = await consentOf(options, tx);
    // Last, so that whoever takes over waits no longer than he must.
    await options.hold(tx);
    return { ...next, segment: permitted(options.flow, next.segment, consent).segment };
  });
}

async function nextOf(
  { desk, open, flow }: SessionOptions,
  tx: Tx,
  call: CallRow,
  state: FlowState,
  back: FlowEvent | Begun | Again,
): Promise<Next | undefined> {
  if (back.kind === 'again') {
    const told = await endUnheard(desk, tx, open.place, call, state.documents);
    // A document of its own, so that its legs are others: each is told of and paid by itself.
    const anew = { ...state, documents: state.documents + 1 };
    const segment = { ...back.segment, steps: [] };
    return goOn(desk, tx, open, told, flow, { kind: 'segment', segment, state: anew });
  }
  if (back.kind !== 'begun') {
    const advance = nextSegment(flow, state, back);
    if (advance.kind === 'refused') return undefined;
    const told = await tellStep(desk, tx, open.place, call, back, state.documents);
    return goOn(desk, tx, open, told, flow, advance);
  }
  const segment = await takeUp(tx, open, call, back.segment, state.documents);
  if (segment !== undefined) return { call, segment, state };
  const { segment: again } = back;
  return goOn(desk, tx, open, call, flow, { kind: 'segment', segment: again, state });
}

/** One document of a call; resumed: another node began it. */
interface Document {
  readonly number: number;
  readonly isResumed: boolean;
}

async function perform(
  { line, call, open }: SessionOptions,
  { steps, end }: Segment,
  { number, isResumed }: Document,
): Promise<FlowEvent | Unheard | undefined> {
  for (const step of steps) await hear(line, step);
  switch (end.kind) {
    case 'gather':
      return gather(line, end);
    case 'dial':
      return dial(line, end, { callerId: call.from_number, document: number, isResumed });
    case 'record':
      return record(line, end, number);
    case 'conference':
      return conference(line, end, { tenantId: open.place.tenantId, isResumed });
    case 'goto':
      return { kind: 'continued', node: end.node };
    case 'hangup':
      return undefined;
  }
}

/** A PBX has no voice of its own: what is said is played from its recording. */
async function hear(line: Line, step: Step): Promise<void> {
  if (step.kind === 'pause') return void (await line.pause(step.seconds));
  const url = step.kind === 'play' ? step.url : step.recording;
  if (url === undefined) return;
  for (let time = 0; time < step.loop; time += 1) await line.play(url);
}

/** Listens to the call beside it, for a recording of all that is said. */
async function recordWhole(line: Line): Promise<void> {
  const { callId, account } = line.options;
  const spy = `${callId}-spy`;
  const app = applicationOf(account);
  await line.ask('POST', `channels/${callId}/snoop/${spy}`, { spy: 'both', app, appArgs: 'spy' });
  const name = wholeOf(callId);
  await line.ask('POST', `channels/${spy}/record`, { name, format: 'wav', ifExists: 'fail' });
}

/** What the recording of a whole call is called on the PBX. */
export function wholeOf(callId: string): string {
  return `${callId}-whole`;
}
