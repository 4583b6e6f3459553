import { once } from 'node:events';
import { sign, transcript, verifies } from '@drawbridge/link/challenge.ts';
import type { CloseName } from '@drawbridge/link/closes.ts';
import { decodeHello, decodeProof, encode } from '@drawbridge/link/codec.ts';
import type { Hello } from '@drawbridge/link/frames.ts';
import { limits } from '@drawbridge/link/limits.ts';
import { controlPlaneLine } from '@drawbridge/link/line.ts';
import { createSeal, sessionKeys } from '@drawbridge/link/seal.ts';
import { negotiate, supported } from '@drawbridge/link/version.ts';
import type { WebSocket } from 'ws';
import type { RandomBytes } from '../platform/ids.ts';
import type { LinkIdentity } from './identity.ts';

export type ControlPlaneLine = ReturnType<typeof controlPlaneLine>;

export interface KnownAgent {
  readonly id: string;
  readonly tenantId: string;
  readonly publicKey: string;
}

export type Greeted =
  | {
      readonly kind: 'proven';
      readonly agent: KnownAgent;
      readonly hello: Hello;
      readonly line: ControlPlaneLine;
    }
  | { readonly kind: 'refused'; readonly close: CloseName };

/** Lets the agent at the other end prove who it is. Rejects when it does not in time. */
export async function greet(
  socket: WebSocket,
  identity: LinkIdentity,
  random: RandomBytes,
  find: (agentId: string) => Promise<KnownAgent | undefined>,
): Promise<Greeted> {
  const signal = AbortSignal.timeout(limits.handshakeMs);
  const decoded = decodeHello(await message(socket, signal));
  if (decoded.kind === 'refused') return decoded;
  const hello = decoded.frame;
  const version = negotiate(supported, hello.versions);
  if (version === undefined) return { kind: 'refused', close: 'no_common_version' };
  const agent = await find(hello.agentId);
  if (agent === undefined) return { kind: 'refused', close: 'unknown_agent' };

  const keys = sessionKeys((length) => new Uint8Array(random(length)));
  const challenge = { kind: 'challenge' as const, version, sessionKey: keys.publicKey };
  const ends = { agent: agent.publicKey, controlPlane: identity.publicKey };
  const ours = transcript('control-plane', ends, hello, challenge);
  const signature = sign(ours, identity.secretKey);
  socket.send(encode({ ...challenge, signature })!, { binary: false });

  const proof = decodeProof(await message(socket, signal));
  if (proof.kind === 'refused') return proof;
  const theirs = transcript('agent', ends, hello, challenge);
  if (!verifies(theirs, proof.frame.signature, agent.publicKey)) {
    return { kind: 'refused', close: 'bad_proof' };
  }
  const seal = createSeal('control-plane', version, keys, hello.sessionKey);
  return { kind: 'proven', agent, hello, line: controlPlaneLine(seal) };
}

/** An agent says one thing and waits for the answer, so nothing is lost between two messages. */
async function message(socket: WebSocket, signal: AbortSignal): Promise<Uint8Array> {
  const [data] = await once(socket, 'message', { signal });
  return data as Buffer;
}
