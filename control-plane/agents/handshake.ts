import { once } from 'node:events';
import { transcript } from '@drawbridge/link/challenge.ts';
import type { CloseReason } from '@drawbridge/link/close-reasons.ts';
import { decodeHello, decodeProof, encode } from '@drawbridge/link/codec.ts';
import type { Hello } from '@drawbridge/link/frames.ts';
import { limits } from '@drawbridge/link/limits.ts';
import { createSeal, sessionKeys } from '@drawbridge/link/seal.ts';
import { controlPlaneCodec } from '@drawbridge/link/sealed-codec.ts';
import { sign, verifies } from '@drawbridge/link/signature.ts';
import { negotiate, supported } from '@drawbridge/link/version.ts';
import type { WebSocket } from 'ws';
import type { RandomBytes } from '../platform/ids.ts';
import type { LinkIdentities, LinkIdentity } from './identities.ts';

export type ControlPlaneCodec = ReturnType<typeof controlPlaneCodec>;

export interface KnownAgent {
  readonly id: string;
  readonly tenantId: string;
  readonly publicKey: string;
  /** The control plane's key that it trusts, as far as is known; null: one that was retired. */
  readonly controlPlaneKey: string | null;
}

export type HandshakeOutcome =
  | {
      readonly kind: 'proven';
      readonly agent: KnownAgent;
      readonly hello: Hello;
      readonly codec: ControlPlaneCodec;
      readonly version: number;
      /** The identity that has answered: the agent trusts it. */
      readonly identity: LinkIdentity;
    }
  | { readonly kind: 'refused'; readonly close: CloseReason };

/** Runs the control plane's half of a handshake. Rejects when the agent gives no proof in time. */
export async function acceptHandshake(
  socket: WebSocket,
  identities: Pick<LinkIdentities, 'find'>,
  random: RandomBytes,
  find: (agentId: string) => Promise<KnownAgent | undefined>,
): Promise<HandshakeOutcome> {
  const signal = AbortSignal.timeout(limits.handshakeMs);
  const decoded = decodeHello(await message(socket, signal));
  if (decoded.kind === 'refused') return decoded;
  const hello = decoded.frame;
  const version = negotiate(supported, hello.versions);
  if (version === undefined) return { kind: 'refused', close: 'no_common_version' };
  const agent = await find(hello.agentId);
  if (agent === undefined) return { kind: 'refused', close: 'unknown_agent' };
  // Agents of version 1 do not say it, and trust what they were told at their enrolment.
  const trustedKey = hello.controlPlaneKey ?? agent.controlPlaneKey;
  const identity = trustedKey === null ? undefined : await identities.find(trustedKey);
  if (identity === undefined) return { kind: 'refused', close: 'retired_key' };

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
  return { kind: 'proven', agent, hello, codec: controlPlaneCodec(seal), version, identity };
}

/** The next message. None is lost between two calls: an agent waits for each answer. */
async function message(socket: WebSocket, signal: AbortSignal): Promise<Uint8Array> {
  const [data] = await once(socket, 'message', { signal });
  return data as Buffer;
}
