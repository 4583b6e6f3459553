import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';

export type CannedReply = components['schemas']['CannedReply'];
export type FilledReply = components['schemas']['FilledCannedReply'];
export type CannedReplyDraft = components['schemas']['CannedReplyRequest'];

const path = (id: string) => ({ params: { path: { id } } });
/** As many as a workspace may have. */
const limit = 200;

export const cannedRepliesQuery = queryOptions({
  queryKey: ['canned-replies'],
  queryFn: () =>
    got(messaging.GET('/team-inbox/api/canned-replies/', { params: { query: { limit } } })),
});

/** All of them as they read in a conversation. */
export const filledRepliesQuery = (conversation: string) =>
  queryOptions({
    queryKey: ['canned-replies', conversation],
    queryFn: () =>
      got(messaging.GET('/team-inbox/api/conversations/{id}/canned-replies/', path(conversation))),
  });

export const addCannedReply = (body: CannedReplyDraft) =>
  got(messaging.POST('/team-inbox/api/canned-replies/', { body }));

export const changeCannedReply = (id: string, body: CannedReplyDraft) =>
  got(messaging.PATCH('/team-inbox/api/canned-replies/{id}/', { ...path(id), body }));

export const removeCannedReply = (id: string) =>
  got(messaging.DELETE('/team-inbox/api/canned-replies/{id}/', path(id)));
