/**
 * Sends events of a past time again. A job makes them due, some hundred at a time, and keeps how far it
 * has come with them in one transaction, so that a process that dies loses none and repeats none.
 */
import { nextReplayStep, replayLimits } from '@drawbridge/webhooks/replay.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Db } from '../platform/db/database.ts';
import type { Tx } from '../platform/db/tx.ts';
import { type Clock, firstIdAt } from '../platform/ids.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Worker } from '../platform/jobs/worker.ts';
import type { Log } from '../platform/log/log.ts';
import { isEndpoint, tellDue } from './endpoint-store.ts';
import {
  addMissingDeliveries,
  addReplay,
  countReplayed,
  countWaiting,
  findReplay,
  findReplayed,
  type ReplayedEvents,
  type ReplayRow,
  repeatDeliveries,
} from './replay-store.ts';

const replayQueue = 'webhook_replay';

export interface ReplayOrder {
  readonly id: string;
  readonly tenantId: string;
  readonly endpointId: string;
  readonly environment: Environment;
  readonly since: Date;
  readonly until: Date;
  readonly events: readonly string[];
  readonly onlyFailed: boolean;
}

export interface OrderContext {
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly clock: Clock;
}

export type Ordered =
  | { readonly kind: 'ordered'; readonly replay: ReplayRow }
  /** It names more than `replayLimits.deliveries`. */
  | { readonly kind: 'too_many' };

/** Puts a replay in, if this transaction commits. */
export async function orderReplay(
  tx: Tx,
  order: ReplayOrder,
  { jobs, clock }: OrderContext,
): Promise<Ordered> {
  const { id, tenantId, endpointId, environment, since, until, events, onlyFailed } = order;
  const max = replayLimits.deliveries;
  const count = await countReplayed(tx, tenantId, replayedBy(order), max + 1);
  if (count > max) return { kind: 'too_many' };
  const replay = await addReplay(tx, tenantId, {
    id,
    endpoint_id: endpointId,
    environment,
    since,
    until,
    events,
    only_failed: onlyFailed,
    count,
    created_at: clock(),
  });
  if (count > 0) await jobs.enqueue(tx, tenantId, [{ queue: replayQueue, key: id }]);
  return { kind: 'ordered', replay };
}

export interface ReplaysContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Log;
}

/** The last event that was made due. */
interface Progress {
  readonly after?: string;
}

/** Works on replays in this process. */
export function startReplays(context: ReplaysContext): Worker {
  return context.jobs.work<Progress>({
    queue: replayQueue,
    batch: 1,
    concurrency: 2,
    handler: async (jobs) => {
      for (const job of jobs) await context.db.tenant(job.tenantId, (tx) => step(tx, job, context));
    },
  });
}

async function step(tx: Tx, job: Job<Progress>, { jobs, clock, log }: ReplaysContext) {
  const { tenantId, key, payload } = job;
  const now = clock();
  const replay = await findReplay(tx, tenantId, key);
  if (replay === undefined) return jobs.complete(tx, tenantId, [job]); // forgotten with its deliveries
  const { endpoint_id: endpointId, created_at: startedAt } = replay;
  const next = nextReplayStep({
    startedAt,
    now,
    isEndpointDeleted: !(await isEndpoint(tx, tenantId, endpointId)),
    waiting: await countWaiting(tx, tenantId, endpointId, replayLimits.waiting),
  });
  switch (next.kind) {
    case 'end':
      log.warn(
        { tenantId, endpointId, replay: key, reason: next.reason },
        'a replay has ended early',
      );
      return jobs.complete(tx, tenantId, [job]);
    case 'wait':
      return jobs.reschedule(tx, tenantId, [{ job, runAt: next.until }]);
    case 'send': {
      const max = replayLimits.step;
      const replayed = replayedBy({
        endpointId,
        environment: replay.environment,
        since: replay.since,
        until: replay.until,
        events: replay.events,
        onlyFailed: replay.only_failed,
      });
      // Nothing is between an id and the same with a digit behind it.
      const fromId = payload?.after === undefined ? replayed.fromId : `${payload.after}0`;
      const events = await findReplayed(tx, tenantId, { ...replayed, fromId }, max);
      const target = { endpointId, environment: replay.environment, at: now };
      const [missing, known] = [
        events.filter(({ is_missing }) => is_missing),
        events.filter(({ is_missing }) => !is_missing).map(({ event_id }) => event_id),
      ];
      await repeatDeliveries(tx, tenantId, target, known);
      if (missing.length > 0) await addMissingDeliveries(tx, tenantId, target, missing);
      await tellDue(tx, tenantId, endpointId);
      if (events.length < max) return jobs.complete(tx, tenantId, [job]);
      const runAt = new Date(now.getTime() + replayLimits.stepMs);
      return jobs.reschedule(tx, tenantId, [
        { job, runAt, payload: { after: events.at(-1)!.event_id } },
      ]);
    }
  }
}

function replayedBy(order: Omit<ReplayOrder, 'id' | 'tenantId'>): ReplayedEvents {
  const { endpointId, environment, since, until, events, onlyFailed } = order;
  return {
    endpointId,
    environment,
    fromId: firstIdAt('evt', since),
    untilId: firstIdAt('evt', until),
    events,
    onlyFailed,
  };
}
