/** Merges two contacts that are the same person. */
import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { faultOf } from '../../../platform/db/errors.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { route } from '../../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../../platform/idempotency/once.ts';
import { invalid } from '../../errors.ts';
import { contactExists, mergeAttributes } from '../actions.ts';
import { addressesOf } from '../addresses.ts';
import { recordByApi } from '../consents/routes.ts';
import { findOptOuts } from '../consents/store.ts';
import { contactNotFound } from '../contact-not-found.ts';
import { type ContactContext, tag } from '../context.ts';
import { addContactEvent } from '../events.ts';
import type { ContactHooks, Merge } from '../hooks.ts';
import { contactId, contactView, identifiersMax, mergeRequest } from '../schema.ts';
import {
  type ContactRow,
  deleteContacts,
  findContact,
  identifiersOf,
  setIdentifiers,
  updateContact,
} from '../store.ts';
import { showContact } from '../view.ts';
import {
  findOtherHolder,
  insertMerged,
  lockForMerge,
  moveIdentifiersAndSegments,
} from './store.ts';

export interface MergeContext extends ContactContext {
  /** The hooks of every part that refers to contacts. */
  readonly contactHooks: readonly ContactHooks[];
}

const path = '/contacts/{id}/merge/';

export function mergeRoute(context: MergeContext) {
  return route({
    method: 'post',
    path,
    operationId: 'mergeContact',
    summary: 'Merge another contact into this one',
    description:
      'The other is gone afterwards; a call with its id is 404 and names this one. Where both have a value this one keeps its own, unless `values_of_other` names it; identifiers, lists, messages, conversations and calls of the other become its own. A second phone is kept as identifiers, unless a third contact has it: then 409 names that one, to be merged first. An opt-out of either on a channel holds for every address that they have on it.',
    tag,
    auth: { scope: 'contacts:delete' },
    limit: 'write',
    request: {
      params: z.strictObject({ id: contactId }),
      body: mergeRequest,
      headers: idempotencyHeaders,
    },
    responses: { 200: { description: 'The contact as it is now.', schema: contactView } },
    errors: [
      'contact_not_found',
      'contact_exists',
      'broadcast_busy',
      'idempotency_payload_mismatch',
    ],
    handler: async ({ params: { id }, body, principal, headers }) => {
      const scope = scopeOf(principal);
      const once = onceOf(`POST /contacts/${id}/merge/`, headers, body);
      const merge = { from: body.contact_id, into: id };
      const ofOther = new Set(body.values_of_other ?? []);
      const merging = context.db.tenant(scope.tenantId, (tx) =>
        makeOnce(tx, scope, once, {
          id,
          make: () => mergeContacts(tx, scope, context, merge, ofOther, principal.id),
          find: () => findContact(tx, scope, id),
        }),
      );
      const made = await merging.catch(async (error: unknown) => {
        if (faultOf(error).code !== 'duplicate') throw error;
        const holder = (tx: Tx) => findOtherHolder(tx, scope, merge);
        throw contactExists(await context.db.tenant(scope.tenantId, holder));
      });
      return { status: 200, body: showContact(made.row), headers: madeHeaders(undefined, made) };
    },
  });
}

async function mergeContacts(
  tx: Tx,
  scope: TenantScope,
  context: MergeContext,
  merge: Merge,
  ofOther: ReadonlySet<string>,
  actor: string,
): Promise<ContactRow> {
  const { from, into } = merge;
  if (from === into) throw invalid('contact_id', 'is this contact itself');
  const here = await lockForMerge(tx, scope, merge);
  for (const id of [into, from]) if (!here.has(id)) throw await contactNotFound(tx, scope, id);
  const gone = (await findContact(tx, scope, from))!;
  const kept = (await findContact(tx, scope, into))!;
  const next = mergedContact(kept, gone, ofOther);
  await moveIdentifiersAndSegments(tx, scope, merge);
  for (const hook of context.contactHooks) await hook.merged(tx, scope, merge);
  await deleteContacts(tx, scope, [from]);
  await updateContact(tx, scope, into, next, context.clock());
  await setIdentifiers(tx, scope, into, next.channel_identifiers);
  await insertMerged(tx, scope, merge, context.clock());
  await extendOptOutsToAll(tx, scope, context, { ...kept, ...next }, actor);
  const { name, phone } = next;
  const payload = { id: into, name, phone, merged_id: from, source: 'api' };
  await addContactEvent(tx, scope, context, 'merged', payload);
  return (await findContact(tx, scope, into))!;
}

type MergedContact = Pick<ContactRow, 'name' | 'phone' | 'attributes' | 'channel_identifiers'>;

/**
 * The merged contact, with those values of the one that goes; throws `invalid_request` when it would have too
 * many identifiers.
 */
function mergedContact(
  kept: ContactRow,
  gone: ContactRow,
  ofOther: ReadonlySet<string>,
): MergedContact {
  const [phone, secondPhone] = ofOther.has('phone')
    ? [gone.phone ?? kept.phone, gone.phone && kept.phone]
    : [kept.phone ?? gone.phone, kept.phone && gone.phone];
  const all = [
    ...kept.channel_identifiers,
    ...gone.channel_identifiers,
    // A contact has one phone.
    ...identifiersOf(secondPhone),
  ];
  const distinct = new Map(all.map((each) => [`${each.channel} ${each.external_id}`, each]));
  if (distinct.size > identifiersMax) {
    throw invalid('contact_id', `together they have more than ${identifiersMax} identifiers`);
  }
  return {
    name: ofOther.has('name') ? (gone.name ?? kept.name) : (kept.name ?? gone.name),
    phone,
    attributes: mergeAttributes(
      gone.attributes,
      Object.fromEntries(
        Object.entries(kept.attributes).filter(
          ([key]) => !(ofOther.has(`attributes.${key}`) && Object.hasOwn(gone.attributes, key)),
        ),
      ),
    ),
    channel_identifiers: [...distinct.values()],
  };
}

/** An opt-out of any address on a channel holds for all addresses of the merged contact there. */
async function extendOptOutsToAll(
  tx: Tx,
  scope: TenantScope,
  context: MergeContext,
  contact: ContactRow,
  recorded_by: string,
): Promise<void> {
  const addresses = addressesOf(contact);
  const refused = await findOptOuts(tx, scope, addresses);
  const isRefused = (channel: string, address?: string) =>
    refused.some(
      (each) => each.channel === channel && (address === undefined || each.address === address),
    );
  for (const { channel, address } of addresses) {
    if (!isRefused(channel) || isRefused(channel, address)) continue;
    const said = { channel, address, state: 'revoked', source: 'merge', recorded_by } as const;
    await recordByApi(tx, scope, context, { ...said, note: null });
  }
}
