/** Answers a provider that asks what its call does next: with one document, up to the next wait. */
import { isLegKnown, readAnswer } from '@drawbridge/messaging/call-flow/answer.ts';
import { type Compiled, compileSegment } from '@drawbridge/messaging/call-flow/compile.ts';
import { mayRecordWholeCall, recordingConsent } from '@drawbridge/messaging/call-flow/consent.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import { type FlowEvent, nextSegment } from '@drawbridge/messaging/call-flow/machine.ts';
import { repeatQuestion } from '@drawbridge/messaging/call-flow/ncco.ts';
import { emptySegment } from '@drawbridge/messaging/call-flow/segment.ts';
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import { given } from '../../../channels/untrusted-input.ts';
import type { FlowInput, MarkupProvider } from '../../../channels/voice-contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { CallingContext } from '../context.ts';
import { applyLegUpdate } from '../legs/leg-updates.ts';
import { nextAffordableSegment } from '../legs/reserve-dial.ts';
import { findLegs } from '../legs/store.ts';
import type { OpenCall, OpenProvider } from '../providers/account.ts';
import { hasConsented } from '../recordings/consent-store.ts';
import { addRecording } from '../recordings/fetch.ts';
import { findFlow } from '../templates/store.ts';
import { reportedTranscription } from '../transcription/reported.ts';
import { callUrlOf, flowBase, proofOf } from './addresses.ts';
import { applyCallUpdate } from './call-updates.ts';
import { recordFlowEvent } from './flow-events.ts';
import { type CallRow, lockCall, updateFlow } from './store.ts';

/** The address at which a document's answer arrived. */
export interface FlowAddress {
  readonly call: string;
  /** How many documents the call had been given when this address was made. */
  readonly count: number;
  readonly node: string;
  readonly event: 'answered' | 'gathered' | 'dialed' | 'recorded' | 'left' | 'continued';
  /** How often the question was repeated. */
  readonly repeats: number;
}

export interface ServedDocument {
  readonly document: string;
  readonly type: string;
}

/** How often the question about the end of a leg is repeated, a second apart. */
export const repeatsMax = 3;

/**
 * Advances the flow and returns its next document; a repeated question gets the same document
 * again. Undefined when the call does not wait at this address.
 */
export async function serveFlow(
  context: CallingContext,
  tx: Tx,
  open: OpenProvider,
  address: FlowAddress,
  input: FlowInput,
): Promise<ServedDocument | undefined> {
  const { scope } = open;
  const found = await lockCall(tx, scope, address.call);
  if (found === undefined || found.provider_id !== open.row.id) return undefined;
  const isDialed = address.event === 'dialed' && input.leg !== undefined;
  const locked = isDialed
    ? await applyLegUpdate({ context, tx, scope, call: found }, input.leg, address.count)
    : found;
  if (isFinal(locked.status)) return undefined;
  const { served, state } = locked.flow_state;
  const { markup } = open.provider as MarkupProvider;
  const key = `${address.count}/${address.node}/${address.event}`;
  if (served?.key === key) return served;
  if (address.count !== state.documents) return undefined;
  const call = await markAnswered({ context, tx, open, call: locked }, address, input);
  const flow = await findFlow(tx, scope, call.template_id, call.template_version);
  if (flow === undefined) return undefined;
  if (call.hangup_asked || isMachine(call, input)) {
    const next = { ...state, isOver: true, documents: state.documents + 1 };
    const compiled = await compileDocument(tx, open, call, {
      flow,
      segment: emptySegment,
      state: next,
    });
    return saveDocument(tx, open, call, { key, compiled, state: next });
  }
  const legStatuses = await legStatusesOf(tx, open, call, address);
  const isTooEarly = address.event === 'dialed' && !isLegKnown(markup, legStatuses);
  if (isTooEarly && address.repeats < repeatsMax) {
    return { document: repeatQuestion(repeatUrlOf(open, address)), type: 'application/json' };
  }
  const event = eventOf(markup, address, input, legStatuses);
  const advance = nextSegment(flow, state, event);
  if (advance.kind === 'refused') return undefined;
  if (input.recording !== undefined) await addRecording(context, tx, open, call, input.recording);
  const changed = await recordFlowEvent({ context, tx, scope, call }, event, address.count);
  const next = await nextAffordableSegment({ context, tx, open, call: changed }, flow, advance);
  if (next === undefined) return undefined;
  const { segment, state: after } = next;
  const compiled = await compileDocument(tx, open, next.call, { flow, segment, state: after });
  return saveDocument(tx, open, next.call, { key, compiled, state: after });
}

/** A provider that asks for a document has answered the call, even if it did not report that. */
async function markAnswered(
  { context, tx, open: { scope }, call }: OpenCall,
  { event }: FlowAddress,
  { callId, answeredBy }: FlowInput,
): Promise<CallRow> {
  if (event !== 'answered' && call.provider_call_id !== null) return call;
  return applyCallUpdate(context, tx, scope, call, { status: 'in_progress', callId, answeredBy });
}

function isMachine(call: CallRow, { answeredBy }: FlowInput): boolean {
  const by = call.answered_by ?? answeredBy;
  return by === 'machine' && call.machine_detection === 'hangup';
}

function eventOf(
  markup: MarkupProvider['markup'],
  { node, event }: FlowAddress,
  { fields }: FlowInput,
  legStatuses: readonly string[],
): FlowEvent {
  if (event === 'answered') return { kind: 'answered' };
  return readAnswer(markup, { node, event, fields, legStatuses });
}

/** The reported statuses of a dial's legs. */
async function legStatusesOf(
  tx: Tx,
  { scope, provider }: OpenProvider,
  call: CallRow,
  { event, count }: FlowAddress,
): Promise<readonly string[]> {
  if (event !== 'dialed' || (provider as MarkupProvider).markup !== 'ncco') return [];
  const legs = (await findLegs(tx, scope, call.id)).filter(({ document }) => document === count);
  return legs.map(({ status }) => vonageLegStatus(status));
}

/** The address that repeats the question. */
function repeatUrlOf(
  open: OpenProvider,
  { call, count, node, event, repeats: again }: FlowAddress,
): string {
  const token = proofOf(open.flowKey, call, count, node, event);
  return `${flowBase(open, call, count)}/${node}/${event}?token=${token}&again=${again + 1}`;
}

/** Vonage's word for the status of a leg, which the flow reads. */
function vonageLegStatus(status: string): string {
  const words: Readonly<Record<string, string>> = {
    in_progress: 'answered',
    no_answer: 'unanswered',
    canceled: 'failed',
  };
  return words[status] ?? status;
}

async function compileDocument(
  tx: Tx,
  open: OpenProvider,
  call: CallRow,
  {
    flow,
    segment,
    state: { documents, values },
  }: {
    readonly flow: CallFlow;
    readonly segment: Parameters<typeof compileSegment>[1];
    readonly state: CallRow['flow_state']['state'];
  },
): Promise<Compiled> {
  const provider = open.provider as MarkupProvider;
  const sign = (node: string, event: string) =>
    proofOf(open.flowKey, call.id, documents, node, event);
  const transcription = reportedTranscription(open);
  const said = await hasConsented(tx, open.scope, call.to_number, call.id);
  const recording = recordingConsent(open.row.recording_policy, said);
  const compiled = compileSegment(flow, segment, provider.markup, {
    base: flowBase(open, call.id, documents),
    sign,
    recording,
    values,
    callerId: call.from_number,
    ...given({ transcription }),
  });
  const isRecorded = segment.isFirst && call.is_recorded && mayRecordWholeCall(recording);
  if (!isRecorded || provider.withRecording === undefined) return compiled;
  const whole = {
    url: callUrlOf(open, call.id, 'recording'),
    transcription: transcription && {
      ...transcription,
      url: callUrlOf(open, call.id, 'transcription'),
    },
  };
  return { ...compiled, document: provider.withRecording(compiled.document, whole) };
}

async function saveDocument(
  tx: Tx,
  { scope }: OpenProvider,
  call: CallRow,
  {
    key,
    compiled: { document, contentType },
    state,
  }: {
    readonly key: string;
    readonly compiled: Compiled;
    readonly state: CallRow['flow_state']['state'];
  },
): Promise<ServedDocument> {
  const served = { key, document, type: contentType };
  await updateFlow(tx, scope, call.id, { state, served });
  return served;
}
