/** The interactive nodes of a flow on a PBX: each plays its part and returns the answer. */
import { createHash } from 'node:crypto';
import type { FlowEvent } from '@drawbridge/messaging/call-flow/machine.ts';
import type { EndOf } from '@drawbridge/messaging/call-flow/segment.ts';
import { type CallChannel, ChannelEnded } from './call-channel.ts';
import { isMember } from './dial.ts';

const second = 1_000;
/** How much longer than the given time the PBX may take. */
const graceMs = 10 * second;
const conferenceMs = 4 * 3_600 * second;

/** Plays the question and collects keys; the first one interrupts it. */
export async function gather(callChannel: CallChannel, end: EndOf<'gather'>): Promise<FlowEvent> {
  const { node, prompt, maxDigits, finishKeys, timeoutSeconds } = end;
  const keys = collectKeys(callChannel);
  try {
    for (const each of prompt) {
      const url = each.kind === 'play' ? each.url : each.recording;
      for (let time = 0; time < each.loop && keys.pressed() === ''; time += 1) {
        if (url !== undefined) await callChannel.play(url, keys.first);
      }
    }
    const isDone = () =>
      keys.pressed().length >= maxDigits ||
      [...keys.pressed()].some((key) => finishKeys.includes(key));
    while (!isDone()) {
      const before = keys.pressed().length;
      if ((await keys.more(before, timeoutSeconds * second)) === undefined) break;
    }
    const ending = [...keys.pressed()].findIndex((key) => finishKeys.includes(key));
    const digits = ending < 0 ? keys.pressed() : keys.pressed().slice(0, ending);
    return { kind: 'gathered', node, digits: digits.slice(0, maxDigits) };
  } finally {
    keys.stop();
  }
}

/** Collects keys from now on, including those pressed during prompts. */
function collectKeys(callChannel: CallChannel) {
  let pressed = '';
  let isStopped = false;
  const unwatch = callChannel.onEvent((event) => {
    const isCallers = event.kind === 'key' && event.channelId === callChannel.options.callId;
    if (isCallers) pressed += event.digit;
  });
  const more = (before: number, withinMs: number) =>
    callChannel.waitUntil(
      () => (pressed.length > before || isStopped ? true : undefined),
      withinMs,
    );
  const first = more(0, conferenceMs);
  first.catch(() => {}); // the command under way throws the same error
  const stop = () => {
    isStopped = true;
    unwatch();
  };
  return { first, more, stop, pressed: () => pressed };
}

/** Records a message; an event reports whether there is one. */
export async function record(
  callChannel: CallChannel,
  end: EndOf<'record'>,
  document: number,
): Promise<Extract<FlowEvent, { kind: 'recorded' }>> {
  const { node, maxSeconds, silenceSeconds, finishKeys, beep } = end;
  const name = messageRecordingName(callChannel.options.callId, document);
  const finished = callChannel.waitForEvent(
    (event) => (event.kind === 'recorded' && event.name === name ? true : undefined),
    maxSeconds * second + graceMs,
  );
  finished.catch(() => {});
  const isTaken = await callChannel.command(
    'POST',
    `channels/${callChannel.options.callId}/record`,
    {
      name,
      format: 'wav',
      ifExists: 'fail',
      beep: String(beep),
      maxDurationSeconds: String(maxSeconds),
      maxSilenceSeconds: String(silenceSeconds),
      terminateOn: terminatorOf(finishKeys),
    },
  );
  // Refused: another node began the recording and it may still run, or the PBX cannot record.
  if (isTaken || (await callChannel.read(`recordings/live/${name}`)) !== 'gone') await finished;
  return { kind: 'recorded', node };
}

/** The name on the PBX of the message recorded in a document of the call. */
export function messageRecordingName(callId: string, document: number): string {
  return `${callId}-message${document}`;
}

/** Asterisk's `terminateOn`: `#`, `*`, `any` or `none`. */
function terminatorOf(keys: string): string {
  if (keys === '' || keys === '#' || keys === '*') return keys === '' ? 'none' : keys;
  return 'any';
}

/**
 * Joins a conference and stays until it is closed. It closes when the owner leaves, or the last
 * caller. A caller whose events this node no longer gets does not close it.
 */
export async function conference(
  callChannel: CallChannel,
  end: EndOf<'conference'>,
  { tenantId, isResumed }: { readonly tenantId: string; readonly isResumed: boolean },
): Promise<Extract<FlowEvent, { kind: 'left' }>> {
  const { callId, account } = callChannel.options;
  const name = createHash('sha256').update(`${tenantId}/${account.id}/${end.name}`).digest('hex');
  const room = `room-${name.slice(0, 32)}`;
  const left = callChannel.waitForEvent(
    (event) => (event.kind === 'alone' && event.channelId === callId ? true : undefined),
    conferenceMs,
  );
  left.catch(() => {});
  try {
    if (await enter(callChannel, room, end.isMuted, isResumed)) await left;
  } catch (error) {
    if (error instanceof ChannelEnded) await leave(callChannel, room, end.endsOnExit);
    throw error;
  }
  await leave(callChannel, room, end.endsOnExit);
  return { kind: 'left', node: end.node };
}

/** False when the PBX refuses the caller, or the room was closed while no node listened. */
async function enter(
  callChannel: CallChannel,
  room: string,
  isMuted: boolean,
  isResumed: boolean,
): Promise<boolean> {
  const { callId } = callChannel.options;
  const found = isResumed ? await callChannel.read(`bridges/${room}`) : 'unclear';
  if (found === 'gone') return false;
  if (isMember(found, callId)) return true;
  const query = { channel: callId, mute: String(isMuted) };
  const join = async () =>
    (await callChannel.command('POST', `bridges/${room}`, { type: 'mixing', name: room })) &&
    (await callChannel.command('POST', `bridges/${room}/addChannel`, query));
  // The last caller to leave may have removed the room in between, so try twice.
  return (await join()) || (await join());
}

async function leave(callChannel: CallChannel, room: string, endsOnExit: boolean): Promise<void> {
  const isEmpty = async () => {
    const found = await callChannel.readAlways(`bridges/${room}`);
    return (
      typeof found === 'object' && Array.isArray(found.channels) && found.channels.length === 0
    );
  };
  if (endsOnExit || (await isEmpty())) await callChannel.cleanUp(`bridges/${room}`);
}
