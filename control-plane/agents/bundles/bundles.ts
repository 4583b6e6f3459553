/** The control plane's side of bundles: takes those of an agent, and makes those to it. */
import {
  type BundleEnds,
  type BundleFile,
  type BundleRefusal,
  bundleDigest,
  type CarriedFromControlPlane,
  makeBundle,
  openBundle,
} from '@drawbridge/link/bundle.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { LinkIdentities, LinkIdentity } from '../identities.ts';
import type { AgentAddress } from '../remote-calls.ts';
import { type SessionPersistenceContext, takeEvent } from '../session-persistence.ts';
import { markReceived } from '../store.ts';
import {
  commandsToCarry,
  digestTaken,
  insertMade,
  insertTaken,
  lastBundle,
  lockAgent,
  markTaken,
  readFile,
  touchAgent,
} from './store.ts';

export interface BundlesContext extends SessionPersistenceContext {
  readonly identities: Pick<LinkIdentities, 'find'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Commands of one bundle; the next brings the rest. */
const commandsMax = 2_000;

type Refused = {
  readonly kind: 'refused';
  readonly refusal: BundleRefusal | 'retired_key';
  readonly detail: string;
};

/** The tenant has no such agent. */
type Unknown = { readonly kind: 'unknown' };

export type TakeOutcome =
  | {
      readonly kind: 'taken';
      readonly number: number;
      readonly digest: string;
      readonly messages: number;
    }
  | Refused
  | Unknown;

/** Takes a bundle of an agent: all of it and its receipt, or nothing. */
export async function takeBundle(
  context: BundlesContext,
  agent: AgentAddress,
  content: unknown,
): Promise<TakeOutcome> {
  const { tenantId, agentId } = agent;
  return context.db.tenant(tenantId, async (tx) => {
    const known = await holdAgent(context, tx, agent);
    if (known.kind !== 'held') return known;
    const last = await lastBundle(tx, tenantId, agentId, 'from_agent');
    const claimed = (content as Partial<BundleFile>).number;
    const before =
      typeof claimed === 'number' && claimed <= (last?.number ?? 0)
        ? await digestTaken(tx, tenantId, agentId, claimed)
        : undefined;
    const opened = openBundle('agent', content, {
      ends: known.ends,
      secretKey: known.identity.secretKey,
      last: last?.number ?? 0,
      digestOf: () => before,
    });
    if (opened.kind === 'refused') return opened;
    const { file, frames } = opened;
    const lastMade = (await lastBundle(tx, tenantId, agentId, 'to_agent'))?.number ?? 0;
    const upTo = Math.max(0, ...frames.map((frame) => (frame.kind === 'ack' ? frame.upTo : 0)));
    if (upTo > lastMade) return restored(upTo);
    await markReceived(tx, tenantId, await markTaken(tx, tenantId, agentId, upTo));
    for (const frame of frames) {
      if (frame.kind === 'event') await takeEvent(tx, context, agent, frame);
    }
    const digest = bundleDigest(file);
    const messages = frames.filter(({ kind }) => kind === 'event').length;
    const { number, created_at: madeAt } = file;
    await insertTaken(tx, tenantId, { agentId, number, digest, messages, madeAt });
    await touchAgent(tx, tenantId, agentId);
    await context.eventHandlers.linked(tx, agent); // its documents can be read now
    return { kind: 'taken', number, digest, messages };
  });
}

export type MakeOutcome =
  | { readonly kind: 'made'; readonly file: BundleFile }
  /** Nothing waits to be carried. */
  | { readonly kind: 'empty' }
  | Refused
  | Unknown;

/**
 * The next bundle to the agent: what waits for it, and the receipt for what came. When nothing is new it is
 * the last one again, unless the agent has that.
 */
export async function nextBundle(
  context: BundlesContext,
  agent: AgentAddress,
): Promise<MakeOutcome> {
  const { tenantId, agentId } = agent;
  return context.db.tenant(tenantId, async (tx) => {
    const known = await holdAgent(context, tx, agent);
    if (known.kind !== 'held') return known;
    const commands = await commandsToCarry(tx, tenantId, agentId, commandsMax);
    const taken = await lastBundle(tx, tenantId, agentId, 'from_agent');
    const last = await lastBundle(tx, tenantId, agentId, 'to_agent');
    const acknowledges = taken?.number ?? 0;
    if (commands.length === 0 && acknowledges === (last?.acknowledges ?? 0)) {
      const again = last && (await readFile(tx, tenantId, agentId, last.number));
      return again ? { kind: 'made', file: again } : { kind: 'empty' };
    }
    const frames: CarriedFromControlPlane[] = commands.map(({ id, params }, index) => {
      return { kind: 'command', seq: index + 1, id, body: params };
    });
    if (acknowledges > 0) frames.push({ kind: 'ack', upTo: acknowledges });
    const number = (last?.number ?? 0) + 1;
    const file = makeBundle(
      'control-plane',
      known.ends,
      known.identity.secretKey,
      { number, at: context.clock(), frames },
      (length) => new Uint8Array(context.random(length)),
    );
    await insertMade(tx, tenantId, {
      agentId,
      digest: bundleDigest(file),
      messages: commands.length,
      acknowledges,
      file,
      commands: commands.map(({ id }) => id),
    });
    return { kind: 'made', file };
  });
}

type Held =
  | { readonly kind: 'held'; readonly ends: BundleEnds; readonly identity: LinkIdentity }
  | Refused
  | Unknown;

async function holdAgent(
  { identities }: BundlesContext,
  tx: Tx,
  { tenantId, agentId }: AgentAddress,
): Promise<Held> {
  const row = await lockAgent(tx, tenantId, agentId);
  if (row === undefined) return { kind: 'unknown' };
  const { public_key: agentKey, control_plane_key: controlPlaneKey } = row;
  const identity = controlPlaneKey === null ? undefined : await identities.find(controlPlaneKey);
  if (identity === undefined) {
    const detail =
      'the key of this control plane that the agent trusts was retired: enrol it again';
    return { kind: 'refused', refusal: 'retired_key', detail };
  }
  return {
    kind: 'held',
    ends: { agentId, agentKey, controlPlaneKey: identity.publicKey },
    identity,
  };
}

function restored(number: number): Refused {
  const detail = `it acknowledges bundle ${number}, which was never made here: this database is an older copy`;
  return { kind: 'refused', refusal: 'forked', detail };
}
