/** What follows when statuses of messages rise: money, events, and whoever else wants to know. */
import { isFailure, rankOf, type Status } from '@drawbridge/messaging/status.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId, type RandomBytes } from '../../platform/ids.ts';
import { addEvents, type NewEvent } from '../../webhooks/store.ts';
import type { Place } from '../contacts/store.ts';
import { chargeReleased, releaseMany, settleMany } from '../tenants/wallet-store.ts';
import { eventOf } from './events.ts';
import type { MessageHooks } from './hooks.ts';
import { type Learnt, type Moved, raise } from './move-store.ts';
import { endReleases } from './unheard-store.ts';

export interface MovesContext {
  readonly random: RandomBytes;
  /** Of every part that wants to know. */
  readonly hooks: readonly MessageHooks[];
}

/** Raises statuses in the caller's transaction, and does all that follows from it. */
export async function applyLearnt(
  tx: Tx,
  place: Place,
  learnt: readonly Learnt[],
  context: MovesContext,
  now: Date,
): Promise<Moved[]> {
  if (learnt.length === 0) return [];
  const moved = await raise(tx, place, learnt);
  if (moved.length === 0) return moved;
  await settleMoney(tx, place, moved, context, now);
  const moves = moved.map((row) => ({
    ...{ id: row.id, channel: row.channel, contactId: row.contact_id },
    ...{ broadcastId: row.broadcast_id, from: row.from, to: row.to, at: row.at },
  }));
  // Sent together, so that they cost one round trip.
  await Promise.all([
    addEvents(tx, place.tenantId, moved.flatMap(eventsOf(place, context))),
    ...context.hooks.map((hook) => hook.moved?.(tx, place, moves)),
  ]);
  return moved;
}

/**
 * The provider charges once it has taken a message, whatever becomes of it then; also when that is
 * heard only after the money was given back.
 */
async function settleMoney(
  tx: Tx,
  { tenantId, environment }: Place,
  moved: readonly Moved[],
  { random }: MovesContext,
  now: Date,
): Promise<void> {
  const sold = moved.filter(({ price, from }) => price !== null && !isTaken(from));
  const taken = sold.filter(({ to }) => isTaken(to));
  const shareOf = ({ id, price }: Moved) => {
    return { reference: id, amount: price!, entryId: newId('wle', () => now, random) };
  };
  await settleMany(tx, tenantId, environment, taken.map(shareOf), now);
  const late = taken.filter(({ from }) => from === 'unknown' || isFailure(from));
  const charged = await chargeReleased(tx, tenantId, environment, late.map(shareOf), now);
  await endReleases(tx, { tenantId, environment }, charged);
  const lost = sold.filter(({ to }) => isFailure(to));
  await releaseMany(...([tx, tenantId, environment, lost.map(({ id }) => id)] as const));
}

function isTaken(status: Status): boolean {
  return rankOf(status) >= rankOf('sent') && !isFailure(status);
}

/** Statuses that are told, by the event's name. */
const told: Readonly<Partial<Record<Status, string>>> = {
  sent: 'message.sent',
  delivered: 'message.delivered',
  read: 'message.read',
  failed: 'message.failed',
  expired: 'message.failed',
};

function eventsOf(place: Place, { random }: MovesContext) {
  return (row: Moved): NewEvent[] => {
    const event = told[row.to];
    if (event === undefined) return [];
    const data = {
      channel: row.channel,
      app_id: row.app_id,
      contact_id: row.contact_id,
      broadcast_id: row.broadcast_id,
      address: row.address,
      status: row.to,
      ...(row.error_code === null ? {} : { error: errorOf(row) }),
    };
    return [eventOf(place, event, row.id, data, row.at, random)];
  };
}

function errorOf({ error_code, error_detail }: Moved) {
  return { code: error_code, detail: error_detail };
}
