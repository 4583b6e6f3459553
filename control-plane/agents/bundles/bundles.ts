/** The control plane's side of bundles: takes those of an agent, and makes those to it. */
import {
  type BundleEnds,
  type BundleFile,
  type BundleRefusal,
  bundleDigest,
  bundleLimits,
  type CarriedFromAgent,
  type CarriedFromControlPlane,
  makeBundle,
  openBundle,
  type ReceivingKeys,
} from '@drawbridge/link/bundle.ts';
import { agentKeyChange, identityChange } from '@drawbridge/link/identity-change.ts';
import { sign, verifies } from '@drawbridge/link/signature.ts';
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
  isIdentityOffered,
  lastBundle,
  lockAgent,
  markTaken,
  noteAgent,
  readFile,
} from './store.ts';

export interface BundlesContext extends SessionPersistenceContext {
  readonly identities: Pick<LinkIdentities, 'find' | 'newest'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Commands of one bundle, and their bytes with room for a receipt and a key; the next brings the rest. */
const carriedMax = { max: 2_000, bytesMax: bundleLimits.contentBytesMax - 65_536 };

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
      agentId,
      keys: await receivingKeys(context, known, content),
      last: last?.number ?? 0,
      digestOf: () => before,
    });
    if (opened.kind === 'refused') return opened;
    const { file, frames, ends } = opened;
    const publicKey = nextAgentKey(ends, frames);
    if (publicKey === undefined) return unsignedKey;
    const lastMade = (await lastBundle(tx, tenantId, agentId, 'to_agent'))?.number ?? 0;
    const upTo = Math.max(0, ...frames.map((frame) => (frame.kind === 'ack' ? frame.upTo : 0)));
    if (upTo > lastMade) return restored(upTo);
    await markReceived(tx, tenantId, await markTaken(tx, tenantId, agentId, upTo));
    for (const frame of frames) {
      if (frame.kind === 'event') await takeEvent(tx, context, agent, frame);
    }
    const digest = bundleDigest(file);
    const messages = frames.filter(({ kind }) => kind !== 'ack').length;
    const { number, created_at: madeAt } = file;
    await insertTaken(tx, tenantId, { agentId, number, digest, messages, madeAt });
    await noteAgent(tx, tenantId, agentId, { publicKey, controlPlaneKey: ends.controlPlaneKey });
    await context.eventHandlers.linked(tx, agent); // its documents can be read now
    return { kind: 'taken', number, digest, messages };
  });
}

/** The agent says by each bundle which key it trusts: the one of before, or one that a bundle has led it to. */
async function receivingKeys(
  { identities }: BundlesContext,
  { ends, identity }: Extract<Held, { kind: 'held' }>,
  content: unknown,
): Promise<ReceivingKeys[]> {
  const keys = [{ ends, secretKey: identity.secretKey }];
  const { control_plane_key: claimed } = content as Partial<BundleFile>;
  if (typeof claimed !== 'string' || claimed === identity.publicKey) return keys;
  const followed = await identities.find(claimed);
  if (followed === undefined) return keys;
  const { publicKey: controlPlaneKey, secretKey } = followed;
  return [...keys, { ends: { ...ends, controlPlaneKey }, secretKey }];
}

/** The key by which the agent is known after a bundle; undefined when it does not hold the one it asks for. */
function nextAgentKey(
  { agentId, agentKey }: BundleEnds,
  frames: readonly CarriedFromAgent[],
): string | undefined {
  let known = agentKey;
  for (const frame of frames) {
    if (frame.kind !== 'key') continue;
    const { publicKey, signature } = frame;
    if (!verifies(agentKeyChange(agentId, known, publicKey), signature, publicKey))
      return undefined;
    known = publicKey;
  }
  return known;
}

const unsignedKey: Refused = {
  kind: 'refused',
  refusal: 'tampered',
  detail: 'the next key of the agent is not signed with that key',
};

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
    const commands = await commandsToCarry(tx, tenantId, agentId, carriedMax);
    const change = await changeOfIdentity(context, tx, agent, known.identity);
    const taken = await lastBundle(tx, tenantId, agentId, 'from_agent');
    const last = await lastBundle(tx, tenantId, agentId, 'to_agent');
    const acknowledges = taken?.number ?? 0;
    const isNew = acknowledges > (last?.acknowledges ?? 0);
    if (commands.length === 0 && change === undefined && !isNew) {
      const again = last && (await readFile(tx, tenantId, agentId, last.number));
      return again ? { kind: 'made', file: again } : { kind: 'empty' };
    }
    const frames: CarriedFromControlPlane[] = commands.map(({ id, params }, index) => {
      return { kind: 'command', seq: index + 1, id, body: params };
    });
    if (change !== undefined) frames.push(change);
    const messages = frames.length;
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
      messages,
      acknowledges,
      file,
      commands: commands.map(({ id }) => id),
      identity: change?.publicKey ?? null,
    });
    return { kind: 'made', file };
  });
}

/** Leads the agent to the newest key, unless a bundle does so already. */
async function changeOfIdentity(
  { identities }: BundlesContext,
  tx: Tx,
  { tenantId, agentId }: AgentAddress,
  { publicKey: trusted, secretKey }: LinkIdentity,
): Promise<Extract<CarriedFromControlPlane, { kind: 'identity' }> | undefined> {
  const { publicKey } = identities.newest();
  if (publicKey === trusted) return undefined;
  if (await isIdentityOffered(tx, tenantId, agentId, publicKey)) return undefined;
  return {
    kind: 'identity',
    publicKey,
    signature: sign(identityChange(trusted, publicKey), secretKey),
  };
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
