import { type AgentStatus, readAgentStatus } from '@drawbridge/link/agent-status.ts';
import { type CloseReason, closeReasons } from '@drawbridge/link/close-reasons.ts';
import { encode } from '@drawbridge/link/codec.ts';
import type { ConfirmedSource } from '@drawbridge/link/documents.ts';
import type { AgentFrame, ControlPlaneFrame } from '@drawbridge/link/frames.ts';
import { agentKeyChange } from '@drawbridge/link/identity-change.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { Method } from '@drawbridge/link/methods.ts';
import { createJoiner } from '@drawbridge/link/parts.ts';
import { SendWindow } from '@drawbridge/link/send-window.ts';
import { verifies } from '@drawbridge/link/signature.ts';
import {
  agentKeyChangeVersion,
  batchVersion,
  discoveryVersion,
  rejectionVersion,
  statusVersion,
} from '@drawbridge/link/version.ts';
import type { RawData, WebSocket } from 'ws';
import { type CallOptions, type CallOutcome, faultOutcome } from './agent-call.ts';
import { type Amount, type NodeCredit, SessionCredit } from './credit.ts';
import type { ControlPlaneCodec } from './handshake.ts';
import type { CommandRow } from './store.ts';
import type { TrustedKey } from './trusted-key.ts';

/** What a session saves; each call has committed when it resolves. */
export interface SessionPersistence {
  ready(epoch: number): Promise<void>;
  /** Unfinished commands numbered above `after`. */
  commands(after: number, max: number): Promise<CommandRow[]>;
  received(ids: string[]): Promise<void>;
  event(id: string, topic: string, body: unknown): Promise<void>;
  /** The command is too large for a frame, and is not sent. */
  commandTooLarge(id: string): Promise<void>;
  /** How the agent is now. */
  status(status: AgentStatus): Promise<void>;
  /** The agent has stored this key of the control plane. */
  trusts(publicKey: string): Promise<void>;
  /** The agent is known by this key from now on. Rejects when a newer session has taken its place. */
  key(publicKey: string): Promise<void>;
}

/** The first version in which an agent knows a method; from the first on where none stands here. */
const firstVersions: Readonly<Partial<Record<Method, number>>> = {
  'connector.reject': rejectionVersion,
  'connector.discover': discoveryVersion,
};

interface PendingCall {
  readonly method: Method;
  readonly join: ReturnType<typeof createJoiner>;
  length: number;
  settle(outcome: CallOutcome): void;
}

/** What a session is opened with. */
export interface Welcome {
  readonly id: string;
  readonly agentId: string;
  /** The agent's own, which it has proven. */
  readonly agentKey: string;
  readonly epoch: number;
  readonly serverTime: Date;
  /** The version agreed. */
  readonly version: number;
  /** What is stored of the agent's sources. */
  readonly sources: readonly ConfirmedSource[];
}

type Of<K extends AgentFrame['kind']> = Extract<AgentFrame, { kind: K }>;

/** The most characters of unfinished results that are held for one agent. */
export const unfinishedLengthMax = 2 * limits.resultLengthMax;

/** Room for unfinished results, of which other agents of the tenant and of this node have a part. */
export interface ResultRoom {
  take(length: number): boolean;
  giveBack(length: number): void;
}

/** One linked agent, from the welcome to the close. */
export class AgentSession {
  readonly id: string;
  readonly epoch: number;
  /** Settles once, when the socket is closed; undefined when the agent or the network ended it. */
  readonly ended: Promise<CloseReason | undefined>;
  readonly #socket: WebSocket;
  readonly #codec: ControlPlaneCodec;
  readonly #persistence: SessionPersistence;
  readonly #trustedKey: TrustedKey;
  readonly #credit: SessionCredit;
  readonly #resultRoom: ResultRoom;
  readonly #readAnswer: (method: Method, text: string) => Promise<CallOutcome>;
  readonly #version: number;
  readonly #agentId: string;
  #agentKey: string;
  readonly #calls = new Map<string, PendingCall>();
  /** Ids of the sent commands. */
  readonly #sentCommands = new SendWindow<string>();
  #refusal: CloseReason | undefined;
  #isReady = false;
  #isDraining = false;
  #silenceTimer: NodeJS.Timeout | undefined;
  #callCount = 0;
  #unfinishedLength = 0;
  #commandsSentUpTo = 0;
  #isSendingCommands = false;
  #sendCommandsAgain = false;
  #unsavedStatus: AgentStatus | undefined;
  #eventSeq = 0;
  #eventsAcknowledged = 0;
  /** Commits run one after the other, in order. */
  #commits: Promise<void> = Promise.resolve();
  #idle: (() => void) | undefined;

  constructor(
    socket: WebSocket,
    line: ControlPlaneCodec,
    persistence: SessionPersistence,
    trustedKey: TrustedKey,
    credit: NodeCredit,
    resultRoom: ResultRoom,
    readAnswer: (method: Method, text: string) => Promise<CallOutcome>,
    { id, agentId, agentKey, epoch, serverTime, version, sources }: Welcome,
  ) {
    this.id = id;
    this.epoch = epoch;
    this.#socket = socket;
    this.#codec = line;
    this.#persistence = persistence;
    this.#trustedKey = trustedKey;
    this.#agentId = agentId;
    this.#agentKey = agentKey;
    this.#version = version;
    this.#resultRoom = resultRoom;
    this.#readAnswer = readAnswer;
    this.#credit = new SessionCredit(credit, (granted) =>
      this.#send({ kind: 'credit', ...granted }),
    );
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    this.ended = new Promise((resolve) => {
      const end = () => {
        clearTimeout(this.#silenceTimer);
        this.#credit.end();
        for (const call of this.#calls.values()) call.settle({ kind: 'offline' });
        resolve(this.#refusal);
      };
      // The socket may have closed while the session was saved; then no further event comes.
      if (socket.readyState === socket.CLOSED) end();
      else socket.on('close', end);
    });
    if (!this.isOpen) return;
    this.#restartSilenceTimer();
    const known = version >= batchVersion && { sources: [...sources] };
    const at = serverTime.toISOString();
    this.#send({ kind: 'welcome', sessionId: id, serverTime: at, epoch, ...known });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Calls the agent; always resolves, at the deadline at the latest. */
  call(method: Method, params: unknown, { signal, deadlineMs }: CallOptions): Promise<CallOutcome> {
    if (this.#isDraining || !this.isOpen) return Promise.resolve({ kind: 'offline' });
    if (signal?.aborted) return Promise.resolve({ kind: 'timeout' });
    if (this.#calls.size >= limits.callsMax) {
      return Promise.resolve(faultOutcome('agent_busy', 'The agent is busy.', 'later'));
    }
    if (this.#version < (firstVersions[method] ?? 1)) {
      const message = 'The bridge agent is too old for this: upgrade it.';
      return Promise.resolve(faultOutcome('agent_too_old', message, 'later'));
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
      const held = this.#calls.get(id)?.length ?? 0;
      this.#unfinishedLength -= held;
      this.#resultRoom.giveBack(held);
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

  /** Sends waiting commands, as many as the window allows. */
  sendCommands(): void {
    if (this.#isSendingCommands) {
      this.#sendCommandsAgain = true;
      return;
    }
    this.#isSendingCommands = true;
    this.#sendCommandsOnce()
      .catch(() => this.close('failed')) // the database did not answer: the next session sends them
      .finally(() => {
        this.#isSendingCommands = false;
        if (this.#sendCommandsAgain) {
          this.#sendCommandsAgain = false;
          this.sendCommands();
        }
      });
  }

  /** The control plane's key that the agent trusts. */
  trusts(): string {
    return this.#trustedKey.current();
  }

  /** Sends the newest key of the control plane, if the agent is to follow to it now. */
  sendIdentity(): void {
    if (!this.#isReady || this.#refusal !== undefined) return;
    const change = this.#trustedKey.change();
    if (change) this.#send(change);
  }

  /** Takes no further calls and resolves when those under way are settled. */
  async drain(): Promise<void> {
    this.#isDraining = true;
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

  async #sendCommandsOnce(): Promise<void> {
    const { room } = this.#sentCommands;
    if (room <= 0 || this.#isDraining || this.#refusal !== undefined) return;
    for (const { number, id, params } of await this.#persistence.commands(
      this.#commandsSentUpTo,
      room,
    )) {
      this.#commandsSentUpTo = number;
      // Left out it would leave a gap, for which the agent ends the link.
      if (
        encode({ kind: 'command', seq: Number.MAX_SAFE_INTEGER, id, body: params }) === undefined
      ) {
        await this.#persistence.commandTooLarge(id);
        continue;
      }
      this.#send({ kind: 'command', seq: this.#sentCommands.add(id), id, body: params });
    }
  }

  #restartSilenceTimer(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => {
      this.#refusal ??= 'silent';
      this.#socket.terminate(); // a closing handshake would wait for the agent that is gone
    }, limits.silenceMs);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#refusal !== undefined) return;
    this.#restartSilenceTimer();
    const refusal = this.#read(data as Buffer, isBinary);
    if (refusal !== undefined) this.close(refusal);
  }

  #read(bytes: Uint8Array, isBinary: boolean): CloseReason | undefined {
    if (!isBinary) return 'unsealed';
    const decoded = this.#codec.unpack(bytes);
    return decoded.kind === 'refused' ? decoded.close : this.#handle(decoded.frame);
  }

  #handle(frame: AgentFrame): CloseReason | undefined {
    switch (frame.kind) {
      case 'ready':
        if (frame.epoch !== this.epoch) return 'unexpected';
        this.#commit(() => this.#persistence.ready(frame.epoch));
        this.#isReady = true;
        if (this.#version >= batchVersion) this.#credit.begin();
        this.sendIdentity();
        this.sendCommands();
        return undefined;
      case 'result':
        return this.#result(frame);
      case 'event':
        return this.#event(frame);
      case 'ack':
        return this.#acknowledged(frame.upTo);
      case 'trusts':
        if (!this.#trustedKey.accept(frame.publicKey)) return 'unexpected';
        this.#commit(() => this.#persistence.trusts(frame.publicKey));
        this.sendIdentity(); // there may be a newer one by now
        return undefined;
      case 'key':
        return this.#key(frame);
      case 'ping':
        this.#send({ kind: 'pong' });
        return undefined;
      case 'status':
        if (this.#version < statusVersion) return 'unexpected';
        this.#status(frame.body);
        return undefined;
      case 'drain':
        this.#isDraining = true;
        return undefined;
    }
  }

  #result({ id, part, last, text }: Of<'result'>): CloseReason | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined; // given up before it was sent
    if (!this.#resultRoom.take(text.length)) {
      this.#send({ kind: 'cancel', id });
      call.settle(faultOutcome('agent_busy', noRoom, 'later'));
      return undefined;
    }
    call.length += text.length;
    this.#unfinishedLength += text.length;
    if (this.#unfinishedLength > unfinishedLengthMax) return 'oversized';
    const joined = call.join(part, last, text);
    if (joined.kind === 'refused') return joined.close;
    if (joined.kind !== 'whole') return undefined;
    // Nothing reads any more on a node that closes; another one makes the call again.
    const unread = () => call.settle({ kind: 'offline' });
    this.#readAnswer(call.method, joined.text).then(call.settle, unread);
    return undefined;
  }

  #event({ seq, id, topic, body }: Of<'event'>): CloseReason | undefined {
    this.#eventSeq += 1;
    const isOverWindow = this.#eventSeq - this.#eventsAcknowledged > limits.windowMax;
    if (seq !== this.#eventSeq || isOverWindow) return 'unexpected';
    const amount = topic === 'documents.read' ? amountOf(body) : nothing;
    if (!this.#credit.receive(amount)) return 'over_credit';
    this.#commit(async () => {
      await this.#persistence.event(id, topic, body);
      if (amount !== nothing) this.#credit.stored(amount);
      this.#eventsAcknowledged = seq;
      this.#send({ kind: 'ack', upTo: seq });
    });
    return undefined;
  }

  /** Of an agent that did not hear the answer it comes again, and then there is nothing to change. */
  #key({ publicKey, signature }: Of<'key'>): CloseReason | undefined {
    if (this.#version < agentKeyChangeVersion) return 'unexpected';
    const present = this.#agentKey;
    const digest = agentKeyChange(this.#agentId, present, publicKey);
    if (publicKey !== present && !verifies(digest, signature, publicKey))
      return 'unsigned_identity';
    this.#agentKey = publicKey;
    this.#commit(async () => {
      if (publicKey !== present) await this.#persistence.key(publicKey);
      this.#send({ kind: 'knows', publicKey });
    });
    return undefined;
  }

  /** Only the newest is kept: an agent that sends many waits for nobody, and makes one statement of them. */
  #status(body: unknown): void {
    const status = readAgentStatus(body);
    if (status === undefined) return;
    const isWaiting = this.#unsavedStatus !== undefined;
    this.#unsavedStatus = status;
    if (isWaiting) return;
    this.#commit(async () => {
      const newest = this.#unsavedStatus!;
      this.#unsavedStatus = undefined;
      await this.#persistence.status(newest);
    });
  }

  #acknowledged(upTo: number): CloseReason | undefined {
    const done = this.#sentCommands.acknowledge(upTo);
    if (done === undefined) return 'unexpected';
    this.#commit(() => this.#persistence.received([...done]));
    this.sendCommands();
    return undefined;
  }

  #commit(work: () => Promise<void>): void {
    this.#commits = this.#commits.then(work);
    this.#commits.catch(() => this.close('failed')); // not acknowledged, so the agent sends it again
  }

  /** Sends a frame; false when it is over the limit. On a closed socket it does nothing. */
  #send(frame: ControlPlaneFrame): boolean {
    if (!this.isOpen) return true;
    const bytes = this.#codec.pack(frame);
    if (bytes !== undefined) this.#socket.send(bytes, { binary: true });
    return bytes !== undefined;
  }
}

const noRoom = 'Large answers of bridge agents are being read already: ask again when they are.';

const nothing: Amount = { documents: 0, bytes: 0 };

/** What a batch takes of the credit, whether it reads or not. */
function amountOf(body: unknown): Amount {
  const { refs, content } = (body ?? {}) as { refs?: unknown; content?: unknown };
  return {
    documents: Array.isArray(refs) ? refs.length : 0,
    bytes: typeof content === 'string' ? Buffer.byteLength(content, 'base64') : 0,
  };
}
