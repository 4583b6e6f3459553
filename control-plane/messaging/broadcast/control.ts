/** The commands of users to a broadcast: pause, resume, cancel, reschedule. */
import { type BroadcastAction, stateAfter } from '@drawbridge/messaging/broadcast/states.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { faultOf } from '../../platform/db/errors.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { addEvents } from '../../webhooks/store.ts';
import { fail } from '../errors.ts';
import { type BroadcastContext, broadcastQueue } from './context.ts';
import { scheduleOf } from './create.ts';
import { broadcastEvent } from './events.ts';
import { broadcastNotFound } from './not-found.ts';
import { orderReport } from './reports/mail/order.ts';
import { type BroadcastRow, lockForCommand, setSchedule, setState } from './store.ts';

export type Command = Extract<BroadcastAction, 'pause' | 'resume' | 'cancel'>;

const toldOf = { pause: 'paused', resume: 'resumed', cancel: 'canceled' } as const;

/** Returns the broadcast afterwards. A repeated command changes nothing. */
export function runCommand(
  context: BroadcastContext,
  scope: TenantScope,
  id: string,
  action: Command,
): Promise<BroadcastRow> {
  return locked(context, scope, id, async (tx, row) => {
    const state = stateAfter(row.state, action, row.started_at !== null);
    if (state === undefined) {
      throw fail('broadcast_state', `A broadcast that is ${row.state} cannot ${action}.`);
    }
    if (state === row.state) return row;
    const reason = action === 'resume' ? null : 'requested';
    const now = context.clock();
    const changed = (await setState(tx, scope, id, { state, reason, detail: null }, now))!;
    const event = broadcastEvent(context, scope, toldOf[action], changed, now);
    await addEvents(tx, scope.tenantId, [event]);
    if (action !== 'pause') {
      await wake(tx, context, scope, id, state === 'queued' ? row.schedule_at : undefined);
    }
    await orderReport(context, tx, scope, changed);
    return changed;
  });
}

/** Reschedules a broadcast whose audience is not fixed yet, to a later or earlier time. */
export function reschedule(
  context: BroadcastContext,
  scope: TenantScope,
  id: string,
  at: string,
): Promise<BroadcastRow> {
  const now = context.clock();
  const scheduleAt = scheduleOf(at, now);
  return locked(context, scope, id, async (tx, row) => {
    const isOpen = row.state === 'queued' || (row.state === 'paused' && row.started_at === null);
    if (!isOpen) {
      throw fail(
        'broadcast_state',
        `It is ${row.state}: its time is changed only before its audience is fixed.`,
      );
    }
    const changed = (await setSchedule(tx, scope, id, scheduleAt, now))!;
    const event = broadcastEvent(context, scope, 'rescheduled', changed, now);
    await addEvents(tx, scope.tenantId, [event]);
    if (row.state === 'queued') await wake(tx, context, scope, id, scheduleAt);
    return changed;
  });
}

/** Makes the worker run at that time: with the existing job, or with a new one. */
async function wake(
  tx: Tx,
  { jobs }: BroadcastContext,
  { tenantId, environment }: TenantScope,
  key: string,
  at: Date | undefined,
): Promise<void> {
  const job = { queue: broadcastQueue, key, ...(at === undefined ? {} : { runAt: at }) };
  const made = await jobs.enqueue(tx, tenantId, [{ ...job, payload: { environment } }]);
  if (made === 0) await jobs.changeRunAt(tx, tenantId, job);
}

function locked(
  { db }: BroadcastContext,
  scope: TenantScope,
  id: string,
  work: (tx: Tx, row: BroadcastRow) => Promise<BroadcastRow>,
): Promise<BroadcastRow> {
  return db.tenant(scope.tenantId, async (tx) => {
    const row = await lockForCommand(tx, scope, id).catch((error: unknown) => {
      if (faultOf(error).code !== 'timeout') throw error;
      throw fail('broadcast_busy', 'Its audience is being fixed: try again in a moment.');
    });
    if (row === undefined) throw broadcastNotFound(id);
    return work(tx, row);
  });
}
