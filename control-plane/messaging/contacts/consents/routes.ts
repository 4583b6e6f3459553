import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../../platform/idempotency/once.ts';
import { fail, invalid } from '../../errors.ts';
import { readAddress } from '../actions.ts';
import { addressesOf } from '../addresses.ts';
import { contactNotFound } from '../contact-not-found.ts';
import { type ContactContext, tag } from '../context.ts';
import { addConsentEvent } from '../events.ts';
import {
  channel,
  consentList,
  consentRequest,
  contactId,
  note,
  optOutRequest,
  optOutView,
} from '../schema.ts';
import { findContact } from '../store.ts';
import { recordConsent } from './record-consent.ts';
import { type Consent, findOptOut, latestConsents, listOptOuts, type OptOutRow } from './store.ts';

const path = '/contacts/opt-outs/';

export function consentRoutes(context: ContactContext): AnyRoute[] {
  return [
    listOptOutsRoute(context),
    addOptOutRoute(context),
    removeOptOutRoute(context),
    listConsentsRoute(context),
    recordConsentRoute(context),
  ];
}

function listOptOutsRoute({ db }: ContactContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listOptOuts',
    summary: 'List addresses that must not be written to, newest first',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: {
      query: pageQuery.extend({
        channel: channel.optional(),
        address: z.string().max(200).optional().describe('A number in any writing.'),
      }),
    },
    responses: { 200: { description: 'A page.', schema: pageSchema(optOutView, 'OptOutPage') } },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const { channel: on } = query;
      const address = query.address === undefined ? null : readAddress(query.address, on);
      const filter = { channel: on ?? null, address };
      const page = requestedPage(query, 'opt');
      const rows = await db.tenant(scope.tenantId, (tx) => listOptOuts(tx, scope, filter, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function addOptOutRoute(context: ContactContext) {
  return route({
    method: 'post',
    path,
    operationId: 'addOptOut',
    summary: 'Stop writing to an address on a channel',
    description: 'Whether or not there is a contact. Added again, it is the one that was there.',
    tag,
    auth: { scope: 'contacts:write' },
    unaudited: 'consents keep a history of their own',
    limit: 'write',
    request: { body: optOutRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The opt-out.', schema: optOutView } },
    errors: ['idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers }) => {
      const scope = scopeOf(principal);
      const { channel: on, note = null } = body;
      const address = readAddress(body.address, on);
      const said = { channel: on, address, note, source: 'api', recorded_by: principal.id };
      const made = await context.db.tenant(scope.tenantId, (tx) =>
        makeOnce(tx, scope, onceOf(`POST ${path}`, headers, body), {
          // An existing opt-out keeps its id, so a repeated request finds it by its address.
          id: `${on} ${address}`,
          make: async () => (await recordByApi(tx, scope, context, { ...said, state: 'revoked' }))!,
          find: async () =>
            (await listOptOuts(tx, scope, { channel: on, address }, firstRows(1)))[0],
        }),
      );
      return { status: 201, body: show(made.row), headers: madeHeaders(undefined, made) };
    },
  });
}

function removeOptOutRoute(context: ContactContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'removeOptOut',
    summary: 'Write to an address again, since it agreed',
    description: 'Who removed it is kept.',
    tag,
    auth: { scope: 'contacts:write' },
    unaudited: 'consents keep a history of their own',
    limit: 'write',
    request: {
      params: z.strictObject({ id: z.string().max(100) }),
      query: z.strictObject({ note: note.optional().describe('How it is known.') }),
    },
    responses: { 204: { description: 'It may be written to.' } },
    errors: ['opt_out_not_found'],
    handler: async ({ params: { id }, query, principal }) => {
      const scope = scopeOf(principal);
      await context.db.tenant(scope.tenantId, async (tx) => {
        const row = await findOptOut(tx, scope, id);
        if (row === undefined) throw fail('opt_out_not_found', `There is no opt-out "${id}".`);
        const { channel: on, address } = row;
        const said = { channel: on, address, note: query.note ?? null, source: 'api' };
        const recorded_by = principal.id;
        await recordByApi(tx, scope, context, { ...said, recorded_by, state: 'granted' });
      });
      return { status: 204 };
    },
  });
}

const params = z.strictObject({ id: contactId });

function listConsentsRoute({ db }: ContactContext) {
  return route({
    method: 'get',
    path: '/contacts/{id}/consents/',
    operationId: 'listConsents',
    summary: 'What a contact said last, address by address',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'By channel and address.', schema: consentList } },
    errors: ['contact_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const results = await db.tenant(scope.tenantId, (tx) => readConsents(tx, scope, id));
      return { status: 200, body: { results } };
    },
  });
}

function recordConsentRoute(context: ContactContext) {
  return route({
    method: 'post',
    path: '/contacts/{id}/consents/',
    operationId: 'recordConsent',
    summary: 'Write down that a contact agreed, or objected, to a channel',
    tag,
    auth: { scope: 'contacts:write' },
    unaudited: 'consents keep a history of their own',
    limit: 'write',
    request: { params, body: consentRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'What holds now.', schema: consentList } },
    errors: ['contact_not_found', 'idempotency_payload_mismatch'],
    handler: async ({ params: { id }, body, principal, headers }) => {
      const scope = scopeOf(principal);
      const once = onceOf(`POST /contacts/${id}/consents/`, headers, body);
      const made = await context.db.tenant(scope.tenantId, (tx) =>
        makeOnce(tx, scope, once, {
          id,
          make: () => agree(tx, scope, context, id, { ...body, recorded_by: principal.id }),
          find: () => readConsents(tx, scope, id),
        }),
      );
      const { row: results } = made;
      return { status: 201, body: { results }, headers: madeHeaders(undefined, made) };
    },
  });
}

/** Records a consent for every address that the contact has on the channel. */
async function agree(
  tx: Tx,
  scope: TenantScope,
  context: ContactContext,
  id: string,
  { channel: on, state, note, recorded_by }: ConsentGiven,
) {
  const contact = await findContact(tx, scope, id);
  if (contact === undefined) throw await contactNotFound(tx, scope, id);
  const reached = addressesOf(contact).filter((each) => each.channel === on);
  if (reached.length === 0) throw invalid('channel', 'the contact has no address on it');
  for (const address of reached) {
    const said = { ...address, state, note: note ?? null, source: 'api', recorded_by };
    await recordByApi(tx, scope, context, said);
  }
  return readConsents(tx, scope, id);
}

type ConsentGiven = z.output<typeof consentRequest> & { readonly recorded_by: string };

/** As `recordConsent`, with the webhook event. */
export async function recordByApi(
  tx: Tx,
  scope: TenantScope,
  context: ContactContext,
  said: Omit<Consent, 'id' | 'created_at'>,
): Promise<OptOutRow | undefined> {
  const { channel: on, address, source, state } = said;
  await addConsentEvent(tx, scope, context, state, { channel: on, address, source });
  return recordConsent(tx, scope, context, said);
}

async function readConsents(tx: Tx, scope: TenantScope, id: string) {
  const contact = await findContact(tx, scope, id);
  if (contact === undefined) throw await contactNotFound(tx, scope, id);
  const addresses = addressesOf(contact);
  const latest = await latestConsents(tx, scope, addresses);
  return addresses.map(({ channel: on, address }) => {
    const said = latest.find((each) => each.channel === on && each.address === address);
    return {
      channel: on,
      address,
      state: said?.state ?? 'unknown',
      source: said?.source ?? null,
      note: said?.note ?? null,
      at: said?.created_at.toISOString() ?? null,
    };
  });
}

function show({ created_at, ...row }: OptOutRow) {
  return { ...row, created_at: created_at.toISOString() };
}
