/** One call on a PBX, driven through its flow: the same state machine that the documents print. */
import { permitted, type RecordingConsent } from '@drawbridge/messaging/call-flow/consent.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import { type FlowEvent, nextSegment } from '@drawbridge/messaging/call-flow/machine.ts';
import { type Segment, type Step, segmentFrom } from '@drawbridge/messaging/call-flow/segment.ts';
import { announce, record as note } from '../calls/progress.ts';
import { type CallRow, lockCall, updateFlow } from '../calls/store.ts';
import type { VoiceDesk } from '../desk.ts';
import type { OpenProvider } from '../providers/account.ts';
import { hasConsented } from '../recordings/consent-store.ts';
import { type Line, LineOver } from './line.ts';
import { conference, dial, gather, record } from './waits.ts';

export interface SessionOptions {
  readonly desk: VoiceDesk;
  readonly open: OpenProvider;
  readonly call: CallRow;
  readonly flow: CallFlow;
  readonly line: Line;
}

/** Drives the call to its end. It was answered just now, or another node left it at a wait. */
export async function runSession(options: SessionOptions): Promise<void> {
  const { call, flow, line, desk } = options;
  const limit = setTimeout(() => {
    line.hangUp().catch(() => {}); // it has ended by itself
  }, call.limit_seconds * 1_000);
  try {
    if (call.is_recorded) await recordWhole(line);
    let { state } = call.flow_state;
    let segment = resumed(flow, state);
    let event: FlowEvent = { kind: 'answered' };
    while (!line.isOver) {
      if (segment === undefined) {
        const advanced = nextSegment(flow, state, event);
        if (advanced.kind === 'refused') break;
        state = advanced.state;
        segment = permitted(flow, advanced.segment, await consentOf(options)).segment;
        await keep(options, event, state);
      }
      const back = await perform(options, segment);
      if (back === undefined) break;
      event = back;
      segment = undefined;
    }
    await line.hangUp();
  } catch (error) {
    if (error instanceof LineOver) return;
    desk.log.error({ err: error, callId: call.id }, 'a call on a PBX broke off');
    await line.hangUp().catch(() => {}); // it may have ended by itself
  } finally {
    clearTimeout(limit);
  }
}

async function consentOf({ desk, open, call }: SessionOptions): Promise<RecordingConsent> {
  const { place, row } = open;
  const said = await desk.db.tenant(place.tenantId, (tx) =>
    hasConsented(tx, place, call.to_number, call.id),
  );
  return { policy: row.recording_policy, hasConsented: said === true };
}

/** Where another node left the call: the question is put again. */
function resumed(flow: CallFlow, state: CallRow['flow_state']['state']): Segment | undefined {
  if (state.node === undefined) return undefined;
  return segmentFrom(flow, { node: state.node, leg: state.leg }, state.values);
}

async function perform(
  { line, call, open }: SessionOptions,
  { steps, end }: Segment,
): Promise<FlowEvent | undefined> {
  for (const step of steps) await hear(line, step);
  switch (end.kind) {
    case 'gather':
      return gather(line, end);
    case 'dial':
      return dial(line, end, call.from_number);
    case 'record':
      return record(line, end);
    case 'conference':
      return conference(line, end, open.place.tenantId);
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
  const app = account.settings.application;
  await line.ask('POST', `channels/${callId}/snoop/${spy}`, { spy: 'both', app, appArgs: 'spy' });
  const name = `${callId}-whole`;
  await line.ask('POST', `channels/${spy}/record`, { name, format: 'wav', ifExists: 'fail' });
}

/** Writes down where the flow stands, and what the caller did. */
async function keep(
  { desk, open: { place }, call }: SessionOptions,
  event: FlowEvent,
  state: CallRow['flow_state']['state'],
): Promise<void> {
  const at = desk.clock();
  await desk.db.tenant(place.tenantId, async (tx) => {
    const locked = await lockCall(tx, place, call.id);
    if (locked === undefined) return;
    await updateFlow(tx, place, call.id, { state });
    if (event.kind === 'gathered' && event.digits !== '') {
      const data = { node: event.node, digits: event.digits };
      const once = `dtmf/${state.documents}`;
      await note(desk, tx, place, call, { kind: 'dtmf', once, data });
      await announce(desk, tx, place, locked, 'call.dtmf', at, data);
    }
    if (event.kind === 'dialed') {
      const data = { node: event.node, result: event.result };
      const once = `transfer/${state.documents}`;
      await note(desk, tx, place, call, { kind: 'transfer', once, data });
      await announce(desk, tx, place, locked, 'call.transferred', at, data);
    }
  });
}
