/** Writing contacts: `createContact`, `changeContact`; each is one transaction. */
import { readPhone } from '@drawbridge/messaging/phone.ts';
import type { Db } from '../../platform/db/database.ts';
import { faultOf } from '../../platform/db/errors.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type Made, makeOnce, type Once } from '../../platform/idempotency/once.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import { fail, invalid } from '../errors.ts';
import { tellContact } from './events.ts';
import { attributesMax } from './schema.ts';
import {
  ensureSegments,
  enterSegments,
  findQueries,
  leaveOtherSegments,
  leaveSegments,
} from './segment-store.ts';
import {
  type Attributes,
  type ContactRow,
  findContact,
  findHolder,
  type Identifier,
  insertContact,
  lockContact,
  type Place,
  setIdentifiers,
  updateContact,
} from './store.ts';

export interface Directory {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

export interface ContactDraft {
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  readonly segments: readonly string[];
  readonly attributes: Attributes;
  readonly channel_identifiers: readonly Identifier[];
}

/** Undefined leaves a field as it is. */
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

/** Throws `invalid_request`, or `contact_exists` naming the contact that is in the way. */
export function createContact(
  directory: Directory,
  place: Place,
  draft: ContactDraft,
  once?: Once,
): Promise<Made<ContactRow>> {
  const { db, clock, random } = directory;
  const { name = null, segments, channel_identifiers } = draft;
  const phone = draft.phone === undefined ? null : readNumber(draft.phone);
  if (phone === null && channel_identifiers.length === 0) {
    throw invalid('phone', 'is required, or an identifier on a channel');
  }
  const attributes = mergeAttributes({}, draft.attributes);
  const now = clock();
  const id = newId('con', () => now, random);
  const find = (tx: Tx) => (known: string) => findContact(tx, place, known);
  const make = async (tx: Tx) => {
    // A number that a merge left as an identifier is no key of its own.
    const holder = phone === null ? undefined : await findHolder(tx, place, phone, []);
    if (holder !== undefined) throw contactExists(holder);
    await insertContact(tx, place, { id, name, phone, attributes, created_at: now });
    await setIdentifiers(tx, place, id, channel_identifiers);
    await enter(directory, tx, place, id, segments);
    await tellContact(tx, place, directory, 'created', { id, name, phone, source: 'api' });
    return (await findContact(tx, place, id))!;
  };
  const made = db.tenant(place.tenantId, (tx) =>
    makeOnce(tx, place, once, { id, make: () => make(tx), find: find(tx) }),
  );
  return made.catch(inTheWay(db, place, phone, channel_identifiers));
}

/** Undefined when there is no such contact; throws as `createContact`. */
export function changeContact(
  directory: Directory,
  place: Place,
  id: string,
  edit: ContactEdit,
): Promise<ContactRow | undefined> {
  const { db, clock } = directory;
  const phone = typeof edit.phone === 'string' ? readNumber(edit.phone) : edit.phone;
  const change = db.tenant(place.tenantId, async (tx) => {
    if (!(await lockContact(tx, place, id))) return undefined;
    const before = (await findContact(tx, place, id))!;
    const next = {
      name: edit.name === undefined ? before.name : edit.name,
      phone: phone === undefined ? before.phone : phone,
      attributes: mergeAttributes(before.attributes, edit.attributes ?? {}),
    };
    const identifiers = edit.channel_identifiers ?? before.channel_identifiers;
    if (next.phone === null && identifiers.length === 0) {
      throw invalid('phone', 'must stay, or an identifier on a channel');
    }
    await updateContact(tx, place, id, next, clock());
    if (edit.channel_identifiers) await setIdentifiers(tx, place, id, identifiers);
    await changeSegments(directory, tx, place, id, edit);
    const changed = Object.keys(edit).filter((field) => edit[field as keyof ContactEdit]);
    const { name } = next;
    const said = { id, name, phone: next.phone, changed, source: 'api' };
    await tellContact(tx, place, directory, 'updated', said);
    return findContact(tx, place, id);
  });
  return change.catch(inTheWay(db, place, phone, edit.channel_identifiers ?? []));
}

/** The number as it is kept, `+` and digits. Throws `invalid_request`. */
export function readNumber(text: string): string {
  const reading = readPhone(text);
  if (reading.kind === 'refused') throw invalid('phone', reading.reason);
  return reading.e164;
}

async function changeSegments(
  directory: Directory,
  tx: Tx,
  place: Place,
  id: string,
  { segments, add_segments = [], remove_segments = [] }: ContactEdit,
): Promise<void> {
  if (segments !== undefined) await leaveOtherSegments(tx, place, id, segments);
  await enter(directory, tx, place, id, [...(segments ?? []), ...add_segments]);
  if (remove_segments.length > 0) await leaveSegments(tx, place, id, remove_segments);
}

async function enter(
  { clock, random }: Directory,
  tx: Tx,
  place: Place,
  id: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await refuseQueries(tx, place, names, 'segments');
  const created_at = clock();
  const rows = [...new Set(names)].map((name) => {
    return { id: newId('seg', () => created_at, random), name, created_at };
  });
  await ensureSegments(tx, place, rows);
  await enterSegments(tx, place, id, names);
}

/** Throws `invalid_request` when one of the segments is a query. */
export async function refuseQueries(
  tx: Tx,
  place: Place,
  names: readonly string[],
  field: string,
): Promise<void> {
  const [query] = await findQueries(tx, place, names);
  if (query === undefined) return;
  throw invalid(field, `"${query.name}" is a query: it finds its contacts by itself`);
}

/** Throws `invalid_request` when they are more than a contact may have. */
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

/** Turns a refused duplicate into the answer that names the contact in the way. */
function inTheWay(
  db: Db,
  place: Place,
  phone: string | null | undefined,
  identifiers: readonly Identifier[],
) {
  return async (error: unknown): Promise<never> => {
    if (faultOf(error).code !== 'duplicate') throw error;
    const id = await db.tenant(place.tenantId, (tx) => findHolder(tx, place, phone, identifiers));
    throw contactExists(id);
  };
}

function contactExists(id: string | undefined) {
  return fail('contact_exists', 'Another contact has this phone or channel identifier.', {
    body: id === undefined ? {} : { contact_id: id },
  });
}
