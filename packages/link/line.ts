import { type Decoded, decodeFromAgent, decodeFromControlPlane, encode } from './codec.ts';
import type { AgentFrame, ControlPlaneFrame } from './frames.ts';
import type { Seal } from './seal.ts';

/**
 * One end of a sealed link: frames out become bytes, bytes in become frames or the close that
 * follows.
 */
export interface Line<Out, In> {
  /** Undefined when the frame would be over the limit; nothing is counted then. */
  pack(frame: Out): Uint8Array | undefined;
  unpack(bytes: Uint8Array): Decoded<In>;
}

export function agentLine(seal: Seal): Line<AgentFrame, ControlPlaneFrame> {
  return line(seal, decodeFromControlPlane);
}

export function controlPlaneLine(seal: Seal): Line<ControlPlaneFrame, AgentFrame> {
  return line(seal, decodeFromAgent);
}

function line<Out extends AgentFrame | ControlPlaneFrame, In>(
  seal: Seal,
  decode: (bytes: Uint8Array) => Decoded<In>,
): Line<Out, In> {
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
