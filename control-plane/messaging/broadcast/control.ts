/** What people do to a broadcast: pause, resume, cancel, put off. */
import { type BroadcastAction, stateAfter } from '@drawbridge/messaging/broadcast/states.ts';
import { faultOf } from '../../platform/db/errors.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { addEvents } from '../../webhooks/store.ts';
import type { Place } from '../contacts/store.ts';
import { fail, invalid } from '../errors.ts';
import { aheadMsMax } from './create.ts';
import { type BroadcastEdge, broadcastQueue } from './edge.ts';
import { broadcastEvent } from './events.ts';
import { type BroadcastRow, lockBroadcast, setSchedule, setState } from './store.ts';

export type Command = Extract<BroadcastAction, 'pause' | 'resume' | 'cancel'>;

/** The broadcast as it stands then; asked for twice, it is done once. */
export function command(
  edge: BroadcastEdge,
  place: Place,
  id: string,
  action: Command,
): Promise<BroadcastRow> {
  return locked(edge, place, id, async (tx, row) => {
    const state = stateAfter(row.state, action, row.started_at !== null);
    if (state === undefined) {
      throw fail('broadcast_state', `A broadcast that is ${row.state} cannot ${action}.`);
    }
    if (state === row.state) return row;
    const reason = action === 'resume' ? null : 'requested';
    const now = edge.clock();
    const changed = (await setState(tx, place, id, { state, reason, detail: null }, now))!;
    if (action === 'pause') {
      const event = broadcastEvent(edge, place, 'paused', changed, now);
      await addEvents(tx, place.tenantId, [event]);
    } else {
      await wake(tx, edge, place, id, state === 'queued' ? row.schedule_at : undefined);
    }
    return changed;
  });
}

/** Puts a broadcast whose audience is not fixed off, or brings it forward. */
export function reschedule(
  edge: BroadcastEdge,
  place: Place,
  id: string,
  at: Date,
): Promise<BroadcastRow> {
  const now = edge.clock();
  return locked(edge, place, id, async (tx, row) => {
    if (at.getTime() > now.getTime() + aheadMsMax) {
      throw invalid('schedule_at', 'is more than a year ahead');
    }
    const isOpen = row.state === 'queued' || (row.state === 'paused' && row.started_at === null);
    if (!isOpen) {
      throw fail('broadcast_state', 'Its audience is fixed: it can only be paused or canceled.');
    }
    const scheduleAt = at > now ? at : now;
    const changed = (await setSchedule(tx, place, id, scheduleAt, now))!;
    if (row.state === 'queued') await wake(tx, edge, place, id, scheduleAt);
    return changed;
  });
}

/** Whoever runs it looks at it then: by the job that is there, or by a new one. */
async function wake(
  tx: Tx,
  { jobs }: BroadcastEdge,
  { tenantId, environment }: Place,
  key: string,
  at: Date | undefined,
): Promise<void> {
  const job = { queue: broadcastQueue, key, ...(at === undefined ? {} : { runAt: at }) };
  const made = await jobs.enqueue(tx, tenantId, [{ ...job, payload: { environment } }]);
  if (made === 0) await jobs.move(tx, tenantId, job);
}

function locked(
  { db }: BroadcastEdge,
  place: Place,
  id: string,
  work: (tx: Tx, row: BroadcastRow) => Promise<BroadcastRow>,
): Promise<BroadcastRow> {
  return db.tenant(place.tenantId, async (tx) => {
    const row = await lockBroadcast(tx, place, id).catch((error: unknown) => {
      if (faultOf(error).code !== 'timeout') throw error;
      throw fail('broadcast_busy', 'Its audience is being fixed: try again in a moment.');
    });
    if (row === undefined) throw broadcastNotFound(id);
    return work(tx, row);
  });
}

/** The 404 of a broadcast; one of another tenant is as missing as one that never was. */
export function broadcastNotFound(id: string) {
  return fail('broadcast_not_found', `There is no broadcast "${id}".`);
}
