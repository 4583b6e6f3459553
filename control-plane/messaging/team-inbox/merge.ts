/** Conversations of contacts that are merged: what was two becomes one. */
import { blank } from '@drawbridge/messaging/inbox/conversation.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { ContactHooks, Merge } from '../contacts/hooks.ts';
import type { Place } from '../contacts/store.ts';
import { insertChanges } from './change-store.ts';
import {
  type ConversationRow,
  ensureConversations,
  lockConversations,
  rowWith,
  saveConversations,
} from './conversation-store.ts';
import type { InboxEdge } from './edge.ts';
import { conversationIdOf } from './item-id.ts';
import { changeOf } from './ledger.ts';
import { joinOpenings, keepOneWait, moveBeside, moveCalls } from './merge-store.ts';

export function inboxMergeHooks(edge: InboxEdge): ContactHooks {
  return {
    merged: async (tx, place, merge) => {
      await moveCalls(tx, place, merge);
      const row = await joinConversations(tx, place, merge, edge.clock());
      if (row === undefined) return;
      await insertChanges(tx, place, [changeOf(row)]);
      tx.afterCommit(() => edge.changed(place));
    },
  };
}

/** The conversation as it is then; undefined when the contact that goes had none. */
async function joinConversations(
  tx: Tx,
  place: Place,
  { from, into }: Merge,
  now: Date,
): Promise<ConversationRow | undefined> {
  const id = conversationIdOf(into);
  const [theirs] = await lockConversations(tx, place, [from]);
  if (theirs === undefined) return undefined;
  // Whoever begins the other at the same time is waited for here.
  const mine = rowWith({ ...theirs, id, contact_id: into }, blank);
  await ensureConversations(tx, place, [mine]);
  const [locked] = await lockConversations(tx, place, [into]);
  const joining = { from: theirs.id, into: id };
  await moveBeside(tx, place, joining);
  await keepOneWait(tx, place, joining);
  const opening = await joinOpenings(tx, place, joining);
  const row = { ...joinedOf(locked!, theirs), opening, updated_at: now };
  await saveConversations(tx, place, [row]);
  return row;
}

/**
 * Whatever asks for the team in either of them asks for it in both. What is snoozed under the id that
 * goes would never be woken, so it is open.
 */
function joinedOf(mine: ConversationRow, theirs: ConversationRow): ConversationRow {
  const state = theirs.state === 'closed' ? mine.state : 'open';
  const newest = mine.last_item >= theirs.last_item ? mine : theirs;
  const { last_item_id, last_item, last_channel } = newest;
  const open = [mine, theirs].filter((row) => row.state !== 'closed');
  const current = open.length > 0 ? open : [mine.opened_at === null ? theirs : mine];
  return {
    ...mine,
    ...{ state, last_item_id, last_item, last_channel },
    assignee_id: mine.assignee_id ?? theirs.assignee_id,
    snoozed_until: state === 'snoozed' ? mine.snoozed_until : null,
    opened_at: earliest(current.map(({ opened_at }) => opened_at)),
    is_answered: current.some(({ is_answered }) => is_answered),
    waiting_since: earliest([mine.waiting_since, theirs.waiting_since]),
    due_at: earliest([mine.due_at, theirs.due_at]),
    unread: mine.unread + theirs.unread,
  };
}

function earliest(instants: readonly (Date | null)[]): Date | null {
  const known = instants.filter((each) => each !== null);
  return known.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
}
