/** The job of a broadcast: fixes its audience when its time has come, sends, and ends it. */
import { tally } from '@drawbridge/messaging/broadcast/tally.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import { addEvents, type NewEvent } from '../../../webhooks/store.ts';
import { findApp } from '../../apps/store.ts';
import { eventOf } from '../../messages/events.ts';
import { insufficientFundsForBroadcast } from '../../tenants/wallet/insufficient-funds.ts';
import { walletEventData } from '../../tenants/wallet/low-wallets.ts';
import { findWallet, releaseMany } from '../../tenants/wallet/store.ts';
import { checkReach } from '../audience/reach.ts';
import { takeSnapshot } from '../audience/snapshot.ts';
import type { BroadcastContext } from '../context.ts';
import { broadcastEvent } from '../events.ts';
import { addChanges } from '../reports/count-store.ts';
import { orderReport } from '../reports/mail/order.ts';
import { type BroadcastRow, findBroadcast, lockBroadcast, setState } from '../store.ts';
import { BroadcastSender, type SendEnd } from './broadcast-sender.ts';
import { recoverInterruptedBatches } from './crash-recovery.ts';
import { cancelQueued, costOfQueued, findProgress } from './message-store.ts';

export type BroadcastJob = Job<{ readonly environment: Environment }>;

/** How much the clocks of a node and of the database may differ. */
const clockSkewMs = 1_000;
const lockedRetryMs = 1_000;
/** How many messages are canceled at once. */
const cancelSize = 5_000;
/** How many messages are summed to say how much money is missing. */
const pricedMax = 100_000;

/**
 * Takes a broadcast as far as it can go now. The job is completed at the end, or rescheduled until
 * there is more to do.
 */
export async function advanceBroadcast(
  context: BroadcastContext,
  job: BroadcastJob,
  isStopping: () => boolean,
): Promise<void> {
  const scope = { tenantId: job.tenantId, environment: job.payload.environment };
  const { db } = context;
  for (;;) {
    const row = await db.tenant(scope.tenantId, (tx) => findBroadcast(tx, scope, job.key));
    if (row === undefined) return completeJob(context, scope, job);
    switch (row.state) {
      case 'queued': {
        const isEarly = row.schedule_at.getTime() > context.clock().getTime() + clockSkewMs;
        if (isEarly) return rescheduleJob(context, scope, job, row.schedule_at);
        const retryAt = await askReach(context, scope, job, row, isStopping);
        if (retryAt !== undefined) return rescheduleJob(context, scope, job, retryAt);
        const snapshot = await takeSnapshot(context, scope, row.id);
        if (snapshot === undefined)
          return rescheduleJob(context, scope, job, inMs(context, lockedRetryMs));
        break;
      }
      case 'running': {
        await recoverInterruptedBatches(context, scope, job, row);
        const end = await new BroadcastSender(context, scope, job, row).run(isStopping);
        if (await applySendEnd(context, scope, job, end)) return;
        break;
      }
      case 'paused':
        if (await endPausedJob(context, scope, job)) return;
        break;
      case 'canceled':
      case 'failed':
        await recoverInterruptedBatches(context, scope, job, row);
        await cancelUnsent(context, scope, job, row);
        return completeJob(context, scope, job);
      case 'completed':
        return completeJob(context, scope, job);
    }
  }
}

/** How long a broadcast waits at most for a provider to say whom it reaches. */
const reachWaitMsMax = 600_000;
const reachRetryMs = 5_000;

/**
 * Asks the provider whom it reaches; undefined when no question is left, else when to continue. For
 * numbers without an answer, sending shows whether they are reached.
 */
async function askReach(
  context: BroadcastContext,
  scope: TenantScope,
  job: BroadcastJob,
  { app_id, segment_id: segmentId, schedule_at }: BroadcastRow,
  isStopping: () => boolean,
): Promise<Date | undefined> {
  const { db, jobs, appOpener, clock } = context;
  // Other audiences are small, or were asked for before: sending shows who is reached.
  if (segmentId === null) return undefined;
  const app = await db.tenant(scope.tenantId, (tx) => findApp(tx, scope, app_id));
  if (app?.state !== 'active') return undefined;
  const goOn = async (tx: Tx) => {
    await jobs.renewLeases(tx, [job]);
    return !isStopping();
  };
  const check = await checkReach(context, scope, {
    segmentId,
    opened: appOpener.open(scope, app),
    mayContinue: goOn,
  });
  if (check.kind === 'stopped') return clock();
  const isOver = clock().getTime() > schedule_at.getTime() + reachWaitMsMax;
  if (check.kind === 'checked' || check.kind === 'refused' || isOver) return undefined;
  const afterMs = 'afterMs' in check ? check.afterMs : undefined;
  return inMs(context, afterMs ?? reachRetryMs);
}

/** True when the job is settled; false when the broadcast must be read again. */
async function applySendEnd(
  context: BroadcastContext,
  scope: TenantScope,
  job: BroadcastJob,
  end: SendEnd,
): Promise<boolean> {
  switch (end.kind) {
    case 'changed':
      return false;
    case 'stopped':
      await rescheduleJob(context, scope, job, context.clock());
      return true;
    case 'later':
      await rescheduleJob(context, scope, job, end.at);
      return true;
    case 'empty':
      return endWithState(context, scope, job, async (tx, row) => {
        const progress = await findProgress(tx, scope, row.id);
        if (progress?.due_at !== null) return undefined;
        const change = { state: 'completed', reason: null, detail: null } as const;
        return { change, event: 'completed' };
      });
    case 'halted': {
      const { reason, detail } = end;
      return endWithState(context, scope, job, async (tx, row) => {
        if (reason === 'insufficient_funds') return pauseForFunds(tx, context, scope, row);
        return { change: { state: 'paused', reason, detail }, event: 'paused' };
      });
    }
  }
}

interface JobEnd {
  readonly change: Parameters<typeof setState>[3];
  readonly event: 'completed' | 'paused';
  /** Announced together with the broadcast's event. */
  readonly walletEvent?: NewEvent;
}

/** Undefined when no priced message is left: the broadcast may end. */
async function pauseForFunds(
  tx: Tx,
  { clock, random }: BroadcastContext,
  scope: TenantScope,
  { id: broadcast_id }: BroadcastRow,
): Promise<JobEnd | undefined> {
  const { tenantId, environment } = scope;
  const cost = await costOfQueued(tx, scope, broadcast_id, pricedMax);
  if (cost === undefined) return undefined;
  const wallet = await findWallet(tx, tenantId, environment);
  const detail = insufficientFundsForBroadcast(cost, wallet);
  const data = { broadcast_id, environment, ...(wallet && walletEventData(wallet)) };
  return {
    change: { state: 'paused', reason: 'insufficient_funds', detail },
    event: 'paused',
    walletEvent: eventOf(scope, 'wallet.low', tenantId, data, clock(), random),
  };
}

/**
 * Changes the state and ends the job in one transaction, unless somebody else changed the state
 * first.
 */
function endWithState(
  context: BroadcastContext,
  scope: TenantScope,
  job: BroadcastJob,
  decide: (tx: Tx, row: BroadcastRow) => Promise<JobEnd | undefined>,
): Promise<boolean> {
  const { db, jobs, clock } = context;
  const { tenantId } = scope;
  return db.tenant(tenantId, async (tx) => {
    const row = await lockBroadcast(tx, scope, job.key, { isPatient: true });
    const end = row?.state === 'running' ? await decide(tx, row) : undefined;
    if (row === undefined || end === undefined) return false;
    const now = clock();
    const { change, event, walletEvent } = end;
    const changed = await setState(tx, scope, row.id, change, now);
    const events = [broadcastEvent(context, scope, event, changed!, now)];
    if (walletEvent !== undefined) events.push(walletEvent);
    await addEvents(tx, tenantId, events);
    await orderReport(context, tx, scope, changed!);
    await jobs.complete(tx, tenantId, [job]);
    return true;
  });
}

/** Ends the job of a paused broadcast; false when the broadcast has been resumed. */
function endPausedJob(
  context: BroadcastContext,
  scope: TenantScope,
  job: BroadcastJob,
): Promise<boolean> {
  return context.db.tenant(scope.tenantId, async (tx) => {
    // A resume locks the row first: either it sees that this job is gone, or this sees the resumed
    // broadcast.
    const row = await lockBroadcast(tx, scope, job.key, { isPatient: true });
    if (row !== undefined && row.state !== 'paused') return false;
    await context.jobs.complete(tx, scope.tenantId, [job]);
    return true;
  });
}

/** Cancels the messages that were not sent, and releases their money. */
async function cancelUnsent(
  { db, jobs, clock }: BroadcastContext,
  scope: TenantScope,
  job: BroadcastJob,
  { id: broadcast_id, channel }: BroadcastRow,
): Promise<void> {
  const { tenantId, environment } = scope;
  for (let isDone = false; !isDone; ) {
    isDone = await db.tenant(tenantId, async (tx) => {
      await jobs.renewLeases(tx, [job]);
      const ids = await cancelQueued(tx, scope, broadcast_id, cancelSize);
      await releaseMany(tx, tenantId, environment, ids);
      const counts = tally({ canceled: ids.length });
      if (ids.length > 0) {
        await addChanges(tx, scope, [{ broadcast_id, channel, at: clock(), ...counts }]);
      }
      return ids.length < cancelSize;
    });
  }
}

function completeJob(
  { db, jobs }: BroadcastContext,
  { tenantId }: TenantScope,
  job: Job,
): Promise<void> {
  return db.tenant(tenantId, (tx) => jobs.complete(tx, tenantId, [job]));
}

function rescheduleJob(
  { db, jobs }: BroadcastContext,
  { tenantId }: TenantScope,
  job: Job,
  runAt: Date,
) {
  return db.tenant(tenantId, (tx) => jobs.reschedule(tx, tenantId, [{ job, runAt }]));
}

function inMs({ clock }: BroadcastContext, ms: number): Date {
  return new Date(clock().getTime() + ms);
}
