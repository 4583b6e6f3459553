import type { ListedRow } from './store.ts';

/** A conversation as the API answers it, and as live events carry it. */
export function shownConversation(row: ListedRow) {
  const time = (at: Date | null) => at?.toISOString() ?? null;
  return {
    id: row.id,
    contact: { id: row.contact_id, name: row.contact_name, phone: row.contact_phone },
    state: row.state,
    snoozed_until: time(row.snoozed_until),
    assignee_id: row.assignee_id,
    tags: row.tags,
    openings: row.opening,
    opened_at: time(row.opened_at),
    waiting_since: time(row.waiting_since),
    due_at: time(row.due_at),
    unread: row.unread,
    last_channel: row.last_channel,
    last_item_id: row.last_item_id,
    last_message:
      row.last_at === null
        ? null
        : {
            id: row.last_item_id,
            direction: row.last_direction,
            text: row.last_preview,
            created_at: row.last_at.toISOString(),
          },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
