/** Broadcasts: one message to many people. */
import type { Platform } from '../../module.ts';
import type { AppDesk } from '../apps/desk.ts';
import type { MessageHooks } from '../messages/hooks.ts';
import type { Sender } from '../messages/sender-contract.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import { addUp } from './count-store.ts';
import { type BroadcastEdge, broadcastQueue } from './edge.ts';
import { advance, type BroadcastJob } from './engine.ts';
import { broadcastHooks } from './hooks.ts';

export interface OpenBroadcasts {
  readonly edge: BroadcastEdge;
  /** To be among the hooks before messages start. */
  readonly hooks: MessageHooks;
  start(): void;
  close(graceMs: number): Promise<void>;
}

/** Broadcasts that a process works on at the same time. */
const pumpsMax = 16;
/** After that long one of many gives way to those that wait. */
const turnMs = 5_000;
const addUpMs = 1_000;
const changesTogether = 5_000;

export function openBroadcasts(
  platform: Platform,
  parts: {
    readonly sender: Sender;
    readonly desk: AppDesk;
    readonly calls: ProviderCalls;
    readonly all: readonly MessageHooks[];
  },
): OpenBroadcasts {
  const { db, jobs, limits, clock, random, log, settings, stopwatch, publicUrl } = platform;
  const edge: BroadcastEdge = {
    ...{ db, jobs, limits, clock, stopwatch, random, log, publicUrl, hooks: parts.all },
    ...{ sender: parts.sender, desk: parts.desk, calls: parts.calls },
    ratePerSecond: settings.broadcastRate,
  };
  let isClosing = false;
  let pumps = 0;
  const workers: { stop(graceMs: number): Promise<void> }[] = [];
  const adding = setInterval(() => {
    addAll(edge).catch((err: unknown) => {
      log.warn({ err }, 'counts were not added up; they are with the next');
    });
  }, addUpMs);

  async function work(job: BroadcastJob, signal: AbortSignal): Promise<void> {
    const startedAt = stopwatch();
    pumps += 1;
    try {
      await advance(edge, job, () => {
        const isOver = pumps === pumpsMax && stopwatch() - startedAt > turnMs;
        return isClosing || isOver || signal.aborted;
      });
    } finally {
      pumps -= 1;
    }
  }

  return {
    edge,
    hooks: broadcastHooks({ clock }),
    start: () => {
      workers.push(
        jobs.work<BroadcastJob['payload']>({
          ...{ queue: broadcastQueue, batch: 1, concurrency: pumpsMax },
          handler: async (claimed, signal) => {
            for (const job of claimed) await work(job, signal);
          },
        }),
      );
    },
    close: async (graceMs) => {
      isClosing = true;
      clearInterval(adding);
      await Promise.all(workers.map((worker) => worker.stop(graceMs)));
    },
  };
}

async function addAll({ db }: BroadcastEdge): Promise<void> {
  while ((await db.system((tx) => addUp(tx, changesTogether))) === changesTogether);
}
