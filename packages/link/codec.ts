import { z } from 'zod';
import type { CloseReason } from './close-reasons.ts';
import {
  type AgentFrame,
  agentFrame,
  type ControlPlaneFrame,
  challenge,
  controlPlaneFrame,
  type Frame,
  hello,
  proof,
} from './frames.ts';
import { limits } from './limits.ts';

/** A frame, or the reason for closing the link. */
export type Decoded<F> =
  | { readonly kind: 'frame'; readonly frame: F }
  | { readonly kind: 'refused'; readonly close: CloseReason };

/** JSON bytes of a frame, or undefined when they would be over the limit of a frame. */
export function encode(frame: Frame): Uint8Array | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(frame));
  return bytes.length > limits.frameBytesMax ? undefined : bytes;
}

/** Reads an agent's hello from untrusted bytes. */
export const decodeHello = decoder(hello);
/** Reads a control plane's challenge from untrusted bytes. */
export const decodeChallenge = decoder(challenge);
/** Reads an agent's proof from untrusted bytes. */
export const decodeProof = decoder(proof);
/** Reads an opened frame of an agent. */
export const decodeFromAgent: (bytes: Uint8Array) => Decoded<AgentFrame> = decoder(agentFrame);
/** Reads an opened frame of a control plane. */
export const decodeFromControlPlane: (bytes: Uint8Array) => Decoded<ControlPlaneFrame> =
  decoder(controlPlaneFrame);

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const anyKind = z.object({ kind: z.string() });

/** Makes a decoder of one schema for untrusted bytes; a fault is returned as the close reason. */
function decoder<F>(schema: z.ZodType<F>): (bytes: Uint8Array) => Decoded<F> {
  return (bytes) => {
    if (bytes.length > limits.frameBytesMax) return { kind: 'refused', close: 'oversized' };
    const json = parse(bytes);
    const frame = schema.safeParse(json);
    if (frame.success) return { kind: 'frame', frame: frame.data };
    const kind = anyKind.safeParse(json).data?.kind;
    return { kind: 'refused', close: refusalOf(kind, frame.error) };
  };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(strictUtf8.decode(bytes));
  } catch {
    return undefined; // not UTF-8 or not JSON: no schema accepts it
  }
}

function refusalOf(kind: string | undefined, error: z.ZodError): CloseReason {
  if (kind === undefined) return 'malformed';
  const isAboutKind = error.issues.some(
    (issue) => issue.path.length === 1 && issue.path[0] === 'kind',
  );
  if (!isAboutKind) return 'malformed';
  return allKinds.has(kind) ? 'unexpected' : 'unknown_kind';
}

const allKinds: ReadonlySet<string> = new Set(
  [hello, challenge, proof, ...controlPlaneFrame.options, ...agentFrame.options].flatMap(
    (schema) => [...schema.shape.kind.values],
  ),
);
