import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components, operations } from '../../api/messaging-api.d.ts';
import { everyPage, pagesOf } from '../../api/paging.ts';

export type Conversation = components['schemas']['Conversation'];
export type ConversationPatch = components['schemas']['ConversationPatch'];
export type InboxMessage = components['schemas']['InboxMessage'];
export type Note = components['schemas']['ConversationNote'];
export type HistoryEntry = components['schemas']['ConversationHistoryEntry'];
export type Attachment = components['schemas']['ConversationAttachment'];
export type Template = components['schemas']['Template'];
export type Filters = NonNullable<operations['listConversations']['parameters']['query']>;

export const views = ['open', 'waiting', 'mine', 'unassigned', 'snoozed', 'closed'] as const;
type View = (typeof views)[number];

const filtersOf: Readonly<Record<View, Filters>> = {
  open: { state: 'open' },
  waiting: { state: 'open', order: 'longest_wait' },
  mine: { state: 'open', assignee: 'me' },
  unassigned: { state: 'open', assignee: 'none' },
  snoozed: { state: 'snoozed' },
  closed: { state: 'closed' },
};

export interface ListFilter {
  readonly view: View;
  readonly channel: Filters['channel'];
  readonly tag: string | undefined;
}

/** All that a change in the inbox can touch has a key that begins so. */
export const inboxKey = ['inbox'] as const;
export const conversationsKey = [...inboxKey, 'conversations'] as const;
const path = (id: string) => ({ params: { path: { id } } });

/** Conversations, those with the newest messages first, or who has waited longest. */
export const conversationsQuery = ({ view, channel, tag }: ListFilter) => {
  const filters: Filters = {
    ...filtersOf[view],
    ...(channel === undefined ? {} : { channel }),
    ...(tag === undefined ? {} : { tag }),
  };
  return pagesOf([...conversationsKey, filters], (page) =>
    got(
      messaging.GET('/team-inbox/api/conversations/', {
        params: { query: { ...filters, ...page } },
      }),
    ),
  );
};

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: [...inboxKey, 'conversation', id],
    queryFn: () => got(messaging.GET('/team-inbox/api/conversations/{id}/', path(id))),
  });

/** Messages of a conversation, the newest first. */
export const messagesQuery = (conversation: string) =>
  pagesOf([...inboxKey, 'messages', conversation], (page) =>
    got(
      messaging.GET('/team-inbox/api/messages/', { params: { query: { conversation, ...page } } }),
    ),
  );

export const notesQuery = (id: string) =>
  queryOptions({
    queryKey: [...inboxKey, 'notes', id],
    queryFn: () =>
      everyPage((query) =>
        got(
          messaging.GET('/team-inbox/api/conversations/{id}/notes/', {
            params: { path: { id }, query },
          }),
        ),
      ),
  });

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: [...inboxKey, 'history', id],
    queryFn: () =>
      everyPage((query) =>
        got(
          messaging.GET('/team-inbox/api/conversations/{id}/history/', {
            params: { path: { id }, query },
          }),
        ),
      ),
  });

export const attachmentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...inboxKey, 'attachments', id],
    queryFn: () =>
      everyPage((query) =>
        got(
          messaging.GET('/team-inbox/api/conversations/{id}/attachments/', {
            params: { path: { id }, query },
          }),
        ),
      ),
  });

const rarelyMs = 60_000;

export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: () =>
    everyPage((page) =>
      got(
        messaging.GET('/team-inbox/api/team/', { params: { query: { ...page, former: 'true' } } }),
      ),
    ),
  staleTime: rarelyMs,
});

export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: () =>
    everyPage((query) => got(messaging.GET('/tenants/tenant-tags/', { params: { query } }))),
  staleTime: rarelyMs,
});

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', id],
    queryFn: () => got(messaging.GET('/contacts/{id}/', path(id))),
  });

export const consentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', id, 'consents'],
    queryFn: () => got(messaging.GET('/contacts/{id}/consents/', path(id))),
  });

/** Channels by which a person can be answered in writing. */
export const writtenChannels = ['wa', 'sms', 'botchat', 'rcs'] as const;
export type WrittenChannel = (typeof writtenChannels)[number];

/** Templates of a channel that may be sent. */
export const approvedTemplatesQuery = (channel: WrittenChannel) =>
  queryOptions({
    queryKey: ['templates', channel, 'approved'],
    queryFn: () =>
      everyPage((page) =>
        got(
          messaging.GET(`/${channel}/v1/templates/`, {
            params: { query: { status: 'approved', ...page } },
          }),
        ),
      ),
    staleTime: rarelyMs,
  });
