/**
 * The frames of the link as a file that people carry: sealed for the receiver, signed by the sender, and
 * numbered in each direction. Acknowledgements count bundles in place of frames.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fromBase64, publicKeyText, signatureText, toBase64 } from './bytes.ts';
import type { Role } from './challenge.ts';
import {
  type AgentFrame,
  agentFrame,
  type ControlPlaneFrame,
  controlPlaneFrame,
} from './frames.ts';
import { openSealed, sealFor } from './sealed-message.ts';
import { digestOf, sign, verifies } from './signature.ts';

/** Limits of bundles. */
export const bundleLimits = {
  /** Bytes of the frames of one bundle, as JSON: opening them holds a thread for 50 ms. */
  contentBytesMax: 4_194_304,
  /** Bytes of a bundle file: sealed and in base64. */
  fileBytesMax: 6_291_456,
  framesMax: 10_000,
} as const;

/** A bundle file, as JSON. */
export const bundleFile = z
  .strictObject({
    format: z.literal('drawbridge-bundle/1'),
    from: z.enum(['agent', 'control-plane']),
    agent_id: z.string().min(1).max(64),
    number: z.int32().min(1),
    created_at: z.iso.datetime(),
    control_plane_key: publicKeyText,
    sealed: z.base64(),
    signature: signatureText,
  })
  .meta({ id: 'Bundle' });
/** A bundle file. */
export type BundleFile = z.infer<typeof bundleFile>;

/** Who carries to whom. */
export interface BundleEnds {
  readonly agentId: string;
  /** Public keys, base64. */
  readonly agentKey: string;
  readonly controlPlaneKey: string;
}

/**
 * The frames that bundles carry: what lasts beyond a session. Neither `trusts` nor `knows` is among them: each
 * bundle is signed for the keys of both ends, which says the same.
 */
const carriedKinds = {
  agent: ['event', 'key', 'ack'],
  'control-plane': ['command', 'identity', 'ack'],
} as const;

/** A frame that a bundle of an agent carries. */
export type CarriedFromAgent = Extract<
  AgentFrame,
  { kind: (typeof carriedKinds)['agent'][number] }
>;
/** The same for the other way. */
export type CarriedFromControlPlane = Extract<
  ControlPlaneFrame,
  { kind: (typeof carriedKinds)['control-plane'][number] }
>;
interface Carried {
  readonly agent: CarriedFromAgent;
  readonly 'control-plane': CarriedFromControlPlane;
}

/** Makes the bundle of that number; `secretKey` is the sender's. */
export function makeBundle<R extends Role>(
  from: R,
  ends: BundleEnds,
  secretKey: Uint8Array,
  content: { readonly number: number; readonly at: Date; readonly frames: readonly Carried[R][] },
  random: (length: number) => Uint8Array,
): BundleFile {
  const receiver = from === 'agent' ? ends.controlPlaneKey : ends.agentKey;
  const plain = new TextEncoder().encode(JSON.stringify(content.frames));
  const sealed = sealFor(receiver, plain, random);
  if (sealed === undefined) throw new Error('the receiver’s key is no point of the curve');
  const unsigned = {
    format: 'drawbridge-bundle/1' as const,
    from,
    agent_id: ends.agentId,
    number: content.number,
    created_at: content.at.toISOString(),
    control_plane_key: ends.controlPlaneKey,
    sealed: toBase64(sealed),
  };
  const signature = sign(fileDigest(unsigned, ends), secretKey);
  return { ...unsigned, signature };
}

/** Why a bundle is not taken. */
export type BundleRefusal =
  /** No bundle, or cut off. */
  | 'unreadable'
  /** It goes the other way. */
  | 'outgoing'
  /** Of another agent or another control plane. */
  | 'foreign'
  /** Changed after it was signed. */
  | 'tampered'
  | 'replayed'
  /** Another bundle with this number was taken: there are two copies of the sender. */
  | 'forked'
  /** An earlier one is missing. */
  | 'out_of_order';

/** The frames of a bundle, or why it is refused. */
export type OpenedBundle<R extends Role> =
  | {
      readonly kind: 'opened';
      readonly file: BundleFile;
      readonly frames: readonly Carried[R][];
      /** Those of the receiver's that the bundle was made for. */
      readonly ends: BundleEnds;
    }
  | { readonly kind: 'refused'; readonly refusal: BundleRefusal; readonly detail: string };

/** Keys of both ends, with the receiver's secret one, 64 bytes. */
export interface ReceivingKeys {
  readonly ends: BundleEnds;
  readonly secretKey: Uint8Array;
}

/** What the receiver knows. */
export interface BundleReceiver {
  readonly agentId: string;
  /** Under which a bundle may have been made: several while a key is being changed. */
  readonly keys: readonly ReceivingKeys[];
  /** The number of the bundle taken last; 0 before the first. */
  readonly last: number;
  /** The digest of the bundle taken with that number, as far as it is still known. */
  digestOf(number: number): string | undefined;
}

/** Opens a bundle that comes from that end, if it is the next one. */
export function openBundle<R extends Role>(
  from: R,
  content: unknown,
  { agentId, keys, last, digestOf: knownDigest }: BundleReceiver,
): OpenedBundle<R> {
  const read = bundleFile.safeParse(content);
  if (!read.success) return refused('unreadable', 'it is no bundle, or was cut off on its way');
  const file = read.data;
  if (file.from !== from)
    return refused('outgoing', `it comes from this end and goes to the other`);
  if (file.agent_id !== agentId) {
    return refused('foreign', `it is of the agent ${file.agent_id}, and this is ${agentId}`);
  }
  const known = file.number <= last ? knownDigest(file.number) : undefined;
  const replayed = () => refused('replayed', `bundle ${file.number} was taken before`);
  // Also when it was made with a key that has been changed since.
  if (known === bundleDigest(file)) return replayed();
  const possible = keys.filter(({ ends }) => ends.controlPlaneKey === file.control_plane_key);
  if (possible.length === 0) {
    return refused('foreign', 'it is of a control plane with another key');
  }
  const used = possible.find(({ ends }) => isSigned(from, file, ends));
  const outOfOrder = () =>
    refused('out_of_order', `bundle ${last + 1} comes first; export it again where it was lost`);
  if (used === undefined) {
    // One that comes first may tell the key with which an agent has signed this one.
    if (from === 'agent' && file.number > last + 1) return outOfOrder();
    return refused('tampered', 'its signature does not verify');
  }
  if (file.number <= last) {
    if (known === undefined) return replayed();
    const detail = `another bundle ${file.number} was taken before: there are two copies of its sender`;
    return refused('forked', detail);
  }
  if (file.number > last + 1) return outOfOrder();
  const frames = framesOf(from, openSealed(used.secretKey, fromBase64(file.sealed)));
  if (frames === undefined) return refused('tampered', 'its content does not read');
  return { kind: 'opened', file, frames, ends: used.ends };
}

function isSigned(from: Role, file: BundleFile, ends: BundleEnds): boolean {
  const signer = from === 'agent' ? ends.agentKey : ends.controlPlaneKey;
  return verifies(fileDigest(file, ends), file.signature, signer);
}

/** By which a bundle is known on both sides: SHA-256 of its signature, in hex. */
export function bundleDigest({ signature }: Pick<BundleFile, 'signature'>): string {
  return createHash('sha256').update(signature).digest('hex');
}

/** The name of the file. */
export function bundleName({ from, agent_id: agent, number }: BundleFile): string {
  return `drawbridge-${agent}-${from === 'agent' ? 'to' : 'from'}-control-plane-${number}.json`;
}

const schemas = {
  agent: z.array(agentFrame).max(bundleLimits.framesMax),
  'control-plane': z.array(controlPlaneFrame).max(bundleLimits.framesMax),
};

function framesOf<R extends Role>(
  from: R,
  plain: Uint8Array | undefined,
): readonly Carried[R][] | undefined {
  if (plain === undefined) return undefined;
  try {
    const frames = schemas[from].safeParse(JSON.parse(new TextDecoder().decode(plain))).data;
    const carried: readonly string[] = carriedKinds[from];
    const isCarried = frames?.every(({ kind }) => carried.includes(kind));
    return isCarried ? (frames as unknown as Carried[R][]) : undefined;
  } catch {
    return undefined; // no JSON
  }
}

/** Covers both ends, so that a bundle is good between these two only. */
function fileDigest(file: Omit<BundleFile, 'signature'>, { agentKey }: BundleEnds): Uint8Array {
  return digestOf([
    file.format,
    file.from,
    file.agent_id,
    agentKey,
    file.control_plane_key,
    file.number,
    file.created_at,
    file.sealed,
  ]);
}

function refused(refusal: BundleRefusal, detail: string): OpenedBundle<never> {
  return { kind: 'refused', refusal, detail };
}
