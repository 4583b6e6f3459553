import { type CloseName, closeOf, closes } from '@drawbridge/link/closes.ts';
import type { AgentFrame, ControlPlaneFrame } from '@drawbridge/link/frames.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { Method, Reply } from '@drawbridge/link/methods.ts';
import { split } from '@drawbridge/link/parts.ts';
import type { RawData, WebSocket } from 'ws';
import type { Store } from '../store/store.ts';
import type { AgentLine, Handshake } from './handshake.ts';

/** What the agent does for the other end while a session lasts. */
export interface Duties {
  readonly store: Pick<Store, 'events' | 'forget'>;
  serve(method: Method, params: unknown, signal: AbortSignal): Promise<Reply>;
  /** The command is on disk when this returns. */
  accept(id: string, body: unknown): void;
  /** The epoch is on disk when this returns; the server's time tells how far the clock is off. */
  welcome(epoch: number, serverTime: Date): void;
}

export interface Ended {
  /** Undefined when the network ended it, or something between that is not ours. */
  readonly close: CloseName | undefined;
  readonly detail: string;
  readonly wasOpen: boolean;
}

type Call = Extract<ControlPlaneFrame, { kind: 'call' }>;

const silentTicksMax = limits.silenceMs / limits.pingMs;

/**
 * One connection, from the hello to the close. Everything that comes in is hostile until it opens.
 */
export class Session {
  /** Settles once, when the socket is closed. */
  readonly ended: Promise<Ended>;
  readonly #socket: WebSocket;
  readonly #handshake: Handshake;
  readonly #duties: Duties;
  readonly #calls = new Map<string, AbortController>();
  /** Events sent and not acknowledged: sequence number → number in the outbox. */
  readonly #unacknowledged = new Map<number, number>();
  #line: AgentLine | undefined;
  #state: 'greeting' | 'open' | 'draining' = 'greeting';
  #refusal: CloseName | undefined;
  #detail: string | undefined;
  #commandSeq = 0;
  #eventSeq = 0;
  #eventsSentUpTo = 0;
  #silentTicks = 0;
  #idle: (() => void) | undefined;

  constructor(socket: WebSocket, handshake: Handshake, duties: Duties) {
    this.#socket = socket;
    this.#handshake = handshake;
    this.#duties = duties;
    this.ended = this.#begin();
  }

  #begin(): Promise<Ended> {
    const socket = this.#socket;
    const heart = setInterval(() => this.#beat(), limits.pingMs);
    const patience = setTimeout(() => this.#greetingTimedOut(), limits.handshakeMs);
    socket.on('open', () => socket.send(this.#handshake.hello, { binary: false }));
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', (error) => {
      this.#detail ??= error.message;
    });
    return new Promise((resolve) => {
      socket.on('close', (code) => {
        clearInterval(heart);
        clearTimeout(patience);
        for (const call of this.#calls.values()) call.abort();
        const close = this.#refusal ?? closeOf(code);
        const wasOpen = this.#state !== 'greeting';
        const reason = close ? closes[close].reason : `closed with code ${code}`;
        resolve({ close, wasOpen, detail: this.#detail ?? reason });
      });
    });
  }

  /** Sends what waits in the outbox, as far as the window allows. */
  pump(): void {
    if (this.#state === 'greeting') return;
    const room = limits.windowMax - this.#unacknowledged.size;
    if (room <= 0) return;
    for (const event of this.#duties.store.events(this.#eventsSentUpTo, room)) {
      this.#eventSeq += 1;
      this.#eventsSentUpTo = event.number;
      this.#unacknowledged.set(this.#eventSeq, event.number);
      const { id, topic } = event;
      const body = JSON.parse(event.body);
      void this.#send({ kind: 'event', seq: this.#eventSeq, id, topic, body });
    }
  }

  /** Asks for no more calls and resolves when those in hand are answered. */
  async drain(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    await this.#send({ kind: 'drain' });
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

  #greetingTimedOut(): void {
    if (this.#state !== 'greeting') return;
    this.#refusal ??= 'silent';
    this.#socket.terminate();
  }

  #beat(): void {
    if (this.#state === 'greeting') return;
    this.#silentTicks += 1;
    if (this.#silentTicks <= silentTicksMax) {
      void this.#send({ kind: 'ping' });
    } else {
      this.#refusal ??= 'silent';
      this.#socket.terminate(); // a closing handshake would wait for the peer that is gone
    }
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#refusal !== undefined) return;
    this.#silentTicks = 0;
    const bytes = data as Buffer; // the socket's binaryType is the default, nodebuffer
    try {
      const refusal = this.#line ? this.#read(bytes, isBinary) : this.#challenged(bytes);
      if (refusal !== undefined) this.close(refusal);
    } catch (error) {
      // The disk is full or the store is gone: nothing was acknowledged, a later session brings it
      // again.
      this.#detail = (error as Error).message;
      this.close('failed');
    }
  }

  #challenged(bytes: Uint8Array): CloseName | undefined {
    const answer = this.#handshake.answer(bytes);
    if (answer.kind === 'refused') return answer.close;
    this.#socket.send(answer.bytes, { binary: false });
    this.#line = answer.line;
    return undefined;
  }

  #read(bytes: Uint8Array, isBinary: boolean): CloseName | undefined {
    if (!isBinary) return 'unsealed';
    const decoded = this.#line!.unpack(bytes);
    if (decoded.kind === 'refused') return decoded.close;
    const isWelcome = decoded.frame.kind === 'welcome';
    return isWelcome === (this.#state === 'greeting') ? this.#handle(decoded.frame) : 'unexpected';
  }

  #handle(frame: ControlPlaneFrame): CloseName | undefined {
    switch (frame.kind) {
      case 'welcome':
        this.#duties.welcome(frame.epoch, new Date(frame.serverTime));
        this.#state = 'open';
        void this.#send({ kind: 'ready', epoch: frame.epoch });
        this.pump();
        return undefined;
      case 'call':
        if (this.#calls.has(frame.id)) return 'unexpected';
        void this.#serve(frame);
        return undefined;
      case 'cancel':
        this.#calls.get(frame.id)?.abort();
        return undefined;
      case 'command':
        this.#commandSeq += 1;
        if (frame.seq !== this.#commandSeq) return 'unexpected';
        this.#duties.accept(frame.id, frame.body);
        void this.#send({ kind: 'ack', upTo: frame.seq });
        return undefined;
      case 'ack':
        return this.#acknowledged(frame.upTo);
      case 'pong':
        return undefined;
    }
  }

  #acknowledged(upTo: number): CloseName | undefined {
    if (upTo > this.#eventSeq) return 'unexpected';
    const done = [...this.#unacknowledged].filter(([seq]) => seq <= upTo);
    for (const [seq] of done) this.#unacknowledged.delete(seq);
    this.#duties.store.forget(done.map(([, number]) => number));
    this.pump();
    return undefined;
  }

  async #serve({ id, method, params, deadlineMs }: Call): Promise<void> {
    if (this.#calls.size >= limits.callsMax || this.#state === 'draining') {
      const message = 'The agent has as many calls in hand as it takes.';
      return this.#reply(id, fault('agent_busy', message, 'later'));
    }
    const call = new AbortController();
    this.#calls.set(id, call);
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(deadlineMs)]);
    const reply = await this.#duties.serve(method, params, signal);
    if (!call.signal.aborted) await this.#reply(id, reply);
    this.#calls.delete(id);
    if (this.#calls.size === 0) this.#idle?.();
  }

  async #reply(id: string, reply: Reply): Promise<void> {
    const whole = JSON.stringify(reply);
    if (whole.length > limits.resultLengthMax) {
      const message = 'The answer of the source is over the limit of a result.';
      return this.#reply(id, fault('result_too_large', message, 'never'));
    }
    const parts = split(whole);
    for (const [part, text] of parts.entries()) {
      // One at a time: a large document must not fill the memory, nor keep pings waiting.
      await this.#send({ kind: 'result', id, part, last: part === parts.length - 1, text });
    }
  }

  /** Resolves when the socket has taken the frame, also when the socket is already gone. */
  #send(frame: AgentFrame): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.resolve();
    const bytes = this.#line!.pack(frame);
    if (bytes === undefined) throw new Error(`a ${frame.kind} frame is over the limit`);
    return new Promise((resolve) => this.#socket.send(bytes, { binary: true }, () => resolve()));
  }
}

function fault(code: string, message: string, retry: 'never' | 'later'): Reply {
  return { kind: 'fault', fault: { code, message, retry } };
}
