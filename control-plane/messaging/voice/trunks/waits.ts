/** The waits of a flow on a PBX: each does what it says and answers what came back. */
import { createHash } from 'node:crypto';
import type { FlowEvent } from '@drawbridge/messaging/call-flow/machine.ts';
import type { EndOf } from '@drawbridge/messaging/call-flow/segment.ts';
import { ari, dialString } from '../../../channels/asterisk/adapter.ts';
import type { ReportedStatus } from '../../../channels/voice-contract.ts';
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
  const stopping = { isStopped: false };
  const first = line.until((event) => (event.kind === 'key' ? true : undefined), conferenceMs);
  first.catch(() => {}); // whoever waits on the line is told that it is over
  const listening = line.until((event) => {
    if (stopping.isStopped) return true;
    if (event.kind === 'key') pressed += event.digit;
    return undefined;
  }, conferenceMs);
  listening.catch(() => {});
  return {
    first,
    pressed: () => pressed,
    more: (before: number, withinMs: number): Promise<true | undefined> =>
      pressed.length > before
        ? Promise.resolve(true)
        : line.until((event) => (event.kind === 'key' ? true : undefined), withinMs),
    stop: () => {
      stopping.isStopped = true;
    },
  };
}

/** Rings whoever is named, all at once, and connects the first who answers. */
export async function dial(
  line: Line,
  end: EndOf<'dial'>,
  callerId: string,
): Promise<Extract<FlowEvent, { kind: 'dialed' }>> {
  const { node } = end;
  const legs = end.to.map((to) => ({ to, id: line.newId('leg') }));
  const isLeg = (id: string) => legs.some((each) => each.id === id);
  const ended = new Map<string, ReportedStatus>();
  const answered = line.until(
    (event) => {
      if (event.kind === 'entered' && isLeg(event.channelId)) return event.channelId;
      if (event.kind === 'ended' && isLeg(event.channelId))
        ended.set(event.channelId, event.status);
      return ended.size === legs.length ? 'nobody' : undefined;
    },
    end.ringSeconds * second + graceMs,
  );
  answered.catch(() => {});
  await Promise.all(legs.map((leg) => ring(line, leg, end, end.callerId ?? callerId)));
  try {
    const leg = (await answered) ?? 'nobody';
    for (const { id } of legs) if (id !== leg && !ended.has(id)) await drop(line, id);
    if (leg === 'nobody') return { kind: 'dialed', node, result: resultOf([...ended.values()]) };
    await connect(line, leg, end.limitSeconds);
    return { kind: 'dialed', node, result: 'answered' };
  } catch (error) {
    if (error instanceof LineOver) await Promise.all(legs.map(({ id }) => hangUpLeg(line, id)));
    throw error;
  }
}

async function ring(
  line: Line,
  { to, id }: { readonly to: string; readonly id: string },
  { ringSeconds }: EndOf<'dial'>,
  callerId: string,
): Promise<void> {
  const { settings } = line.options.account;
  const isRinging = await line.ask('POST', 'channels', {
    endpoint: dialString(settings, to),
    app: settings.application,
    appArgs: `leg,${line.options.callId}`,
    channelId: id,
    callerId,
    timeout: String(ringSeconds),
  });
  if (!isRinging) {
    line.hear({ kind: 'ended', channelId: id, status: 'failed', cause: 'it was refused' });
  }
}

async function connect(line: Line, leg: string, limitSeconds: number): Promise<void> {
  const { callId } = line.options;
  const bridge = line.newId('bridge');
  const over = line.until(
    (event) => (event.kind === 'ended' && event.channelId === leg ? true : undefined),
    limitSeconds * second,
  );
  over.catch(() => {});
  await line.ask('POST', `bridges/${bridge}`, { type: 'mixing' });
  await line.ask('POST', `bridges/${bridge}/addChannel`, { channel: `${callId},${leg}` });
  if ((await over) === undefined) await drop(line, leg);
  await line.ask('DELETE', `bridges/${bridge}`);
}

function drop(line: Line, channel: string): Promise<boolean> {
  return line.ask('DELETE', `channels/${channel}`, { reason: 'normal' });
}

/** The caller has left, so nobody may be left ringing. */
async function hangUpLeg({ options: { wire, account } }: Line, channel: string): Promise<void> {
  await wire.send(ari(account, 'DELETE', `channels/${channel}`));
}

function resultOf(statuses: readonly ReportedStatus[]): 'busy' | 'no_answer' | 'failed' {
  if (statuses.includes('busy')) return 'busy';
  const isSilent =
    statuses.length === 0 || statuses.some((each) => /no_answer|canceled|completed/.test(each));
  return isSilent ? 'no_answer' : 'failed';
}

/** Records a message; whether there is one is told by its event. */
export async function record(line: Line, end: EndOf<'record'>): Promise<FlowEvent> {
  const { node, maxSeconds, silenceSeconds, finishKeys, beep } = end;
  const name = line.newId('message');
  const finished = line.until(
    (event) => (event.kind === 'recorded' && event.name === name ? true : undefined),
    maxSeconds * second + graceMs,
  );
  finished.catch(() => {});
  await line.ask('POST', `channels/${line.options.callId}/record`, {
    ...{ name, format: 'wav', ifExists: 'fail', beep: String(beep) },
    maxDurationSeconds: String(maxSeconds),
    maxSilenceSeconds: String(silenceSeconds),
    terminateOn: terminatorOf(finishKeys),
  });
  await finished;
  return { kind: 'recorded', node };
}

/** Asterisk knows one of two keys, any, or none. */
function terminatorOf(keys: string): string {
  if (keys === '' || keys === '#' || keys === '*') return keys === '' ? 'none' : keys;
  return 'any';
}

/** Joins a room and stays until it is closed; who owns it closes it by leaving. */
export async function conference(
  line: Line,
  end: EndOf<'conference'>,
  tenantId: string,
): Promise<FlowEvent> {
  const { callId, account } = line.options;
  const name = createHash('sha256').update(`${tenantId}/${account.id}/${end.name}`).digest('hex');
  const room = `room-${name.slice(0, 32)}`;
  const left = line.until(
    (event) => (event.kind === 'alone' && event.channelId === callId ? true : undefined),
    conferenceMs,
  );
  left.catch(() => {});
  await line.ask('POST', `bridges/${room}`, { type: 'mixing', name: room });
  const mute = String(end.isMuted);
  await line.ask('POST', `bridges/${room}/addChannel`, { channel: callId, mute });
  try {
    await left;
  } finally {
    if (end.endsOnExit) {
      const { wire } = line.options;

      await wire.send(ari(account, 'DELETE', `bridges/${room}`));
    }
  }
  return { kind: 'left', node: end.node };
}
