import type { Tx } from '../../platform/db/tx.ts';
import { newId, type RandomBytes } from '../../platform/ids.ts';
import { addEvents, type NewEvent } from '../../webhooks/store.ts';
import type { Place } from '../contacts/store.ts';
import type { ConversationRow } from './conversation-store.ts';
import type { HistoryRow } from './course-store.ts';

const told: Readonly<Record<string, string>> = {
  opened: 'conversation.opened',
  assigned: 'conversation.assigned',
  closed: 'conversation.closed',
};

/** Sends the customer's endpoints what happened to conversations. */
export async function addConversationEvents(
  tx: Tx,
  place: Place,
  rows: ReadonlyMap<string, ConversationRow>,
  history: readonly HistoryRow[],
  random: RandomBytes,
): Promise<void> {
  const events = history.flatMap((entry): NewEvent[] => {
    const event = told[entry.type];
    const row = rows.get(entry.conversation_id);
    if (event === undefined || row === undefined) return [];
    const { conversation_id: id, created_at: at } = entry;
    const { contact_id, assignee_id, opening, last_channel: channel } = row;
    const data = { contact_id, channel, opening, assignee_id, actor: entry.actor };
    return [
      {
        id: newId('evt', () => at, random),
        ...{ environment: place.environment, service: 'messaging', type: event, subject_id: id },
        payload: JSON.stringify({ event, id, timestamp: at.toISOString(), data }),
        created_at: at,
      },
    ];
  });
  await addEvents(tx, place.tenantId, events);
}
