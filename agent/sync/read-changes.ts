import type { ConnectorFault, ListOutcome } from '@drawbridge/connectors/contract.ts';
import type { ListedDocument } from '../store/listed-document.ts';
import type { Advance } from '../store/sources.ts';
import type { Store } from '../store/store.ts';
import { batchesOf, type DocumentsRead, readDocuments } from './documents.ts';
import type { Sources } from './sources.ts';

export interface ReadingContext {
  readonly store: Pick<
    Store,
    | 'cursor'
    | 'stepBack'
    | 'rewind'
    | 'advance'
    | 'hashes'
    | 'setAsideCounts'
    | 'dueSetAside'
    | 'restingSetAside'
  >;
  readonly sources: Pick<Sources, 'use'>;
  readonly clock: () => Date;
  /** Whether there is room for more; asked before each page. */
  mayRead(): boolean;
  newId(): string;
  /** By connector: the documents that it listed last and gave none of. */
  readonly refusals: Map<string, Refusal>;
  /** Called after documents were queued. */
  queued(): void;
  /** Tells of what a person may want to know. */
  report(event: string, detail: string): void;
}

/** Listed documents of which a source gave none. */
interface Refusal {
  /** The first of them. */
  readonly ref: string;
  /** How often in a row. */
  readonly failures: number;
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
 * A source that lists documents and gives none of them may be away; after so many times the documents are at
 * fault, and are set aside.
 */
export const setAsideAfterFailures = 3;
/** With so many the source itself is at fault: no more are set aside, and it is held up. */
const setAsideMax = 10_000;
/** Documents that were set aside and are read at once. */
const dueAtOnce = 20;

/**
 * Reads what changed since the cursor, and before that what changed shortly before it: a transaction may
 * commit after another that began later. What has the content that it had is not sent again. Documents
 * that the source does not give are set aside and read later, so that they hold up no others.
 */
export async function readChanges(
  context: ReadingContext,
  connector: string,
  stop: AbortSignal,
): Promise<ReadingOutcome> {
  const { store, clock } = context;
  await readSetAside(context, connector, stop);
  store.stepBack(connector, new Date(clock().getTime() - overlapMs), overlapDocumentsMax);
  return readOn(context, connector, stop);
}

/** Reads the documents that were set aside and whose time has come, until some fail again. */
export async function readSetAside(
  context: ReadingContext,
  connector: string,
  stop: AbortSignal,
): Promise<void> {
  const { store, sources, clock } = context;
  while (!stop.aborted && context.mayRead()) {
    const due = store.dueSetAside(connector, dueAtOnce);
    if (due.length === 0) return;
    const readAt = clock();
    const signal = AbortSignal.any([stop, AbortSignal.timeout(pageTimeoutMs)]);
    const used = await sources.use(connector, (one) => readDocuments(one, due, signal));
    if (used.kind === 'fault' || stop.aborted) return;
    const from = store.cursor(connector);
    const { isStored } = storeDocuments(
      context,
      { connector, from, to: from ?? '', readAt },
      used.value,
    );
    if (!isStored || used.value.unread.length > 0) return;
  }
}

/** Reads what changed since the cursor. */
export async function readOn(
  context: ReadingContext,
  connector: string,
  stop: AbortSignal,
): Promise<ReadingOutcome> {
  const { store, sources } = context;
  let next = fetchPage(context, connector, store.cursor(connector), stop);
  let mayBeUnstored = true;
  try {
    for (;;) {
      if (stop.aborted || !context.mayRead()) return { kind: 'read', isWhole: false };
      const page = await next;
      if (page.kind === 'unreachable') {
        if (page.fault.code !== 'cursor_invalid') {
          mayBeUnstored = false; // a source lists again what it did not give
          return { kind: 'unreadable', fault: page.fault };
        }
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
        await forgetListed(sources, connector, next);
        next = fetchPage(context, connector, store.cursor(connector), stop); // it was wound back
      } else if (!page.more) {
        mayBeUnstored = false;
        return { kind: 'read', isWhole: true };
      }
    }
  } finally {
    if (mayBeUnstored) await forgetListed(sources, connector, next);
  }
}

/** What was listed and is not stored is listed again. */
async function forgetListed(
  sources: ReadingContext['sources'],
  connector: string,
  underWay: Promise<unknown>,
): Promise<void> {
  await underWay;
  await sources.use(connector, async (one) => one.forgetListed?.());
}

interface Page extends Pick<Advance, 'from' | 'to' | 'readAt'> {
  readonly kind: 'page';
  readonly read: DocumentsRead;
  readonly more: boolean;
}

type Fetched = Page | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

async function fetchPage(
  context: ReadingContext,
  connector: string,
  from: string | undefined,
  stop: AbortSignal,
): Promise<Fetched> {
  const { store, sources, clock } = context;
  const readAt = clock();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(pageTimeoutMs)]);
  const used = await sources.use(connector, async (one): Promise<Fetched> => {
    const listed = await one.list(from, signal);
    if (listed.kind === 'unreachable') return listed;
    const all = listedDocuments(listed);
    const resting = store.restingSetAside(connector, all);
    const wanted = all.filter(({ ref }) => !resting.has(ref));
    const read = await readDocuments(one, wanted, signal);
    const fault = holdUp(context, connector, read, stop);
    if (fault !== undefined) return { kind: 'unreachable', fault };
    const { cursor: to, more } = listed;
    return { kind: 'page', from, to, readAt, read, more };
  });
  return used.kind === 'used' ? used.value : { kind: 'unreachable', fault: used.fault };
}

/** Why reading stops at these documents; undefined when those that were not given are set aside. */
function holdUp(
  { store, refusals }: ReadingContext,
  connector: string,
  read: DocumentsRead,
  stop: AbortSignal,
): ConnectorFault | undefined {
  const { unread, fault } = read;
  const [first] = unread;
  const before = refusals.get(connector);
  if (before !== undefined && isAnswered(read, before.ref)) refusals.delete(connector);
  if (first === undefined || stop.aborted) return fault;
  const failures = before?.ref === first.ref ? before.failures + 1 : 1;
  if (fault !== undefined && failures < setAsideAfterFailures) {
    refusals.set(connector, { ref: first.ref, failures });
    // Whether that document or the source is at fault, a person sees by its name.
    return { ...fault, message: `${first.ref}: ${fault.message}` };
  }
  refusals.delete(connector);
  const count = store.setAsideCounts().get(connector) ?? 0;
  if (count + unread.length <= setAsideMax) return undefined;
  const message = `${count} documents could not be read and were set aside. Last: ${first.detail}`;
  return { code: 'too_many_set_aside', message, retry: 'later' };
}

function isAnswered({ documents, gone }: DocumentsRead, ref: string): boolean {
  return gone.includes(ref) || documents.some((document) => document.ref === ref);
}

/** The documents of a page, with their versions. */
export function listedDocuments(
  page: Extract<ListOutcome, { kind: 'page' }>,
): readonly ListedDocument[] {
  return page.refs.map((ref, index) => ({ ref, version: page.versions?.[index] ?? null }));
}

/** False when the cursor has moved meanwhile. */
function storePage(context: ReadingContext, connector: string, page: Page): boolean {
  const { from, to, readAt, read } = page;
  const { documents, gone, unread } = read;
  const hasNews = documents.length + gone.length + unread.length > 0 || to !== from;
  if (!hasNews) return true;
  const { isStored } = storeDocuments(context, { connector, from, to, readAt }, read);
  return isStored;
}

/** Queues those whose content is new, and notes them all, at the cursor `to`. */
export function storeDocuments(
  { store, newId, queued, report }: Pick<ReadingContext, 'store' | 'newId' | 'queued' | 'report'>,
  step: Pick<Advance, 'connector' | 'from' | 'to' | 'readAt'>,
  { documents, gone, unread }: Pick<DocumentsRead, 'documents' | 'gone' | 'unread'>,
): { readonly isStored: boolean; readonly changed: ReadonlySet<string> } {
  const { connector } = step;
  const known = store.hashes(
    connector,
    documents.map(({ ref }) => ref),
  );
  const changed = documents.filter(({ ref, hash }) => known.get(ref) !== hash);
  const batches = batchesOf(changed, newId);
  const isStored = store.advance({ ...step, documents, batches, gone, unread });
  if (isStored && batches.length > 0) queued();
  if (isStored) {
    for (const { ref, detail } of unread) report('set_aside', `${connector}: ${ref}: ${detail}`);
  }
  return { isStored, changed: new Set(changed.map(({ ref }) => ref)) };
}
