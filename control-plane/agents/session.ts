import { type CloseName, closes } from '@drawbridge/link/closes.ts';
import type { AgentFrame, ControlPlaneFrame } from '@drawbridge/link/frames.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { Method } from '@drawbridge/link/methods.ts';
import { createJoiner } from '@drawbridge/link/parts.ts';
import type { RawData, WebSocket } from 'ws';
import type { ControlPlaneLine } from './handshake.ts';
import { type CallOptions, type CallOutcome, faultOutcome, outcomeOf } from './outcome.ts';
import type { CommandRow } from './store.ts';

/** The durable side of a session; each has committed when it resolves. */
export interface Desk {
  ready(epoch: number): Promise<void>;
  /** Unfinished commands numbered above `after`. */
  commands(after: number, max: number): Promise<CommandRow[]>;
  received(ids: string[]): Promise<void>;
  event(id: string, topic: string, body: unknown): Promise<void>;
}

interface PendingCall {
  readonly method: Method;
  readonly join: ReturnType<typeof createJoiner>;
  length: number;
  settle(outcome: CallOutcome): void;
}

type Of<K extends AgentFrame['kind']> = Extract<AgentFrame, { kind: K }>;

/** Characters of unfinished results that one agent may have us hold. */
const heldLengthMax = 2 * limits.resultLengthMax;

/** One linked agent, from the welcome to the close. */
export class AgentSession {
  readonly id: string;
  readonly epoch: number;
  /** Settles once, when the socket is closed; undefined when the agent or the network ended it. */
  readonly ended: Promise<CloseName | undefined>;
  readonly #socket: WebSocket;
  readonly #line: ControlPlaneLine;
  readonly #desk: Desk;
  readonly #calls = new Map<string, PendingCall>();
  /** Commands sent and not acknowledged: sequence number → id. */
  readonly #unacknowledged = new Map<number, string>();
  #refusal: CloseName | undefined;
  #isDraining = false;
  #silence: NodeJS.Timeout | undefined;
  #callCount = 0;
  #heldLength = 0;
  #commandSeq = 0;
  #commandsSentUpTo = 0;
  #pumping = false;
  #pumpAgain = false;
  #eventSeq = 0;
  #eventsAcknowledged = 0;
  /** What must be committed in order: one after the other. */
  #commits: Promise<void> = Promise.resolve();
  #idle: (() => void) | undefined;

  constructor(
    socket: WebSocket,
    line: ControlPlaneLine,
    desk: Desk,
    { id, epoch, serverTime }: { id: string; epoch: number; serverTime: Date },
  ) {
    this.id = id;
    this.epoch = epoch;
    this.#socket = socket;
    this.#line = line;
    this.#desk = desk;
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    this.ended = new Promise((resolve) => {
      const end = () => {
        clearTimeout(this.#silence);
        for (const call of this.#calls.values()) call.settle({ kind: 'offline' });
        resolve(this.#refusal);
      };
      // It may have gone while its session was written down; then no event comes any more.
      if (socket.readyState === socket.CLOSED) end();
      else socket.on('close', end);
    });
    if (!this.isOpen) return;
    this.#listenForSilence();
    this.#send({ kind: 'welcome', sessionId: id, serverTime: serverTime.toISOString(), epoch });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Asks the agent; always resolves, at the latest at the deadline. */
  call(method: Method, params: unknown, { signal, deadlineMs }: CallOptions): Promise<CallOutcome> {
    if (this.#isDraining || !this.isOpen) return Promise.resolve({ kind: 'offline' });
    if (signal?.aborted) return Promise.resolve({ kind: 'timeout' });
    if (this.#calls.size >= limits.callsMax) {
      return Promise.resolve(faultOutcome('agent_busy', 'The agent is busy.', 'later'));
    }
    this.#callCount += 1;
    const id = String(this.#callCount);
    const { promise, resolve } = Promise.withResolvers<CallOutcome>();
    const giveUp = () => {
      this.#send({ kind: 'cancel', id });
      settle({ kind: 'timeout' });
    };
    const timer = setTimeout(giveUp, deadlineMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    const settle = (outcome: CallOutcome) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      this.#heldLength -= this.#calls.get(id)?.length ?? 0;
      this.#calls.delete(id);
      if (this.#calls.size === 0) this.#idle?.();
      resolve(outcome);
    };
    this.#calls.set(id, { method, join: createJoiner(), length: 0, settle });
    if (!this.#send({ kind: 'call', id, method, params, deadlineMs })) {
      settle(faultOutcome('params_too_large', 'The call is over the limit of a frame.', 'never'));
    }
    return promise;
  }

  /** Sends the commands that wait, as far as the window allows. */
  pump(): void {
    if (this.#pumping) {
      this.#pumpAgain = true;
      return;
    }
    this.#pumping = true;
    this.#pumpOnce()
      .catch(() => this.close('failed')) // the database did not answer: the next session sends them
      .finally(() => {
        this.#pumping = false;
        if (this.#pumpAgain) {
          this.#pumpAgain = false;
          this.pump();
        }
      });
  }

  /** Takes no further calls and resolves when those in hand are settled. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    if (this.#calls.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  close(name: CloseName): void {
    this.#refusal ??= name;
    this.#socket.close(closes[name].code, closes[name].reason);
    setTimeout(() => this.#socket.terminate(), limits.closeMs).unref();
  }

  async #pumpOnce(): Promise<void> {
    const room = limits.windowMax - this.#unacknowledged.size;
    if (room <= 0 || this.#isDraining || this.#refusal !== undefined) return;
    for (const { number, id, params } of await this.#desk.commands(this.#commandsSentUpTo, room)) {
      this.#commandSeq += 1;
      this.#commandsSentUpTo = number;
      this.#unacknowledged.set(this.#commandSeq, id);
      this.#send({ kind: 'command', seq: this.#commandSeq, id, body: params });
    }
  }

  #listenForSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#refusal ??= 'silent';
      this.#socket.terminate(); // a closing handshake would wait for the agent that is gone
    }, limits.silenceMs);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#refusal !== undefined) return;
    this.#listenForSilence();
    const refusal = this.#read(data as Buffer, isBinary);
    if (refusal !== undefined) this.close(refusal);
  }

  #read(bytes: Uint8Array, isBinary: boolean): CloseName | undefined {
    if (!isBinary) return 'unsealed';
    const decoded = this.#line.unpack(bytes);
    return decoded.kind === 'refused' ? decoded.close : this.#handle(decoded.frame);
  }

  #handle(frame: AgentFrame): CloseName | undefined {
    switch (frame.kind) {
      case 'ready':
        if (frame.epoch !== this.epoch) return 'unexpected';
        this.#commit(() => this.#desk.ready(frame.epoch));
        this.pump();
        return undefined;
      case 'result':
        return this.#result(frame);
      case 'event':
        return this.#event(frame);
      case 'ack':
        return this.#acknowledged(frame.upTo);
      case 'ping':
        this.#send({ kind: 'pong' });
        return undefined;
      case 'drain':
        this.#isDraining = true;
        return undefined;
    }
  }

  #result({ id, part, last, text }: Of<'result'>): CloseName | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined; // given up before the agent had heard of it
    call.length += text.length;
    this.#heldLength += text.length;
    if (this.#heldLength > heldLengthMax) return 'oversized';
    const joined = call.join(part, last, text);
    if (joined.kind === 'refused') return joined.close;
    if (joined.kind === 'whole') call.settle(outcomeOf(call.method, joined.text));
    return undefined;
  }

  #event({ seq, id, topic, body }: Of<'event'>): CloseName | undefined {
    this.#eventSeq += 1;
    const isOverWindow = this.#eventSeq - this.#eventsAcknowledged > limits.windowMax;
    if (seq !== this.#eventSeq || isOverWindow) return 'unexpected';
    this.#commit(async () => {
      await this.#desk.event(id, topic, body);
      this.#eventsAcknowledged = seq;
      this.#send({ kind: 'ack', upTo: seq });
    });
    return undefined;
  }

  #acknowledged(upTo: number): CloseName | undefined {
    if (upTo > this.#commandSeq) return 'unexpected';
    const done = [...this.#unacknowledged].filter(([seq]) => seq <= upTo);
    for (const [seq] of done) this.#unacknowledged.delete(seq);
    this.#commit(() => this.#desk.received(done.map(([, id]) => id)));
    this.pump();
    return undefined;
  }

  #commit(work: () => Promise<void>): void {
    this.#commits = this.#commits.then(work);
    this.#commits.catch(() => this.close('failed')); // not acknowledged, so it comes again
  }

  /** False when the frame is over the limit; a socket that is gone takes anything. */
  #send(frame: ControlPlaneFrame): boolean {
    if (!this.isOpen) return true;
    const bytes = this.#line.pack(frame);
    if (bytes !== undefined) this.#socket.send(bytes, { binary: true });
    return bytes !== undefined;
  }
}
