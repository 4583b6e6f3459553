import {
  type BundleFile,
  bundleLimits,
  type CarriedFromAgent,
  makeBundle,
} from '@drawbridge/link/bundle.ts';
import { fromBase64 } from '@drawbridge/link/bytes.ts';
import { topics } from '@drawbridge/link/topics.ts';
import type { CurrentIdentity } from '../link/current-identity.ts';
import type { Runtime } from '../runtime.ts';
import type { Bundles } from '../store/bundles.ts';
import type { OutboxEvent, Store } from '../store/store.ts';
import type { Sources } from '../sync/sources.ts';
import {
  allEvents,
  contentMax,
  describingFrames,
  eventKey,
  framesOf,
  type OutgoingFrame,
  SourceUnreachable,
} from './outgoing-frames.ts';

export interface ExportContext {
  readonly runtime: Pick<Runtime, 'clock' | 'randomBytes'>;
  readonly store: Pick<Store, 'events' | 'batches'>;
  readonly sources: Pick<Sources, 'use' | 'list'>;
  readonly bundles: Bundles;
  readonly identity: Pick<CurrentIdentity, 'value' | 'keyChange'>;
  /** Is told of each source that cannot be read now, whose events wait; the others are carried. */
  unread(connector: string, cause: string): void;
}

/** After so many a run ends with the event that was begun; what is left comes with the next. */
const bundlesMax = 20;

/** Bundles with all that waits, in their order; each is in the inventory before the next is begun. */
export async function* exportBundles(context: ExportContext): AsyncGenerator<BundleFile> {
  let gathered: OutgoingFrame[] = [];
  let size = 0;
  let made = 0;
  for await (const frame of waitingFrames(context)) {
    // Within an event the next run would begin it anew, and a long one never be carried whole.
    if (made >= bundlesMax && gathered.at(-1)?.event !== undefined) break;
    const isFull = size + frame.size > contentMax || gathered.length >= bundleLimits.framesMax - 1;
    if (isFull && gathered.length > 0) {
      yield record(context, gathered);
      made += 1;
      gathered = [];
      size = 0;
    }
    gathered.push(frame);
    size += frame.size;
  }
  const isReceiptDue = context.bundles.last('from_control_plane') > context.bundles.acknowledged();
  const isKeyDue = untoldKey(context) !== undefined;
  if (gathered.length > 0 || isReceiptDue || isKeyDue) yield record(context, gathered);
}

/** Connectors are described when they are new, and before changes of their documents. */
async function* waitingFrames(context: ExportContext): AsyncGenerator<OutgoingFrame> {
  const { store, sources, bundles } = context;
  const described = bundles.described();
  const unread = new Set<string>();
  async function* readable(connector: string | undefined, frames: AsyncIterable<OutgoingFrame>) {
    if (connector !== undefined && unread.has(connector)) return;
    try {
      yield* frames;
    } catch (error) {
      if (!(error instanceof SourceUnreachable)) throw error;
      unread.add(error.connector);
      context.unread(error.connector, error.message);
    }
  }
  for (const { name } of sources.list()) {
    if (!described.has(name)) yield* readable(name, describingFrames(name, sources));
  }
  const onTheirWay = bundles.eventsOnTheirWay();
  const again = new Set<string>();
  for (const event of allEvents(store)) {
    if (onTheirWay.has(eventKey(event))) continue;
    const connector = changedConnector(event);
    if (connector !== undefined && described.has(connector) && !again.has(connector)) {
      again.add(connector);
      yield* readable(connector, describingFrames(connector, sources));
    }
    yield* readable(connector, framesOf(event, sources));
  }
}

function changedConnector({ topic, body }: OutboxEvent): string | undefined {
  if (topic !== 'documents.changed') return undefined;
  return topics[topic].parse(JSON.parse(body)).connector;
}

function record(context: ExportContext, gathered: readonly OutgoingFrame[]): BundleFile {
  const { runtime, bundles } = context;
  const { ends, secretKey } = signingKeys(context);
  const key = untoldKey(context);
  const frames: CarriedFromAgent[] = gathered.map(({ frame }, index) => {
    return { ...frame, seq: index + 1 };
  });
  if (key !== undefined) frames.push({ kind: 'key', ...key });
  const messages = frames.length;
  const acknowledges = bundles.last('from_control_plane');
  if (acknowledges > 0) frames.push({ kind: 'ack', upTo: acknowledges });
  const content = {
    number: bundles.last('to_control_plane') + 1,
    at: runtime.clock(),
    frames,
  };
  const file = makeBundle('agent', ends, secretKey, content, runtime.randomBytes);
  const events = gathered.flatMap(({ event }) => event ?? []);
  const connectors = gathered.flatMap(({ described }) => described ?? []);
  const told = { key: key?.publicKey ?? null, events, connectors, acknowledges };
  bundles.addMade({ file, messages, ...told });
  return file;
}

/** The agent's next key, until a bundle tells it. */
function untoldKey({ identity, bundles }: ExportContext) {
  const change = identity.keyChange();
  return change === undefined || bundles.hasTold(change.publicKey) ? undefined : change;
}

/** Bundles are taken in order, so those after the one that told the next key are made with it. */
function signingKeys({ identity, bundles }: ExportContext) {
  const { agentId, controlPlaneKey, nextKey, ...present } = identity.value();
  const isTold = nextKey !== undefined && bundles.hasTold(nextKey.publicKey);
  const { publicKey: agentKey, secretKey } = isTold ? nextKey : present;
  return { ends: { agentId, agentKey, controlPlaneKey }, secretKey: fromBase64(secretKey) };
}
