import { newId, type Runtime } from '../runtime.ts';
import type { Store } from '../store/store.ts';
import type { ReadingContext } from './read-changes.ts';
import type { Sources } from './sources.ts';

/** How a command reads sources: all that is there. What a person may want to know of one stands in its status. */
export function readingOnce(
  runtime: Runtime,
  { store, sources }: { readonly store: Store; readonly sources: Sources },
  queued: () => void = () => {},
): ReadingContext & { readonly store: Store } {
  return {
    store,
    sources,
    clock: runtime.clock,
    mayRead: () => true,
    refusals: new Map(),
    newId: () => newId(runtime),
    queued,
    report: () => {},
  };
}
