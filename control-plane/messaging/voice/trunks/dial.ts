/**
 * Rings and connects the legs that a flow dials on a PBX; a node that resumes the call finds them.
 */
import { readEndpoint } from '@drawbridge/messaging/call-flow/endpoint.ts';
import type { FlowEvent } from '@drawbridge/messaging/call-flow/machine.ts';
import type { EndOf } from '@drawbridge/messaging/call-flow/segment.ts';
import { applicationOf, dialString } from '../../../channels/asterisk/adapter.ts';
import type { ReportedStatus } from '../../../channels/voice-contract.ts';
import { legChannelOf } from '../legs/leg-state.ts';
import { type CallChannel, ChannelEnded, type PbxState } from './call-channel.ts';

const second = 1_000;
/** How much longer than the given time the PBX may take. */
const graceMs = 10 * second;

type Dialed = Extract<FlowEvent, { kind: 'dialed' }>;
/** The legs that another node rang are gone, and their end was not reported. */
export type Unreported = { readonly kind: 'unheard' };

/** What a dial needs in addition to the flow. */
export interface DialOptions {
  readonly callerId: string;
  /** The number of the document; the ids of its legs contain it. */
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
 * Rings all numbers at once and connects the first that answers. Legs that another node rang are never
 * rung again under the same channel ids, because reports about those ids belong to the first legs.
 */
export async function dial(
  callChannel: CallChannel,
  end: EndOf<'dial'>,
  { callerId, document, isResumed }: DialOptions,
): Promise<Dialed | Unreported> {
  const { callId } = callChannel.options;
  const named = end.to.map((to, at) => ({ to, id: legChannelOf(callId, document, at) }));
  const legs: Legs = {
    ids: new Set(named.map(({ id }) => id)),
    answered: new Set(),
    ended: new Map(),
  };
  const stop = callChannel.onEvent((event) => {
    if (!('channelId' in event) || !legs.ids.has(event.channelId)) return;
    if (event.kind === 'entered') legs.answered.add(event.channelId);
    if (event.kind === 'ended') legs.ended.set(event.channelId, event.status);
  });
  try {
    const found = isResumed ? await findLegsOfOtherNode(callChannel, legs) : undefined;
    if (found === 'over') return { kind: 'dialed', node: end.node, result: 'answered' };
    if (found === 'none') return { kind: 'unheard' };
    if (found === undefined) {
      // A variable may have any value in place of the number.
      const shown = readEndpoint(end.callerId ?? '')?.kind === 'number' ? end.callerId! : callerId;
      await Promise.all(named.map((leg) => ring(callChannel, leg, end, shown)));
    }
    return await connectFirst(callChannel, end, legs);
  } catch (error) {
    if (error instanceof ChannelEnded) await hangUpLegs(callChannel, legs);
    throw error;
  } finally {
    stop();
  }
}

/** Finds the legs that another node rang, without disturbing them. */
async function findLegsOfOtherNode(
  callChannel: CallChannel,
  legs: Legs,
): Promise<'some' | 'over' | 'none'> {
  const ids = [...legs.ids];
  const channels = await Promise.all(ids.map((id) => callChannel.read(`channels/${id}`)));
  if (channels.some((channel) => channel !== 'gone')) {
    for (const [at, id] of ids.entries()) {
      const channel = channels[at]!;
      if (channel === 'gone') legs.ended.set(id, legs.ended.get(id) ?? 'no_answer');
      else if (channel !== 'unclear' && channel.state === 'Up') legs.answered.add(id);
    }
    return 'some';
  }
  // A bridge exists only if a leg answered, and stays until we remove it.
  return (await callChannel.command('DELETE', `bridges/${bridgeOf(callChannel)}`))
    ? 'over'
    : 'none';
}

async function connectFirst(
  callChannel: CallChannel,
  end: EndOf<'dial'>,
  legs: Legs,
): Promise<Dialed> {
  const { node } = end;
  const verdict = () =>
    legs.answered.values().next().value ??
    (legs.ended.size === legs.ids.size ? 'nobody' : undefined);
  const leg = await callChannel.waitUntil(verdict, end.ringSeconds * second + graceMs);
  for (const id of legs.ids)
    if (id !== leg && !legs.ended.has(id)) await hangUpChannel(callChannel, id);
  if (leg === undefined || leg === 'nobody') {
    return { kind: 'dialed', node, result: resultOf([...legs.ended.values()]) };
  }
  const isConnected = await connect(callChannel, leg, legs, end.limitSeconds);
  return { kind: 'dialed', node, result: isConnected ? 'answered' : 'failed' };
}

async function ring(
  callChannel: CallChannel,
  { to, id }: { readonly to: string; readonly id: string },
  { ringSeconds }: EndOf<'dial'>,
  callerId: string,
): Promise<void> {
  const { account } = callChannel.options;
  const isRinging = await callChannel.command('POST', 'channels', {
    endpoint: dialString(account.settings, to),
    app: applicationOf(account),
    appArgs: `leg,${callChannel.options.callId}`,
    channelId: id,
    callerId,
    timeout: String(ringSeconds),
  });
  if (!isRinging) {
    await callChannel.cleanUp(`channels/${id}`); // its answer may have been lost
    callChannel.dispatch({
      kind: 'ended',
      channelId: id,
      status: 'failed',
      cause: 'the PBX refused it',
    });
  }
}

/** Lets the two talk until one leaves; false when the PBX did not join them. */
async function connect(
  callChannel: CallChannel,
  leg: string,
  { ended }: Legs,
  limitSeconds: number,
): Promise<boolean> {
  const bridge = bridgeOf(callChannel);
  const isJoined = await join(callChannel, leg);
  const isOver = () => ended.has(leg) || undefined;
  const hasLeft = isJoined ? await callChannel.waitUntil(isOver, limitSeconds * second) : isOver();
  if (hasLeft === undefined) await hangUpChannel(callChannel, leg);
  await callChannel.command('DELETE', `bridges/${bridge}`);
  return isJoined || hasLeft === true;
}

async function join(callChannel: CallChannel, leg: string): Promise<boolean> {
  const { callId } = callChannel.options;
  const bridge = bridgeOf(callChannel);
  const found = await callChannel.read(`bridges/${bridge}`);
  if (isMember(found, leg) && isMember(found, callId)) return true;
  return (
    (await callChannel.command('POST', `bridges/${bridge}`, { type: 'mixing' })) &&
    (await callChannel.command('POST', `bridges/${bridge}/addChannel`, {
      channel: `${callId},${leg}`,
    }))
  );
}

/** Whether the channel is in the bridge. */
export function isMember(bridge: PbxState, channel: string): boolean {
  const members = typeof bridge === 'string' ? undefined : bridge.channels;
  return Array.isArray(members) && members.includes(channel);
}

function hangUpChannel(callChannel: CallChannel, channel: string): Promise<boolean> {
  return callChannel.command('DELETE', `channels/${channel}`, { reason: 'normal' });
}

async function hangUpLegs(callChannel: CallChannel, { ids, ended }: Legs): Promise<void> {
  const there = [...ids].filter((id) => !ended.has(id));
  await Promise.all(there.map((id) => callChannel.cleanUp(`channels/${id}`)));
  await callChannel.cleanUp(`bridges/${bridgeOf(callChannel)}`);
}

/** A call has at most one bridge, with a name that every node can derive. */
function bridgeOf({ options }: CallChannel): string {
  return `${options.callId}-bridge`;
}

function resultOf(statuses: readonly ReportedStatus[]): 'busy' | 'no_answer' | 'failed' {
  if (statuses.includes('busy')) return 'busy';
  const isSilent =
    statuses.length === 0 || statuses.some((each) => /no_answer|canceled|completed/.test(each));
  return isSilent ? 'no_answer' : 'failed';
}
