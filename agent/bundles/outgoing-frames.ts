import type { ReadOutcome } from '@drawbridge/connectors/contract.ts';
import { bundleLimits, type CarriedFromAgent } from '@drawbridge/link/bundle.ts';
import { documentsRead, unpackDocuments } from '@drawbridge/link/documents.ts';
import { topics } from '@drawbridge/link/topics.ts';
import type { OutboxBatch, OutboxEvent, Store } from '../store/store.ts';
import type { Sources } from '../sync/sources.ts';

type EventFrame = Extract<CarriedFromAgent, { kind: 'event' }>;

/** A frame to be carried, before its place in a bundle is known. */
export interface OutgoingFrame {
  readonly frame: Omit<EventFrame, 'seq'>;
  /** The event of the outbox that is carried with it; undefined for an answer. */
  readonly event?: string;
  /** The connector that it describes. */
  readonly described?: string;
  /** Bytes of the frame as JSON. */
  readonly size: number;
}

/** Bytes of the frames of one bundle, with room for the receipt and for what stands between them. */
export const contentMax = bundleLimits.contentBytesMax - 65_536;

/** A source does not answer; what it holds is carried when it does. */
export class SourceUnreachable extends Error {
  readonly connector: string;

  constructor(connector: string, message: string) {
    super(message);
    this.connector = connector;
  }
}

/** By which an event of the outbox is known. */
export const eventKey = ({ topic, id }: Pick<OutboxEvent, 'topic' | 'id'>) => `${topic} ${id}`;

/** Events looked at in one statement. */
const eventsAtOnce = 500;

/** An event of the outbox; of a batch with its content, as `packDocuments` made it. */
export type WaitingEvent = OutboxEvent & Partial<Pick<OutboxBatch, 'content'>>;

/** The outbox, oldest first. Documents that wait as a batch are told as changes: a bundle has them as answers. */
export function* allEvents(store: Pick<Store, 'events' | 'batches'>): Generator<WaitingEvent> {
  yield* paged((after) => store.events(after, eventsAtOnce), eventsAtOnce);
  for (const batch of paged((after) => store.batches(after, batchesAtOnce), batchesAtOnce)) {
    const { number, id, content } = batch;
    const body = JSON.stringify(batchBody.parse(JSON.parse(batch.body)));
    yield { number, id, topic: 'documents.changed', body, content };
  }
}

function* paged<Event extends OutboxEvent>(
  read: (after: number) => readonly Event[],
  atOnce: number,
): Generator<Event> {
  for (let after = 0; ; ) {
    const events = read(after);
    yield* events;
    if (events.length < atOnce) return;
    after = events.at(-1)!.number;
  }
}

/** Batches hold their documents, so few are looked at in one statement. */
const batchesAtOnce = 10;
const batchBody = documentsRead.pick({ connector: true, refs: true });

const callTimeoutMs = 60_000;

/**
 * What the other end asks of a connector to map its documents: its columns, and a few of its refs. Nothing of one
 * that was removed.
 */
export async function* describingFrames(
  connector: string,
  sources: Pick<Sources, 'use'>,
): AsyncGenerator<OutgoingFrame> {
  const signal = AbortSignal.timeout(callTimeoutMs);
  const params = { connector };
  const described = await used(sources, connector, (one) => one.describe(signal));
  if (described === undefined) return;
  if (described.kind === 'unreachable') throw unreachable(connector, described.fault);
  yield answerFrame(`describe ${connector}`, 'connector.describe', params, described);
  const tested = await used(sources, connector, (one) => one.test(signal));
  const frame = answerFrame(`test ${connector}`, 'connector.test', params, tested);
  yield { ...frame, described: connector };
}

/** Refs that are asked for at once. */
const refsAtOnce = 20;

/**
 * The frames of an event: before changed documents come the documents themselves, as the other end
 * cannot ask for them. Those of a connector that was removed are as they were when their change was found.
 */
export async function* framesOf(
  event: WaitingEvent,
  sources: Pick<Sources, 'use'>,
): AsyncGenerator<OutgoingFrame> {
  const { id, topic } = event;
  const body: unknown = JSON.parse(event.body);
  if (topic === 'documents.changed') {
    const { connector, refs } = topics[topic].parse(body);
    for (let start = 0; start < refs.length; start += refsAtOnce) {
      const asked = refs.slice(start, start + refsAtOnce);
      const signal = AbortSignal.timeout(callTimeoutMs);
      const read = await used(sources, connector, (one) => one.readMany(asked, signal));
      const outcomes = read ?? lastRead(event, connector, start, asked.length);
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.kind === 'unreachable') throw unreachable(connector, outcome.fault);
        yield documentFrame(`${start + index} ${id}`, connector, asked[index]!, outcome);
      }
    }
  }
  yield { ...outgoing({ kind: 'event', id, topic, body }), event: eventKey(event) };
}

function lastRead(
  { content }: WaitingEvent,
  connector: string,
  start: number,
  count: number,
): readonly ReadOutcome[] {
  const documents = content === undefined ? undefined : unpackDocuments(content);
  const message = `The agent has no connector named "${connector}" any more.`;
  const fault = { code: removedCode, message, retry: 'never' } as const;
  return Array.from({ length: count }, (_, index) => {
    const document = documents?.[start + index];
    return document ? { kind: 'found', document } : { kind: 'unusable', fault };
  });
}

const removedCode = 'connector_unknown';

/** Undefined when the connector was removed. */
async function used<T>(
  sources: Pick<Sources, 'use'>,
  connector: string,
  work: Parameters<typeof sources.use<T>>[1],
): Promise<T | undefined> {
  const answer = await sources.use(connector, work);
  if (answer.kind === 'used') return answer.value;
  if (answer.fault.code === removedCode) return undefined;
  throw unreachable(connector, answer.fault);
}

function unreachable(connector: string, { message }: { readonly message: string }) {
  return new SourceUnreachable(connector, message);
}

function documentFrame(
  id: string,
  connector: string,
  ref: string,
  outcome: ReadOutcome,
): OutgoingFrame {
  const params = { connector, ref };
  const frame = answerFrame(id, 'connector.read', params, outcome);
  if (frame.size <= contentMax) return frame;
  const message = 'The document is longer than a bundle may be.';
  const fault = { code: 'document_too_large', message, retry: 'never' };
  return answerFrame(id, 'connector.read', params, { kind: 'unusable', fault });
}

function answerFrame(id: string, method: string, params: object, result: unknown): OutgoingFrame {
  const body = { method, params, result };
  // Not known by its id: an answer replaces the one before.
  return outgoing({ kind: 'event', id: id.slice(0, idLengthMax), topic: 'call.answered', body });
}

const idLengthMax = 64;

function outgoing(frame: OutgoingFrame['frame']): OutgoingFrame {
  return { frame, size: Buffer.byteLength(JSON.stringify(frame)) };
}
