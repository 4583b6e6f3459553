import { z } from 'zod';
import type { Tx } from '../../platform/db/tx.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import { fail, invalid } from '../errors.ts';
import { afterCursor, pageQuery, pageSchema } from '../paging.ts';
import {
  type Address,
  type Consent,
  deleteOptOut,
  findOptOut,
  insertConsent,
  insertOptOut,
  latestConsents,
  listOptOuts,
  type OptOutRow,
} from './consent-store.ts';
import { type Directory, readNumber } from './directory.ts';
import { tellConsent } from './events.ts';
import { contactNotFound, placeOf, tag } from './place.ts';
import {
  channel,
  consentList,
  consentRequest,
  contactId,
  optOutRequest,
  optOutView,
} from './schema.ts';
import { type ContactRow, findContact, type Place } from './store.ts';

const path = '/contacts/opt-outs/';
/** Channels that reach people by their telephone number. */
export const byPhone = ['wa', 'sms', 'rcs', 'voice'] as const;

export function consentRoutes(directory: Directory): AnyRoute[] {
  return [
    listOptOutsRoute(directory),
    addOptOutRoute(directory),
    removeOptOutRoute(directory),
    listConsentsRoute(directory),
    recordConsentRoute(directory),
  ];
}

/** Writes down a yes or no and makes it hold; answers the opt-out when it was a no. */
export async function recordConsent(
  tx: Tx,
  place: Place,
  { clock, random }: Pick<Directory, 'clock' | 'random'>,
  said: Omit<Consent, 'id' | 'created_at'>,
): Promise<OptOutRow | undefined> {
  const now = clock();
  await insertConsent(tx, place, {
    ...said,
    id: newId('cns', () => now, random),
    created_at: now,
  });
  if (said.state === 'granted') {
    await deleteOptOut(tx, place, said);
    return undefined;
  }
  return insertOptOut(tx, place, {
    ...said,
    id: newId('opt', () => now, random),
    created_at: now,
  });
}

function listOptOutsRoute({ db }: Directory) {
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
        address: z.string().max(200).optional(),
      }),
    },
    responses: { 200: { description: 'A page.', schema: pageSchema(optOutView, 'OptOutPage') } },
    handler: async ({ query, principal }) => {
      const place = placeOf(principal);
      const { channel: on = null, address = null, limit } = query;
      const filter = { channel: on, address, before: afterCursor(query.cursor, 'opt') ?? null };
      const rows = await db.tenant(place.tenantId, (tx) =>
        listOptOuts(tx, place, filter, limit + 1),
      );
      return { status: 200, body: pageOf(rows, limit, (row) => row.id, show) };
    },
  });
}

function addOptOutRoute(directory: Directory) {
  return route({
    method: 'post',
    path,
    operationId: 'addOptOut',
    summary: 'Stop writing to an address on a channel',
    description: 'Whether or not there is a contact. Added again, it is the one that was there.',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { body: optOutRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The opt-out.', schema: optOutView } },
    errors: ['idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers }) => {
      const place = placeOf(principal);
      const address = body.address.startsWith('+') ? readNumber(body.address) : body.address;
      const { channel: on, note = null } = body;
      const said = { channel: on, address, note, source: 'api', recorded_by: principal.id };
      const made = await directory.db.tenant(place.tenantId, (tx) =>
        makeOnce(tx, place, onceOf(`POST ${path}`, headers, body), {
          // One that was there already keeps its own id, so the address is what it is found by.
          id: `${on} ${address}`,
          make: async () =>
            (await recordByApi(tx, place, directory, { ...said, state: 'revoked' }))!,
          find: async () =>
            (await listOptOuts(tx, place, { channel: on, address, before: null }, 1))[0],
        }),
      );
      return { status: 201, body: show(made.row), headers: madeHeaders(undefined, made) };
    },
  });
}

function removeOptOutRoute(directory: Directory) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'removeOptOut',
    summary: 'Write to an address again, since it agreed',
    description: 'Who removed it is kept.',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { params: z.strictObject({ id: z.string().max(100) }) },
    responses: { 204: { description: 'It may be written to.' } },
    errors: ['opt_out_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const place = placeOf(principal);
      await directory.db.tenant(place.tenantId, async (tx) => {
        const row = await findOptOut(tx, place, id);
        if (row === undefined) throw fail('opt_out_not_found', `There is no opt-out "${id}".`);
        const { channel: on, address } = row;
        const said = { channel: on, address, note: null, source: 'api' };
        const recorded_by = principal.id;
        await recordByApi(tx, place, directory, { ...said, recorded_by, state: 'granted' });
      });
      return { status: 204 };
    },
  });
}

const params = z.strictObject({ id: contactId });

function listConsentsRoute({ db }: Directory) {
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
      const place = placeOf(principal);
      const results = await db.tenant(place.tenantId, (tx) => readConsents(tx, place, id));
      return { status: 200, body: { results } };
    },
  });
}

function recordConsentRoute(directory: Directory) {
  return route({
    method: 'post',
    path: '/contacts/{id}/consents/',
    operationId: 'recordConsent',
    summary: 'Write down that a contact agreed, or objected, to a channel',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { params, body: consentRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'What holds now.', schema: consentList } },
    errors: ['contact_not_found', 'idempotency_payload_mismatch'],
    handler: async ({ params: { id }, body, principal, headers }) => {
      const place = placeOf(principal);
      const once = onceOf(`POST /contacts/${id}/consents/`, headers, body);
      const made = await directory.db.tenant(place.tenantId, (tx) =>
        makeOnce(tx, place, once, {
          id,
          make: () => agree(tx, place, directory, id, { ...body, recorded_by: principal.id }),
          find: () => readConsents(tx, place, id),
        }),
      );
      const { row: results } = made;
      return { status: 201, body: { results }, headers: madeHeaders(undefined, made) };
    },
  });
}

/** Writes down a yes or no to every address that the contact has on the channel. */
async function agree(
  tx: Tx,
  place: Place,
  directory: Directory,
  id: string,
  { channel: on, state, note, recorded_by }: ConsentGiven,
) {
  const contact = await findContact(tx, place, id);
  if (contact === undefined) throw contactNotFound(id);
  const reached = addressesOf(contact).filter((each) => each.channel === on);
  if (reached.length === 0) throw invalid('channel', 'the contact has no address on it');
  for (const address of reached) {
    const said = { ...address, state, note: note ?? null, source: 'api', recorded_by };
    await recordByApi(tx, place, directory, said);
  }
  return readConsents(tx, place, id);
}

type ConsentGiven = z.output<typeof consentRequest> & { readonly recorded_by: string };

/** As `recordConsent`, and customers' endpoints are told. */
export async function recordByApi(
  tx: Tx,
  place: Place,
  directory: Directory,
  said: Omit<Consent, 'id' | 'created_at'>,
): Promise<OptOutRow | undefined> {
  const { channel: on, address, source, state } = said;
  await tellConsent(tx, place, directory, state, { channel: on, address, source });
  return recordConsent(tx, place, directory, said);
}

async function readConsents(tx: Tx, place: Place, id: string) {
  const contact = await findContact(tx, place, id);
  if (contact === undefined) throw contactNotFound(id);
  const addresses = addressesOf(contact);
  const latest = await latestConsents(tx, place, addresses);
  return addresses.map(({ channel: on, address }) => {
    const said = latest.find((each) => each.channel === on && each.address === address);
    return {
      ...{ channel: on, address, state: said?.state ?? 'unknown' },
      ...{ source: said?.source ?? null, note: said?.note ?? null },
      at: said?.created_at.toISOString() ?? null,
    };
  });
}

/** Every address a contact can be reached at, channel by channel. */
export function addressesOf({ phone, channel_identifiers }: ContactRow): Address[] {
  const numbers = phone === null ? [] : byPhone.map((on) => ({ channel: on, address: phone }));
  const others = channel_identifiers.map((each) => {
    return { channel: each.channel, address: each.external_id };
  });
  return [...numbers, ...others.filter(({ address }) => address !== phone)];
}

function show({ created_at, ...row }: OptOutRow) {
  return { ...row, created_at: created_at.toISOString() };
}
