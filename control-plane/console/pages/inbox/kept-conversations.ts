import type { QueryClient } from '@tanstack/react-query';
import { withConversation, withoutConversation } from './changed-list.ts';
import {
  type Conversation,
  conversationQuery,
  conversationsKey,
  type conversationsQuery,
  type Filters,
} from './queries.ts';

type ListKey = ReturnType<typeof conversationsQuery>['queryKey'];

/** Shows a conversation as it is by now in all lists that are loaded, and where it is open; asks for nothing. */
export function keepConversation(
  queryClient: QueryClient,
  conversation: Conversation,
  userId: string,
): void {
  queryClient.setQueryData(conversationQuery(conversation.id).queryKey, (old) =>
    old === undefined || old.updated_at > conversation.updated_at
      ? old
      : { ...old, ...conversation },
  );
  for (const query of queryClient.getQueryCache().findAll({ queryKey: conversationsKey })) {
    const key = query.queryKey as ListKey;
    const filters = key.at(-1) as Filters;
    const keep = () =>
      void queryClient.setQueryData(
        key,
        (old) => old && withConversation(old, conversation, { filters, userId }),
      );
    // What is on its way may have been read before this change.
    if (query.state.fetchStatus === 'fetching') query.promise?.then(keep, keep);
    keep();
  }
}

/** Takes a conversation that is gone out of all lists. */
export function leaveOutConversation(queryClient: QueryClient, id: string): void {
  queryClient.setQueriesData<Parameters<typeof withoutConversation>[0]>(
    { queryKey: conversationsKey },
    (old) => old && withoutConversation(old, id),
  );
}

/** What changed of conversations, as events tell it. */
export interface ConversationChange {
  readonly conversation_id?: string;
  readonly contact_id?: string | null;
}

const partsOfThread: readonly unknown[] = ['messages', 'notes', 'history', 'attachments'];

/** Loads messages, notes and what was done anew, where one of the conversations is open. */
export function reloadThreads(
  queryClient: QueryClient,
  changes: readonly ConversationChange[],
): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [scope, kind, id] }) => {
      if (scope !== conversationsKey[0] || !partsOfThread.includes(kind)) return false;
      const contact = queryClient.getQueryData(conversationQuery(String(id)).queryKey)?.contact.id;
      return changes.some(
        ({ conversation_id, contact_id }) =>
          conversation_id === id || (contact !== undefined && contact_id === contact),
      );
    },
  });
}
