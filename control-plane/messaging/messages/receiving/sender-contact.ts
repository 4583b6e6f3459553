/** Finds the contacts of people who wrote, and creates missing ones. */
import type { Channel } from '@drawbridge/messaging/message.ts';
import type { Person } from '../../../channels/contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type Clock, newId, type RandomBytes } from '../../../platform/ids.ts';
import { addressesOf } from '../../contacts/addresses.ts';
import { extendOptOuts } from '../../contacts/consents/person-consents.ts';
import { addContactEvent } from '../../contacts/events.ts';
import {
  type ContactRow,
  findContact,
  holdContactByAddress,
  insertContact,
  setIdentifiers,
} from '../../contacts/store.ts';
import { addIdentifier, addPhone, lockAddress } from './store.ts';

export interface SenderContactContext {
  readonly clock: Clock;
  readonly random: RandomBytes;
}

const nameMax = 200;

/** The address for messages to a person: the phone when it is known, else the network's id. */
export function addressOf({ phone, userId }: Person): string {
  return phone ?? userId!;
}

/** The contact of a person who wrote; created when there is none. */
export async function contactOf(
  tx: Tx,
  scope: TenantScope,
  channel: Channel,
  person: Person,
  context: SenderContactContext,
): Promise<string> {
  // Two messages of an unknown person may arrive at once, on two nodes.
  await lockAddress(tx, scope, addressOf(person));
  const { phone, userId } = person;
  const identifiers = userId === undefined ? [] : [{ channel, external_id: userId }];
  const known = await holdContactByAddress(tx, scope, phone, identifiers);
  if (known !== undefined) {
    // Who is known by the number alone has it already.
    if (userId === undefined) return known;
    const changed = await addAddresses(tx, scope, known, channel, person, context);
    if (changed !== undefined) {
      const { name, phone: number } = changed;
      const update = { id: known, name, phone: number, channel, source: 'network' };
      const fields = ['phone', 'channel_identifiers'];
      await addContactEvent(tx, scope, context, 'updated', { ...update, changed: fields });
    }
    return known;
  }
  const { clock, random } = context;
  const now = clock();
  const id = newId('con', () => now, random);
  const name = (person.name ?? person.username)?.replaceAll('\0', '').trim().slice(0, nameMax);
  await insertContact(tx, scope, {
    id,
    name: name || null,
    phone: phone ?? null,
    attributes: {},
    created_at: now,
  });
  await setIdentifiers(tx, scope, id, identifiers);
  const contact = { id, phone: phone ?? null, name: name || null, channel, source: 'inbound' };
  await addContactEvent(tx, scope, context, 'created', contact);
  return id;
}

/**
 * Adds the addresses by which the network knows the person; what they refused holds at these too. Returns the
 * contact with them; undefined when nothing was added.
 */
export async function addAddresses(
  tx: Tx,
  scope: TenantScope,
  contactId: string,
  channel: Channel,
  { phone, userId }: Person,
  context: SenderContactContext,
): Promise<ContactRow | undefined> {
  const contact = (await findContact(tx, scope, contactId))!;
  const had = addressesOf(contact);
  const isKnown = (address: string) =>
    had.some((each) => each.channel === channel && each.address === address);
  const isNew = (address: string | undefined) => address !== undefined && !isKnown(address);
  if (!isNew(phone) && !isNew(userId)) return undefined;
  if (phone !== undefined && isNew(phone)) {
    const isAdded = contact.phone === null && (await addPhone(tx, scope, contactId, phone));
    if (!isAdded) await addIdentifier(tx, scope, contactId, channel, phone);
  }
  if (userId !== undefined) await addIdentifier(tx, scope, contactId, channel, userId);
  const after = (await findContact(tx, scope, contactId))!;
  const has = addressesOf(after);
  // Another contact may have what is new here.
  if (has.length === had.length) return undefined;
  await extendOptOuts(tx, scope, context, { had, has, source: 'network' });
  return after;
}
