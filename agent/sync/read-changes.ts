import type { ConnectorFault, ListOutcome } from '@drawbridge/connectors/contract.ts';
import type { Advance, ListedDocument } from '../store/sources.ts';
import type { Store } from '../store/store.ts';
import { batchesOf, type DocumentsRead, readDocuments } from './documents.ts';
import type { Sources } from './sources.ts';

export interface ReadingContext {
  readonly store: Pick<Store, 'cursor' | 'stepBack' | 'rewind' | 'advance' | 'hashes'>;
  readonly sources: Pick<Sources, 'use'>;
  readonly clock: () => Date;
  /** Whether there is room for more; asked before each page. */
  mayRead(): boolean;
  newId(): string;
  /** Called after documents were queued. */
  queued(): void;
  /** Tells of what a person may want to know. */
  report(event: string, detail: string): void;
}

/** How reading a source ended. */
export type ReadingOutcome =
  /** Up to the end, or as far as there was room. */
  | { readonly kind: 'read'; readonly isWhole: boolean }
  | { readonly kind: 'unreadable'; readonly fault: ConnectorFault };

/** What was committed later than this is found by the reconciliation only. */
export const overlapMs = 600_000;
/** Documents read again at most, whose changes may be within the overlap. */
const overlapDocumentsMax = 2_000;
const pageTimeoutMs = 60_000;

/**
 * Reads what changed since the cursor, and before that what changed shortly before it: a transaction may
 * commit after another that began later. What has the content that it had is not sent again.
 */
export async function readChanges(
  context: ReadingContext,
  connector: string,
  stop: AbortSignal,
): Promise<ReadingOutcome> {
  const { store, clock } = context;
  store.stepBack(connector, new Date(clock().getTime() - overlapMs), overlapDocumentsMax);
  return readOn(context, connector, stop);
}

/** Reads what changed since the cursor. */
export async function readOn(
  context: ReadingContext,
  connector: string,
  stop: AbortSignal,
): Promise<ReadingOutcome> {
  const { store } = context;
  let next = fetchPage(context, connector, store.cursor(connector), stop);
  for (;;) {
    if (stop.aborted || !context.mayRead()) return { kind: 'read', isWhole: false };
    const page = await next;
    if (page.kind === 'unreachable') {
      if (page.fault.code !== 'cursor_invalid') return { kind: 'unreadable', fault: page.fault };
      context.report(
        'cursor_reset',
        `${connector}: its settings changed, it is read from the start`,
      );
      store.rewind(connector, undefined);
      next = fetchPage(context, connector, undefined, stop);
      continue;
    }
    // The source answers for the next page while this one is stored.
    if (page.more) next = fetchPage(context, connector, page.to, stop);
    if (!storePage(context, connector, page)) {
      next = fetchPage(context, connector, store.cursor(connector), stop); // it was wound back
    } else if (!page.more) {
      return { kind: 'read', isWhole: true };
    }
  }
}

interface Page extends Pick<Advance, 'from' | 'to' | 'readAt'> {
  readonly kind: 'page';
  readonly documents: Extract<DocumentsRead, { kind: 'read' }>['documents'];
  readonly more: boolean;
}

type Fetched = Page | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

async function fetchPage(
  { sources, clock }: ReadingContext,
  connector: string,
  from: string | undefined,
  stop: AbortSignal,
): Promise<Fetched> {
  const readAt = clock();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(pageTimeoutMs)]);
  const used = await sources.use(connector, async (one): Promise<Fetched> => {
    const listed = await one.list(from, signal);
    if (listed.kind === 'unreachable') return listed;
    const read = await readDocuments(one, listedDocuments(listed), signal);
    if (read.kind === 'unreachable') return read;
    const { cursor: to, more } = listed;
    return { kind: 'page', from, to, readAt, documents: read.documents, more };
  });
  return used.kind === 'used' ? used.value : { kind: 'unreachable', fault: used.fault };
}

/** The documents of a page, with their versions. */
export function listedDocuments(
  page: Extract<ListOutcome, { kind: 'page' }>,
): readonly ListedDocument[] {
  return page.refs.map((ref, index) => ({ ref, version: page.versions?.[index] ?? null }));
}

/** False when the cursor has moved meanwhile. */
function storePage(context: ReadingContext, connector: string, page: Page): boolean {
  const { from, to, readAt } = page;
  const hasNews = page.documents.length > 0 || to !== from;
  if (!hasNews) return true;
  const { isStored } = storeDocuments(context, { connector, from, to, readAt }, page.documents);
  return isStored;
}

/** Queues those whose content is new, and notes them all, at the cursor `to`. */
export function storeDocuments(
  { store, newId, queued }: Pick<ReadingContext, 'store' | 'newId' | 'queued'>,
  step: Pick<Advance, 'connector' | 'from' | 'to' | 'readAt'>,
  documents: Page['documents'],
): { readonly isStored: boolean; readonly changed: ReadonlySet<string> } {
  const known = store.hashes(
    step.connector,
    documents.map(({ ref }) => ref),
  );
  const changed = documents.filter(({ ref, hash }) => known.get(ref) !== hash);
  const batches = batchesOf(changed, newId);
  const isStored = store.advance({ ...step, documents, batches });
  if (isStored && batches.length > 0) queued();
  return { isStored, changed: new Set(changed.map(({ ref }) => ref)) };
}
