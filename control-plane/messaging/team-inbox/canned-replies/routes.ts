import { fillCannedReply } from '@drawbridge/messaging/inbox/canned-reply.ts';
import { z } from 'zod';
import { findMember } from '../../../people/members/store.ts';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { faultOf } from '../../../platform/db/errors.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { findContact } from '../../contacts/store.ts';
import { fail } from '../../errors.ts';
import { type InboxContext, tag } from '../context.ts';
import { conversationNotFound } from '../conversations/actions.ts';
import { findContactOf } from '../conversations/store.ts';
import { params as conversationParams } from '../schema.ts';
import {
  cannedReplyId,
  cannedReplyPatch,
  cannedReplyRequest,
  cannedReplyView,
  filledCannedReplies,
} from './schema.ts';
import {
  type CannedReplyRow,
  countCannedReplies,
  deleteCannedReply,
  findCannedReply,
  insertCannedReply,
  listCannedReplies,
  updateCannedReply,
} from './store.ts';

const path = '/team-inbox/api/canned-replies/';
const params = z.strictObject({ id: cannedReplyId });

/** So many that people choose among them, and a page of the API holds all. */
const cannedRepliesMax = 200;

export function cannedReplyRoutes(context: InboxContext): AnyRoute[] {
  return [
    listRoute(context),
    createRoute(context),
    filledRoute(context),
    patchRoute(context),
    deleteRoute(context),
  ];
}

function listRoute({ db }: InboxContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listCannedReplies',
    summary: 'List canned replies, oldest first',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: {
      200: {
        description: 'A page of canned replies.',
        schema: pageSchema(cannedReplyView, 'CannedReplyPage'),
      },
    },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(query, 'can');
      const rows = await db.tenant(scope.tenantId, (tx) => listCannedReplies(tx, scope, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function createRoute({ db, clock, random }: InboxContext) {
  return route({
    method: 'post',
    path,
    operationId: 'createCannedReply',
    summary: 'Make a canned reply',
    description: `At most ${cannedRepliesMax} of them.`,
    tag,
    auth: { scope: 'inbox:manage' },
    limit: 'write',
    request: { body: cannedReplyRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The canned reply.', schema: cannedReplyView } },
    errors: ['canned_reply_exists', 'too_many_canned_replies', 'idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers, audit }) => {
      const scope = scopeOf(principal);
      const now = clock();
      const id = newId('can', () => now, random);
      const row = { id, ...body, created_at: now, updated_at: now };
      const making = db.tenant(scope.tenantId, (tx) =>
        makeOnce(tx, scope, onceOf(`POST ${path}`, headers, body), {
          id,
          make: async () => {
            if ((await countCannedReplies(tx, scope)) >= cannedRepliesMax) throw tooMany();
            await insertCannedReply(tx, scope, row);
            await audit.record(tx, scope.tenantId, { subject: id, after: body });
            return row;
          },
          find: (known) => findCannedReply(tx, scope, known),
        }),
      );
      const made = await making.catch(shortcutTaken);
      return { status: 201, body: show(made.row), headers: madeHeaders(undefined, made) };
    },
  });
}

function filledRoute({ db }: InboxContext) {
  return route({
    method: 'get',
    path: '/team-inbox/api/conversations/{id}/canned-replies/',
    operationId: 'listFilledCannedReplies',
    summary: 'List canned replies as they read in a conversation',
    description: 'Nothing is sent: people read one, change it, and send it as a reply.',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { params: conversationParams },
    responses: { 200: { description: 'All canned replies.', schema: filledCannedReplies } },
    errors: ['conversation_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const { tenantId } = scope;
      const results = await db.tenant(tenantId, async (tx) => {
        const contactId = await findContactOf(tx, scope, id);
        const contact = contactId && (await findContact(tx, scope, contactId));
        if (!contact) throw conversationNotFound(id);
        const agent = await findMember(tx, tenantId, principal.id);
        const facts = { contact, agentName: agent?.name ?? null };
        const rows = await listCannedReplies(tx, scope, firstRows(cannedRepliesMax));
        return rows.map(({ id: replyId, shortcut, title, text }) => ({
          id: replyId,
          shortcut,
          title,
          ...fillCannedReply(text, facts),
        }));
      });
      return { status: 200, body: { results } };
    },
  });
}

function patchRoute({ db, clock }: InboxContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateCannedReply',
    summary: 'Change a canned reply',
    tag,
    auth: { scope: 'inbox:manage' },
    limit: 'write',
    request: { params, body: cannedReplyPatch },
    responses: { 200: { description: 'The canned reply as it is now.', schema: cannedReplyView } },
    errors: ['canned_reply_not_found', 'canned_reply_exists'],
    handler: async ({ params: { id }, body, principal, audit }) => {
      const scope = scopeOf(principal);
      const changing = db.tenant(scope.tenantId, async (tx) => {
        const before = await findCannedReply(tx, scope, id);
        const after = await updateCannedReply(tx, scope, id, body, clock());
        if (before === undefined || after === undefined) throw notFound(id);
        const change = { before: show(before), after: show(after) };
        await audit.record(tx, scope.tenantId, { subject: id, ...change });
        return after;
      });
      return { status: 200, body: show(await changing.catch(shortcutTaken)) };
    },
  });
}

function deleteRoute({ db }: InboxContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'deleteCannedReply',
    summary: 'Remove a canned reply',
    tag,
    auth: { scope: 'inbox:manage' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It was removed.' } },
    errors: ['canned_reply_not_found'],
    handler: async ({ params: { id }, principal, audit }) => {
      const scope = scopeOf(principal);
      await db.tenant(scope.tenantId, async (tx) => {
        const before = await findCannedReply(tx, scope, id);
        if (before === undefined) throw notFound(id);
        await deleteCannedReply(tx, scope, id);
        await audit.record(tx, scope.tenantId, { subject: id, before: show(before) });
      });
      return { status: 204 };
    },
  });
}

function notFound(id: string) {
  return fail('canned_reply_not_found', `There is no canned reply "${id}".`);
}

function tooMany() {
  const detail = `There are ${cannedRepliesMax} canned replies; remove one first.`;
  return fail('too_many_canned_replies', detail);
}

function shortcutTaken(error: unknown): never {
  if (faultOf(error).code !== 'duplicate') throw error;
  throw fail('canned_reply_exists', 'Another canned reply has this shortcut.');
}

function show({ created_at, updated_at, ...row }: CannedReplyRow) {
  return {
    ...row,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
