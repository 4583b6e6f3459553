import { fromBase64 } from '@drawbridge/link/bytes.ts';
import { transcript } from '@drawbridge/link/challenge.ts';
import type { CloseReason } from '@drawbridge/link/close-reasons.ts';
import { decodeChallenge, encode } from '@drawbridge/link/codec.ts';
import type { Hello } from '@drawbridge/link/frames.ts';
import { createSeal, sessionKeys } from '@drawbridge/link/seal.ts';
import { agentCodec } from '@drawbridge/link/sealed-codec.ts';
import { sign, verifies } from '@drawbridge/link/signature.ts';
import { supported } from '@drawbridge/link/version.ts';
import type { Identity } from '../store/identity.ts';

export type AgentCodec = ReturnType<typeof agentCodec>;

type ChallengeAnswer =
  | {
      readonly kind: 'proof';
      readonly bytes: Uint8Array;
      readonly codec: AgentCodec;
      readonly version: number;
      /** The agent's key by which the control plane knows it. */
      readonly agentKey: string;
    }
  | { readonly kind: 'refused'; readonly close: CloseReason };

/** The agent's half of a handshake: send the hello, then answer the challenge once. */
export interface Handshake {
  readonly hello: Uint8Array;
  answer(challenge: Uint8Array): ChallengeAnswer;
}

/**
 * A handshake with fresh session keys; `epoch` is the last one this copy of the agent was given.
 */
export function createHandshake(
  identity: Identity,
  epoch: number,
  software: string,
  random: (length: number) => Uint8Array,
): Handshake {
  const keys = sessionKeys(random);
  const hello: Hello = {
    kind: 'hello',
    agentId: identity.agentId,
    software,
    epoch,
    versions: supported,
    sessionKey: keys.publicKey,
    controlPlaneKey: identity.controlPlaneKey,
  };
  return {
    hello: encode(hello)!,
    answer(bytes) {
      const decoded = decodeChallenge(bytes);
      if (decoded.kind === 'refused') return decoded;
      const challenge = decoded.frame;
      if (challenge.version < supported.min || challenge.version > supported.max) {
        return { kind: 'refused', close: 'no_common_version' };
      }
      const { controlPlaneKey } = identity;
      // By which key the control plane knows this agent is told by what it signs: an agent that was killed while its
      // key was changed does not know which one took hold, and a control plane that was restored may know the former.
      const own = [identity, identity.nextKey, identity.formerKey].find((key) => {
        if (key === undefined) return false;
        const ends = { agent: key.publicKey, controlPlane: controlPlaneKey };
        const theirs = transcript('control-plane', ends, hello, challenge);
        return verifies(theirs, challenge.signature, controlPlaneKey);
      });
      if (own === undefined) return { kind: 'refused', close: 'bad_proof' };
      const ends = { agent: own.publicKey, controlPlane: controlPlaneKey };
      const ours = transcript('agent', ends, hello, challenge);
      const signature = sign(ours, fromBase64(own.secretKey));
      const seal = createSeal('agent', challenge.version, keys, challenge.sessionKey);
      return {
        kind: 'proof',
        bytes: encode({ kind: 'proof', signature })!,
        codec: agentCodec(seal),
        version: challenge.version,
        agentKey: own.publicKey,
      };
    },
  };
}
