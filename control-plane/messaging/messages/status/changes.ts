/** What follows when the statuses of messages rise: money, events, and the hooks of other parts. */
import { isFailure, rankOf, type Status } from '@drawbridge/messaging/status.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId, type RandomBytes } from '../../../platform/ids.ts';
import { addEvents, type NewEvent } from '../../../webhooks/store.ts';
import { chargeReleased, releaseMany, settleMany } from '../../tenants/wallet/store.ts';
import { eventOf } from '../events.ts';
import type { MessageHooks } from '../hooks.ts';
import { type ChangedMessage, raiseStatuses, type StatusReport } from './store.ts';
import { clearReleasedHolds } from './unreported-store.ts';

export interface StatusContext {
  readonly random: RandomBytes;
  /** The hooks of every part that follows messages. */
  readonly hooks: readonly MessageHooks[];
}

/** Raises statuses in the caller's transaction, with everything that follows. */
export async function applyStatusReports(
  tx: Tx,
  scope: TenantScope,
  reports: readonly StatusReport[],
  context: StatusContext,
  now: Date,
): Promise<ChangedMessage[]> {
  if (reports.length === 0) return [];
  const changed = await raiseStatuses(tx, scope, reports);
  if (changed.length === 0) return changed;
  await settleMoney(tx, scope, changed, context, now);
  const changes = changed.map((row) => ({
    id: row.id,
    channel: row.channel,
    contactId: row.contact_id,
    broadcastId: row.broadcast_id,
    from: row.from,
    to: row.to,
    at: row.at,
  }));
  // Sent together, so that they need one round trip.
  await Promise.all([
    addEvents(tx, scope.tenantId, changed.flatMap(eventsOf(scope, context))),
    ...context.hooks.map((hook) => hook.statusChanged?.(tx, scope, changes)),
  ]);
  return changed;
}

/**
 * The provider charges once it has accepted a message, whatever its later status; this also holds
 * when the acceptance is reported after the hold was released.
 */
async function settleMoney(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  changed: readonly ChangedMessage[],
  { random }: StatusContext,
  now: Date,
): Promise<void> {
  const sold = changed.filter(({ price, from }) => price !== null && !isTaken(from));
  const taken = sold.filter(({ to }) => isTaken(to));
  const shareOf = ({ id, price }: ChangedMessage) => {
    return { reference: id, amount: price!, entryId: newId('wle', () => now, random) };
  };
  await settleMany(tx, tenantId, environment, taken.map(shareOf), now);
  const late = taken.filter(({ from }) => from === 'unknown' || isFailure(from));
  const charged = await chargeReleased(tx, tenantId, environment, late.map(shareOf), now);
  await clearReleasedHolds(tx, { tenantId, environment }, charged);
  const lost = sold.filter(({ to }) => isFailure(to));
  await releaseMany(
    tx,
    tenantId,
    environment,
    lost.map(({ id }) => id),
  );
}

function isTaken(status: Status): boolean {
  return rankOf(status) >= rankOf('sent') && !isFailure(status);
}

type StatusEvent = `message.${'unknown' | 'sent' | 'delivered' | 'read' | 'failed' | 'skipped'}`;

/** The statuses that give customers an event, with its name. */
const eventNames: Readonly<Partial<Record<Status, StatusEvent>>> = {
  unknown: 'message.unknown',
  sent: 'message.sent',
  delivered: 'message.delivered',
  read: 'message.read',
  failed: 'message.failed',
  expired: 'message.failed',
  skipped: 'message.skipped',
};

function eventsOf(scope: TenantScope, { random }: StatusContext) {
  return (row: ChangedMessage): NewEvent[] => {
    const event = eventNames[row.to];
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
    return [eventOf(scope, event, row.id, data, row.at, random)];
  };
}

function errorOf({ error_code, error_detail }: ChangedMessage) {
  return { code: error_code, detail: error_detail };
}
