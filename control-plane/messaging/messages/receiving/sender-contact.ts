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
  findContact,
  holdContactByAddress,
  insertContact,
  setIdentifiers,
} from '../../contacts/store.ts';
import { addIdentifier, lockAddress } from './store.ts';

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
    if (userId !== undefined && (await addIdentifier(tx, scope, known, channel, userId))) {
      const has = addressesOf((await findContact(tx, scope, known))!);
      const had = has.filter(({ address }) => address !== userId);
      await extendOptOuts(tx, scope, context, { had, has, source: 'network' });
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
