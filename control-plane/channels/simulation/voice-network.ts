/** What every simulated voice provider does: it takes calls, and plays each to its end. */
import type { Endpoint, Reply } from '../../simulation/server.ts';
import { type Fault, Faults, VirtualClock } from '../../simulation/switches.ts';
import type { Behaviour, DialedLeg, Effect, Outcome, ProviderRequest } from './phone-call.ts';
import { voiceControlEndpoints } from './voice-control.ts';
import type { OutgoingWebhook } from './webhooks.ts';

export interface VoiceOptions {
  readonly clock: () => Date;
  /** In [0, 1): makes identifiers, so a seeded one makes runs repeatable. */
  readonly random: () => number;
  /** Whether calls are played by themselves; otherwise `play` plays them. */
  readonly isSending?: boolean;
  readonly port?: number;
  /** Whether what is told beside a document comes after the next one was asked for. */
  readonly isLate?: boolean;
}

/** What becomes of a call, by the last five digits of its number. */
export type Fate = 'answers' | 'busy' | 'no-answer' | 'machine' | 'failed' | 'rejected' | 'stays';

const fates: Readonly<Record<string, Fate>> = {
  10001: 'busy',
  10002: 'no-answer',
  10003: 'machine',
  10004: 'failed',
  10005: 'rejected',
  10006: 'stays', // on the line until somebody hangs up
};
/** What becomes of a call to these digits. */
export function fateOf(digits: string): Fate {
  return fates[digits.slice(-5)] ?? 'answers';
}

/** A number that no network has. */
export const invalidNumber = /10400$/;

/** How a call ended, in no provider's words. */
export type End = 'completed' | 'busy' | 'no-answer' | 'failed' | 'rejected' | 'canceled';
export type Stage = 'initiated' | 'ringing' | 'answered' | 'machine' | End;

export interface HeldCall {
  readonly id: string;
  /** What the provider names the request by, where that differs. */
  readonly requestId: string;
  /** Digits only. */
  readonly to: string;
  readonly from: string;
  /** What was asked, as it was written. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly fate: Fate;
  readonly detectsMachines: boolean;
  /** Hangs up on a machine, without asking for what to say. */
  readonly sparesMachines: boolean;
  readonly createdAt: Date;
  stage: Stage;
  seconds: number;
  isHungUp: boolean;
  isRecorded: boolean;
  readonly effects: Effect[];
  readonly recordings: string[];
  /** Whoever was dialled in it. */
  readonly legs: DialedLeg[];
}

/** What one provider's wire is like. */
export interface Dialect {
  /** What is told at a stage; none where the provider tells nothing. */
  told(call: HeldCall): ProviderRequest | undefined;
  /** Asks for the first document. */
  first(call: HeldCall): ProviderRequest;
  /** Tells that the whole call was recorded. */
  recorded(call: HeldCall, recordingId: string): ProviderRequest | undefined;
  sign(request: ProviderRequest): OutgoingWebhook;
  interpret(
    document: string,
    call: HeldCall,
    recordingId: string,
    behaviours: readonly Behaviour[],
  ): Outcome;
}

/** What a test or an operator may do to a simulated voice provider. */
export interface VoiceControl {
  /** The call is `place`. */
  fault(fault: Fault): void;
  advance(ms: number): void;
  /** Calls taken, oldest first. */
  calls(): readonly HeldCall[];
  /** How people behave when this number is called; by default they press 1 at every question. */
  expect(digits: string, behaviours: readonly Behaviour[]): void;
  /** Plays the calls that wait, and resolves when none is under way. */
  play(): Promise<void>;
  /** From now on nothing is told beside, of legs and recordings, until `release`. */
  withhold(): void;
  /** Tells all that was withheld. */
  release(): Promise<void>;
  /** Everything that was sent to the customer, oldest first. */
  sent(): readonly OutgoingWebhook[];
}

/** Who presses 1 at every question. */
export const polite: Behaviour = {
  keys: '1',
  isHasty: false,
  leg: 'answers',
  seconds: 7,
  hangsUp: false,
};
const behavioursMax = 20;
const documentsMax = 300;
const sentMax = 10_000;
const attemptsMax = 2;
const requestMs = 15_000;
const spokenSeconds = { say: 2, play: 5 };

/** What a simulated provider remembers, and its people. */
export class VoiceNetwork {
  readonly clock: VirtualClock;
  readonly faults = new Faults();
  readonly calls: HeldCall[] = [];
  readonly #random: () => number;
  readonly #isSending: boolean;
  readonly #isLate: boolean;
  readonly #dialect: Dialect;
  readonly #behaviours = new Map<string, readonly Behaviour[]>();
  readonly #waiting: HeldCall[] = [];
  readonly #playing = new Set<Promise<void>>();
  readonly #sent: OutgoingWebhook[] = [];
  readonly #hangUps = new Map<string, () => void>();
  #isStopped = false;
  #isWithholding = false;
  readonly #withheld: ProviderRequest[] = [];

  constructor(options: VoiceOptions, dialect: Dialect) {
    const { clock, random, isSending = false, isLate = false } = options;
    this.#isLate = isLate;
    this.clock = new VirtualClock(clock);
    this.#random = random;
    this.#isSending = isSending;
    this.#dialect = dialect;
  }

  /** So many hexadecimal digits. */
  hex(length: number): string {
    return Array.from({ length }, () => Math.floor(this.#random() * 16).toString(16)).join('');
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-');
  }

  /** Takes a call; it begins after the answer to its request was written. */
  take(
    call: Pick<HeldCall, 'id' | 'requestId' | 'to' | 'from' | 'fields' | 'detectsMachines'> & {
      readonly isRecorded?: boolean;
      readonly sparesMachines?: boolean;
    },
  ): HeldCall {
    const held: HeldCall = {
      isRecorded: false,
      sparesMachines: false,
      ...call,
      fate: fateOf(call.to),
      createdAt: this.clock.now(),
      stage: 'initiated',
      seconds: 0,
      isHungUp: false,
      effects: [],
      recordings: [],
      legs: [],
    };
    this.calls.push(held);
    this.#waiting.push(held);
    if (this.#isSending) setTimeout(() => this.#begin(), 0);
    return held;
  }

  place(work: () => Reply): Reply {
    return this.faults.around('place', work);
  }

  /** False when there is no such call under way. */
  hangUp(id: string): boolean {
    const call = this.calls.find((each) => each.id === id || each.requestId === id);
    if (call === undefined || isOver(call)) return false;
    call.isHungUp = true;
    this.#hangUps.get(call.id)?.();
    return true;
  }

  /** What another process may see and do, below `/_control`. */
  controlEndpoints(
    kind: string,
    settings: () => Readonly<Record<string, string>>,
  ): readonly Endpoint[] {
    return voiceControlEndpoints({
      ...{ kind, settings, faults: this.faults, clock: this.clock },
      calls: (after) => this.calls.slice(after).map((call) => ({ ...call, at: call.createdAt })),
      commands: [{ name: 'play', example: {}, run: () => this.#begin() }],
    });
  }

  control(): VoiceControl {
    return {
      fault: (fault) => this.faults.plan(fault),
      advance: (ms) => this.clock.advance(ms),
      calls: () => this.calls,
      expect: (digits, behaviours) => void this.#behaviours.set(digits, behaviours),
      play: async () => {
        this.#begin();
        while (this.#playing.size > 0) await Promise.all(this.#playing);
      },
      withhold: () => {
        this.#isWithholding = true;
      },
      release: async () => {
        this.#isWithholding = false;
        for (const notice of this.#withheld.splice(0)) await this.#send(notice);
      },
      sent: () => this.#sent,
    };
  }

  /** Nobody is called any more. */
  stop(): void {
    this.#isStopped = true;
    for (const end of this.#hangUps.values()) end();
  }

  #begin(): void {
    for (const call of this.#waiting.splice(0)) {
      const playing: Promise<void> = this.#play(call).finally(() => this.#playing.delete(playing));
      this.#playing.add(playing);
    }
  }

  async #play(call: HeldCall): Promise<void> {
    await this.#tell(call, 'initiated');
    if (call.isHungUp) return this.#tell(call, 'canceled');
    await this.#tell(call, 'ringing');
    const { fate } = call;
    if (fate === 'busy' || fate === 'no-answer' || fate === 'failed' || fate === 'rejected') {
      return this.#tell(call, fate);
    }
    if (call.isHungUp) return this.#tell(call, 'canceled');
    await this.#tell(call, 'answered');
    if (fate === 'machine' && call.detectsMachines) await this.#tell(call, 'machine');
    if (fate !== 'machine' || !call.sparesMachines) await this.#converse(call);
    if (fate === 'stays') await this.#untilHungUp(call);
    await this.#tell(call, 'completed');
    if (!call.isRecorded) return;
    const recordingId = this.#newRecording(call);
    const request = this.#dialect.recorded(call, recordingId);
    if (request !== undefined) await this.#send(request);
  }

  /** Documents one after another, as long as the customer has more. */
  async #converse(call: HeldCall): Promise<void> {
    let document = await this.#ask(this.#dialect.first(call));
    let behaviours = this.#behaviours.get(call.to) ?? Array(behavioursMax).fill(polite);
    for (let count = 0; count < documentsMax && document !== undefined; count += 1) {
      if (call.isHungUp || this.#isStopped) return;
      const recordingId = this.#newRecording(call);
      const outcome = this.#dialect.interpret(document, call, recordingId, behaviours);
      call.effects.push(...outcome.effects);
      call.legs.push(...outcome.legs);
      call.seconds += secondsOf(outcome, behaviours);
      if (outcome.effects.some(({ kind }) => kind === 'record-call')) call.isRecorded = true;
      behaviours = behaviours.slice(outcome.used);
      const tell = async () => {
        if (this.#isWithholding) this.#withheld.push(...outcome.notices);
        else for (const notice of outcome.notices) await this.#send(notice);
      };
      if (!this.#isLate || outcome.next === undefined) await tell();
      if (outcome.next === undefined) return;
      const answer = await this.#ask(outcome.next);
      if (this.#isLate) await tell();
      document = answer === undefined || answer === '' ? outcome.rest : answer;
    }
  }

  #newRecording(call: HeldCall): string {
    const id = `RE${this.hex(32)}`;
    call.recordings.push(id);
    return id;
  }

  #untilHungUp(call: HeldCall): Promise<void> {
    if (call.isHungUp || this.#isStopped) return Promise.resolve();
    return new Promise((done) => {
      this.#hangUps.set(call.id, done);
    });
  }

  async #tell(call: HeldCall, stage: Stage): Promise<void> {
    if (stage !== 'machine') call.stage = stage;
    const shown = { ...call, stage };
    const request = this.#dialect.told(shown);
    if (request !== undefined) await this.#send(request);
  }

  /** The next document; undefined when the customer has none. */
  async #ask(request: ProviderRequest): Promise<string | undefined> {
    const answer = await this.#send(request);
    return answer?.status === 200 ? answer.body : undefined;
  }

  async #send(request: ProviderRequest): Promise<{ status: number; body: string } | undefined> {
    for (let attempt = 0; attempt < attemptsMax && !this.#isStopped; attempt += 1) {
      const webhook = this.#dialect.sign(request);
      this.#sent.push(webhook);
      if (this.#sent.length > sentMax) this.#sent.shift();
      const answer = await deliver(webhook);
      if (answer !== undefined && answer.status < 500) return answer;
    }
    return undefined;
  }
}

async function deliver({ method, url, headers, body }: OutgoingWebhook) {
  try {
    const carried = method === 'GET' ? {} : { body };
    const signal = AbortSignal.timeout(requestMs);
    const request = { method, headers, redirect: 'manual', signal, ...carried } as const;
    const response = await fetch(url, request);
    return { status: response.status, body: await response.text() };
  } catch {
    return undefined; // the customer is down: the call goes on without it
  }
}

/** Whether a call has ended. */
export function isOver({ stage }: HeldCall): boolean {
  return !['initiated', 'ringing', 'answered', 'machine'].includes(stage);
}

function secondsOf({ effects, used }: Outcome, behaviours: readonly Behaviour[]): number {
  const heard = effects.map((effect) => {
    if (effect.kind === 'pause') return effect.seconds;
    const isSound = effect.kind === 'say' || effect.kind === 'play';
    return isSound ? spokenSeconds[effect.kind] * effect.loop : 0;
  });
  const waited = behaviours.slice(0, used).map(({ seconds }) => seconds);
  return [...heard, ...waited].reduce((sum, each) => sum + each, 0);
}

/** A sound file of so many seconds, as a telephone records: 8,000 samples a second, eight bits. */
export function wav(seconds: number): Buffer {
  const rate = 8_000;
  const samples = Math.max(1, Math.round(Math.min(seconds, 60) * rate));
  const file = Buffer.alloc(44 + samples, 0x80);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + samples, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples, 40);
  for (let at = 0; at < samples; at += 1) {
    file[44 + at] = 128 + Math.round(40 * Math.sin((2 * Math.PI * 440 * at) / rate));
  }
  return file;
}

/** The form, JSON object or query as text by name. */
export function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
