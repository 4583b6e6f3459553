import {
  type BundleRefusal,
  type CarriedFromControlPlane,
  openBundle,
  type ReceivingKeys,
} from '@drawbridge/link/bundle.ts';
import { fromBase64 } from '@drawbridge/link/bytes.ts';
import { commandBody } from '@drawbridge/link/methods.ts';
import type { CurrentIdentity } from '../link/current-identity.ts';
import type { Bundles } from '../store/bundles.ts';
import type { Store } from '../store/store.ts';
import { allEvents, eventKey } from './outgoing-frames.ts';

export interface ImportContext {
  readonly store: Pick<Store, 'accept' | 'events' | 'batches' | 'forget'>;
  readonly bundles: Bundles;
  readonly identity: CurrentIdentity;
}

type ImportOutcome =
  | { readonly kind: 'taken'; readonly number: number; readonly commands: number }
  | { readonly kind: 'refused'; readonly refusal: BundleRefusal; readonly detail: string };

/**
 * Takes a bundle of the control plane. Its commands are in the queue, the keys that it brings are on the disk, and
 * its receipt is noted when this returns; a crash in between is mended by taking it again.
 */
export function importBundle(context: ImportContext, content: unknown): ImportOutcome {
  const { store, bundles, identity } = context;
  const opened = openBundle('control-plane', content, {
    agentId: identity.value().agentId,
    keys: receivingKeys(identity),
    last: bundles.last('from_control_plane'),
    digestOf: bundles.digestTaken,
  });
  if (opened.kind === 'refused') return opened;
  const { file, frames, ends } = opened;
  const upTo = Math.max(0, ...frames.map((frame) => (frame.kind === 'ack' ? frame.upTo : 0)));
  if (upTo > bundles.last('to_control_plane')) {
    const detail = `it acknowledges bundle ${upTo}, which was never made here: this home folder is an older copy`;
    return { kind: 'refused', refusal: 'forked', detail };
  }
  if (!changeKeys(identity, ends, frames)) {
    const detail = 'the next key of the control plane is not signed with the one that is trusted';
    return { kind: 'refused', refusal: 'tampered', detail };
  }
  const commands = frames.filter((frame) => frame.kind === 'command');
  for (const { id, body } of commands) {
    const params = commandBody.safeParse(body);
    store.accept(id, params.data?.connector ?? '', JSON.stringify(body));
  }
  forgetCarried(context, upTo);
  bundles.addTaken(file, commands.length);
  return { kind: 'taken', number: file.number, commands: commands.length };
}

/** While a key is being changed, bundles that were made before and after are on their way. */
function receivingKeys(identity: CurrentIdentity): ReceivingKeys[] {
  const { agentId, publicKey, secretKey, nextKey, ...others } = identity.value();
  const { controlPlaneKey, earlierControlPlaneKeys = [] } = others;
  const own = [{ publicKey, secretKey }, ...(nextKey === undefined ? [] : [nextKey])];
  return [controlPlaneKey, ...earlierControlPlaneKeys].flatMap((key) =>
    own.map((pair) => ({
      ends: { agentId, agentKey: pair.publicKey, controlPlaneKey: key },
      secretKey: fromBase64(pair.secretKey),
    })),
  );
}

/** The keys that the bundle was made with are in use at its sender; it may bring a newer one of its sender. */
function changeKeys(
  identity: CurrentIdentity,
  { agentKey, controlPlaneKey }: ReceivingKeys['ends'],
  frames: readonly CarriedFromControlPlane[],
): boolean {
  for (const frame of frames) {
    if (frame.kind !== 'identity') continue;
    const { publicKey, signature } = frame;
    if (!identity.followCarried(controlPlaneKey, publicKey, signature)) return false;
  }
  identity.knownBy(agentKey);
  identity.carriedWith(controlPlaneKey);
  return true;
}

/** Deletes the events that the control plane has taken from the outbox. */
function forgetCarried({ store, bundles }: ImportContext, upTo: number): void {
  const carried = bundles.eventsOnTheirWay(upTo);
  const numbers: number[] = [];
  for (const event of allEvents(store)) {
    if (carried.has(eventKey(event))) numbers.push(event.number);
  }
  store.forget(numbers);
  bundles.markTaken(upTo);
}
