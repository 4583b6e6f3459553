import type { ConnectorFault } from '@drawbridge/connectors/contract.ts';
import type { SourceReconciled } from '@drawbridge/link/documents.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { ListedDocument } from '../store/listed-document.ts';
import type { UnseenDocuments } from '../store/sources.ts';
import type { Store } from '../store/store.ts';
import { readDocuments } from './documents.ts';
import {
  listedDocuments,
  type ReadingContext,
  readChanges,
  readOn,
  storeDocuments,
} from './read-changes.ts';

export interface ReconcilingContext extends ReadingContext {
  readonly store: ReadingContext['store'] &
    Pick<Store, 'unseen' | 'compare' | 'knowsAll' | 'reconciled'>;
}

/** What a comparison of a whole source with what was seen of it came to. */
export type ReconcileOutcome =
  | { readonly kind: 'reconciled'; readonly report: SourceReconciled }
  /** The source cannot list all its documents. */
  | { readonly kind: 'unsupported' }
  /** It was stopped, or there is no room for more. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'unreadable'; readonly fault: ConnectorFault };

type Failure = Exclude<ReconcileOutcome, { kind: 'reconciled' }>;
type Kind = SourceReconciled['examples'][number]['kind'];

/** Deleted documents that one comparison tells; the next one tells of others. */
const deletedMax = 10_000;
const pageTimeoutMs = 60_000;

/**
 * Compares all documents of a source with those that were seen: finds what was committed late or written
 * by a clock that was set back, what was changed without moving past the cursor, and what has gone. What
 * is missing here is sent; all is told. With `everyContent` documents of the same version are read too.
 */
export async function reconcile(
  context: ReconcilingContext,
  connector: string,
  { everyContent = false }: { readonly everyContent?: boolean },
  stop: AbortSignal,
): Promise<ReconcileOutcome> {
  const { store, clock, newId } = context;
  const begunAt = clock();
  // A queue that was lost knows nothing of what came before it: that is no finding of the source.
  const knowsAll = store.knowsAll(connector);
  const counts = { documents: 0, late: 0, edited: 0, deleted: 0 };
  const examples: { kind: Kind; ref: string }[] = [];
  const found = (kind: Kind, refs: readonly string[]) => {
    if (kind === 'late' && !knowsAll) return;
    counts[kind] += refs.length;
    const room = limits.examplesMax - examples.length;
    examples.push(...refs.slice(0, room).map((ref) => ({ kind, ref })));
  };
  const comparison = store.compare(connector);
  try {
    const unlisted = await unlistable(context, connector);
    if (unlisted !== undefined) return unlisted;
    const read = await readChanges(context, connector, stop);
    if (read.kind === 'unreadable') return read;
    if (!read.isWhole) return { kind: 'unfinished' };
    let cursor: string | undefined;
    for (;;) {
      const page = await wholePage(context, connector, cursor, stop);
      if (page.kind !== 'page') return page;
      comparison.note(page.refs);
      counts.documents += page.refs.length;
      const differing = everyContent
        ? { unknown: [], changed: listedDocuments(page) }
        : await unseenBehindCursor(context, connector, listedDocuments(page), stop);
      const sent = await sendUnseen(context, connector, differing, stop);
      if (sent.kind !== 'sent') return sent;
      found('late', sent.late);
      found('edited', sent.edited);
      if (!page.more) break;
      cursor = page.cursor;
    }
    const gone = comparison.missing(begunAt, deletedMax);
    const confirmed = await confirmDeleted(context, connector, gone, stop);
    if (confirmed.kind !== 'confirmed') return confirmed;
    found('deleted', confirmed.deleted);
    const report = { connector, at: begunAt.toISOString(), ...counts, examples };
    store.reconciled(report, confirmed.deleted, newId());
    context.queued();
    return { kind: 'reconciled', report };
  } finally {
    comparison.end();
  }
}

/** Found out before anything is read, which would be queued for a comparison that there never is. */
async function unlistable(
  { sources }: ReconcilingContext,
  connector: string,
): Promise<Failure | undefined> {
  const used = await sources.use(connector, async (one) => one.listAll !== undefined);
  if (used.kind === 'fault') return unreadable(used.fault);
  return used.value ? undefined : { kind: 'unsupported' };
}

async function wholePage(
  { sources, mayRead }: ReconcilingContext,
  connector: string,
  cursor: string | undefined,
  stop: AbortSignal,
) {
  if (stop.aborted || !mayRead()) return { kind: 'unfinished' } as const;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(pageTimeoutMs)]);
  const used = await sources.use(connector, async (one) => one.listAll?.(cursor, signal));
  if (used.kind === 'fault') return unreadable(used.fault);
  if (used.value === undefined) return { kind: 'unsupported' } as const;
  return used.value.kind === 'page' ? used.value : unreadable(used.value.fault);
}

function unreadable(fault: ConnectorFault) {
  return { kind: 'unreadable', fault } as const;
}

/** Those that are still not known once all that is new was read in its turn. */
async function unseenBehindCursor(
  context: ReconcilingContext,
  connector: string,
  listed: readonly ListedDocument[],
  stop: AbortSignal,
): Promise<UnseenDocuments> {
  const { unknown, changed } = context.store.unseen(connector, listed);
  if (unknown.length + changed.length === 0) return { unknown, changed };
  await readOn(context, connector, stop);
  return context.store.unseen(connector, [...unknown, ...changed]);
}

type Sent =
  | { readonly kind: 'sent'; readonly late: readonly string[]; readonly edited: readonly string[] }
  | Failure;

/** Queues the documents whose content is not known; the cursor stays. */
async function sendUnseen(
  context: ReconcilingContext,
  connector: string,
  { unknown, changed }: UnseenDocuments,
  stop: AbortSignal,
): Promise<Sent> {
  const late: string[] = [];
  const edited: string[] = [];
  const isUnknown = new Set(unknown.map(({ ref }) => ref));
  const open = [...unknown, ...changed];
  for (let start = 0; start < open.length; start += limits.refsMax) {
    if (stop.aborted || !context.mayRead()) return { kind: 'unfinished' };
    const part = open.slice(start, start + limits.refsMax);
    const readAt = context.clock();
    const signal = AbortSignal.any([stop, AbortSignal.timeout(pageTimeoutMs)]);
    const used = await context.sources.use(connector, (one) => readDocuments(one, part, signal));
    if (used.kind === 'fault') return unreadable(used.fault);
    if (used.value.fault !== undefined) return unreadable(used.value.fault);
    const from = context.store.cursor(connector);
    const step = { connector, from, to: from ?? '', readAt };
    const stored = storeDocuments(context, step, used.value);
    if (!stored.isStored) return { kind: 'unfinished' };
    for (const ref of stored.changed) (isUnknown.has(ref) ? late : edited).push(ref);
  }
  return { kind: 'sent', late, edited };
}

type Confirmed = { readonly kind: 'confirmed'; readonly deleted: readonly string[] } | Failure;

/** Those that the source does not have when it is asked for each of them. */
async function confirmDeleted(
  { sources }: ReconcilingContext,
  connector: string,
  refs: readonly string[],
  stop: AbortSignal,
): Promise<Confirmed> {
  const deleted: string[] = [];
  for (let start = 0; start < refs.length; start += limits.refsMax) {
    const part = refs.slice(start, start + limits.refsMax);
    const signal = AbortSignal.any([stop, AbortSignal.timeout(pageTimeoutMs)]);
    const used = await sources.use(connector, (one) => one.readMany(part, signal));
    if (used.kind === 'fault') return unreadable(used.fault);
    for (const [index, outcome] of used.value.entries()) {
      if (outcome.kind === 'unreachable') return unreadable(outcome.fault);
      if (outcome.kind === 'missing') deleted.push(part[index]!);
    }
  }
  return { kind: 'confirmed', deleted };
}
