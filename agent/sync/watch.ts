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

/**
 * Reads each watched connector again and again until stopped, in rounds of its own: one that is slow or has
 * much to tell holds up no other. Rejects for what cannot be mended.
 */
export async function watch(context: WatchContext, stop: AbortSignal): Promise<void> {
  const { health, watchMs, more } = context;
  const underWay = new Map<string, Promise<void>>();
  const failure = new AbortController();
  const over = AbortSignal.any([stop, failure.signal]);
  while (!over.aborted) {
    const watched = context.watched();
    health.keepUnreadable(watched);
    for (const connector of watched.filter((name) => !underWay.has(name))) {
      const rounds = watchOne(context, connector, over)
        .catch((error: unknown) => failure.abort(error))
        .finally(() => underWay.delete(connector));
      underWay.set(connector, rounds);
    }
    health.expect('watch', watchMs);
    await pause(watchMs, more.aborted ? over : AbortSignal.any([over, more]));
  }
  if (failure.signal.aborted) throw failure.signal.reason;
  await Promise.all(underWay.values());
}

/** Reads a connector round by round, until it is watched no more. */
async function watchOne(
  context: WatchContext,
  connector: string,
  stop: AbortSignal,
): Promise<void> {
  const { health, room, watchMs } = context;
  const part = `watch ${connector}` as const;
  while (!stop.aborted && context.watched().includes(connector)) {
    health.expect(part, 0);
    if (room.look()) await look(context, connector, stop);
    const isFull = room.isFull();
    const pauseMs = isFull ? Math.min(roomCheckMs, watchMs) : watchMs;
    health.expect(part, pauseMs);
    if (isFull) await pause(pauseMs, stop);
    else await untilChanged(context.sources, connector, pauseMs, pause, stop);
  }
  health.ended(part);
}

const pause = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }).catch(() => {}); // aborted: there is something to do

/** Rounds follow each other no faster, whatever sources notice. */
const roundMsMin = 1_000;

/**
 * Pauses between two rounds: for `ms`, or until the source says that a document may be new. `pause` ends
 * when its signal aborts.
 */
export async function untilChanged(
  sources: WatchContext['sources'],
  connector: string,
  ms: number,
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>,
  stop: AbortSignal,
): Promise<void> {
  const leastMs = Math.min(ms, roundMsMin);
  await pause(leastMs, stop);
  const early = new AbortController();
  const over = AbortSignal.any([stop, early.signal]);
  void sources.use(connector, async (source) => {
    if (source.changed === undefined) return;
    await source.changed(over);
    early.abort();
  });
  await pause(ms - leastMs, over);
  early.abort();
}

/** One round over a connector. */
async function look(context: WatchContext, connector: string, stop: AbortSignal): Promise<void> {
  const { health, room, report } = context;
  const reading = {
    ...context,
    mayRead() {
      health.expect(`watch ${connector}`, 0);
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
