import { type BundleEnds, type BundleRefusal, openBundle } from '@drawbridge/link/bundle.ts';
import { commandBody } from '@drawbridge/link/methods.ts';
import type { Bundles } from '../store/bundles.ts';
import type { Store } from '../store/store.ts';
import { allEvents, eventKey } from './outgoing-frames.ts';

export interface ImportContext {
  readonly store: Pick<Store, 'accept' | 'events' | 'batches' | 'forget'>;
  readonly bundles: Bundles;
  readonly ends: BundleEnds;
  /** The agent's, 64 bytes. */
  readonly secretKey: Uint8Array;
}

type ImportOutcome =
  | { readonly kind: 'taken'; readonly number: number; readonly commands: number }
  | { readonly kind: 'refused'; readonly refusal: BundleRefusal; readonly detail: string };

/**
 * Takes a bundle of the control plane. Its commands are in the queue and its receipt is noted when this
 * returns; a crash in between is mended by taking it again.
 */
export function importBundle(context: ImportContext, content: unknown): ImportOutcome {
  const { store, bundles, ends, secretKey } = context;
  const opened = openBundle('control-plane', content, {
    ends,
    secretKey,
    last: bundles.last('from_control_plane'),
    digestOf: bundles.digestTaken,
  });
  if (opened.kind === 'refused') return opened;
  const { file, frames } = opened;
  const upTo = Math.max(0, ...frames.map((frame) => (frame.kind === 'ack' ? frame.upTo : 0)));
  if (upTo > bundles.last('to_control_plane')) {
    const detail = `it acknowledges bundle ${upTo}, which was never made here: this home folder is an older copy`;
    return { kind: 'refused', refusal: 'forked', detail };
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
