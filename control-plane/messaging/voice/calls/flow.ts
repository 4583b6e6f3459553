/** The answer to a provider that asks what its call does next: one document, up to the next wait. */
import { isLegKnown, readAnswer } from '@drawbridge/messaging/call-flow/answer.ts';
import { type Compiled, compileSegment } from '@drawbridge/messaging/call-flow/compile.ts';
import { mayRecordAll, recordingConsent } from '@drawbridge/messaging/call-flow/consent.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import { type FlowEvent, nextSegment } from '@drawbridge/messaging/call-flow/machine.ts';
import { askAgain } from '@drawbridge/messaging/call-flow/ncco.ts';
import { silence } from '@drawbridge/messaging/call-flow/segment.ts';
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import type { FlowInput, MarkupProvider } from '../../../channels/voice-contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { VoiceDesk } from '../desk.ts';
import { goOn } from '../legs/dial.ts';
import { hearLeg } from '../legs/progress.ts';
import { findLegs } from '../legs/store.ts';
import type { OpenProvider } from '../providers/account.ts';
import { hasConsented } from '../recordings/consent-store.ts';
import { keepRecording } from '../recordings/keep.ts';
import { findTemplate } from '../templates/store.ts';
import { flowBase, proofOf } from './addresses.ts';
import { advance } from './progress.ts';
import { tellStep } from './step.ts';
import { type CallRow, lockCall, updateFlow } from './store.ts';

/** Where a document's answer came to. */
export interface FlowAddress {
  readonly call: string;
  /** How many documents the call had been given when this address was made. */
  readonly count: number;
  readonly node: string;
  readonly event: 'answered' | 'gathered' | 'dialed' | 'recorded' | 'left' | 'continued';
  /** How often the question was put before. */
  readonly again: number;
}

export interface Served {
  readonly document: string;
  readonly type: string;
}

/** How often it is asked again how a leg ended, a second apart. */
export const againMax = 3;

/**
 * Moves the flow on and answers its next document; the same question is given the same document
 * again. Undefined when nothing waits there.
 */
export async function serveFlow(
  desk: VoiceDesk,
  tx: Tx,
  open: OpenProvider,
  address: FlowAddress,
  input: FlowInput,
): Promise<Served | undefined> {
  const { place } = open;
  const found = await lockCall(tx, place, address.call);
  if (found === undefined || found.provider_id !== open.row.id) return undefined;
  const isDialed = address.event === 'dialed' && input.leg !== undefined;
  const locked = isDialed ? await hearLeg(desk, tx, place, found, input.leg, address.count) : found;
  if (isFinal(locked.status)) return undefined;
  const { served, state } = locked.flow_state;
  const { markup } = open.provider as MarkupProvider;
  const key = `${address.count}/${address.node}/${address.event}`;
  if (served?.key === key) return served;
  if (address.count !== state.documents) return undefined;
  const call = await heard(desk, tx, open, locked, address, input);
  const template = await findTemplate(tx, place, call.template_id);
  if (template === undefined) return undefined;
  const { flow } = template;
  if (isMachine(call, input)) {
    const next = { ...state, isOver: true, documents: state.documents + 1 };
    return keep(tx, open, call, key, await print(tx, open, call, flow, silence, next), next);
  }
  const legStatuses = await legStatusesOf(tx, open, call, address);
  const isTooEarly = address.event === 'dialed' && !isLegKnown(markup, legStatuses);
  if (isTooEarly && address.again < againMax) {
    return { document: askAgain(againUrlOf(open, address)), type: 'application/json' };
  }
  const event = eventOf(markup, address, input, legStatuses);
  const advance = nextSegment(flow, state, event);
  if (advance.kind === 'refused') return undefined;
  if (input.recording !== undefined) await keepRecording(desk, tx, open, call, input.recording);
  const told = await tellStep(desk, tx, place, call, event, address.count);
  const next = await goOn(desk, tx, open, told, flow, advance);
  if (next === undefined) return undefined;
  const compiled = await print(tx, open, next.call, flow, next.segment, next.state);
  return keep(tx, open, next.call, key, compiled, next.state);
}

/** A question about a document says that the call was answered, whether or not that was told. */
async function heard(
  desk: VoiceDesk,
  tx: Tx,
  { place }: OpenProvider,
  call: CallRow,
  { event }: FlowAddress,
  { callId, answeredBy }: FlowInput,
): Promise<CallRow> {
  if (event !== 'answered' && call.provider_call_id !== null) return call;
  return advance(desk, tx, place, call, { status: 'in_progress', callId, answeredBy });
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

/** How the legs of a dial stand, as far as was told beside. */
async function legStatusesOf(
  tx: Tx,
  { place, provider }: OpenProvider,
  call: CallRow,
  { event, count }: FlowAddress,
): Promise<readonly string[]> {
  if (event !== 'dialed' || (provider as MarkupProvider).markup !== 'ncco') return [];
  const legs = (await findLegs(tx, place, call.id)).filter(({ document }) => document === count);
  return legs.map(({ status }) => legWord(status));
}

/** The same question, put once more. */
function againUrlOf(open: OpenProvider, { call, count, node, event, again }: FlowAddress): string {
  const token = proofOf(open.flowKey, call, count, node, event);
  return `${flowBase(open, call, count)}/${node}/${event}?token=${token}&again=${again + 1}`;
}

/** Vonage's word for how a leg stands, which is what the flow reads. */
function legWord(status: string): string {
  const words: Readonly<Record<string, string>> = {
    in_progress: 'answered',
    no_answer: 'unanswered',
    canceled: 'failed',
  };
  return words[status] ?? status;
}

async function print(
  tx: Tx,
  open: OpenProvider,
  call: CallRow,
  flow: CallFlow,
  segment: Parameters<typeof compileSegment>[1],
  { documents, values }: CallRow['flow_state']['state'],
): Promise<Compiled> {
  const provider = open.provider as MarkupProvider;
  const sign = (node: string, event: string) =>
    proofOf(open.flowKey, call.id, documents, node, event);
  const said = await hasConsented(tx, open.place, call.to_number, call.id);
  const recording = recordingConsent(open.row.recording_policy, said);
  const compiled = compileSegment(flow, segment, provider.markup, {
    base: flowBase(open, call.id, documents),
    sign,
    recording,
    values,
    callerId: call.from_number,
  });
  const isRecorded = segment.isFirst && call.is_recorded && mayRecordAll(recording);
  if (!isRecorded || provider.withRecording === undefined) return compiled;
  const url = `${open.account.callbackUrl}calls/${call.id}/recording/`;
  return { ...compiled, document: provider.withRecording(compiled.document, url) };
}

async function keep(
  tx: Tx,
  { place }: OpenProvider,
  call: CallRow,
  key: string,
  { document, contentType }: Compiled,
  state: CallRow['flow_state']['state'],
): Promise<Served> {
  const served = { key, document, type: contentType };
  await updateFlow(tx, place, call.id, { state, served });
  return served;
}
