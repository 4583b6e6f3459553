import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toBase64 } from '@drawbridge/link/bytes.ts';
import { transcript } from '@drawbridge/link/challenge.ts';
import { type CloseReason, closeReasons } from '@drawbridge/link/close-reasons.ts';
import { decodeHello, decodeProof, encode } from '@drawbridge/link/codec.ts';
import {
  type Enrolment,
  openEnrolment,
  signAnswer,
  tokenText,
} from '@drawbridge/link/enrolment.ts';
import type { AgentFrame, ControlPlaneFrame, Hello } from '@drawbridge/link/frames.ts';
import { identityChange } from '@drawbridge/link/identity-change.ts';
import { createSeal, sessionKeys } from '@drawbridge/link/seal.ts';
import { controlPlaneCodec } from '@drawbridge/link/sealed-codec.ts';
import { sign, verifies } from '@drawbridge/link/signature.ts';
import { batchVersion, supported } from '@drawbridge/link/version.ts';
import nacl from 'tweetnacl';
import { type WebSocket, WebSocketServer } from 'ws';

/** A control plane's end of the link on this host; a test says what it does. */
export interface Simulator {
  readonly url: string;
  /** Resolves with the next agent whose handshake is done. */
  nextPeer(): Promise<Peer>;
  readonly enrolments: Enrolment[];
  /** A token with this secret that names its key. */
  tokenOf(secret: string): string;
  /** Good for as many enrolments as a test makes. */
  goodToken(): string;
  /** When set, every later handshake ends with this reason. */
  refusal: CloseReason | undefined;
  /** Who it is at the next handshake and enrolment; a test may replace it. */
  identity: nacl.SignKeyPair;
  /** What it grants to an agent of version 4 at once; undefined: nothing. */
  credit: { documents: number; bytes: number } | undefined;
  /** The newest version that it speaks. */
  versionMax: number;
  close(): Promise<void>;
}

/** The frame that makes `next` the trusted key; `signed` is what is signed, by `signer`. */
export function identityFrame(
  signer: nacl.SignKeyPair,
  next: nacl.SignKeyPair,
  signed = identityChange(toBase64(signer.publicKey), toBase64(next.publicKey)),
): Extract<ControlPlaneFrame, { kind: 'identity' }> {
  const signature = sign(signed, signer.secretKey);
  return { kind: 'identity', publicKey: toBase64(next.publicKey), signature };
}

/** An agent that is linked. */
export interface Peer {
  readonly hello: Hello;
  readonly socket: WebSocket;
  send(frame: ControlPlaneFrame): void;
  /** The sealed bytes of a frame, for a test that sends them itself. */
  pack(frame: ControlPlaneFrame): Uint8Array;
  /** Resolves with the oldest frame of that kind that was not yet taken, or the next to come. */
  next<K extends AgentFrame['kind']>(kind: K): Promise<Extract<AgentFrame, { kind: K }>>;
  /** Resolves with the code of the close. */
  readonly closed: Promise<number>;
}

export async function startSimulator(clock = () => new Date()): Promise<Simulator> {
  const agentKeys = new Map<string, string>();
  const peers: Peer[] = [];
  const waiting: ((peer: Peer) => void)[] = [];
  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(404).end();
      const { sealed } = JSON.parse(body) as { sealed: string };
      const { secretKey } = simulator.identity;
      const enrolment = openEnrolment(secretKey, sealed);
      if (enrolment?.token !== 'good-token') return void response.writeHead(401).end('{}');
      simulator.enrolments.push(enrolment);
      const agentId = `agt_${simulator.enrolments.length}`;
      agentKeys.set(agentId, enrolment.publicKey);
      const linkUrl = `${simulator.url.replace('http', 'ws')}/v1/agents/link`;
      const signature = signAnswer(secretKey, sealed, { agentId, linkUrl });
      const answer = { agent_id: agentId, link_url: linkUrl, signature };
      response.writeHead(201).end(JSON.stringify(answer));
    });
  });
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  const simulator: Simulator = {
    url: '',
    enrolments: [],
    tokenOf: (secret) => {
      return tokenText({ secret, controlPlaneKey: toBase64(simulator.identity.publicKey) });
    },
    goodToken: () => simulator.tokenOf('good-token'),
    refusal: undefined,
    identity: nacl.sign.keyPair(),
    credit: { documents: 1_000_000, bytes: 1_000_000_000 },
    versionMax: supported.max,
    nextPeer: () => {
      const peer = peers.shift();
      return peer ? Promise.resolve(peer) : new Promise((resolve) => waiting.push(resolve));
    },
    async close() {
      for (const socket of server.clients) socket.terminate();
      http.close();
      await once(http, 'close');
    },
  };
  server.on('connection', async (socket) => {
    const refusal = simulator.refusal;
    if (refusal !== undefined) return socket.close(closeReasons[refusal].code);
    const peer = await greet(socket, simulator, agentKeys, clock);
    const taker = waiting.shift();
    if (taker) taker(peer);
    else peers.push(peer);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return Object.assign(simulator, {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
  });
}

async function greet(
  socket: WebSocket,
  { identity: keys, versionMax, credit }: Pick<Simulator, 'identity' | 'versionMax' | 'credit'>,
  agentKeys: ReadonlyMap<string, string>,
  clock: () => Date,
): Promise<Peer> {
  const messages = incoming(socket);
  const decoded = decodeHello(await messages.next());
  if (decoded.kind === 'refused') throw new Error(decoded.close);
  const hello = decoded.frame;
  const session = sessionKeys((length) => new Uint8Array(randomBytes(length)));
  const challenge = {
    kind: 'challenge' as const,
    version: Math.min(hello.versions.max, versionMax),
    sessionKey: session.publicKey,
  };
  const ends = { agent: agentKeys.get(hello.agentId)!, controlPlane: toBase64(keys.publicKey) };
  const signature = sign(transcript('control-plane', ends, hello, challenge), keys.secretKey);
  socket.send(encode({ ...challenge, signature })!, { binary: false });
  const proof = decodeProof(await messages.next());
  const digest = transcript('agent', ends, hello, challenge);
  if (proof.kind === 'refused' || !verifies(digest, proof.frame.signature, ends.agent)) {
    throw new Error('the agent’s proof does not verify');
  }
  const line = controlPlaneCodec(
    createSeal('control-plane', challenge.version, session, hello.sessionKey),
  );
  const peer: Peer = {
    hello,
    socket,
    pack: (frame) => line.pack(frame)!,
    send: (frame) => socket.send(line.pack(frame)!),
    async next(kind) {
      for (;;) {
        const unpacked = line.unpack(await messages.next());
        if (unpacked.kind === 'refused') throw new Error(unpacked.close);
        const { frame } = unpacked;
        if (frame.kind === kind) return frame as Extract<AgentFrame, { kind: typeof kind }>;
      }
    },
    closed: once(socket, 'close').then(([code]) => code as number),
  };
  const serverTime = clock().toISOString();
  peer.send({ kind: 'welcome', sessionId: 's', serverTime, epoch: hello.epoch + 1 });
  await peer.next('ready');
  if (challenge.version >= batchVersion && credit) peer.send({ kind: 'credit', ...credit });
  return peer;
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
