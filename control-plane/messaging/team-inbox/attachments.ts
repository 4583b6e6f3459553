import { z } from 'zod';
import { pageOf } from '../../platform/http/cursor.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  type Made,
  madeHeaders,
  makeOnce,
  type Once,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { placeOf } from '../contacts/place.ts';
import type { Place } from '../contacts/store.ts';
import { fail } from '../errors.ts';
import { afterCursor, pageQuery, pageSchema } from '../paging.ts';
import {
  type AttachmentRow,
  deleteAttachment,
  findAttachment,
  forgetOrphans,
  insertAttachment,
  listAttachments,
  listOrphans,
} from './attachment-store.ts';
import { findContactOf, lockById } from './conversation-store.ts';
import { conversationNotFound } from './desk.ts';
import type { InboxEdge } from './edge.ts';
import { tag } from './query.ts';
import { attachmentId, attachmentView, params } from './schema.ts';
import { attachmentBytesMax, type Upload, withUpload } from './upload.ts';

export interface AttachmentEdge extends InboxEdge {
  readonly objects: Objects;
}

const path = '/team-inbox/api/conversations/{id}/attachments/';
const filePath = '/team-inbox/api/attachments/';
const fileParams = z.strictObject({ id: attachmentId });
const orphansAtOnce = 100;

export function attachmentRoutes(edge: AttachmentEdge): AnyRoute[] {
  return [listRoute(edge), addRoute(edge), downloadRoute(edge), deleteRoute(edge)];
}

/** Removes the bytes of what is gone; asked for now and then. */
export async function sweepOrphans({
  db,
  objects,
}: Pick<AttachmentEdge, 'db' | 'objects'>): Promise<void> {
  const keys = await db.system((tx) => listOrphans(tx, orphansAtOnce));
  for (const key of keys) await objects.remove(key);
  if (keys.length > 0) await db.system((tx) => forgetOrphans(tx, keys));
}

function listRoute({ db }: AttachmentEdge) {
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
    handler: async ({ params: { id }, query: { cursor, limit }, principal }) => {
      const place = placeOf(principal);
      const before = afterCursor(cursor, 'att');
      const rows = await db.tenant(place.tenantId, async (tx) => {
        if (!(await findContactOf(tx, place, id))) throw conversationNotFound(id);
        return listAttachments(tx, place, id, before, limit + 1);
      });
      return { status: 200, body: pageOf(rows, limit, (row) => row.id, show) };
    },
  });
}

function addRoute(edge: AttachmentEdge) {
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
    limit: 'write',
    request: { params, headers: idempotencyHeaders },
    upload: ['multipart/form-data'],
    responses: { 201: { description: 'The file is kept.', schema: attachmentView } },
    errors: [
      ...(['conversation_not_found'] as const),
      ...(['idempotency_payload_mismatch', 'unavailable'] as const),
    ],
    handler: async ({ params: { id }, headers, principal, raw, signal, log }) => {
      const place = placeOf(principal);
      const contact = await edge.db.tenant(place.tenantId, (tx) => findContactOf(tx, place, id));
      if (contact === undefined) throw conversationNotFound(id);
      const made = await withUpload(raw, signal, (upload) => {
        const { name, sha256 } = upload;
        const once = onceOf(`POST ${path} ${id}`, headers, { name, sha256 });
        return keep(edge, place, { conversationId: id, author: principal.id, upload, once });
      }).catch((error: unknown) => {
        if (!isDiskFull(error)) throw error;
        log.error({ err: error }, 'there is no room for files');
        throw fail('unavailable', 'There is no room for the file now: try again later.');
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

/** Puts the bytes first: a row without them would be a lie, bytes without a row are swept. */
async function keep(
  { db, clock, random, objects }: AttachmentEdge,
  place: Place,
  { conversationId, author, upload, once }: Keeping,
): Promise<Made<AttachmentRow>> {
  const created_at = clock();
  const id = newId('att', () => created_at, random);
  const { name, mediaType: media_type, bytes, sha256, open } = upload;
  const object_key = `inbox/${place.tenantId}/${id}`;
  const row: AttachmentRow = {
    ...{ id, conversation_id: conversationId, name, media_type, bytes, sha256 },
    ...{ object_key, author, message_id: null, created_at },
  };
  await objects.put(object_key, { stream: open(), bytes, sha256 });
  try {
    const made = await db.tenant(place.tenantId, (tx) =>
      makeOnce(tx, place, once, {
        id,
        make: async () => {
          // It may have gone with its contact while the file came in.
          const [conversation] = await lockById(tx, place, [conversationId]);
          if (conversation === undefined) throw conversationNotFound(conversationId);
          await insertAttachment(tx, place, row);
          return row;
        },
        find: (known) => findAttachment(tx, place, known),
      }),
    );
    if (made.isReplay) await objects.remove(object_key);
    return made;
  } catch (error) {
    await objects.remove(object_key);
    throw error;
  }
}

function downloadRoute({ db, objects }: AttachmentEdge) {
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
      const place = placeOf(principal);
      const row = await db.tenant(place.tenantId, (tx) => findAttachment(tx, place, id));
      const object = row && (await objects.get(row.object_key));
      if (row === undefined || object === undefined) throw attachmentNotFound(id);
      return { status: 200, body: object.stream, headers: headersOf(row, object.bytes) };
    },
  });
}

function isDiskFull(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Saved, never shown: whatever it is, no browser runs it in our name. */
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

function deleteRoute({ db }: AttachmentEdge) {
  return route({
    method: 'delete',
    path: `${filePath}{id}/`,
    operationId: 'deleteAttachment',
    summary: 'Delete a file of a conversation',
    tag,
    auth: { scope: 'inbox:write' },
    limit: 'write',
    request: { params: fileParams },
    responses: { 204: { description: 'It is gone.' } },
    errors: ['attachment_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const place = placeOf(principal);
      const gone = await db.tenant(place.tenantId, (tx) => deleteAttachment(tx, place, id));
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
