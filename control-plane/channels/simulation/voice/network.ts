/** The base of every simulated voice provider: it accepts calls, and plays each to its end. */

import { type Fault, Faults } from '../../../simulation/faults.ts';
import type { Answer, Endpoint, Reply } from '../../../simulation/server.ts';
import { VirtualClock } from '../../../simulation/virtual-clock.ts';
import type { OutgoingWebhook } from '../webhook-attempt.ts';
import { voiceControlEndpoints } from './control-endpoints.ts';
import type { Behaviour, DialedLeg, Effect, Outcome, ProviderRequest } from './phone-call.ts';

export interface VoiceOptions {
  readonly clock: () => Date;
  /** In [0, 1): makes identifiers, so a seed makes runs repeatable. */
  readonly random: () => number;
  /** Whether calls start without a request; otherwise `play` plays them. */
  readonly isSending?: boolean;
  readonly port?: number;
  /** Whether notices sent in addition to a document arrive after the request for the next one. */
  readonly isLate?: boolean;
}

/** How a call goes, by the last five digits of its number. */
export type CallBehaviour =
  | 'answers'
  | 'busy'
  | 'no-answer'
  | 'machine'
  | 'failed'
  | 'rejected'
  | 'stays';

const behaviourOfDigits: Readonly<Record<string, CallBehaviour>> = {
  10001: 'busy',
  10002: 'no-answer',
  10003: 'machine',
  10004: 'failed',
  10005: 'rejected',
  10006: 'stays', // on the line until somebody hangs up
};
/** How a call to these digits goes. */
export function callBehaviourOf(digits: string): CallBehaviour {
  return behaviourOfDigits[digits.slice(-5)] ?? 'answers';
}

/** A number that does not exist in any network. */
export const invalidNumber = /10400$/;

/** How a call ended, independent of any provider. */
type CallEnd = 'completed' | 'busy' | 'no-answer' | 'failed' | 'rejected' | 'canceled';
export type CallStage = 'initiated' | 'ringing' | 'answered' | 'machine' | CallEnd;

export interface HeldCall {
  readonly id: string;
  /** The provider's name for the request, where it differs from that of the call. */
  readonly requestId: string;
  /** Digits only. */
  readonly to: string;
  readonly from: string;
  /** The request as it was written. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly behaviour: CallBehaviour;
  readonly detectsMachines: boolean;
  /** Hangs up on a machine without asking for a document. */
  readonly sparesMachines: boolean;
  readonly createdAt: Date;
  stage: CallStage;
  seconds: number;
  isHungUp: boolean;
  isRecorded: boolean;
  readonly effects: Effect[];
  readonly recordings: string[];
  /** The legs that were dialled in it. */
  readonly legs: DialedLeg[];
}

/** The requests of one provider. */
export interface Dialect {
  /** The report of a stage; undefined where the provider sends none. */
  report(call: HeldCall): ProviderRequest | undefined;
  /** Asks for the first document. */
  first(call: HeldCall): ProviderRequest;
  /** Reports the recording of the whole call, and its text where that was asked for. */
  recorded(call: HeldCall, recordingId: string): readonly ProviderRequest[];
  sign(request: ProviderRequest): OutgoingWebhook;
  interpret(
    document: string,
    call: HeldCall,
    recordingId: string,
    behaviours: readonly Behaviour[],
  ): Outcome;
}

/** The control of a simulated voice provider, for tests and operators. */
export interface VoiceControl {
  /** The only call is `place`. */
  fault(fault: Fault): void;
  advance(ms: number): void;
  /** Calls accepted, oldest first. */
  calls(): readonly HeldCall[];
  /** How people behave when this number is called; by default they press 1 at every question. */
  expect(digits: string, behaviours: readonly Behaviour[]): void;
  /** Plays the calls that wait, and resolves when no call is under way. */
  play(): Promise<void>;
  /** Holds back all notices of legs and recordings until `release`. */
  withhold(): void;
  /** Sends all notices that were held back. */
  release(): Promise<void>;
  /** Everything that was sent to the customer, oldest first. */
  sent(): readonly OutgoingWebhook[];
}

/** A person who presses 1 at every question. */
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

/** The state of a simulated provider, and its people. */
export class VoiceNetwork {
  /** The address of the simulator, once it runs. */
  url = '';
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

  constructor(options: VoiceOptions, dialect: (network: VoiceNetwork) => Dialect) {
    const { clock, random, isSending = false, isLate = false } = options;
    this.#isLate = isLate;
    this.clock = new VirtualClock(clock);
    this.#random = random;
    this.#isSending = isSending;
    this.#dialect = dialect(this);
  }

  /** That many hexadecimal digits. */
  hex(length: number): string {
    return Array.from({ length }, () => Math.floor(this.#random() * 16).toString(16)).join('');
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-');
  }

  /** Accepts a call; it begins after the answer to its request has been written. */
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
      behaviour: callBehaviourOf(call.to),
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

  /** The call with this id. */
  find(id: string | undefined): HeldCall | undefined {
    return this.calls.find((call) => call.id === id);
  }

  /** The sound file of a recording; undefined when no recording has this id. */
  recording(id: string | undefined, mediaType: string): Answer | undefined {
    const call = this.calls.find(({ recordings }) => recordings.includes(id ?? ''));
    if (call === undefined) return undefined;
    return { status: 200, headers: { 'Content-Type': mediaType }, body: wav(call.seconds) };
  }

  /** False when no such call is under way. */
  hangUp(id: string): boolean {
    const call = this.calls.find((each) => each.id === id || each.requestId === id);
    if (call === undefined || isOver(call)) return false;
    call.isHungUp = true;
    this.#hangUps.get(call.id)?.();
    return true;
  }

  /** The `/_control` endpoints for another process. */
  controlEndpoints(
    kind: string,
    settings: () => Readonly<Record<string, string>>,
  ): readonly Endpoint[] {
    return voiceControlEndpoints({
      kind,
      settings,
      faults: this.faults,
      clock: this.clock,
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

  /** Starts no further calls. */
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
    const { behaviour } = call;
    if (
      behaviour === 'busy' ||
      behaviour === 'no-answer' ||
      behaviour === 'failed' ||
      behaviour === 'rejected'
    ) {
      return this.#tell(call, behaviour);
    }
    if (call.isHungUp) return this.#tell(call, 'canceled');
    await this.#tell(call, 'answered');
    if (isKnownMachine(call)) await this.#tell(call, 'machine');
    if (behaviour !== 'machine' || !call.sparesMachines) await this.#converse(call);
    if (behaviour === 'stays') await this.#untilHungUp(call);
    await this.#tell(call, 'completed');
    if (!call.isRecorded) return;
    const recordingId = this.#newRecording(call);
    for (const request of this.#dialect.recorded(call, recordingId)) await this.#send(request);
  }

  /** Plays documents one after another, as long as the customer has more. */
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

  async #tell(call: HeldCall, stage: CallStage): Promise<void> {
    if (stage !== 'machine') call.stage = stage;
    const shown = { ...call, stage };
    const request = this.#dialect.report(shown);
    if (request !== undefined) await this.#send(request);
  }

  /** Fetches the next document; undefined when the customer has none. */
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
    return undefined; // the customer is down: the call continues without a document
  }
}

/** Whether a call has ended. */
export function isOver({ stage }: HeldCall): boolean {
  return !['initiated', 'ringing', 'answered', 'machine'].includes(stage);
}

/** Whether a machine answered and was detected. */
export function isKnownMachine({ behaviour, detectsMachines }: HeldCall): boolean {
  return behaviour === 'machine' && detectsMachines;
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

/** A sound file of that many seconds in telephone quality: 8,000 samples a second, eight bits. */
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

/** A member of the form, JSON object or query, as text. */
export function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
