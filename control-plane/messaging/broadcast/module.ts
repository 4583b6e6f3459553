/** Broadcasts: one message to many people. */

import type { Platform } from '../../modules/contract.ts';
import { openAuditLog } from '../../platform/audit/audit-log.ts';
import { withoutSpans } from '../../platform/tracing/active-spans.ts';
import type { AppOpener } from '../apps/app-opener.ts';
import type { MessageHooks } from '../messages/hooks.ts';
import type { Sender } from '../messages/sending/sender-contract.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import { type BroadcastContext, broadcastQueue } from './context.ts';
import { aggregateCounts } from './reports/count-store.ts';
import { reportQueue } from './reports/mail/order.ts';
import { mailReport, type ReportContext, type ReportJob } from './reports/mail/send.ts';
import { advanceBroadcast, type BroadcastJob } from './sending/worker.ts';

export interface OpenBroadcasts {
  readonly context: BroadcastContext;
  /** Sends nothing more; resolves when nothing is in flight, or after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

/** How many broadcasts a process sends at the same time. */
const broadcastsMax = 16;
/** When that many are being sent, one that has taken this long makes room for those that wait. */
const turnMs = 5_000;
const reportsMax = 4;
const aggregateMs = 1_000;
const changesPerTransaction = 5_000;

/** The other parts that broadcasts need. */
export interface BroadcastParts {
  readonly sender: Sender;
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
  /** The hooks of every part that follows messages. */
  readonly hooks: readonly MessageHooks[];
}

/** Starts working on broadcasts. */
export function openBroadcasts(platform: Platform, parts: BroadcastParts): OpenBroadcasts {
  const { db, jobs, limits, clock, random, log, settings, stopwatch, publicUrl } = platform;
  const { suspended } = platform;
  const context: BroadcastContext = {
    ...parts,
    db,
    jobs,
    limits,
    clock,
    stopwatch,
    random,
    log,
    publicUrl,
    ratePerSecond: settings.broadcastRate,
  };
  let isClosing = false;
  let running = 0;

  async function run(job: BroadcastJob, signal: AbortSignal): Promise<void> {
    const startedAt = stopwatch();
    running += 1;
    try {
      await advanceBroadcast(context, job, () => {
        const isTurnOver = running === broadcastsMax && stopwatch() - startedAt > turnMs;
        return isClosing || isTurnOver || signal.aborted || suspended.has(job.tenantId);
      });
    } finally {
      running -= 1;
    }
  }

  const worker = jobs.work<BroadcastJob['payload']>({
    queue: broadcastQueue,
    batch: 1,
    concurrency: broadcastsMax,
    handler: async (claimed, signal) => {
      // A trace with a request for each of a hundred thousand messages helps nobody.
      for (const job of claimed) await withoutSpans(() => run(job, signal));
    },
  });
  const reports: ReportContext = {
    ...context,
    mailer: platform.people.mailer,
    secrets: platform.secrets,
    auditLog: openAuditLog({ db, clock, random }),
  };
  const mailing = jobs.work<ReportJob['payload']>({
    queue: reportQueue,
    batch: 1,
    concurrency: reportsMax,
    handler: async (claimed) => {
      for (const job of claimed) await mailReport(reports, job);
    },
  });
  const aggregating = setInterval(() => {
    aggregateAll(context).catch((err: unknown) => {
      log.warn({ err }, 'counts were not summed; this will be retried');
    });
  }, aggregateMs);
  return {
    context,
    drain: async (graceMs) => {
      isClosing = true;
      clearInterval(aggregating);
      await Promise.all([worker.stop(graceMs), mailing.stop(graceMs)]);
    },
  };
}

async function aggregateAll({ db }: BroadcastContext): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const count = await db.system((tx) => aggregateCounts(tx, changesPerTransaction));
    isDone = count < changesPerTransaction;
  }
}
