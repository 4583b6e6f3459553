import {
  given,
  instantOf,
  jsonOf,
  numberOf,
  objectOf,
  rowOf,
  textOf,
  within,
} from '../untrusted-input.ts';
import type { ReportedStatus } from '../voice-contract.ts';
import { durationOf } from '../voice-responses.ts';

/** One event of ARI's websocket, reduced to what calls need. */
export type TrunkEvent =
  | { readonly kind: 'entered'; readonly channelId: string; readonly args: readonly string[] }
  | { readonly kind: 'left'; readonly channelId: string }
  | { readonly kind: 'state'; readonly channelId: string; readonly status: ReportedStatus }
  | { readonly kind: 'dialed'; readonly channelId: string; readonly status: ReportedStatus }
  | { readonly kind: 'key'; readonly channelId: string; readonly digit: string }
  | {
      readonly kind: 'ended';
      readonly channelId: string;
      readonly status: ReportedStatus;
      readonly cause: string;
    }
  | { readonly kind: 'played'; readonly playbackId: string }
  | {
      readonly kind: 'recorded';
      readonly name: string;
      readonly isEmpty: boolean;
      readonly durationSeconds?: number;
    }
  /** The channel is no longer in any bridge. */
  | { readonly kind: 'alone'; readonly channelId: string }
  | { readonly kind: 'transferred'; readonly channelId: string; readonly to: string };

export interface ToldEvent {
  readonly at?: Date;
  readonly event: TrunkEvent;
}

const dialStatuses: Readonly<Record<string, ReportedStatus>> = {
  RINGING: 'ringing',
  PROGRESS: 'ringing',
  ANSWER: 'in_progress',
  BUSY: 'busy',
  NOANSWER: 'no_answer',
  CANCEL: 'canceled',
  CONGESTION: 'failed',
  CHANUNAVAIL: 'failed',
};

/** Q.850 causes that do not mean a failure. */
const causes: Readonly<Record<string, ReportedStatus>> = {
  16: 'completed',
  17: 'busy',
  18: 'no_answer',
  19: 'no_answer',
  21: 'busy',
  127: 'completed',
};

/** The event in a message of the websocket; undefined when it does not matter to calls. */
export function readEvent(text: string): ToldEvent | undefined {
  const body = jsonOf(text);
  const event = eventOf(body);
  if (event === undefined) return undefined;
  return { event, ...given({ at: instantOf(body?.timestamp) }) };
}

/** Asterisk allows one listener for each application, and notifies the one that it replaces. */
export function saysReplaced(text: string): boolean {
  return text.includes('ApplicationReplaced') && jsonOf(text)?.type === 'ApplicationReplaced';
}

function eventOf(body: ReturnType<typeof jsonOf>): TrunkEvent | undefined {
  const channelId = textOf(within(body, 'channel').id);
  const of = (name: string) => textOf(within(body, name).id);
  switch (body?.type) {
    case 'StasisStart': {
      const args = Array.isArray(body.args)
        ? body.args.filter((each) => typeof each === 'string')
        : [];
      return channelId === undefined ? undefined : { kind: 'entered', channelId, args };
    }
    case 'StasisEnd':
      return channelId === undefined ? undefined : { kind: 'left', channelId };
    case 'ChannelStateChange': {
      const table = { Ringing: 'ringing', Ring: 'ringing', Up: 'in_progress' } as const;
      const status = rowOf<ReportedStatus>(table, textOf(within(body, 'channel').state));
      if (channelId === undefined || status === undefined) return undefined;
      return { kind: 'state', channelId, status };
    }
    case 'ChannelLeftBridge':
      return channelId === undefined ? undefined : { kind: 'alone', channelId };
    case 'Dial': {
      const peer = of('peer');
      const status = rowOf(dialStatuses, textOf(body.dialstatus));
      if (peer === undefined || status === undefined) return undefined;
      return { kind: 'dialed', channelId: peer, status };
    }
    case 'ChannelDtmfReceived': {
      const digit = textOf(body.digit);
      if (channelId === undefined || !/^[0-9*#A-D]$/.test(digit ?? '')) return undefined;
      return { kind: 'key', channelId, digit: digit! };
    }
    case 'ChannelDestroyed': {
      if (channelId === undefined) return undefined;
      const code = textOf(body.cause) ?? '0';
      const cause = textOf(body.cause_txt) ?? `cause ${code}`;
      return { kind: 'ended', channelId, status: rowOf(causes, code) ?? 'failed', cause };
    }
    case 'PlaybackFinished': {
      const playbackId = of('playback');
      return playbackId === undefined ? undefined : { kind: 'played', playbackId };
    }
    case 'RecordingFinished':
    case 'RecordingFailed':
      return recordingOf(body.type, within(body, 'recording'));
    case 'BridgeBlindTransfer':
      return channelId === undefined
        ? undefined
        : { kind: 'transferred', channelId, to: textOf(body.exten) ?? '' };
    default:
      return undefined;
  }
}

function recordingOf(type: string, recording: ReturnType<typeof within>): TrunkEvent | undefined {
  const name = textOf(recording.name);
  if (name === undefined) return undefined;
  const talking = numberOf(objectOf(recording)?.talking_duration);
  const durationSeconds = durationOf(recording.duration);
  const isEmpty = type === 'RecordingFailed' || durationSeconds === 0 || talking === 0;
  return { kind: 'recorded', name, isEmpty, ...given({ durationSeconds }) };
}
