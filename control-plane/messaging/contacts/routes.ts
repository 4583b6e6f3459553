import { z } from 'zod';
import { pageOf } from '../../platform/http/cursor.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { idempotencyHeaders, madeHeaders, onceOf } from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import { afterCursor, pageSchema } from '../paging.ts';
import { consentRoutes } from './consents.ts';
import { changeContact, createContact, type Directory, readNumber } from './directory.ts';
import type { ImportEdge } from './imports/apply.ts';
import { importRoutes } from './imports/routes.ts';
import { type MergeEdge, mergeRoute } from './merge.ts';
import { findMergedInto } from './merge-store.ts';
import { contactNotFound, placeOf, tag } from './place.ts';
import { contactId, contactPatch, contactQuery, contactRequest, contactView } from './schema.ts';
import { findSegmentId } from './segment-store.ts';
import { segmentRoutes } from './segments.ts';
import { showContact } from './show.ts';
import {
  type ContactFilter,
  deleteContact,
  findContact,
  listContacts,
  type Place,
} from './store.ts';

const path = '/contacts/';
const params = z.strictObject({ id: contactId });

/** The endpoints of the contact directory; paths with fixed words go before `/contacts/{id}/`. */
export function contactRoutes(directory: ImportEdge & MergeEdge): AnyRoute[] {
  return [
    ...segmentRoutes(directory),
    ...consentRoutes(directory),
    ...importRoutes(directory),
    listRoute(directory),
    createRoute(directory),
    getRoute(directory),
    patchRoute(directory),
    deleteRoute(directory),
    mergeRoute(directory),
  ];
}

function listRoute({ db }: Directory) {
  return route({
    method: 'get',
    path,
    operationId: 'listContacts',
    summary: 'List contacts, newest first',
    description: 'Filters hold together: a contact is listed when all of them fit.',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { query: contactQuery },
    responses: {
      200: { description: 'A page of contacts.', schema: pageSchema(contactView, 'ContactPage') },
    },
    handler: async ({ query, principal }) => {
      const place = placeOf(principal);
      const before = afterCursor(query.cursor, 'con');
      const rows = await db.tenant(place.tenantId, async (tx) => {
        const { segment } = query;
        const segmentId = segment === undefined ? segment : await findSegmentId(tx, place, segment);
        if (segment !== undefined && segmentId === undefined) return [];
        const filter = { ...filterOf(query), segmentId, before };
        return listContacts(tx, place, filter, query.limit + 1);
      });
      return { status: 200, body: pageOf(rows, query.limit, (row) => row.id, showContact) };
    },
  });
}

function filterOf(query: z.output<typeof contactQuery>): ContactFilter {
  const { text, phone, attribute, created_after, created_before } = query;
  return {
    text,
    phone: phone === undefined ? undefined : readNumber(phone),
    attribute: attribute === undefined ? undefined : readAttribute(attribute),
    fromId: created_after === undefined ? undefined : firstIdAt(created_after),
    untilId: created_before === undefined ? undefined : firstIdAt(created_before),
  };
}

/** `age:42` may mean the number or the text; both are looked for. */
function readAttribute(text: string) {
  const at = text.indexOf(':');
  const value = text.slice(at + 1);
  const isNumber = value.length <= 20 && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value);
  const isFlag = value === 'true' || value === 'false';
  const values = [value, ...(isNumber || isFlag ? [JSON.parse(value) as unknown] : [])];
  return { name: text.slice(0, at), values };
}

/** Ids begin with the instant they were made at, so a span of time is a span of ids. */
function firstIdAt(instant: string): string {
  return newId(
    'con',
    () => new Date(instant),
    (size) => new Uint8Array(size),
  );
}

function createRoute(directory: Directory) {
  return route({
    method: 'post',
    path,
    operationId: 'createContact',
    summary: 'Make a contact',
    description: 'It has a phone or an identifier on a channel. Segments that are new are made.',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { body: contactRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The contact, with its id.', schema: contactView } },
    errors: ['contact_exists', 'idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers }) => {
      const once = onceOf(`POST ${path}`, headers, body);
      const made = await createContact(directory, placeOf(principal), body, once);
      const { row } = made;
      return {
        status: 201,
        body: showContact(row),
        headers: madeHeaders(`${path}${row.id}/`, made),
      };
    },
  });
}

function getRoute({ db }: Directory) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getContact',
    summary: 'Read a contact',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The contact.', schema: contactView } },
    errors: ['contact_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const place = placeOf(principal);
      const row = await db.tenant(place.tenantId, (tx) => findContact(tx, place, id));
      if (row === undefined) throw await missing(db, place, id);
      return { status: 200, body: showContact(row) };
    },
  });
}

function patchRoute(directory: Directory) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateContact',
    summary: 'Change a contact',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { params, body: contactPatch },
    responses: { 200: { description: 'The contact as it is now.', schema: contactView } },
    errors: ['contact_not_found', 'contact_exists'],
    handler: async ({ params: { id }, body, principal }) => {
      const place = placeOf(principal);
      const row = await changeContact(directory, place, id, body);
      if (row === undefined) throw await missing(directory.db, place, id);
      return { status: 200, body: showContact(row) };
    },
  });
}

function deleteRoute({ db }: Directory) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'deleteContact',
    summary: 'Delete a contact',
    description: 'Opt-outs of its addresses stay, so that it cannot be written to by mistake.',
    tag,
    auth: { scope: 'contacts:delete' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It is gone.' } },
    errors: ['contact_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const place = placeOf(principal);
      const gone = await db.tenant(place.tenantId, (tx) => deleteContact(tx, place, id));
      if (gone === 0) throw await missing(db, place, id);
      return { status: 204 };
    },
  });
}

/** The 404 of a contact, which names the one that it was merged into. */
async function missing(db: Directory['db'], place: Place, id: string) {
  const into = await db.tenant(place.tenantId, (tx) => findMergedInto(tx, place, id));
  return contactNotFound(id, into);
}
