import { type Decoded, decodeFromAgent, decodeFromControlPlane, encode } from './codec.ts';
import type { AgentFrame, ControlPlaneFrame } from './frames.ts';
import type { Seal } from './seal.ts';

/**
 * Turns frames into sealed bytes for one end of a link, and received bytes into frames, or into the
 * reason for closing the link.
 */
export interface SealedCodec<Out, In> {
  /** The sealed bytes; undefined, and not counted, when the frame is over the limit. */
  pack(frame: Out): Uint8Array | undefined;
  unpack(bytes: Uint8Array): Decoded<In>;
}

/** The agent's end. */
export function agentCodec(seal: Seal): SealedCodec<AgentFrame, ControlPlaneFrame> {
  return sealedCodec(seal, decodeFromControlPlane);
}

/** The control plane's end. */
export function controlPlaneCodec(seal: Seal): SealedCodec<ControlPlaneFrame, AgentFrame> {
  return sealedCodec(seal, decodeFromAgent);
}

function sealedCodec<Out extends AgentFrame | ControlPlaneFrame, In>(
  seal: Seal,
  decode: (bytes: Uint8Array) => Decoded<In>,
): SealedCodec<Out, In> {
  return {
    pack(frame) {
      const bytes = encode(frame);
      return bytes && seal.seal(bytes);
    },
    unpack(bytes) {
      const opened = seal.open(bytes);
      return opened.kind === 'opened' ? decode(opened.bytes) : opened;
    },
  };
}
