import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { assigneeOf } from '../assignee-parameter.ts';
import { type InboxContext, tag } from '../context.ts';
import { idSuffixPattern, instantOfId } from '../item-id.ts';
import {
  conversationDetail,
  conversationPatch,
  conversationQuery,
  conversationsPatch,
  conversationsView,
  conversationView,
  params,
  readRequest,
} from '../schema.ts';
import { changeConversations, conversationNotFound, markRead } from './actions.ts';
import { findTags, listReaders, type ReaderRow } from './annotation-store.ts';
import { shownConversation } from './shown-conversation.ts';
import { findConversations, listConversations, listKeyOf, waitKeyPattern } from './store.ts';

const path = '/team-inbox/api/conversations/';

export function conversationRoutes(context: InboxContext): AnyRoute[] {
  return [
    listRoute(context),
    bulkRoute(context),
    getRoute(context),
    patchRoute(context),
    readRoute(context),
  ];
}

function listRoute({ db }: InboxContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listConversations',
    summary: 'List conversations, those with the newest messages or the longest waits first',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { query: conversationQuery },
    responses: {
      200: {
        description: 'A page of conversations.',
        schema: pageSchema(conversationView, 'ConversationPage'),
      },
    },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const filter = {
        state: query.state,
        channel: query.channel,
        contactId: query.contact,
        assigneeId: assigneeOf(query.assignee, principal),
        isUnread: query.unread === 'true',
        isWaiting: query.waiting === 'true',
      };
      const { order } = query;
      const page = requestedPage(query, order === 'newest' ? idSuffixPattern : waitKeyPattern);
      const rows = await db.tenant(scope.tenantId, async (tx) => {
        if (query.tag === undefined) return listConversations(tx, scope, filter, page, order);
        const [named] = await findTags(tx, scope.tenantId, [query.tag]);
        if (named === undefined) return [];
        return listConversations(tx, scope, { ...filter, tagId: named.id }, page, order);
      });
      return { status: 200, body: pageOf(page, rows, listKeyOf(order), shownConversation) };
    },
  });
}

function bulkRoute(context: InboxContext) {
  return route({
    method: 'patch',
    path,
    operationId: 'updateConversations',
    summary: 'Assign, snooze, close, open or tag many conversations',
    description: 'All of them are changed, or none.',
    tag,
    auth: { scope: 'inbox:write' },
    unaudited: 'a conversation has a history of its own',
    limit: 'write',
    request: { body: conversationsPatch },
    responses: { 200: { description: 'As they are now.', schema: conversationsView } },
    errors: ['conversation_not_found', 'conversation_closed', 'conversation_taken'],
    handler: async ({ body: { ids, ...change }, principal }) => {
      const rows = await changeConversations(
        context,
        scopeOf(principal),
        principal.id,
        ids,
        change,
      );
      return { status: 200, body: { results: rows.map(shownConversation) } };
    },
  });
}

function getRoute({ db }: InboxContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getConversation',
    summary: 'Read a conversation, and who has read it',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The conversation.', schema: conversationDetail } },
    errors: ['conversation_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      return db.tenant(scope.tenantId, async (tx) => {
        const [row] = await findConversations(tx, scope, [id]);
        if (row === undefined) throw conversationNotFound(id);
        const readers = await listReaders(tx, scope, id);
        return {
          status: 200,
          body: { ...shownConversation(row), readers: readers.map(showReader) },
        };
      });
    },
  });
}

function patchRoute(context: InboxContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateConversation',
    summary: 'Assign, snooze, close, open or tag a conversation',
    description:
      'Closing ends the wait of the person; whatever the person sends then opens it again.',
    tag,
    auth: { scope: 'inbox:write' },
    unaudited: 'a conversation has a history of its own',
    limit: 'write',
    request: { params, body: conversationPatch },
    responses: { 200: { description: 'As it is now.', schema: conversationView } },
    errors: ['conversation_not_found', 'conversation_closed', 'conversation_taken'],
    handler: async ({ params: { id }, body, principal }) => {
      const [row] = await changeConversations(
        context,
        scopeOf(principal),
        principal.id,
        [id],
        body,
      );
      return { status: 200, body: shownConversation(row!) };
    },
  });
}

function readRoute(context: InboxContext) {
  return route({
    method: 'post',
    path: `${path}{id}/read/`,
    operationId: 'readConversation',
    summary: 'Mark messages of a conversation as read',
    tag,
    auth: { scope: 'inbox:write' },
    unaudited: 'a conversation has a history of its own',
    limit: 'write',
    request: { params, body: readRequest.prefault({}) },
    responses: { 200: { description: 'As it is now.', schema: conversationView } },
    errors: ['conversation_not_found'],
    handler: async ({ params: { id }, body: { up_to }, principal }) => {
      const row = await markRead(context, scopeOf(principal), id, principal.id, up_to);
      return { status: 200, body: shownConversation(row) };
    },
  });
}

function showReader({ reader, read_to, read_at }: ReaderRow) {
  const upTo = instantOfId(`msg_${read_to}`).toISOString();
  return { reader_id: reader, read_to: upTo, read_at: read_at.toISOString() };
}
