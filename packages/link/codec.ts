import { z } from 'zod';
import type { CloseName } from './closes.ts';
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

export type Decoded<F> =
  | { readonly kind: 'frame'; readonly frame: F }
  | { readonly kind: 'refused'; readonly close: CloseName };

/** JSON bytes of a frame, or undefined when they would be over the limit of a frame. */
export function encode(frame: Frame): Uint8Array | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(frame));
  return bytes.length > limits.frameBytesMax ? undefined : bytes;
}

export const decodeHello = decoder(hello);
export const decodeChallenge = decoder(challenge);
export const decodeProof = decoder(proof);
export const decodeFromAgent: (bytes: Uint8Array) => Decoded<AgentFrame> = decoder(agentFrame);
export const decodeFromControlPlane: (bytes: Uint8Array) => Decoded<ControlPlaneFrame> =
  decoder(controlPlaneFrame);

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const anyKind = z.object({ kind: z.string() });

/** Reads hostile bytes as a frame of one schema; says why not, as the close that follows. */
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

function refusalOf(kind: string | undefined, error: z.ZodError): CloseName {
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
