import { limits } from '@drawbridge/link/limits.ts';
import type { DocumentNews, Store } from '../store/store.ts';
import type { Sources } from './sources.ts';

export interface WatchEdge {
  readonly store: Pick<Store, 'cursor' | 'advance' | 'depths'>;
  readonly sources: Pick<Sources, 'use'>;
  /** Names of the connectors to watch, as they now are. */
  watched(): readonly string[];
  newId(): string;
  /** Told after news was queued. */
  queued(): void;
}

/** Pages read of one connector in a round; the rest waits for the next. */
const pagesMax = 100;
/**
 * News waiting for the control plane beyond which sources are left alone: a database can wait, a
 * disk fills.
 */
const unsentEventsMax = 10_000;
const listTimeoutMs = 60_000;

/** One round over all watched connectors; answers the names of those that could not be read. */
export async function watchRound(edge: WatchEdge, stop: AbortSignal): Promise<string[]> {
  const failures: string[] = [];
  for (const connector of edge.watched()) {
    if (stop.aborted) break;
    if (!(await readChanges(edge, connector, stop))) failures.push(connector);
  }
  return failures;
}

async function readChanges(
  edge: WatchEdge,
  connector: string,
  stop: AbortSignal,
): Promise<boolean> {
  for (let page = 0; page < pagesMax && !stop.aborted; page += 1) {
    if (edge.store.depths().unsentEvents >= unsentEventsMax) return true;
    const cursor = edge.store.cursor(connector);
    const signal = AbortSignal.any([stop, AbortSignal.timeout(listTimeoutMs)]);
    const used = await edge.sources.use(connector, (one) => one.list(cursor, signal));
    if (used.kind === 'fault' || used.value.kind === 'unreachable') return false;
    const { refs, cursor: position, more } = used.value;
    edge.store.advance(connector, position, inEvents(refs, edge.newId));
    if (refs.length > 0) edge.queued();
    if (!more) return true;
  }
  return true;
}

function inEvents(refs: readonly string[], newId: () => string): DocumentNews[] {
  const news: DocumentNews[] = [];
  for (let start = 0; start < refs.length; start += limits.refsMax) {
    news.push({ id: newId(), refs: refs.slice(start, start + limits.refsMax) });
  }
  return news;
}
