import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { RandomBytes } from '../../../platform/ids.ts';
import { addEvents, type NewEvent } from '../../../webhooks/store.ts';
import { eventOf } from '../../messages/events.ts';
import type { HistoryRow } from './history-store.ts';
import type { ConversationRow } from './store.ts';

const eventTypes: Readonly<Record<string, ConversationEvent>> = {
  opened: 'conversation.opened',
  assigned: 'conversation.assigned',
  unassigned: 'conversation.assigned',
  snoozed: 'conversation.snoozed',
  woken: 'conversation.woken',
  closed: 'conversation.closed',
};

type ConversationEvent = `conversation.${'opened' | 'assigned' | 'snoozed' | 'woken' | 'closed'}`;

/** Adds webhook events for what happened to conversations. */
export async function addConversationEvents(
  tx: Tx,
  scope: TenantScope,
  rows: ReadonlyMap<string, ConversationRow>,
  history: readonly HistoryRow[],
  random: RandomBytes,
): Promise<void> {
  const events = history.flatMap((entry): NewEvent[] => {
    const event = eventTypes[entry.type];
    const row = rows.get(entry.conversation_id);
    if (event === undefined || row === undefined) return [];
    const { conversation_id: id, created_at: at } = entry;
    const { contact_id, assignee_id, opening, last_channel: channel } = row;
    const data = { contact_id, channel, opening, assignee_id, actor: entry.actor };
    return [eventOf(scope, event, id, data, at, random)];
  });
  await addEvents(tx, scope.tenantId, events);
}
