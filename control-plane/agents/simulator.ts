import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { transcript } from '@drawbridge/link/challenge.ts';
import { decodeChallenge, encode } from '@drawbridge/link/codec.ts';
import { type EnrolmentToken, readToken, sealEnrolment } from '@drawbridge/link/enrolment.ts';
import type { AgentFrame, ControlPlaneFrame } from '@drawbridge/link/frames.ts';
import { split } from '@drawbridge/link/parts.ts';
import { createSeal, sessionKeys } from '@drawbridge/link/seal.ts';
import { agentCodec } from '@drawbridge/link/sealed-codec.ts';
import { sign, verifies } from '@drawbridge/link/signature.ts';
import { identityChangeVersion, supported } from '@drawbridge/link/version.ts';
import nacl from 'tweetnacl';
import { WebSocket } from 'ws';
import type { RandomBytes } from '../platform/ids.ts';

/** Who a simulated agent is. */
export interface AgentCredentials {
  readonly agentId: string;
  readonly publicKey: string;
  readonly secretKey: Uint8Array;
  readonly controlPlaneKey: string;
}

/** An agent's end of the link; a test says what it does. */
export interface SimulatedAgent {
  readonly socket: WebSocket;
  send(frame: AgentFrame): void;
  /** The sealed bytes of a frame, for a test that sends them itself. */
  pack(frame: AgentFrame): Uint8Array;
  /** Answers a call, in parts when the result is long. */
  answer(callId: string, result: unknown): void;
  /** Resolves with the next frame of that kind and skips others. */
  next<K extends ControlPlaneFrame['kind']>(
    kind: K,
  ): Promise<Extract<ControlPlaneFrame, { kind: K }>>;
  /** Kinds of the frames that `next` has skipped. */
  readonly skipped: readonly string[];
  /** Resolves with the code of the close. */
  readonly closed: Promise<number>;
}

/** The body of an enrolment with a token, by an agent with that key. */
export function enrolmentBody(token: string, publicKey: string, hostname = 'host') {
  const { secret, controlPlaneKey } = readToken(token) as EnrolmentToken;
  const content = { token: secret, publicKey, hostname, software: '0.1.0' };
  const random = (length: number) => new Uint8Array(randomBytes(length));
  const sealed = sealEnrolment(controlPlaneKey, content, random)!;
  return { control_plane_key: controlPlaneKey, sealed };
}

export interface DialOptions {
  readonly epoch?: number;
  readonly versions?: { min: number; max: number };
  /** Signs the proof; the agent's own key when left out. */
  readonly secretKey?: Uint8Array;
}

/** Dials, sends the hello and the proof, and does not wait for the welcome. */
export async function dial(
  linkUrl: string,
  credentials: AgentCredentials,
  random: RandomBytes,
  { epoch = 0, versions = supported, secretKey = credentials.secretKey }: DialOptions = {},
): Promise<SimulatedAgent> {
  const { controlPlaneKey } = credentials;
  const socket = new WebSocket(linkUrl);
  const messages = incoming(socket);
  const closed = once(socket, 'close').then(([code]) => code as number);
  const keys = sessionKeys((length) => new Uint8Array(random(length)));
  const hello = {
    kind: 'hello' as const,
    agentId: credentials.agentId,
    software: '0.0.0',
    epoch,
    versions,
    sessionKey: keys.publicKey,
    ...(versions.max >= identityChangeVersion && { controlPlaneKey }),
  };
  await once(socket, 'open');
  socket.send(encode(hello)!, { binary: false });
  const first = await Promise.race([messages.next(), closed]);
  if (typeof first === 'number') return closedAgent(socket, closed);
  const challenge = decodeChallenge(first);
  if (challenge.kind === 'refused') throw new Error(challenge.close);
  const ends = { agent: credentials.publicKey, controlPlane: controlPlaneKey };
  const { signature } = challenge.frame;
  const theirs = transcript('control-plane', ends, hello, challenge.frame);
  if (!verifies(theirs, signature, controlPlaneKey)) throw new Error('another control plane');
  const digest = transcript('agent', ends, hello, challenge.frame);
  socket.send(encode({ kind: 'proof', signature: sign(digest, secretKey) })!, { binary: false });
  const { version, sessionKey } = challenge.frame;
  const line = agentCodec(createSeal('agent', version, keys, sessionKey));
  const skipped: string[] = [];
  return {
    socket,
    closed,
    skipped,
    pack: (frame) => line.pack(frame)!,
    send: (frame) => socket.send(line.pack(frame)!),
    answer(id, result) {
      const parts = split(JSON.stringify({ kind: 'ok', result }));
      for (const [part, text] of parts.entries()) {
        const last = part === parts.length - 1;
        socket.send(line.pack({ kind: 'result', id, part, last, text })!);
      }
    },
    async next(kind) {
      for (;;) {
        const unpacked = line.unpack(await messages.next());
        if (unpacked.kind === 'refused') throw new Error(unpacked.close);
        if (unpacked.frame.kind === kind) {
          return unpacked.frame as Extract<ControlPlaneFrame, { kind: typeof kind }>;
        }
        skipped.push(unpacked.frame.kind);
      }
    },
  };
}

/** A fresh Ed25519 pair. */
export function newKeys(): { publicKey: string; secretKey: Uint8Array } {
  const { publicKey, secretKey } = nacl.sign.keyPair();
  return { publicKey: Buffer.from(publicKey).toString('base64'), secretKey };
}

function closedAgent(socket: WebSocket, closed: Promise<number>): SimulatedAgent {
  const fail = () => {
    throw new Error('the control plane has hung up');
  };
  const never = { send: fail, answer: fail, pack: fail, next: async () => fail() };
  return { socket, closed, skipped: [], ...never };
}

function incoming(socket: WebSocket): { next(): Promise<Uint8Array> } {
  const held: Uint8Array[] = [];
  const takers: ((bytes: Uint8Array) => void)[] = [];
  socket.on('message', (data) => {
    const taker = takers.shift();
    if (taker) taker(data as Buffer);
    else held.push(data as Buffer);
  });
  return {
    next() {
      const bytes = held.shift();
      return bytes ? Promise.resolve(bytes) : new Promise((resolve) => takers.push(resolve));
    },
  };
}
