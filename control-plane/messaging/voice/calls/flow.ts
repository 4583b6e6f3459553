/** The answer to a provider that asks what its call does next: one document, up to the next wait. */
import { readAnswer } from '@drawbridge/messaging/call-flow/answer.ts';
import { type Compiled, compileSegment } from '@drawbridge/messaging/call-flow/compile.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import { type FlowEvent, nextSegment } from '@drawbridge/messaging/call-flow/machine.ts';
import { silence } from '@drawbridge/messaging/call-flow/segment.ts';
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import type { FlowInput, MarkupProvider } from '../../../channels/voice-contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { VoiceDesk } from '../desk.ts';
import type { OpenProvider } from '../providers/account.ts';
import { hasConsented } from '../recordings/consent-store.ts';
import { keepRecording } from '../recordings/keep.ts';
import { findTemplate } from '../templates/store.ts';
import { flowBase, proofOf } from './addresses.ts';
import { advance, announce, record } from './progress.ts';
import { type CallRow, listCallEvents, lockCall, updateFlow } from './store.ts';

/** Where a document's answer came to. */
export interface FlowAddress {
  readonly call: string;
  /** How many documents the call had been given when this address was made. */
  readonly count: number;
  readonly node: string;
  readonly event: 'answered' | 'gathered' | 'dialed' | 'recorded' | 'left' | 'continued';
}

export interface Served {
  readonly document: string;
  readonly type: string;
}

const legsMax = 50;

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
  const locked = await lockCall(tx, place, address.call);
  if (locked === undefined || locked.provider_id !== open.row.id || isFinal(locked.status)) {
    return undefined;
  }
  const { served, state } = locked.flow_state;
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
  const event = await eventOf(tx, open, call, address, input);
  const advanced = nextSegment(flow, state, event);
  if (advanced.kind === 'refused') return undefined;
  const compiled = await print(tx, open, call, flow, advanced.segment, advanced.state);
  await tellStep(desk, tx, open, call, address, event, input);
  return keep(tx, open, call, key, compiled, advanced.state);
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

async function eventOf(
  tx: Tx,
  { place, provider }: OpenProvider,
  call: CallRow,
  { node, event }: FlowAddress,
  { fields }: FlowInput,
): Promise<FlowEvent> {
  if (event === 'answered') return { kind: 'answered' };
  const target = (provider as MarkupProvider).markup;
  if (event !== 'dialed' || target !== 'ncco') return readAnswer(target, { node, event, fields });
  const filter = { callId: call.id, kind: 'leg', before: null };
  const legs = await listCallEvents(tx, place, filter, legsMax);
  const { documents } = call.flow_state.state;
  const legStatuses = legs
    .filter(({ data }) => data.document === documents && data.node === node)
    .map(({ data }) => legWord(String(data.status)));
  return readAnswer(target, { node, event, fields, legStatuses });
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
  const compiled = compileSegment(flow, segment, provider.markup, {
    base: flowBase(open, call.id, documents),
    sign,
    recording: {
      policy: open.row.recording_policy,
      hasConsented: (await hasConsented(tx, open.place, call.to_number, call.id)) === true,
    },
    values,
    callerId: call.from_number,
  });
  if (!segment.isFirst || !call.is_recorded || provider.withRecording === undefined) {
    return compiled;
  }
  const url = `${open.account.callbackUrl}calls/${call.id}/recording/`;
  return { ...compiled, document: provider.withRecording(compiled.document, url) };
}

/** What the caller did, for the list of events and the customer's webhooks. */
async function tellStep(
  desk: VoiceDesk,
  tx: Tx,
  open: OpenProvider,
  call: CallRow,
  { count, node }: FlowAddress,
  event: FlowEvent,
  { recording }: FlowInput,
): Promise<void> {
  const { place } = open;
  const at = desk.clock();
  if (recording !== undefined) await keepRecording(desk, tx, open, call, recording);
  if (event.kind === 'gathered' && event.digits !== '') {
    const data = { node, digits: event.digits };
    await record(desk, tx, place, call, { kind: 'dtmf', once: `dtmf/${count}`, data });
    await announce(desk, tx, place, call, 'call.dtmf', at, data);
  }
  if (event.kind === 'dialed') {
    const data = { node, result: event.result };
    await record(desk, tx, place, call, { kind: 'transfer', once: `transfer/${count}`, data });
    await announce(desk, tx, place, call, 'call.transferred', at, data);
  }
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
