/** Merges the conversations of two contacts that are merged. */
import { emptyConversation } from '@drawbridge/messaging/inbox/conversation.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { ContactHooks, Merge } from '../../contacts/hooks.ts';
import type { InboxContext } from '../context.ts';
import { conversationIdOf } from '../item-id.ts';
import { insertChanges } from '../live-events/change-store.ts';
import { conversationChange } from './change-recorder.ts';
import { joinOpenings, keepOneWait, moveAnnotations, moveCalls } from './merge-store.ts';
import {
  type ConversationRow,
  ensureConversations,
  lockConversations,
  rowWith,
  saveConversations,
} from './store.ts';

export function inboxMergeHooks(context: InboxContext): ContactHooks {
  return {
    merged: async (tx, scope, merge) => {
      await moveCalls(tx, scope, merge);
      const row = await joinConversations(tx, scope, merge, context.clock());
      if (row === undefined) return;
      await insertChanges(tx, scope, [conversationChange(row)]);
      tx.afterCommit(() => context.changed(scope));
    },
  };
}

/** The merged conversation; undefined when the contact that is removed had none. */
async function joinConversations(
  tx: Tx,
  scope: TenantScope,
  { from, into }: Merge,
  now: Date,
): Promise<ConversationRow | undefined> {
  const id = conversationIdOf(into);
  const [theirs] = await lockConversations(tx, scope, [from]);
  if (theirs === undefined) return undefined;
  // Waits for a transaction that inserts the other conversation at the same time.
  const mine = rowWith({ ...theirs, id, contact_id: into }, emptyConversation);
  await ensureConversations(tx, scope, [mine]);
  const [locked] = await lockConversations(tx, scope, [into]);
  const joining = { from: theirs.id, into: id };
  await moveAnnotations(tx, scope, joining);
  await keepOneWait(tx, scope, joining);
  const opening = await joinOpenings(tx, scope, joining);
  const row = { ...joinedOf(locked!, theirs), opening, updated_at: now };
  await saveConversations(tx, scope, [row]);
  return row;
}

/**
 * The merged conversation needs an answer if either of them did. One that was snoozed under the
 * removed id is open, because no job would wake it.
 */
function joinedOf(mine: ConversationRow, theirs: ConversationRow): ConversationRow {
  const state = theirs.state === 'closed' ? mine.state : 'open';
  const newest = mine.last_item >= theirs.last_item ? mine : theirs;
  const { last_item_id, last_item, last_channel } = newest;
  const open = [mine, theirs].filter((row) => row.state !== 'closed');
  const current = open.length > 0 ? open : [mine.opened_at === null ? theirs : mine];
  return {
    ...mine,
    state,
    last_item_id,
    last_item,
    last_channel,
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
