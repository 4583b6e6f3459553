/** The legs that a flow dials on a PBX: rung, connected, and found again by who takes up the call. */
import { readEndpoint } from '@drawbridge/messaging/call-flow/endpoint.ts';
import type { FlowEvent } from '@drawbridge/messaging/call-flow/machine.ts';
import type { EndOf } from '@drawbridge/messaging/call-flow/segment.ts';
import { applicationOf, dialString } from '../../../channels/asterisk/adapter.ts';
import type { ReportedStatus } from '../../../channels/voice-contract.ts';
import { legChannelOf } from '../legs/leg.ts';
import { type Found, type Line, LineOver } from './line.ts';

const second = 1_000;
/** What the PBX may take beyond what it was told. */
const graceMs = 10 * second;

type Dialed = Extract<FlowEvent, { kind: 'dialed' }>;
/** Whoever another node rang is there no more, and nobody heard what became of it. */
export type Unheard = { readonly kind: 'unheard' };

/** What a dial is told beside what the flow says. */
export interface DialOptions {
  readonly callerId: string;
  /** Which document of the call it stands in: its legs are named by it. */
  readonly document: number;
  /** Another node may have rung the legs already. */
  readonly isResumed: boolean;
}

/** What is known of the legs of one dial. */
interface Legs {
  readonly ids: ReadonlySet<string>;
  readonly answered: Set<string>;
  readonly ended: Map<string, ReportedStatus>;
}

/**
 * Rings whoever is named, all at once, and connects the first who answers. What another node rang is
 * never rung anew under the same names: what is told of them is of those that were rung first.
 */
export async function dial(
  line: Line,
  end: EndOf<'dial'>,
  { callerId, document, isResumed }: DialOptions,
): Promise<Dialed | Unheard> {
  const { callId } = line.options;
  const named = end.to.map((to, at) => ({ to, id: legChannelOf(callId, document, at) }));
  const legs: Legs = {
    ids: new Set(named.map(({ id }) => id)),
    answered: new Set(),
    ended: new Map(),
  };
  const stop = line.watch((event) => {
    if (!('channelId' in event) || !legs.ids.has(event.channelId)) return;
    if (event.kind === 'entered') legs.answered.add(event.channelId);
    if (event.kind === 'ended') legs.ended.set(event.channelId, event.status);
  });
  try {
    const found = isResumed ? await findAgain(line, legs) : undefined;
    if (found === 'over') return { kind: 'dialed', node: end.node, result: 'answered' };
    if (found === 'none') return { kind: 'unheard' };
    if (found === undefined) {
      // A variable may have put anything in its place.
      const shown = readEndpoint(end.callerId ?? '')?.kind === 'number' ? end.callerId! : callerId;
      await Promise.all(named.map((leg) => ring(line, leg, end, shown)));
    }
    return await first(line, end, legs);
  } catch (error) {
    if (error instanceof LineOver) await leaveNobody(line, legs);
    throw error;
  } finally {
    stop();
  }
}

/** What another node left: nobody who is rung or talked to is to notice. */
async function findAgain(line: Line, legs: Legs): Promise<'some' | 'over' | 'none'> {
  const ids = [...legs.ids];
  const channels = await Promise.all(ids.map((id) => line.read(`channels/${id}`)));
  if (channels.some((channel) => channel !== 'gone')) {
    for (const [at, id] of ids.entries()) {
      const channel = channels[at]!;
      if (channel === 'gone') legs.ended.set(id, legs.ended.get(id) ?? 'no_answer');
      else if (channel !== 'unclear' && channel.state === 'Up') legs.answered.add(id);
    }
    return 'some';
  }
  // Only a leg that had answered was ever in the bridge, which stays until we remove it.
  return (await line.ask('DELETE', `bridges/${bridgeOf(line)}`)) ? 'over' : 'none';
}

async function first(line: Line, end: EndOf<'dial'>, legs: Legs): Promise<Dialed> {
  const { node } = end;
  const verdict = () =>
    legs.answered.values().next().value ??
    (legs.ended.size === legs.ids.size ? 'nobody' : undefined);
  const leg = await line.when(verdict, end.ringSeconds * second + graceMs);
  for (const id of legs.ids) if (id !== leg && !legs.ended.has(id)) await drop(line, id);
  if (leg === undefined || leg === 'nobody') {
    return { kind: 'dialed', node, result: resultOf([...legs.ended.values()]) };
  }
  const isConnected = await connect(line, leg, legs, end.limitSeconds);
  return { kind: 'dialed', node, result: isConnected ? 'answered' : 'failed' };
}

async function ring(
  line: Line,
  { to, id }: { readonly to: string; readonly id: string },
  { ringSeconds }: EndOf<'dial'>,
  callerId: string,
): Promise<void> {
  const { account } = line.options;
  const isRinging = await line.ask('POST', 'channels', {
    endpoint: dialString(account.settings, to),
    app: applicationOf(account),
    appArgs: `leg,${line.options.callId}`,
    channelId: id,
    callerId,
    timeout: String(ringSeconds),
  });
  if (!isRinging) {
    await line.tidy(`channels/${id}`); // its answer may have been lost
    line.hear({ kind: 'ended', channelId: id, status: 'failed', cause: 'it was refused' });
  }
}

/** Lets the two talk until one leaves; false when the PBX would not join them. */
async function connect(
  line: Line,
  leg: string,
  { ended }: Legs,
  limitSeconds: number,
): Promise<boolean> {
  const bridge = bridgeOf(line);
  const isJoined = await join(line, leg);
  const isOver = () => ended.has(leg) || undefined;
  const hasLeft = isJoined ? await line.when(isOver, limitSeconds * second) : isOver();
  if (hasLeft === undefined) await drop(line, leg);
  await line.ask('DELETE', `bridges/${bridge}`);
  return isJoined || hasLeft === true;
}

async function join(line: Line, leg: string): Promise<boolean> {
  const { callId } = line.options;
  const bridge = bridgeOf(line);
  const found = await line.read(`bridges/${bridge}`);
  if (isMember(found, leg) && isMember(found, callId)) return true;
  return (
    (await line.ask('POST', `bridges/${bridge}`, { type: 'mixing' })) &&
    (await line.ask('POST', `bridges/${bridge}/addChannel`, { channel: `${callId},${leg}` }))
  );
}

/** Whether the bridge that was read holds the channel. */
export function isMember(bridge: Found, channel: string): boolean {
  const members = typeof bridge === 'string' ? undefined : bridge.channels;
  return Array.isArray(members) && members.includes(channel);
}

function drop(line: Line, channel: string): Promise<boolean> {
  return line.ask('DELETE', `channels/${channel}`, { reason: 'normal' });
}

async function leaveNobody(line: Line, { ids, ended }: Legs): Promise<void> {
  const there = [...ids].filter((id) => !ended.has(id));
  await Promise.all(there.map((id) => line.tidy(`channels/${id}`)));
  await line.tidy(`bridges/${bridgeOf(line)}`);
}

/** A call has one at most, by a name that every node finds. */
function bridgeOf({ options }: Line): string {
  return `${options.callId}-bridge`;
}

function resultOf(statuses: readonly ReportedStatus[]): 'busy' | 'no_answer' | 'failed' {
  if (statuses.includes('busy')) return 'busy';
  const isSilent =
    statuses.length === 0 || statuses.some((each) => /no_answer|canceled|completed/.test(each));
  return isSilent ? 'no_answer' : 'failed';
}
