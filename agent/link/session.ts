import type { AgentStatus } from '@drawbridge/link/agent-status.ts';
import { type CloseReason, closeReasonOf, closeReasons } from '@drawbridge/link/close-reasons.ts';
import type { ConfirmedSource, DocumentsRead } from '@drawbridge/link/documents.ts';
import type { AgentFrame, ControlPlaneFrame } from '@drawbridge/link/frames.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { Method, Reply } from '@drawbridge/link/methods.ts';
import { split } from '@drawbridge/link/parts.ts';
import { SendWindow } from '@drawbridge/link/send-window.ts';
import type { Topic } from '@drawbridge/link/topics.ts';
import { agentKeyChangeVersion, batchVersion, statusVersion } from '@drawbridge/link/version.ts';
import type { RawData, WebSocket } from 'ws';
import { meaningOf } from '../network/faults.ts';
import { mayPass } from '../store/disk-space.ts';
import type { OutboxBatch, Store } from '../store/store.ts';
import type { AgentCodec, Handshake } from './handshake.ts';

/** What the agent does with the frames of a session. */
export interface SessionHandlers {
  readonly store: Pick<Store, 'events' | 'batches' | 'forget'>;
  serve(method: Method, params: unknown, signal: AbortSignal): Promise<Reply>;
  /** The command is on disk when this returns. */
  accept(id: string, body: unknown): void;
  /**
   * The epoch is on disk when this returns; the server's time tells how far the clock is off, `stored`
   * what the control plane has of each source. Before version 4 it does not say.
   */
  welcome(epoch: number, serverTime: Date, stored: readonly ConfirmedSource[] | undefined): void;
  /**
   * The control plane's new key is on disk when this returns true; false when the trusted key did not
   * sign it, and then nothing has changed.
   */
  trust(publicKey: string, signature: string): boolean;
  /** The agent's next key, which the control plane is to be told; undefined when there is none. */
  keyChange(): { readonly publicKey: string; readonly signature: string } | undefined;
  /** The control plane knows the agent by this key; false when it is none of the agent's. */
  knownBy(publicKey: string): boolean;
  /** How the agent is, if that is to be told now. */
  status(): AgentStatus | undefined;
  /** The link is open and was looked at; called every `limits.pingMs`. */
  alive(): void;
  /** The store cannot be used any more. */
  failed(error: unknown): void;
}

export interface SessionEnd {
  /** Undefined when the network, or a proxy on the way, ended the session. */
  readonly close: CloseReason | undefined;
  readonly detail: string;
  readonly wasOpen: boolean;
}

type Call = Extract<ControlPlaneFrame, { kind: 'call' }>;

/** Room of the window that batches leave to other events, which are never to wait for them. */
const batchlessRoom = limits.windowMax / 4;

const silentHeartbeatsMax = limits.silenceMs / limits.pingMs;

/**
 * One connection, from the hello to the close. A frame is not trusted until its seal opens.
 */
export class Session {
  /** Settles once, when the socket is closed. */
  readonly ended: Promise<SessionEnd>;
  readonly #socket: WebSocket;
  readonly #handshake: Handshake;
  readonly #handlers: SessionHandlers;
  readonly #calls = new Map<string, AbortController>();
  /** Numbers in the outbox of the sent events; undefined for a part that is not the last of its batch. */
  readonly #sentEvents = new SendWindow<number | undefined>();
  #codec: AgentCodec | undefined;
  #version = 0;
  #agentKey = '';
  #state: 'greeting' | 'open' | 'draining' = 'greeting';
  #refusal: CloseReason | undefined;
  #detail: string | undefined;
  #commandSeq = 0;
  #eventsSentUpTo = 0;
  #batchesSentUpTo = 0;
  /** Of this session: what was sent, and what may be. */
  readonly #sent = { documents: 0, bytes: 0 };
  #credit = { documents: 0, bytes: 0 };
  #silentHeartbeats = 0;
  #idle: (() => void) | undefined;

  constructor(socket: WebSocket, handshake: Handshake, handlers: SessionHandlers) {
    this.#socket = socket;
    this.#handshake = handshake;
    this.#handlers = handlers;
    this.ended = this.#begin();
  }

  #begin(): Promise<SessionEnd> {
    const socket = this.#socket;
    const heartbeatTimer = setInterval(() => this.#heartbeat(), limits.pingMs);
    const handshakeTimer = setTimeout(() => this.#handshakeTimedOut(), limits.handshakeMs);
    socket.on('open', () => socket.send(this.#handshake.hello, { binary: false }));
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', (error) => {
      this.#detail ??= meaningOf(error);
    });
    return new Promise((resolve) => {
      socket.on('close', (code) => {
        clearInterval(heartbeatTimer);
        clearTimeout(handshakeTimer);
        for (const call of this.#calls.values()) call.abort();
        const close = this.#refusal ?? closeReasonOf(code);
        const wasOpen = this.#state !== 'greeting';
        const reason = close ? closeReasons[close].reason : `closed with code ${code}`;
        resolve({ close, wasOpen, detail: this.#detail ?? reason });
      });
    });
  }

  /** Sends the events of the outbox, as many as window and credit allow. */
  sendEvents(): void {
    if (this.#state === 'greeting') return;
    const { room } = this.#sentEvents;
    if (room <= 0) return;
    for (const event of this.#handlers.store.events(this.#eventsSentUpTo, room)) {
      this.#eventsSentUpTo = event.number;
      const seq = this.#sentEvents.add(event.number);
      const { id, topic } = event;
      const body = JSON.parse(event.body);
      void this.#send({ kind: 'event', seq, id, topic, body });
    }
    this.#sendBatches();
  }

  /** One at a time, so that no more of them are in memory than are sent. */
  #sendBatches(): void {
    while (this.#sentEvents.room > batchlessRoom) {
      const [batch] = this.#handlers.store.batches(this.#batchesSentUpTo, 1);
      if (batch === undefined || !this.#isWithinCredit(batch)) return;
      this.#batchesSentUpTo = batch.number;
      this.#sent.documents += batch.documents;
      this.#sent.bytes += batch.content.length;
      if (this.#version >= batchVersion) this.#sendContent(batch);
      else this.#sendRefs(batch);
    }
  }

  #isWithinCredit({ documents, content }: OutboxBatch): boolean {
    if (this.#version < batchVersion) return true;
    return (
      this.#sent.documents + documents <= this.#credit.documents &&
      this.#sent.bytes + content.length <= this.#credit.bytes
    );
  }

  #sendContent({ number, id, topic, body: text, content }: OutboxBatch): void {
    const body = { ...JSON.parse(text), content: content.toString('base64') };
    void this.#send({ kind: 'event', seq: this.#sentEvents.add(number), id, topic, body });
  }

  /** An older control plane is told the refs, as many at once as it takes, and asks for the documents. */
  #sendRefs({ number, id, body: text }: OutboxBatch): void {
    const { connector, refs } = JSON.parse(text) as DocumentsRead;
    const topic: Topic = 'documents.changed';
    for (let start = 0; start < refs.length; start += limits.refsMax) {
      const body = { connector, refs: refs.slice(start, start + limits.refsMax) };
      const isLast = start + limits.refsMax >= refs.length;
      const seq = this.#sentEvents.add(isLast ? number : undefined);
      void this.#send({ kind: 'event', seq, id: start === 0 ? id : `${id}-${start}`, topic, body });
    }
  }

  /** Tells the agent's next key, if there is one; an older control plane is not told. */
  sendKey(): void {
    if (this.#state !== 'open' || this.#version < agentKeyChangeVersion) return;
    const change = this.#handlers.keyChange();
    if (change !== undefined) void this.#send({ kind: 'key', ...change });
  }

  /** Tells how the agent is, if that is news; an older control plane is not told. */
  sendStatus(): void {
    if (this.#state !== 'open' || this.#version < statusVersion) return;
    const body = this.#handlers.status();
    if (body !== undefined) void this.#send({ kind: 'status', body });
  }

  /** Asks for no more calls and resolves when those under way are answered. */
  async drain(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    await this.#send({ kind: 'drain' });
    if (this.#calls.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  close(name: CloseReason): void {
    this.#refusal ??= name;
    this.#socket.close(closeReasons[name].code, closeReasons[name].reason);
    setTimeout(() => this.#socket.terminate(), limits.closeMs).unref();
  }

  #handshakeTimedOut(): void {
    if (this.#state !== 'greeting') return;
    this.#refusal ??= 'silent';
    this.#socket.terminate();
  }

  #heartbeat(): void {
    if (this.#state === 'greeting') return;
    this.#handlers.alive();
    this.#silentHeartbeats += 1;
    if (this.#silentHeartbeats <= silentHeartbeatsMax) {
      void this.#send({ kind: 'ping' });
      this.sendStatus();
    } else {
      this.#refusal ??= 'silent';
      this.#socket.terminate(); // a closing handshake would wait for a peer that is gone
    }
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#refusal !== undefined) return;
    this.#silentHeartbeats = 0;
    const bytes = data as Buffer; // the socket's binaryType is the default, nodebuffer
    try {
      const refusal = this.#codec ? this.#read(bytes, isBinary) : this.#challenged(bytes);
      if (refusal !== undefined) this.close(refusal);
    } catch (error) {
      // Nothing was acknowledged, so the control plane sends it again in a later session.
      this.#detail = (error as Error).message;
      this.close('failed');
      if (!mayPass(error)) this.#handlers.failed(error);
    }
  }

  #challenged(bytes: Uint8Array): CloseReason | undefined {
    const answer = this.#handshake.answer(bytes);
    if (answer.kind === 'refused') return answer.close;
    this.#socket.send(answer.bytes, { binary: false });
    this.#codec = answer.codec;
    this.#version = answer.version;
    this.#agentKey = answer.agentKey;
    return undefined;
  }

  #read(bytes: Uint8Array, isBinary: boolean): CloseReason | undefined {
    if (!isBinary) return 'unsealed';
    const decoded = this.#codec!.unpack(bytes);
    if (decoded.kind === 'refused') return decoded.close;
    const isWelcome = decoded.frame.kind === 'welcome';
    return isWelcome === (this.#state === 'greeting') ? this.#handle(decoded.frame) : 'unexpected';
  }

  #handle(frame: ControlPlaneFrame): CloseReason | undefined {
    switch (frame.kind) {
      case 'welcome':
        this.#handlers.welcome(frame.epoch, new Date(frame.serverTime), frame.sources);
        this.#handlers.knownBy(this.#agentKey);
        this.#state = 'open';
        void this.#send({ kind: 'ready', epoch: frame.epoch });
        this.sendKey();
        this.sendStatus();
        this.sendEvents();
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
        this.#handlers.accept(frame.id, frame.body);
        void this.#send({ kind: 'ack', upTo: frame.seq });
        return undefined;
      case 'ack':
        return this.#acknowledged(frame.upTo);
      case 'credit':
        this.#credit = frame;
        this.sendEvents();
        return undefined;
      case 'pong':
        return undefined;
      case 'identity':
        if (!this.#handlers.trust(frame.publicKey, frame.signature)) return 'unsigned_identity';
        void this.#send({ kind: 'trusts', publicKey: frame.publicKey });
        return undefined;
      case 'knows':
        return this.#handlers.knownBy(frame.publicKey) ? undefined : 'unexpected';
    }
  }

  #acknowledged(upTo: number): CloseReason | undefined {
    const done = this.#sentEvents.acknowledge(upTo);
    if (done === undefined) return 'unexpected';
    const numbers = done.filter((number) => number !== undefined);
    this.#handlers.store.forget(numbers, this.#version >= batchVersion);
    this.sendEvents();
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
    const reply = await this.#handlers.serve(method, params, signal);
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
      // One part at a time, so that a large document neither fills the memory nor delays pings.
      await this.#send({ kind: 'result', id, part, last: part === parts.length - 1, text });
    }
  }

  /** Resolves when the socket has taken the frame, or is gone. */
  #send(frame: AgentFrame): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.resolve();
    const bytes = this.#codec!.pack(frame);
    if (bytes === undefined) throw new Error(`a ${frame.kind} frame is over the limit`);
    return new Promise((resolve) => this.#socket.send(bytes, { binary: true }, () => resolve()));
  }
}

function fault(code: string, message: string, retry: 'never' | 'later'): Reply {
  return { kind: 'fault', fault: { code, message, retry } };
}
