import { setTimeout as wait } from 'node:timers/promises';
import type { Health } from '../health.ts';
import { mayPass } from '../store/disk-space.ts';
import type { Store } from '../store/store.ts';
import { readChanges } from './read-changes.ts';
import { type ReconcilingContext, reconcile } from './reconcile.ts';
import type { RoomForMore } from './room.ts';

export interface WatchContext extends Omit<ReconcilingContext, 'store' | 'mayRead'> {
  readonly store: Store;
  readonly health: Health;
  readonly room: RoomForMore;
  readonly watchMs: number;
  /** Between two comparisons of a whole source with what was seen of it; 0: never. */
  readonly reconcileMs: number;
  /** Names of the connectors to watch now. */
  watched(): readonly string[];
  /** Aborted when there may be more of them: a round begins at once. */
  readonly more: AbortSignal;
}

/** How often a full disk or queue is looked at for room. */
const roomCheckMs = 5_000;

/** Reads all watched connectors again and again, side by side, until stopped; rejects for what cannot be mended. */
export async function watch(context: WatchContext, stop: AbortSignal): Promise<void> {
  const { health, room, watchMs } = context;
  while (!stop.aborted) {
    health.expect('watch', 0);
    health.keepUnreadable(context.watched());
    if (room.look()) {
      await Promise.all(context.watched().map((connector) => look(context, connector, stop)));
    }
    const isFull = room.isFull();
    const pauseMs = isFull ? Math.min(roomCheckMs, watchMs) : watchMs;
    health.expect('watch', pauseMs);
    const over = context.more.aborted ? stop : AbortSignal.any([stop, context.more]);
    if (isFull) await pause(pauseMs, over);
    else await untilChanged(context, pauseMs, pause, over);
  }
}

const pause = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }).catch(() => {}); // aborted: there is something to do

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

/** One round over a connector. */
async function look(context: WatchContext, connector: string, stop: AbortSignal): Promise<void> {
  const { health, room, report } = context;
  const reading = {
    ...context,
    mayRead() {
      health.expect('watch', 0);
      return room.look();
    },
  };
  try {
    const read = await readChanges(reading, connector, stop);
    const fault = read.kind === 'unreadable' ? read.fault.message : undefined;
    health.setUnreadable(connector, fault);
    if (fault !== undefined) report('unreadable', `${connector}: ${fault}`);
    else if (read.kind === 'read' && read.isWhole && isDue(context, connector)) {
      await compare(reading, connector, stop);
    }
  } catch (error) {
    if (!mayPass(error)) throw error;
    room.look(error);
  }
}

function isDue({ store, clock, reconcileMs }: WatchContext, connector: string): boolean {
  if (reconcileMs === 0) return false;
  const last = store.reconciliations().find((one) => one.connector === connector);
  const elapsedMs = clock().getTime() - Date.parse(last?.at ?? '');
  // A clock that was set back would otherwise put it off until it is there again.
  return !(elapsedMs >= 0 && elapsedMs < reconcileMs);
}

async function compare(
  context: ReconcilingContext,
  connector: string,
  stop: AbortSignal,
): Promise<void> {
  const outcome = await reconcile(context, connector, {}, stop);
  if (outcome.kind === 'unreadable') {
    context.report('unreadable', `${connector}: ${outcome.fault.message}`);
  }
  if (outcome.kind !== 'reconciled') return;
  const { documents, late, edited, deleted } = outcome.report;
  if (late + edited + deleted === 0) return;
  const detail = `${connector}: ${documents} documents, ${late} late, ${edited} edited, ${deleted} deleted`;
  context.report('reconciled', detail);
}
