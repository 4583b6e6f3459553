import { limits } from '@drawbridge/link/limits.ts';
import type { DocumentChanges, Store } from '../store/store.ts';
import type { Sources } from './sources.ts';

export interface WatchContext {
  readonly store: Pick<Store, 'cursor' | 'advance' | 'depths'>;
  readonly sources: Pick<Sources, 'use'>;
  /** Names of the connectors to watch now. */
  watched(): readonly string[];
  /** Whether there is room for more; asked before each page. */
  mayRead(): boolean;
  newId(): string;
  /** Called after changes were queued. */
  queued(): void;
}

/** Pages read of one connector in a round; the rest is read in the next. */
const pagesMax = 100;
/**
 * With so many events unsent no source is read: its changes can wait, and the queue would fill
 * this host's disk.
 */
const unsentEventsMax = 10_000;
const listTimeoutMs = 60_000;

/** One round over all watched connectors; returns the names of those that could not be read. */
export async function watchRound(context: WatchContext, stop: AbortSignal): Promise<string[]> {
  const failures: string[] = [];
  for (const connector of context.watched()) {
    if (stop.aborted) break;
    if (!(await readChanges(context, connector, stop))) failures.push(connector);
  }
  return failures;
}

/** Rounds follow each other no faster, whatever sources notice. */
const roundMsMin = 1_000;

/**
 * Pauses between two rounds: for `ms`, or until one of the watched sources says that a document may be
 * new. `pause` ends when its signal aborts.
 */
export async function untilChanged(
  context: Pick<WatchContext, 'sources' | 'watched'>,
  ms: number,
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>,
  stop: AbortSignal,
): Promise<void> {
  const leastMs = Math.min(ms, roundMsMin);
  await pause(leastMs, stop);
  const early = new AbortController();
  const over = AbortSignal.any([stop, early.signal]);
  for (const name of context.watched()) {
    void context.sources.use(name, async (source) => {
      if (source.changed === undefined) return;
      await source.changed(over);
      early.abort();
    });
  }
  await pause(ms - leastMs, over);
  early.abort();
}

async function readChanges(
  context: WatchContext,
  connector: string,
  stop: AbortSignal,
): Promise<boolean> {
  for (let page = 0; page < pagesMax && !stop.aborted; page += 1) {
    if (!context.mayRead()) return true;
    if (context.store.depths().unsentEvents >= unsentEventsMax) return true;
    const cursor = context.store.cursor(connector);
    const signal = AbortSignal.any([stop, AbortSignal.timeout(listTimeoutMs)]);
    const used = await context.sources.use(connector, (one) => one.list(cursor, signal));
    if (used.kind === 'fault' || used.value.kind === 'unreachable') return false;
    const { refs, cursor: position, more } = used.value;
    context.store.advance(connector, position, changesOf(refs, context.newId));
    if (refs.length > 0) context.queued();
    if (!more) return true;
  }
  return true;
}

function changesOf(refs: readonly string[], newId: () => string): DocumentChanges[] {
  const changes: DocumentChanges[] = [];
  for (let start = 0; start < refs.length; start += limits.refsMax) {
    changes.push({ id: newId(), refs: refs.slice(start, start + limits.refsMax) });
  }
  return changes;
}
