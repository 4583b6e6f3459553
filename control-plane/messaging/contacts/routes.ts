import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { pageSchema, requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { idempotencyHeaders, madeHeaders, onceOf } from '../../platform/idempotency/once.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { changeContact, createContact, readNumber } from './actions.ts';
import { consentRoutes } from './consents/routes.ts';
import { contactNotFound } from './contact-not-found.ts';
import { type ContactContext, tag } from './context.ts';
import { addContactEvent } from './events.ts';
import type { ImportContext } from './imports/importer.ts';
import { importRoutes } from './imports/routes.ts';
import { type MergeContext, mergeRoute } from './merge/routes.ts';
import { contactId, contactPatch, contactQuery, contactRequest, contactView } from './schema.ts';
import { segmentRoutes } from './segments/routes.ts';
import { findSegmentId } from './segments/store.ts';
import { type ContactFilter, deleteContacts, findContact, listContacts } from './store.ts';
import { showContact } from './view.ts';

const path = '/contacts/';
const params = z.strictObject({ id: contactId });

/** The endpoints of the contact directory; fixed paths come before `/contacts/{id}/`. */
export function contactRoutes(directory: ImportContext & MergeContext): AnyRoute[] {
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

function listRoute({ db }: ContactContext) {
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
      const scope = scopeOf(principal);
      const page = requestedPage(query, 'con');
      const rows = await db.tenant(scope.tenantId, async (tx) => {
        const { segment } = query;
        const segmentId = segment === undefined ? segment : await findSegmentId(tx, scope, segment);
        if (segment !== undefined && segmentId === undefined) return [];
        return listContacts(tx, scope, { ...filterOf(query), segmentId }, page);
      });
      return { status: 200, body: pageOf(page, rows, (row) => row.id, showContact) };
    },
  });
}

function filterOf(query: z.output<typeof contactQuery>): ContactFilter {
  const { text, phone, attribute, created_after, created_before } = query;
  return {
    text,
    phone: phone === undefined ? undefined : readNumber(phone),
    attribute: attribute === undefined ? undefined : readAttribute(attribute),
    fromId: firstIdOf(created_after),
    untilId: firstIdOf(created_before),
  };
}

function firstIdOf(instant: string | undefined): string | undefined {
  return instant === undefined ? undefined : firstIdAt('con', new Date(instant));
}

/** `age:42` may mean the number or the text; both match. */
function readAttribute(text: string) {
  const at = text.indexOf(':');
  const value = text.slice(at + 1);
  const isNumber = value.length <= 20 && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value);
  const isFlag = value === 'true' || value === 'false';
  const values = [value, ...(isNumber || isFlag ? [JSON.parse(value) as unknown] : [])];
  return { name: text.slice(0, at), values };
}

function createRoute(context: ContactContext) {
  return route({
    method: 'post',
    path,
    operationId: 'createContact',
    summary: 'Make a contact',
    description: 'It has a phone or an identifier on a channel. Segments that are new are made.',
    tag,
    auth: { scope: 'contacts:write' },
    unaudited: 'contacts are data, written by the thousand',
    limit: 'write',
    request: { body: contactRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The contact, with its id.', schema: contactView } },
    errors: ['contact_exists', 'idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers }) => {
      const once = onceOf(`POST ${path}`, headers, body);
      const made = await createContact(context, scopeOf(principal), body, once);
      const { row } = made;
      return {
        status: 201,
        body: showContact(row),
        headers: madeHeaders(`${path}${row.id}/`, made),
      };
    },
  });
}

function getRoute({ db }: ContactContext) {
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
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findContact(tx, scope, id));
      if (row === undefined) throw await missing(db, scope, id);
      return { status: 200, body: showContact(row) };
    },
  });
}

function patchRoute(context: ContactContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateContact',
    summary: 'Change a contact',
    tag,
    auth: { scope: 'contacts:write' },
    unaudited: 'contacts are data, written by the thousand',
    limit: 'write',
    request: { params, body: contactPatch },
    responses: { 200: { description: 'The contact as it is now.', schema: contactView } },
    errors: ['contact_not_found', 'contact_exists'],
    handler: async ({ params: { id }, body, principal }) => {
      const scope = scopeOf(principal);
      const row = await changeContact(context, scope, id, body);
      if (row === undefined) throw await missing(context.db, scope, id);
      return { status: 200, body: showContact(row) };
    },
  });
}

function deleteRoute(context: ContactContext) {
  const { db } = context;
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
    responses: { 204: { description: 'It was removed.' } },
    errors: ['contact_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const isGone = await db.tenant(scope.tenantId, async (tx) => {
        if ((await deleteContacts(tx, scope, [id])) === 0) return false;
        const nothing = { name: null, phone: null, source: 'api' };
        await addContactEvent(tx, scope, context, 'deleted', { id, ...nothing });
        return true;
      });
      if (!isGone) throw await missing(db, scope, id);
      return { status: 204 };
    },
  });
}

/** The 404 of a contact, which names the contact into which it was merged. */
async function missing(db: ContactContext['db'], scope: TenantScope, id: string) {
  return db.tenant(scope.tenantId, (tx) => contactNotFound(tx, scope, id));
}
