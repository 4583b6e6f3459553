/** Creates and changes contacts; each call is one transaction. */
import { withoutMarks } from '@drawbridge/messaging/invisible-marks.ts';
import { readPhone } from '@drawbridge/messaging/phone.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { faultOf } from '../../platform/db/errors.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type Made, makeOnce, type Once } from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import { fail, invalid } from '../errors.ts';
import { addressesOf } from './addresses.ts';
import { extendOptOuts } from './consents/person-consents.ts';
import type { ContactContext } from './context.ts';
import { addContactEvent } from './events.ts';
import { attributesMax, type ContactChannel } from './schema.ts';
import {
  addToSegments,
  ensureSegments,
  findQueries,
  removeFromOtherSegments,
  removeFromSegments,
} from './segments/store.ts';
import {
  type Addresses,
  type Attributes,
  type ContactRow,
  findAddressHolder,
  findContact,
  type Identifier,
  insertContact,
  lockContact,
  setIdentifiers,
  updateContact,
} from './store.ts';

export interface ContactDraft {
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  readonly segments: readonly string[];
  readonly attributes: Attributes;
  readonly channel_identifiers: readonly Identifier[];
}

/** Undefined leaves a field unchanged. */
export interface ContactEdit {
  readonly name?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly segments?: readonly string[] | undefined;
  readonly add_segments?: readonly string[] | undefined;
  readonly remove_segments?: readonly string[] | undefined;
  /** Null deletes an attribute. */
  readonly attributes?: Readonly<Record<string, Attributes[string] | null>> | undefined;
  readonly channel_identifiers?: readonly Identifier[] | undefined;
}

/**
 * Throws `invalid_request`, or `contact_exists` with the id of the contact that has the address.
 */
export function createContact(
  context: ContactContext,
  scope: TenantScope,
  draft: ContactDraft,
  once?: Once,
): Promise<Made<ContactRow>> {
  const { db, clock, random } = context;
  const { name = null, segments } = draft;
  const channel_identifiers = readIdentifiers(draft.channel_identifiers);
  const phone = draft.phone === undefined ? null : readNumber(draft.phone);
  if (phone === null && channel_identifiers.length === 0) {
    throw invalid('phone', 'is required unless there is an identifier on a channel');
  }
  const attributes = mergeAttributes({}, draft.attributes);
  const now = clock();
  const id = newId('con', () => now, random);
  const find = (tx: Tx) => (known: string) => findContact(tx, scope, known);
  const make = async (tx: Tx) => {
    await refuseHeld(tx, scope, id, { phone, identifiers: channel_identifiers });
    await insertContact(tx, scope, { id, name, phone, attributes, created_at: now });
    await setIdentifiers(tx, scope, id, channel_identifiers);
    await enterSegments(context, tx, scope, id, segments);
    await addContactEvent(tx, scope, context, 'created', { id, name, phone, source: 'api' });
    return (await findContact(tx, scope, id))!;
  };
  const made = db.tenant(scope.tenantId, (tx) =>
    makeOnce(tx, scope, once, { id, make: () => make(tx), find: find(tx) }),
  );
  return made.catch(conflictAsError(db, scope, id, { phone, identifiers: channel_identifiers }));
}

/** Undefined when there is no such contact; throws as `createContact`. */
export function changeContact(
  context: ContactContext,
  scope: TenantScope,
  id: string,
  edit: ContactEdit,
): Promise<ContactRow | undefined> {
  const { db, clock } = context;
  const phone = typeof edit.phone === 'string' ? readNumber(edit.phone) : edit.phone;
  const given = edit.channel_identifiers && readIdentifiers(edit.channel_identifiers);
  const change = db.tenant(scope.tenantId, async (tx) => {
    if (!(await lockContact(tx, scope, id))) return undefined;
    const before = (await findContact(tx, scope, id))!;
    const next = {
      name: edit.name === undefined ? before.name : edit.name,
      phone: phone === undefined ? before.phone : phone,
      attributes: mergeAttributes(before.attributes, edit.attributes ?? {}),
    };
    const identifiers = given ?? before.channel_identifiers;
    if (next.phone === null && identifiers.length === 0) {
      throw invalid('phone', 'must stay, or the contact needs an identifier on a channel');
    }
    await refuseHeld(tx, scope, id, {
      phone: next.phone === before.phone ? null : next.phone,
      identifiers: identifiers.filter((each) => !isAmong(before.channel_identifiers, each)),
    });
    await updateContact(tx, scope, id, next, clock());
    if (given) await setIdentifiers(tx, scope, id, identifiers);
    const after = { phone: next.phone, channel_identifiers: identifiers };
    const known = { had: addressesOf(before), has: addressesOf(after), source: 'api' };
    await extendOptOuts(tx, scope, context, known);
    await changeSegments(context, tx, scope, id, edit);
    const changed = Object.keys(edit).filter(
      (field) => edit[field as keyof ContactEdit] !== undefined,
    );
    const { name } = next;
    const said = { id, name, phone: next.phone, changed, source: 'api' };
    await addContactEvent(tx, scope, context, 'updated', said);
    return findContact(tx, scope, id);
  });
  return change.catch(conflictAsError(db, scope, id, { phone, identifiers: given ?? [] }));
}

/** The number as it is stored, `+` and digits. Throws `invalid_request`. */
export function readNumber(text: string, field = 'phone'): string {
  const reading = readPhone(text);
  if (reading.kind === 'phone') return reading.e164;
  const hint = /^ \d/.test(text) ? '; in a URL, + is written %2B' : '';
  throw invalid(field, `${reading.reason}${hint}`);
}

/**
 * An address as messages, prices and opt-outs know it: a number, or the network's own id where the channel has
 * such. Throws `invalid_request`.
 */
export function readAddress(
  text: string,
  on: ContactChannel | undefined,
  field = 'address',
): string {
  // Ids of the chat app have letters: US.13491208655302741918
  const mayBeId = on === undefined || on === 'botchat' || (on === 'wa' && /\p{L}/u.test(text));
  const beginsAsNumber = /^[\s+]/.test(withoutMarks(text));
  return mayBeId && !beginsAsNumber ? text : readNumber(text, field);
}

/** A number in another writing would have its own price, and no opt-out. */
function readIdentifiers(given: readonly Identifier[]): Identifier[] {
  return given.map(({ channel, external_id }, at) => {
    const field = `channel_identifiers.${at}.external_id`;
    return { channel, external_id: readAddress(external_id, channel, field) };
  });
}

async function changeSegments(
  context: ContactContext,
  tx: Tx,
  scope: TenantScope,
  id: string,
  { segments, add_segments = [], remove_segments = [] }: ContactEdit,
): Promise<void> {
  if (segments !== undefined) await removeFromOtherSegments(tx, scope, id, segments);
  await enterSegments(context, tx, scope, id, [...(segments ?? []), ...add_segments]);
  if (remove_segments.length > 0) await removeFromSegments(tx, scope, id, remove_segments);
}

async function enterSegments(
  { clock, random }: ContactContext,
  tx: Tx,
  scope: TenantScope,
  id: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await refuseQueries(tx, scope, names, 'segments');
  const created_at = clock();
  const rows = [...new Set(names)].map((name) => {
    return { id: newId('seg', () => created_at, random), name, created_at };
  });
  await ensureSegments(tx, scope, rows);
  await addToSegments(tx, scope, id, names);
}

/** Throws `invalid_request` when one of the segments is a query. */
export async function refuseQueries(
  tx: Tx,
  scope: TenantScope,
  names: readonly string[],
  field: string,
): Promise<void> {
  const [query] = await findQueries(tx, scope, names);
  if (query === undefined) return;
  throw invalid(field, `"${query.name}" is a query, and contacts cannot be added to it`);
}

/** Throws `invalid_request` when there are more attributes than a contact may have. */
export function mergeAttributes(
  before: Attributes,
  change: Readonly<Record<string, Attributes[string] | null>>,
): Attributes {
  const merged = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null);
  if (merged.length > attributesMax) {
    throw invalid('attributes', `a contact has at most ${attributesMax}`);
  }
  return Object.fromEntries(merged) as Attributes;
}

/**
 * Throws `contact_exists` when another contact has one of the addresses. The database refuses the same phone
 * twice and the same identifier twice, but not a phone that is an identifier elsewhere, as a merge leaves it.
 */
async function refuseHeld(
  tx: Tx,
  scope: TenantScope,
  id: string,
  addresses: Addresses,
): Promise<void> {
  const holder = await findAddressHolder(tx, scope, id, addresses);
  if (holder !== undefined) throw contactExists(holder);
}

function isAmong(known: readonly Identifier[], { channel, external_id }: Identifier): boolean {
  return known.some((each) => each.channel === channel && each.external_id === external_id);
}

/** Turns a duplicate into `contact_exists`, with the id of the contact that has the address. */
function conflictAsError(db: Db, scope: TenantScope, id: string, addresses: Addresses) {
  return async (error: unknown): Promise<never> => {
    if (faultOf(error).code !== 'duplicate') throw error;
    const holder = (tx: Tx) => findAddressHolder(tx, scope, id, addresses);
    throw contactExists(await db.tenant(scope.tenantId, holder));
  };
}

/** The refusal of an address that another contact has, with its id where that is known. */
export function contactExists(id: string | undefined) {
  return fail('contact_exists', 'Another contact has this phone or channel identifier.', {
    body: id === undefined ? {} : { contact_id: id },
  });
}
