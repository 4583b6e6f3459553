/** Two contacts that are one person become one. */
import { z } from 'zod';
import type { Tx } from '../../platform/db/tx.ts';
import { route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { invalid } from '../errors.ts';
import { findOptOuts } from './consent-store.ts';
import { addressesOf, byPhone, recordByApi } from './consents.ts';
import { type Directory, mergeAttributes } from './directory.ts';
import { tellContact } from './events.ts';
import type { ContactHooks, Merge } from './hooks.ts';
import { insertMerged, lockBoth, moveBelongings } from './merge-store.ts';
import { contactNotFound, placeOf, tag } from './place.ts';
import { contactId, contactView, identifiersMax, mergeRequest } from './schema.ts';
import { showContact } from './show.ts';
import {
  type ContactRow,
  deleteContact,
  findContact,
  type Identifier,
  type Place,
  setIdentifiers,
  updateContact,
} from './store.ts';

export interface MergeEdge extends Directory {
  /** Of every part that refers to contacts. */
  readonly contactHooks: readonly ContactHooks[];
}

const path = '/contacts/{id}/merge/';

export function mergeRoute(edge: MergeEdge) {
  return route({
    method: 'post',
    path,
    operationId: 'mergeContact',
    summary: 'Merge another contact into this one',
    description:
      'The other is gone afterwards; a call with its id is 404 and names this one. Where both have a value this one keeps its own; identifiers, lists, messages, conversations and calls of the other become its own. A second phone is kept as identifiers. An opt-out of either on a channel holds for every address that they have on it.',
    tag,
    auth: { scope: 'contacts:delete' },
    limit: 'write',
    request: {
      params: z.strictObject({ id: contactId }),
      body: mergeRequest,
      headers: idempotencyHeaders,
    },
    responses: { 200: { description: 'The contact as it is now.', schema: contactView } },
    errors: ['contact_not_found', 'idempotency_payload_mismatch'],
    handler: async ({ params: { id }, body, principal, headers }) => {
      const place = placeOf(principal);
      const once = onceOf(`POST /contacts/${id}/merge/`, headers, body);
      const merge = { from: body.contact_id, into: id };
      const made = await edge.db.tenant(place.tenantId, (tx) =>
        makeOnce(tx, place, once, {
          id,
          make: () => mergeContacts(tx, place, edge, merge, principal.id),
          find: () => findContact(tx, place, id),
        }),
      );
      return { status: 200, body: showContact(made.row), headers: madeHeaders(undefined, made) };
    },
  });
}

async function mergeContacts(
  tx: Tx,
  place: Place,
  edge: MergeEdge,
  merge: Merge,
  actor: string,
): Promise<ContactRow> {
  const { from, into } = merge;
  if (from === into) throw invalid('contact_id', 'is this contact itself');
  const here = await lockBoth(tx, place, merge);
  for (const id of [into, from]) if (!here.has(id)) throw contactNotFound(id);
  const gone = (await findContact(tx, place, from))!;
  const kept = (await findContact(tx, place, into))!;
  const next = united(kept, gone);
  await moveBelongings(tx, place, merge);
  for (const hook of edge.contactHooks) await hook.merged(tx, place, merge);
  await deleteContact(tx, place, from);
  await updateContact(tx, place, into, next, edge.clock());
  await setIdentifiers(tx, place, into, next.channel_identifiers);
  await insertMerged(tx, place, merge, edge.clock());
  await spreadOptOuts(tx, place, edge, { ...kept, ...next }, actor);
  const { name, phone } = next;
  const news = { id: into, name, phone, merged_id: from, source: 'api' };
  await tellContact(tx, place, edge, 'merged', news);
  return (await findContact(tx, place, into))!;
}

type United = Pick<ContactRow, 'name' | 'phone' | 'attributes' | 'channel_identifiers'>;

/** What the contact that stays is made of; throws `invalid_request` when that is too much for one. */
function united(kept: ContactRow, gone: ContactRow): United {
  const all = [
    ...kept.channel_identifiers,
    ...gone.channel_identifiers,
    ...secondPhone(kept, gone),
  ];
  const distinct = new Map(all.map((each) => [`${each.channel} ${each.external_id}`, each]));
  if (distinct.size > identifiersMax) {
    throw invalid('contact_id', `together they have more than ${identifiersMax} identifiers`);
  }
  return {
    name: kept.name ?? gone.name,
    phone: kept.phone ?? gone.phone,
    attributes: mergeAttributes(gone.attributes, kept.attributes),
    channel_identifiers: [...distinct.values()],
  };
}

/** A contact has one phone; another by which networks know the person is an identifier on each. */
function secondPhone(kept: ContactRow, { phone }: ContactRow): Identifier[] {
  if (phone === null || kept.phone === null) return [];
  return byPhone.map((channel) => ({ channel, external_id: phone }));
}

/** Who wants no messages on a channel gets none on it, whichever address the no was said for. */
async function spreadOptOuts(
  tx: Tx,
  place: Place,
  edge: MergeEdge,
  contact: ContactRow,
  recorded_by: string,
): Promise<void> {
  const addresses = addressesOf(contact);
  const refused = await findOptOuts(tx, place, addresses);
  const isRefused = (channel: string, address?: string) =>
    refused.some(
      (each) => each.channel === channel && (address === undefined || each.address === address),
    );
  for (const { channel, address } of addresses) {
    if (!isRefused(channel) || isRefused(channel, address)) continue;
    const said = { channel, address, state: 'revoked', source: 'merge', recorded_by } as const;
    await recordByApi(tx, place, edge, { ...said, note: null });
  }
}
