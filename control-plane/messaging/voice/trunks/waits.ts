/** The waits of a flow on a PBX: each does what it says and answers what came back. */
import { createHash } from 'node:crypto';
import type { FlowEvent } from '@drawbridge/messaging/call-flow/machine.ts';
import type { EndOf } from '@drawbridge/messaging/call-flow/segment.ts';
import { isMember } from './dial.ts';
import { type Line, LineOver } from './line.ts';

const second = 1_000;
/** What the PBX may take beyond what it was told. */
const graceMs = 10 * second;
const conferenceMs = 4 * 3_600 * second;

/** Plays the question and collects keys; the first one interrupts it. */
export async function gather(line: Line, end: EndOf<'gather'>): Promise<FlowEvent> {
  const { node, prompt, maxDigits, finishKeys, timeoutSeconds } = end;
  const keys = collector(line);
  try {
    for (const each of prompt) {
      const url = each.kind === 'play' ? each.url : each.recording;
      for (let time = 0; time < each.loop && keys.pressed() === ''; time += 1) {
        if (url !== undefined) await line.play(url, keys.first);
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

/** Keys from now on, also those pressed while nobody waits for one. */
function collector(line: Line) {
  let pressed = '';
  let isStopped = false;
  const unwatch = line.watch((event) => {
    const isCallers = event.kind === 'key' && event.channelId === line.options.callId;
    if (isCallers) pressed += event.digit;
  });
  const more = (before: number, withinMs: number) =>
    line.when(() => (pressed.length > before || isStopped ? true : undefined), withinMs);
  const first = more(0, conferenceMs);
  first.catch(() => {}); // whoever waits on the line is told that it is over
  const stop = () => {
    isStopped = true;
    unwatch();
  };
  return { first, more, stop, pressed: () => pressed };
}

/** Records a message; whether there is one is told by its event. */
export async function record(
  line: Line,
  end: EndOf<'record'>,
  document: number,
): Promise<Extract<FlowEvent, { kind: 'recorded' }>> {
  const { node, maxSeconds, silenceSeconds, finishKeys, beep } = end;
  const name = messageOf(line.options.callId, document);
  const finished = line.until(
    (event) => (event.kind === 'recorded' && event.name === name ? true : undefined),
    maxSeconds * second + graceMs,
  );
  finished.catch(() => {});
  const isTaken = await line.ask('POST', `channels/${line.options.callId}/record`, {
    ...{ name, format: 'wav', ifExists: 'fail', beep: String(beep) },
    maxDurationSeconds: String(maxSeconds),
    maxSilenceSeconds: String(silenceSeconds),
    terminateOn: terminatorOf(finishKeys),
  });
  // Refused: another node began it, and it may still run; or the PBX records nothing.
  if (isTaken || (await line.read(`recordings/live/${name}`)) !== 'gone') await finished;
  return { kind: 'recorded', node };
}

/** What the message taken in a call's document is called on the PBX. */
export function messageOf(callId: string, document: number): string {
  return `${callId}-message${document}`;
}

/** Asterisk knows one of two keys, any, or none. */
function terminatorOf(keys: string): string {
  if (keys === '' || keys === '#' || keys === '*') return keys === '' ? 'none' : keys;
  return 'any';
}

/**
 * Joins a room and stays until it is closed. Who owns it closes it by leaving; so does the last who
 * leaves, and nobody whose events are merely no longer heard here.
 */
export async function conference(
  line: Line,
  end: EndOf<'conference'>,
  { tenantId, isResumed }: { readonly tenantId: string; readonly isResumed: boolean },
): Promise<Extract<FlowEvent, { kind: 'left' }>> {
  const { callId, account } = line.options;
  const name = createHash('sha256').update(`${tenantId}/${account.id}/${end.name}`).digest('hex');
  const room = `room-${name.slice(0, 32)}`;
  const left = line.until(
    (event) => (event.kind === 'alone' && event.channelId === callId ? true : undefined),
    conferenceMs,
  );
  left.catch(() => {});
  try {
    if (await enter(line, room, end.isMuted, isResumed)) await left;
  } catch (error) {
    if (error instanceof LineOver) await leave(line, room, end.endsOnExit);
    throw error;
  }
  await leave(line, room, end.endsOnExit);
  return { kind: 'left', node: end.node };
}

/** False when the caller is not let in, or the room was closed while nobody listened. */
async function enter(
  line: Line,
  room: string,
  isMuted: boolean,
  isResumed: boolean,
): Promise<boolean> {
  const { callId } = line.options;
  const found = isResumed ? await line.read(`bridges/${room}`) : 'unclear';
  if (found === 'gone') return false;
  if (isMember(found, callId)) return true;
  const query = { channel: callId, mute: String(isMuted) };
  const join = async () =>
    (await line.ask('POST', `bridges/${room}`, { type: 'mixing', name: room })) &&
    (await line.ask('POST', `bridges/${room}/addChannel`, query));
  // Who left last may have removed the room in between.
  return (await join()) || (await join());
}

async function leave(line: Line, room: string, endsOnExit: boolean): Promise<void> {
  const isEmpty = async () => {
    const found = await line.look(`bridges/${room}`);
    return (
      typeof found === 'object' && Array.isArray(found.channels) && found.channels.length === 0
    );
  };
  if (endsOnExit || (await isEmpty())) await line.tidy(`bridges/${room}`);
}
