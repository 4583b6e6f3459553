import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import {
  idempotencyHeaders,
  type Made,
  madeHeaders,
  makeOnce,
  type Once,
  onceOf,
} from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import type { Objects } from '../../../platform/objects/objects.ts';
import { fail } from '../../errors.ts';
import { type InboxContext, tag } from '../context.ts';
import { conversationNotFound } from '../conversations/actions.ts';
import { findContactOf, lockById } from '../conversations/store.ts';
import { attachmentId, attachmentView, params } from '../schema.ts';
import {
  type AttachmentRow,
  deleteAttachment,
  findAttachment,
  forgetRemovedObjects,
  insertAttachment,
  listAttachments,
  listRemovedObjects,
} from './store.ts';
import { attachmentBytesMax, type Upload, withUpload } from './upload.ts';

export interface AttachmentContext extends InboxContext {
  readonly objects: Objects;
}

const path = '/team-inbox/api/conversations/{id}/attachments/';
const filePath = '/team-inbox/api/attachments/';
const fileParams = z.strictObject({ id: attachmentId });
const removedAtOnce = 100;

export function attachmentRoutes(context: AttachmentContext): AnyRoute[] {
  return [listRoute(context), addRoute(context), downloadRoute(context), deleteRoute(context)];
}

/** Removes files whose attachment was deleted; called at intervals. */
export async function sweepRemovedObjects({
  db,
  objects,
}: Pick<AttachmentContext, 'db' | 'objects'>): Promise<void> {
  const removed = await db.system((tx) => listRemovedObjects(tx, removedAtOnce));
  for (const { object_key } of removed) await objects.remove(object_key);
  if (removed.length > 0) await db.system((tx) => forgetRemovedObjects(tx, removed));
}

function listRoute({ db }: AttachmentContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listConversationAttachments',
    summary: 'List files of a conversation, newest first',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { params, query: pageQuery },
    responses: {
      200: {
        description: 'A page of files.',
        schema: pageSchema(attachmentView, 'ConversationAttachmentPage'),
      },
    },
    errors: ['conversation_not_found'],
    handler: async ({ params: { id }, query, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(query, 'att');
      const rows = await db.tenant(scope.tenantId, async (tx) => {
        if (!(await findContactOf(tx, scope, id))) throw conversationNotFound(id);
        return listAttachments(tx, scope, id, page);
      });
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function addRoute(context: AttachmentContext) {
  return route({
    method: 'post',
    path,
    operationId: 'addConversationAttachment',
    summary: 'Keep a file with a conversation',
    description:
      `A form with the part \`file\`, at most ${attachmentBytesMax} bytes: a picture, sound, film, ` +
      'PDF or plain text, told by its bytes and not by its name. For the team; it is not sent.',
    tag,
    auth: { scope: 'inbox:write' },
    unaudited: 'what is not sent is forgotten',
    limit: 'write',
    request: { params, headers: idempotencyHeaders },
    upload: ['multipart/form-data'],
    responses: { 201: { description: 'The file is kept.', schema: attachmentView } },
    errors: ['conversation_not_found', 'idempotency_payload_mismatch', 'unavailable'],
    handler: async ({ params: { id }, headers, principal, raw, signal }) => {
      const scope = scopeOf(principal);
      const contact = await context.db.tenant(scope.tenantId, (tx) => findContactOf(tx, scope, id));
      if (contact === undefined) throw conversationNotFound(id);
      const made = await withUpload(raw, signal, (upload) => {
        const { name, sha256 } = upload;
        const once = onceOf(`POST ${path} ${id}`, headers, { name, sha256 });
        return keep(context, scope, { conversationId: id, author: principal.id, upload, once });
      });
      const location = `${filePath}${made.row.id}/`;
      return { status: 201, body: show(made.row), headers: madeHeaders(location, made) };
    },
  });
}

interface Keeping {
  readonly conversationId: string;
  readonly author: string;
  readonly upload: Upload;
  readonly once: Once | undefined;
}

/**
 * Stores the bytes before the row: bytes without a row are deleted later, a row without bytes is
 * broken.
 */
async function keep(
  { db, clock, random, objects }: AttachmentContext,
  scope: TenantScope,
  { conversationId, author, upload, once }: Keeping,
): Promise<Made<AttachmentRow>> {
  const created_at = clock();
  const id = newId('att', () => created_at, random);
  const { name, mediaType: media_type, bytes, sha256, open } = upload;
  const object_key = `inbox/${scope.tenantId}/${id}`;
  const row: AttachmentRow = {
    id,
    conversation_id: conversationId,
    name,
    media_type,
    bytes,
    sha256,
    object_key,
    author,
    message_id: null,
    created_at,
  };
  await objects.put(object_key, { stream: open(), bytes, sha256 });
  try {
    const made = await db.tenant(scope.tenantId, (tx) =>
      makeOnce(tx, scope, once, {
        id,
        make: async () => {
          // The conversation may have been deleted with its contact during the upload.
          const [conversation] = await lockById(tx, scope, [conversationId]);
          if (conversation === undefined) throw conversationNotFound(conversationId);
          await insertAttachment(tx, scope, row);
          return row;
        },
        find: (known) => findAttachment(tx, scope, known),
      }),
    );
    if (made.isReplay) await objects.remove(object_key);
    return made;
  } catch (error) {
    await objects.remove(object_key);
    throw error;
  }
}

function downloadRoute({ db, objects }: AttachmentContext) {
  return route({
    method: 'get',
    path: `${filePath}{id}/`,
    operationId: 'downloadAttachment',
    summary: 'Download a file of a conversation',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { params: fileParams },
    responses: { 200: { description: 'The file.', mediaType: '*/*' } },
    errors: ['attachment_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findAttachment(tx, scope, id));
      const object = row && (await objects.get(row.object_key));
      if (row === undefined || object === undefined) throw attachmentNotFound(id);
      return { status: 200, body: object.stream, headers: headersOf(row, object.bytes) };
    },
  });
}

/** As a download and never displayed, so that no browser runs it in our origin. */
function headersOf({ name, media_type }: AttachmentRow, bytes: number): Record<string, string> {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (each) => {
    return `%${each.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return {
    'content-type': media_type,
    'content-length': String(bytes),
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`,
    'content-security-policy': "sandbox; default-src 'none'",
  };
}

function deleteRoute({ db }: AttachmentContext) {
  return route({
    method: 'delete',
    path: `${filePath}{id}/`,
    operationId: 'deleteAttachment',
    summary: 'Delete a file of a conversation',
    tag,
    auth: { scope: 'inbox:write' },
    limit: 'write',
    request: { params: fileParams },
    responses: { 204: { description: 'It was removed.' } },
    errors: ['attachment_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const gone = await db.tenant(scope.tenantId, (tx) => deleteAttachment(tx, scope, id));
      if (gone === 0) throw attachmentNotFound(id);
      return { status: 204 };
    },
  });
}

function attachmentNotFound(id: string) {
  return fail('attachment_not_found', `There is no attachment "${id}".`);
}

function show({ object_key: _, created_at, ...row }: AttachmentRow) {
  return { ...row, url: `${filePath}${row.id}/`, created_at: created_at.toISOString() };
}
