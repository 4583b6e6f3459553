/** A PBX and the people it can call: channels, playbacks, recordings and bridges. */
import type { CallBehaviour } from '../../simulation/voice/network.ts';
import type { Behaviour } from '../../simulation/voice/phone-call.ts';

export interface Channel {
  readonly id: string;
  /** Digits of the number, or the dialled text. */
  readonly number: string;
  readonly caller: string;
  readonly behaviour: CallBehaviour;
  readonly args: readonly string[];
  readonly createdAt: Date;
  /** The channel that this one listens to. */
  readonly spiesOn?: string;
  state: 'Down' | 'Ringing' | 'Up';
  behaviours: readonly Behaviour[];
  idle?: NodeJS.Timeout | undefined;
}

export interface PbxOptions {
  readonly clock: () => Date;
  readonly emit: (event: Readonly<Record<string, unknown>>) => void;
  readonly behavioursOf: (digits: string) => readonly Behaviour[];
  /** Whether the number rings until the caller gives up. */
  readonly isUnattended: (digits: string) => boolean;
}

/** A person acts when nothing has been played or asked for this long. */
const idleMs = 300;
const talkMs = 150;
const messageMs = 5;

const causes: Readonly<Partial<Record<CallBehaviour, readonly [number, string]>>> = {
  busy: [17, 'User busy'],
  'no-answer': [19, 'User alerting, no answer'],
  failed: [38, 'Network out of order'],
  rejected: [21, 'Call Rejected'],
};

export class Pbx {
  readonly channels = new Map<string, Channel>();
  readonly bridges = new Map<string, string[]>();
  readonly #playbacks = new Map<string, { channel: Channel; timer: NodeJS.Timeout }>();
  /** Stored recordings by name, in seconds. */
  readonly recordings = new Map<string, number>();
  readonly #running = new Map<string, { channel: Channel; startedAt: Date }>();
  /** Names under which people are recording a message. */
  readonly #messages = new Set<string>();
  readonly #options: PbxOptions;
  #isStopped = false;

  constructor(options: PbxOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#isStopped = true;
    for (const { idle } of this.channels.values()) clearTimeout(idle);
    for (const { timer } of this.#playbacks.values()) clearTimeout(timer);
  }

  /** The call begins after the answer to its request has been written. */
  originate(made: Pick<Channel, 'id' | 'number' | 'caller' | 'behaviour' | 'args'>): Channel {
    const { behavioursOf, clock } = this.#options;
    const behaviours = behavioursOf(made.number);
    const channel: Channel = { ...made, createdAt: clock(), state: 'Down', behaviours };
    this.channels.set(channel.id, channel);
    setTimeout(() => this.#ring(channel), 0);
    return channel;
  }

  #ring(channel: Channel): void {
    if (this.#isOver(channel)) return;
    channel.state = 'Ringing';
    this.#tell('ChannelStateChange', channel);
    this.#emit({ type: 'Dial', peer: shown(channel), dialstatus: 'RINGING' });
    const cause = causes[channel.behaviour];
    if (cause !== undefined) return void this.end(channel, ...cause);
    if (!this.#options.isUnattended(channel.number)) this.pickUp(channel);
  }

  pickUp(channel: Channel): void {
    channel.state = 'Up';
    this.#tell('ChannelStateChange', channel);
    this.#tell('StasisStart', channel, { args: channel.args });
    const [first] = channel.behaviours;
    if (first?.hangsUp && first.isHasty) return void this.end(channel);
    this.#await(channel);
  }

  end(channel: Channel, cause = 16, text = 'Normal Clearing'): void {
    if (this.#isOver(channel)) return;
    clearTimeout(channel.idle);
    this.channels.delete(channel.id);
    for (const [id, members] of this.bridges) {
      if (members.includes(channel.id)) this.leave(id, channel);
    }
    for (const [id, playback] of this.#playbacks) {
      if (playback.channel === channel) this.finishPlayback(id);
    }
    for (const [name, running] of this.#running) {
      if (running.channel === channel) this.#finishRecording(name);
    }
    if (channel.state === 'Up') this.#tell('StasisEnd', channel);
    this.#tell('ChannelDestroyed', channel, { cause, cause_txt: text });
    for (const spy of [...this.channels.values()]) {
      if (spy.spiesOn === channel.id) this.end(spy);
    }
  }

  play(channel: Channel, id: string, media: string): void {
    this.#busy(channel);
    const playback = { id, media_uri: media, target_uri: `channel:${channel.id}` };
    this.#emit({ type: 'PlaybackStarted', playback: { ...playback, state: 'playing' } });
    const timer = setTimeout(() => this.finishPlayback(id), 5);
    this.#playbacks.set(id, { channel, timer });
  }

  /** False when the playback does not exist. */
  finishPlayback(id: string): boolean {
    const found = this.#playbacks.get(id);
    if (found === undefined) return false;
    clearTimeout(found.timer);
    this.#playbacks.delete(id);
    this.#emit({ type: 'PlaybackFinished', playback: { id, state: 'done' } });
    this.#await(found.channel);
    return true;
  }

  /** The recording gets what the person says next. */
  record(channel: Channel, name: string, maxSeconds: number): void {
    this.#busy(channel);
    this.#emit({ type: 'RecordingStarted', recording: { name, state: 'recording' } });
    if (channel.spiesOn !== undefined || channel.behaviour === 'stays') {
      this.#running.set(name, { channel, startedAt: this.#options.clock() });
      if (maxSeconds > 0) setTimeout(() => this.#finishRecording(name), maxSeconds * 1_000);
      return;
    }
    const [next, ...rest] = channel.behaviours;
    channel.behaviours = rest;
    this.#messages.add(name);
    setTimeout(() => {
      this.#messages.delete(name);
      if (next === undefined || next.hangsUp) return void this.end(channel);
      this.#store(name, Math.min(next.seconds, maxSeconds || next.seconds));
      this.#await(channel);
    }, messageMs);
  }

  snoop(channel: Channel, id: string, args: readonly string[]): Channel {
    const spy: Channel = {
      id,
      number: '',
      caller: '',
      behaviour: 'stays',
      args,
      createdAt: this.#options.clock(),
      state: 'Up',
      behaviours: [],
      spiesOn: channel.id,
    };
    this.channels.set(id, spy);
    setTimeout(() => this.#tell('StasisStart', spy, { args }), 0);
    return spy;
  }

  bridge(id: string): void {
    if (!this.bridges.has(id)) this.bridges.set(id, []);
  }

  /** False when the bridge does not exist. */
  join(id: string, channel: Channel): boolean {
    const members = this.bridges.get(id);
    if (members === undefined) return false;
    this.#busy(channel);
    members.push(channel.id);
    this.#emit({ type: 'ChannelEnteredBridge', bridge: { id }, channel: shown(channel) });
    if (channel.behaviour === 'stays') return true;
    // Two or more people talk, and the one who was called last hangs up; one person alone gives up.
    const isTalk = members.length > 1;
    channel.idle = setTimeout(() => this.end(channel), isTalk ? talkMs : idleMs * 10);
    return true;
  }

  /** Names of the recordings under way. */
  beingRecorded(): readonly string[] {
    return [...this.#running.keys(), ...this.#messages];
  }

  leave(id: string, channel: Channel): void {
    const members = this.bridges.get(id) ?? [];
    this.bridges.set(
      id,
      members.filter((each) => each !== channel.id),
    );
    this.#emit({ type: 'ChannelLeftBridge', bridge: { id }, channel: shown(channel) });
    this.#await(channel);
  }

  /** False when the bridge does not exist. */
  destroyBridge(id: string): boolean {
    for (const member of this.bridges.get(id) ?? []) {
      const channel = this.channels.get(member);
      if (channel !== undefined) this.leave(id, channel);
    }
    return this.bridges.delete(id);
  }

  #finishRecording(name: string): void {
    const running = this.#running.get(name);
    if (running === undefined) return;
    const { startedAt, channel } = running;
    this.#running.delete(name);
    this.#await(channel);
    const ms = this.#options.clock().getTime() - startedAt.getTime();
    this.#store(name, Math.max(1, Math.round(ms / 1_000)));
  }

  #store(name: string, seconds: number): void {
    if (seconds > 0) this.recordings.set(name, seconds);
    const recording = { name, format: 'wav', state: 'done', duration: seconds };
    this.#emit({ type: 'RecordingFinished', recording });
  }

  #busy(channel: Channel): void {
    clearTimeout(channel.idle);
  }

  /** Nothing more is asked of the person, so the person acts. */
  #await(channel: Channel): void {
    clearTimeout(channel.idle);
    if (this.#isOver(channel) || channel.spiesOn !== undefined) return;
    channel.idle = setTimeout(() => this.#act(channel), idleMs);
  }

  #act(channel: Channel): void {
    const [next, ...rest] = channel.behaviours;
    channel.behaviours = rest;
    if (channel.behaviour === 'stays') return;
    if (next === undefined || next.hangsUp) return void this.end(channel);
    for (const digit of next.keys) {
      this.#tell('ChannelDtmfReceived', channel, { digit, duration_ms: 100 });
    }
  }

  #isOver(channel: Channel): boolean {
    return this.#isStopped || this.channels.get(channel.id) !== channel;
  }

  #tell(type: string, channel: Channel, more: Readonly<Record<string, unknown>> = {}): void {
    this.#emit({ type, channel: shown(channel), ...more });
  }

  #emit(event: Readonly<Record<string, unknown>>): void {
    if (this.#isStopped) return;
    const timestamp = this.#options.clock().toISOString();
    this.#options.emit({ application: 'drawbridge', timestamp, ...event });
  }
}

/** A channel as ARI shows it. */
export function shown({ id, state, number, caller, createdAt }: Channel) {
  return {
    id,
    name: `PJSIP/trunk-${id.slice(-6)}`,
    state,
    caller: { name: '', number: caller },
    connected: { name: '', number },
    creationtime: createdAt.toISOString(),
    language: 'en',
  };
}
