import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { idempotencyHeaders, madeHeaders, onceOf } from '../../../platform/idempotency/once.ts';
import { type InboxContext, tag } from '../context.ts';
import { historyView, noteRequest, noteView, params } from '../schema.ts';
import { addNote, conversationNotFound } from './actions.ts';
import { listNotes, type NoteRow } from './annotation-store.ts';
import { type HistoryRow, listHistory } from './history-store.ts';
import { findConversations } from './store.ts';

const path = '/team-inbox/api/conversations/{id}/';

/** History and notes of a conversation. */
export function historyRoutes(context: InboxContext): AnyRoute[] {
  return [historyRoute(context), listNotesRoute(context), addNoteRoute(context)];
}

function historyRoute({ db }: InboxContext) {
  return route({
    method: 'get',
    path: `${path}history/`,
    operationId: 'listConversationHistory',
    summary: 'List who did what with a conversation, newest first',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { params, query: pageQuery },
    responses: {
      200: {
        description: 'A page of the history.',
        schema: pageSchema(historyView, 'ConversationHistoryPage'),
      },
    },
    errors: ['conversation_not_found'],
    handler: async ({ params: { id }, query, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(query, 'cev');
      const rows = await db.tenant(scope.tenantId, async (tx) => {
        if ((await findConversations(tx, scope, [id])).length === 0) throw conversationNotFound(id);
        return listHistory(tx, scope, id, page);
      });
      return { status: 200, body: pageOf(page, rows, (row) => row.id, showEntry) };
    },
  });
}

function listNotesRoute({ db }: InboxContext) {
  return route({
    method: 'get',
    path: `${path}notes/`,
    operationId: 'listConversationNotes',
    summary: 'List internal notes, newest first',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { params, query: pageQuery },
    responses: {
      200: {
        description: 'A page of notes.',
        schema: pageSchema(noteView, 'ConversationNotePage'),
      },
    },
    errors: ['conversation_not_found'],
    handler: async ({ params: { id }, query, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(query, 'not');
      const rows = await db.tenant(scope.tenantId, async (tx) => {
        if ((await findConversations(tx, scope, [id])).length === 0) throw conversationNotFound(id);
        return listNotes(tx, scope, id, page);
      });
      return { status: 200, body: pageOf(page, rows, (row) => row.id, showNote) };
    },
  });
}

function addNoteRoute(context: InboxContext) {
  return route({
    method: 'post',
    path: `${path}notes/`,
    operationId: 'addConversationNote',
    summary: 'Write an internal note',
    description: 'The contact never sees it.',
    tag,
    auth: { scope: 'inbox:write' },
    unaudited: 'a conversation has a history of its own',
    limit: 'write',
    request: { params, body: noteRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The note.', schema: noteView } },
    errors: ['conversation_not_found', 'idempotency_payload_mismatch'],
    handler: async ({ params: { id }, body, headers, principal }) => {
      const draft = { author: principal.id, text: body.text };
      const once = onceOf(`POST ${path}notes/ ${id}`, headers, body);
      const made = await addNote(context, scopeOf(principal), id, draft, once);
      return { status: 201, body: showNote(made.row), headers: madeHeaders(undefined, made) };
    },
  });
}

function showEntry({ id, type, actor, data, created_at }: HistoryRow) {
  return { id, type, actor, data, created_at: created_at.toISOString() };
}

function showNote({ created_at, ...note }: NoteRow) {
  return { ...note, created_at: created_at.toISOString() };
}
